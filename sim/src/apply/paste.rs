//! PASTE_FROM (spec 01, 6.11).

use napsim_trajectories::range::COLUMN_MAX;
use napsim_trajectories::{Bounds, CellAddress, Range, RangeError, Value, shift_references};
use rustc_hash::FxHashSet;

use super::{ApplyError, cells_in};
use crate::state::{Cell, CellKey, Property, Workbook};

/// Which parts of a cell a mode carries over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    all: bool,
    pub(crate) values: bool,
    pub(crate) formulas: bool,
    pub(crate) formats: bool,
}

impl Parts {
    /// An unknown mode carries nothing; cells of the destination are made all the same.
    fn of_mode(lower_case_mode: &str) -> Self {
        let all = lower_case_mode == "all";
        Self {
            all,
            values: all || lower_case_mode == "values",
            formulas: all || lower_case_mode == "formulas",
            formats: all || lower_case_mode == "formats",
        }
    }
}

/// What a paste reads and writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) from: Bounds,
    to: Bounds,
    tiled: bool,
    pub(crate) parts: Parts,
}

impl Layout {
    pub(crate) fn of(range: &Range, source: &Range, mode: &str) -> Self {
        let mode = mode.to_lowercase();
        Self {
            from: source.bounds(),
            to: range.bounds(),
            // Only formats fill a larger destination; every other mode pastes the source's size.
            tiled: mode == "formats" && !range.is_single_cell(),
            parts: Parts::of_mode(&mode),
        }
    }

    /// Rows and columns that are written.
    fn size(&self) -> (i64, i64) {
        let size = if self.tiled { self.to } else { self.from };
        (size.height(), size.width())
    }

    /// The box that is written, as far as its columns have names.
    pub(crate) fn extent(&self) -> Bounds {
        let (rows, cols) = self.size();
        Bounds {
            last_row: self.to.first_row + rows - 1,
            last_col: self.to.first_col + cols - 1,
            ..self.to
        }
    }

    /// Rows and columns by which references shift.
    pub(crate) fn offset(&self) -> (i64, i64) {
        (
            self.to.first_row - self.from.first_row,
            self.to.first_col - self.from.first_col,
        )
    }

    /// Pairs of source and destination cell, in the order in which they are pasted, up to the first failure.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Result<(CellAddress, CellAddress), ApplyError>> {
        let layout = *self;
        let (rows, cols) = self.size();
        (0..rows).flat_map(move |row| (0..cols).map(move |col| layout.pair(row, col)))
    }

    fn pair(&self, row: i64, col: i64) -> Result<(CellAddress, CellAddress), ApplyError> {
        let Self { from, to, .. } = self;
        let (from_row, from_col) = if self.tiled {
            (floor_mod(row, from.height())?, floor_mod(col, from.width())?)
        } else {
            (row, col)
        };
        let source = CellAddress::new(from.first_row + from_row, from.first_col + from_col);
        let to = CellAddress::new(to.first_row + row, to.first_col + col);
        check_column(source)?;
        check_column(to)?;
        Ok((source, to))
    }

    /// The merges that repeat one inside the source, as far as they fit the pasted extent.
    pub(crate) fn rebased(&self, merges: &[Bounds]) -> Result<Vec<Bounds>, ApplyError> {
        let Self { from, .. } = self;
        let (rows, cols) = self.size();
        let (tile_rows, tile_cols) = if self.tiled {
            (tiles(rows, from.height())?, tiles(cols, from.width())?)
        } else {
            (1, 1)
        };
        let (extent, (row_offset, col_offset)) = (self.extent(), self.offset());
        let mut rebased = Vec::new();
        for tile_row in 0..tile_rows {
            for tile_col in 0..tile_cols {
                let row_shift = row_offset + tile_row * from.height();
                let col_shift = col_offset + tile_col * from.width();
                let shifted = merges.iter().map(|merge| Bounds {
                    first_row: merge.first_row + row_shift,
                    first_col: merge.first_col + col_shift,
                    last_row: merge.last_row + row_shift,
                    last_col: merge.last_col + col_shift,
                });
                rebased.extend(shifted.filter(|merge| extent.contains(merge)));
            }
        }
        Ok(rebased)
    }
}

