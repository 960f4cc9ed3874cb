//! PASTE_FROM (spec 01, 6.11).

use napsim_trajectories::range::COLUMN_MAX;
use napsim_trajectories::{Bounds, CellAddress, Range, RangeError, Value, shift_references};
use rustc_hash::FxHashSet;

use super::{ApplyError, cells_in};
use crate::state::{Cell, CellKey, Property, Workbook};

/// Which parts of a cell a mode carries over.
#[derive(Clone, Copy)]
struct Parts {
    all: bool,
    values: bool,
    formulas: bool,
    formats: bool,
}

impl Parts {
    /// An unknown mode carries nothing; cells of the destination are made all the same.
    fn of_mode(mode: &str) -> Self {
        let all = mode == "all";
        Self {
            all,
            values: all || mode == "values",
            formulas: all || mode == "formulas",
            formats: all || mode == "formats",
        }
    }
}

pub(super) fn apply(workbook: &mut Workbook, range: &Range, source: &str, mode: &str) -> Result<(), ApplyError> {
    let source = Range::parse(source)?;
    let mode = mode.to_lowercase();
    workbook.touch_sheet(source.sheet());
    workbook.touch_sheet(range.sheet());
    let (from, to) = (source.bounds(), range.bounds());
    let tiled = is_tiled(range, &mode);
    let size = if tiled { to } else { from };
    let (rows, cols) = (size.height(), size.width());
    let parts = Parts::of_mode(&mode);
    for row in 0..rows {
        for col in 0..cols {
            let at = if tiled {
                CellAddress::new(
                    from.first_row + floor_mod(row, from.height())?,
                    from.first_col + floor_mod(col, from.width())?,
                )
            } else {
                CellAddress::new(from.first_row + row, from.first_col + col)
            };
            let to_cell = CellAddress::new(to.first_row + row, to.first_col + col);
            check_column(at)?;
            check_column(to_cell)?;
            let source_cell = source_cell(workbook, &source, at)?;
            let cells = cells_in(workbook.touch_sheet(range.sheet()))?;
            let offset = (to.first_row - from.first_row, to.first_col - from.first_col);
            paste_cell(cells.touch(CellKey::Address(to_cell)), &source_cell, parts, offset);
        }
    }
    if parts.formats {
        paste_merges(workbook, &source, range, tiled, (rows, cols))?;
    }
    Ok(())
}

/// Only formats fill a larger destination; every other mode pastes the source's size.
fn is_tiled(range: &Range, lower_case_mode: &str) -> bool {
    lower_case_mode == "formats" && !range.is_single_cell()
}

/// The box that a paste writes to, as far as its columns have names.
pub(crate) fn extent(range: &Range, source: &Range, mode: &str) -> Bounds {
    let to = range.bounds();
    let tiled = is_tiled(range, &mode.to_lowercase());
    let size = if tiled { to } else { source.bounds() };
    Bounds {
        last_row: to.first_row + size.height() - 1,
        last_col: to.first_col + size.width() - 1,
        ..to
    }
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
fn paste_merges(
    workbook: &mut Workbook,
    source: &Range,
    range: &Range,
    tiled: bool,
    (rows, cols): (i64, i64),
) -> Result<(), ApplyError> {
    let (from, to) = (source.bounds(), range.bounds());
    let inner: Vec<Bounds> = workbook
        .sheet(source.sheet())
        .map(|sheet| {
            sheet
                .merges()
                .iter()
                .copied()
                .filter(|merge| from.contains(merge))
                .collect()
        })
        .unwrap_or_default();
    let (tile_rows, tile_cols) = if tiled {
        (tiles(rows, from.height())?, tiles(cols, from.width())?)
    } else {
        (1, 1)
    };
    let extent = Bounds {
        last_row: to.first_row + rows - 1,
        last_col: to.first_col + cols - 1,
        ..to
    };
    let merges = workbook.touch_sheet(range.sheet()).merges.get_or_insert_default();
    let mut known: FxHashSet<Bounds> = merges.iter().copied().collect();
    for tile_row in 0..tile_rows {
        for tile_col in 0..tile_cols {
            let row_shift = to.first_row - from.first_row + tile_row * from.height();
            let col_shift = to.first_col - from.first_col + tile_col * from.width();
            for merge in &inner {
                let rebased = Bounds {
                    first_row: merge.first_row + row_shift,
                    first_col: merge.first_col + col_shift,
                    last_row: merge.last_row + row_shift,
                    last_col: merge.last_col + col_shift,
                };
                if extent.contains(&rebased) && known.insert(rebased) {
                    merges.push(rebased);
                }
            }
        }
    }
    Ok(())
}

/// How many tiles of `size` cover `length`, rounded up.
fn tiles(length: i64, size: i64) -> Result<i64, ApplyError> {
    (length + size - 1)
        .checked_div_euclid(size)
        .ok_or(ApplyError::ZeroDivision)
}
