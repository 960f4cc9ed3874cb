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
    let near = active.map(|active| Near::new(cells, active, rows, columns));
    if let Some(window) = near.as_ref().and_then(|near| near.window(cells)) {
        return Some(window);
    }
    let other = near.and_then(|near| near.nearest()).or_else(|| first(cells))?;
    Near::new(cells, Bounds::of_cell(other), rows, columns).window(cells)
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
    focus: Bounds,
    rows: i64,
    columns: i64,
    grid: Grid<'a>,
}

impl<'a> Near<'a> {
    fn new(cells: &'a Cells, active: Bounds, rows: i64, columns: i64) -> Self {
        let (first_row, last_row) = shortened(active.first_row, active.last_row, rows);
        let (first_col, last_col) = shortened(active.first_col, active.last_col, columns);
        let focus = Bounds {
            first_row,
            first_col,
            last_row,
            last_col,
        };
        let surroundings = Bounds {
            first_row: (first_row - rows).max(1),
            first_col: (first_col - columns).max(1),
            last_row: last_row + rows,
            last_col: last_col + columns,
        };
        Self {
            focus,
            rows,
            columns,
            grid: Grid::new(cells, surroundings),
        }
    }

    /// The window, without empty rows and columns at its edges; nothing where nothing shows in it.
    fn window(&self, cells: &Cells) -> Option<Bounds> {
        let used = self.grid.used()?;
        let rows = centred(
            (self.focus.first_row, self.focus.last_row),
            (used.first_row, used.last_row),
            self.rows,
        );
        let columns = centred(
            (self.focus.first_col, self.focus.last_col),
            (used.first_col, used.last_col),
            self.columns,
        );
        let window = Bounds {
            first_row: rows.0,
            first_col: columns.0,
            last_row: rows.1,
            last_col: columns.1,
        };
        Grid::new(cells, window).used()
    }

    /// The cell closest to the middle of the range, by rows and columns together; the first of several.
    fn nearest(&self) -> Option<CellAddress> {
        let (row, col) = (
            middle(self.focus.first_row, self.focus.last_row),
            middle(self.focus.first_col, self.focus.last_col),
        );
        self.grid
            .cells()
            .map(|(address, _)| address)
            .min_by_key(|address| (address.row - row).abs() + (address.col - col).abs())
    }
}

/// The first part, no longer than a window, of what a range covers along one axis, in whatever order it was written.
fn shortened(first: i64, last: i64, length: i64) -> (i64, i64) {
    let (first, last) = (first.min(last).max(1), first.max(last).max(1));
    (first, last.min(first + length - 1))
}

/// As much of the used stretch as fits, the focus in its middle where both ends are far.
fn centred(focus: (i64, i64), used: (i64, i64), length: i64) -> (i64, i64) {
    let latest_start = (used.1 - length + 1).max(used.0);
    let start = (middle(focus.0, focus.1) - length / 2).clamp(used.0, latest_start);
    (start, used.1.min(start + length - 1))
}

fn middle(first: i64, last: i64) -> i64 {
    first + (last - first) / 2
}
