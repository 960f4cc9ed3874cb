//! The cells of a window that show something.

use napsim_sim::state::{Cell, CellKey, Cells, Property};
use napsim_trajectories::{Bounds, CellAddress, Value};

/// The cells of a window, row by row; none where nothing shows.
pub(super) struct Grid<'a> {
    bounds: Bounds,
    cells: Vec<Option<&'a Cell>>,
}

impl<'a> Grid<'a> {
    /// Looks up each cell of the window.
    pub(super) fn new(cells: &'a Cells, bounds: Bounds) -> Self {
        let found = bounds
            .cells()
            .map(|address| cells.get(&CellKey::Address(address)).filter(|cell| shows(cell)));
        Self {
            bounds,
            cells: found.collect(),
        }
    }

    /// The window.
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The cell at a place, where something shows there.
    pub(super) fn cell(&self, row: i64, col: i64) -> Option<&'a Cell> {
        if !self.bounds.contains_cell(CellAddress::new(row, col)) {
            return None;
        }
        let idx = (row - self.bounds.first_row) * self.bounds.width() + (col - self.bounds.first_col);
        self.cells.get(usize::try_from(idx).ok()?).copied().flatten()
    }

    /// The cells in which something shows, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = (CellAddress, &'a Cell)> {
        let places = self.bounds.cells().zip(&self.cells);
        places.filter_map(|(address, cell)| Some((address, (*cell)?)))
    }

    /// The merges that reach into the window, in the order of their first cells.
    pub(super) fn merges(&self, merges: &[Bounds]) -> Vec<Bounds> {
        let mut reaching: Vec<Bounds> = merges
            .iter()
            .copied()
            .filter(|merge| merge.overlaps(&self.bounds))
            .collect();
        reaching.sort_unstable();
        reaching
    }

    /// The smallest box around the cells in which something shows.
    pub(super) fn used(&self) -> Option<Bounds> {
        self.cells()
            .map(|(address, _)| Bounds::of_cell(address))
            .reduce(|a, b| Bounds {
                first_row: a.first_row.min(b.first_row),
                first_col: a.first_col.min(b.first_col),
                last_row: a.last_row.max(b.last_row),
                last_col: a.last_col.max(b.last_col),
            })
    }
}

/// Whether a cell has content or a format; containers that clearing leaves behind do not show.
pub(super) fn shows(cell: &Cell) -> bool {
    cell.entries().iter().any(|(property, value)| {
        let is_shown = !property.is_container() && !matches!(property, Property::Datatype | Property::Unknown);
        is_shown && !matches!(value, Value::Null)
    })
}