pub(super) fn apply(workbook: &mut Workbook, range: &Range, source: &str, mode: &str) -> Result<(), ApplyError> {
    let source = Range::parse(source)?;
    let layout = Layout::of(range, &source, mode);
    workbook.touch_sheet(source.sheet());
    workbook.touch_sheet(range.sheet());
    for pair in layout.pairs() {
        let (from, to) = pair?;
        let source_cell = source_cell(workbook, &source, from)?;
        let cells = cells_in(workbook.touch_sheet(range.sheet()))?;
        paste_cell(
            cells.touch(CellKey::Address(to)),
            &source_cell,
            layout.parts,
            layout.offset(),
        );
    }
    if layout.parts.formats {
        paste_merges(workbook, &source, range, &layout)?;
    }
    Ok(())
}

/// The box that a paste writes to, as far as its columns have names.
pub(crate) fn extent(range: &Range, source: &Range, mode: &str) -> Bounds {
    Layout::of(range, source, mode).extent()
}

fn check_column(cell: CellAddress) -> Result<(), ApplyError> {
    if (1..=COLUMN_MAX).contains(&cell.col) {
        Ok(())
    } else {
        Err(RangeError::BadColumn.into())
    }
}

/// The remainder with the sign of the divisor, as sizes of reversed sources need it.
fn floor_mod(index: i64, size: i64) -> Result<i64, ApplyError> {
    let rest = index.checked_rem(size).ok_or(ApplyError::ZeroDivision)?;
    Ok(if rest != 0 && (rest < 0) != (size < 0) {
        rest + size
    } else {
        rest
    })
}

fn source_cell(workbook: &mut Workbook, source: &Range, at: CellAddress) -> Result<Cell, ApplyError> {
    let cells = cells_in(workbook.touch_sheet(source.sheet()))?;
    Ok(cells.get(&CellKey::Address(at)).cloned().unwrap_or_default())
}

fn paste_cell(to: &mut Cell, from: &Cell, parts: Parts, (rows, cols): (i64, i64)) {
    if parts.values {
        copy_or_remove(to, from, Property::Value);
        if from.has(Property::Datatype) || parts.all {
            copy_or_remove(to, from, Property::Datatype);
        }
    }
    if parts.formulas {
        match from.get(Property::Formula) {
            Some(Value::Text(text)) => {
                to.set(Property::Formula, Value::text(shift_references(text, rows, cols)));
            }
            Some(other) => to.set(Property::Formula, other.clone()),
            None => to.remove(Property::Formula),
        }
    }
    if parts.formats {
        to.copy_format(from);
    }
}

fn copy_or_remove(to: &mut Cell, from: &Cell, property: Property) {
    match from.get(property) {
        Some(value) => to.set(property, value.clone()),
        None => to.remove(property),
    }
}

/// Merges inside the source are repeated in the pasted extent where they fit.
fn paste_merges(workbook: &mut Workbook, source: &Range, range: &Range, layout: &Layout) -> Result<(), ApplyError> {
    let merges = workbook.merges_of(source.sheet()).iter().copied();
    let inner: Vec<Bounds> = merges.filter(|merge| layout.from.contains(merge)).collect();
    let rebased = layout.rebased(&inner)?;
    let merges = workbook.touch_sheet(range.sheet()).merges.get_or_insert_default();
    let mut known: FxHashSet<Bounds> = merges.iter().copied().collect();
    merges.extend(rebased.into_iter().filter(|merge| known.insert(*merge)));
    Ok(())
}

/// How many tiles of `size` cover `length`, rounded up.
fn tiles(length: i64, size: i64) -> Result<i64, ApplyError> {
    (length + size - 1)
        .checked_div_euclid(size)
        .ok_or(ApplyError::ZeroDivision)
}
