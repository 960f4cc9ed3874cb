//! Which part of a sheet is shown.

use napsim_sim::state::Cells;
use napsim_trajectories::{Bounds, CellAddress};

use super::ViewSize;
use super::grid::{Grid, shows};

/// How many cells are looked at for the first one that shows something, where nothing does near the latest action.
const CELLS_SEARCHED_MAX: usize = 4_096;

/// A window of at most the given size around a range, within the used area; nothing where nothing shows.
///
/// Where nothing shows near the range, the window is around the nearest cell, or else the first one of the sheet.
pub(super) fn around(cells: &Cells, active: Option<Bounds>, size: ViewSize) -> Option<Bounds> {
    let (rows, columns) = (i64::from(size.rows), i64::from(size.columns));
    if rows < 1 || columns < 1 {
        return None;
    }
    if let Some(window) = active.and_then(|active| full(cells, active, rows, columns)) {
        return Some(window);
    }
    let near = active.map(|active| Near::new(cells, active, rows, columns));
    if let Some(window) = near.as_ref().and_then(Near::window) {
        return Some(window);
    }
    let other = near.and_then(|near| near.nearest()).or_else(|| first(cells))?;
    Near::new(cells, Bounds::of_cell(other), rows, columns).window()
}

/// The window with the range in its middle, where the used area reaches to all its edges, as it does within tables.
///
/// It is what [`Near`] would find after looking at far more cells.
fn full(cells: &Cells, active: Bounds, rows: i64, columns: i64) -> Option<Bounds> {
    let middle = middle(focus(active, rows, columns));
    let first = CellAddress::new(middle.row - rows / 2, middle.col - columns / 2);
    let window = Bounds {
        first_row: first.row,
        first_col: first.col,
        last_row: first.row + rows - 1,
        last_col: first.col + columns - 1,
    };
    let is_in_sheet = first.row >= 1 && first.col >= 1;
    let used = is_in_sheet
        .then(|| Grid::new(cells, window))
        .and_then(|grid| grid.used());
    used.filter(|used| *used == window)
}

/// What of a range is to be in the middle: no more than a window holds.
fn focus(active: Bounds, rows: i64, columns: i64) -> Bounds {
    let (first_row, last_row) = shortened(active.first_row, active.last_row, rows);
    let (first_col, last_col) = shortened(active.first_col, active.last_col, columns);
    Bounds {
        first_row,
        first_col,
        last_row,
        last_col,
    }
}

fn middle(bounds: Bounds) -> CellAddress {
    let of = |first: i64, last: i64| first + (last - first) / 2;
    CellAddress {
        row: of(bounds.first_row, bounds.last_row),
        col: of(bounds.first_col, bounds.last_col),
    }
}

/// The first cell of a sheet in which something shows.
fn first(cells: &Cells) -> Option<CellAddress> {
    let searched = cells.sorted().take(CELLS_SEARCHED_MAX);
    searched
        .filter(|(_, cell)| shows(cell))
        .find_map(|(key, _)| key.address())
}

/// The surroundings of a range, a window's size to each side.
struct Near<'a> {
    cells: &'a Cells,
    middle: CellAddress,
    rows: i64,
    columns: i64,
    grid: Grid<'a>,
}

impl<'a> Near<'a> {
    fn new(cells: &'a Cells, active: Bounds, rows: i64, columns: i64) -> Self {
        let focus = focus(active, rows, columns);
        let surroundings = Bounds {
            first_row: (focus.first_row - rows).max(1),
            first_col: (focus.first_col - columns).max(1),
            last_row: focus.last_row + rows,
            last_col: focus.last_col + columns,
        };
        Self {
            cells,
            middle: middle(focus),
            rows,
            columns,
            grid: Grid::new(cells, surroundings),
        }
    }

    /// The window, without empty rows and columns at its edges; nothing where nothing shows in it.
    fn window(&self) -> Option<Bounds> {
        let used = self.grid.used()?;
        let middle = self.middle;
        let inside = CellAddress {
            row: middle.row.clamp(used.first_row, used.last_row),
            col: middle.col.clamp(used.first_col, used.last_col),
        };
        if inside == middle {
            return self.around_middle();
        }
        // From outside, a part of what fits into the window may be out of sight.
        Self::new(self.cells, Bounds::of_cell(inside), self.rows, self.columns).around_middle()
    }

    fn around_middle(&self) -> Option<Bounds> {
        let used = self.grid.used()?;
        let middle = self.middle;
        let (first_row, last_row) = centred(middle.row, (used.first_row, used.last_row), self.rows);
        let (first_col, last_col) = centred(middle.col, (used.first_col, used.last_col), self.columns);
        let window = Bounds {
            first_row,
            first_col,
            last_row,
            last_col,
        };
        Grid::new(self.cells, window).used()
    }

    /// The cell closest to the middle of the range, by rows and columns together; the first of several.
    fn nearest(&self) -> Option<CellAddress> {
        let middle = self.middle;
        self.grid
            .cells()
            .map(|(address, _)| address)
            .min_by_key(|address| (address.row - middle.row).abs() + (address.col - middle.col).abs())
    }
}

/// The first part, no longer than a window, of what a range covers along one axis, in whatever order it was written.
fn shortened(first: i64, last: i64, length: i64) -> (i64, i64) {
    let (first, last) = (first.min(last).max(1), first.max(last).max(1));
    (first, last.min(first + length - 1))
}

/// As much of the used stretch as fits, the middle in its middle where both ends are far.
fn centred(middle: i64, used: (i64, i64), length: i64) -> (i64, i64) {
    let latest_start = (used.1 - length + 1).max(used.0);
    let start = (middle - length / 2).clamp(used.0, latest_start);
    (start, used.1.min(start + length - 1))
}
