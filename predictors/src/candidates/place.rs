//! Where an action applies: a rectangle of a sheet in small numbers.

use napsim_trajectories::{Bounds, Range};

/// The last row and column that candidates are made for.
pub(super) const ROW_MAX: i32 = 1 << 20;
/// See [`ROW_MAX`].
pub(super) const COL_MAX: i32 = 1 << 14;

/// A rectangle of cells on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Number of the sheet.
    pub sheet: u16,
    /// First row, from 1.
    pub row: i32,
    /// First column, from 1.
    pub col: i32,
    /// Rows, at least 1.
    pub height: i32,
    /// Columns, at least 1.
    pub width: i32,
}

impl Place {
    /// One cell.
    pub fn cell(sheet: u16, row: i32, col: i32) -> Self {
        Self {
            sheet,
            row,
            col,
            height: 1,
            width: 1,
        }
    }

    /// The cells from one row and column to another.
    pub fn spanning(sheet: u16, rows: (i32, i32), cols: (i32, i32)) -> Self {
        Self {
            sheet,
            row: rows.0,
            col: cols.0,
            height: (rows.1 - rows.0 + 1).max(1),
            width: (cols.1 - cols.0 + 1).max(1),
        }
    }

    /// The place of a range on the sheet with a number; beyond any sheet it stays at the edge.
    pub fn of_range(sheet: u16, range: &Range) -> Self {
        let bounds = range.bounds();
        let row = small(bounds.first_row, ROW_MAX);
        let col = small(bounds.first_col, COL_MAX);
        Self {
            sheet,
            row,
            col,
            height: small(bounds.height(), ROW_MAX).max(1),
            width: small(bounds.width(), COL_MAX).max(1),
        }
    }

    /// The same as bounds.
    pub fn bounds(self) -> Bounds {
        Bounds {
            first_row: self.row.into(),
            first_col: self.col.into(),
            last_row: self.last_row().into(),
            last_col: self.last_col().into(),
        }
    }

    /// Last row.
    pub fn last_row(self) -> i32 {
        self.row + self.height - 1
    }

    /// Last column.
    pub fn last_col(self) -> i32 {
        self.col + self.width - 1
    }

    /// The place moved, if it stays on the sheet.
    pub fn moved(self, rows: i32, cols: i32) -> Option<Self> {
        let place = Self {
            row: self.row.checked_add(rows)?,
            col: self.col.checked_add(cols)?,
            ..self
        };
        place.is_on_sheet().then_some(place)
    }

    /// Whether every cell lies on a sheet.
    pub fn is_on_sheet(self) -> bool {
        self.row >= 1
            && self.col >= 1
            && self.row <= ROW_MAX
            && self.col <= COL_MAX
            && self.last_row() <= ROW_MAX
            && self.last_col() <= COL_MAX
    }

    /// Whether this is one cell.
    pub fn is_cell(self) -> bool {
        self.height == 1 && self.width == 1
    }

    /// Cells in it.
    pub fn n_cells(self) -> i64 {
        i64::from(self.height) * i64::from(self.width)
    }

    /// Whether two places have a cell in common.
    pub fn overlaps(self, other: Place) -> bool {
        self.sheet == other.sheet
            && self.row <= other.last_row()
            && other.row <= self.last_row()
            && self.col <= other.last_col()
            && other.col <= self.last_col()
    }

    /// Whether the other place lies within this one.
    pub fn contains(self, other: Place) -> bool {
        self.sheet == other.sheet
            && self.row <= other.row
            && other.last_row() <= self.last_row()
            && self.col <= other.col
            && other.last_col() <= self.last_col()
    }

    /// Rows and columns of every cell, row by row.
    pub fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        let cols = self.col..=self.last_col();
        (self.row..=self.last_row()).flat_map(move |row| cols.clone().map(move |col| (row, col)))
    }
}

fn small(number: i64, max: i32) -> i32 {
    i32::try_from(number.clamp(0, max.into())).unwrap_or(max)
}
