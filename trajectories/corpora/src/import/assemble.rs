//! Sheets put together from cells in any order.

use std::sync::Arc;

use napsim_sim::state::{CellKey, Cells, Property, Sheet};
use napsim_trajectories::{Bounds, CellAddress, Value};

use super::merges::{self, Sweep};
use super::number_format::Shown;
use super::{ImportError, ImportedSheet, Limits, Note, note};

/// What a cell's style amounts to in a state.
#[derive(Clone, Debug, Default)]
pub(super) struct CellStyle {
    /// The properties that are not default, in the order in which they are stored.
    pub(super) properties: Vec<(Property, Value)>,
    /// What its number format makes of numbers.
    pub(super) shown: Shown,
    /// What of it a state cannot hold, as wordings of notes.
    pub(super) dropped: Vec<&'static str>,
}

/// A cell as it was read; rows and columns count from 1.
#[derive(Clone, Debug)]
pub(super) struct RawCell {
    pub(super) row: u32,
    pub(super) col: u32,
    /// Index into the styles; one that is out of range means none.
    pub(super) style: u32,
    /// Null for a blank cell.
    pub(super) value: Value,
}

/// A sheet as it was read.
#[derive(Debug, Default)]
pub(super) struct RawSheet {
    pub(super) cells: Vec<RawCell>,
    /// Blank cells by row, column and style.
    pub(super) blanks: Vec<(u32, u32, u32)>,
    pub(super) merges: Vec<Bounds>,
    pub(super) notes: Vec<Note>,
}

/// What may still be read of a workbook.
pub(super) struct Budget<'a> {
    pub(super) limits: &'a Limits,
    n_cells: u64,
    n_properties: u64,
    n_text_bytes: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            n_cells: 0,
            n_properties: 0,
            n_text_bytes: 0,
        }
    }

    /// Accounts for cells.
    pub(super) fn spend_cells(&mut self, n: u64) -> Result<(), ImportError> {
        self.n_cells += n;
        self.limits
            .check("cells with content or a format", self.n_cells, self.limits.cells_max)
    }

    /// Accounts for properties of a cell.
    fn spend_properties(&mut self, n: usize) -> Result<(), ImportError> {
        self.n_properties += n as u64;
        let max = self.limits.properties_max;
        self.limits.check("values and formats of cells", self.n_properties, max)
    }

    /// Accounts for a text that was built from another one.
    pub(super) fn spend_text(&mut self, text: &str) -> Result<(), ImportError> {
        self.n_text_bytes += text.len() as u64;
        self.limits
            .check("bytes of expanded texts", self.n_text_bytes, self.limits.text_bytes_max)
    }
}

/// Puts a sheet together; none if it has neither cells nor merges.
pub(super) fn sheet(
    name: &str,
    mut raw: RawSheet,
    styles: &[CellStyle],
    budget: &mut Budget<'_>,
) -> Result<Option<ImportedSheet>, ImportError> {
    let limits = budget.limits;
    limits.check("merged ranges in a sheet", raw.merges.len() as u64, limits.merges_max)?;
    let (merges, n_dropped) = merges::tidy(raw.merges);
    note(&mut raw.notes, "overlapping or single-cell merges skipped", n_dropped);

    let mut cells = raw.cells;
    cells.extend(near_blanks(
        &raw.blanks,
        &cells,
        &merges,
        styles,
        limits,
        &mut raw.notes,
    ));
    let unsorted = |pair: &[RawCell]| matches!(pair, [a, b] if (a.row, a.col) >= (b.row, b.col));
    if cells.windows(2).any(unsorted) {
        cells.sort_by_key(|cell| (cell.row, cell.col));
        // Of cells that are written twice the last counts, as in Excel, but a blank one never hides content.
        cells.dedup_by(|later, earlier| {
            let same = (later.row, later.col) == (earlier.row, earlier.col);
            let is_blank = |cell: &RawCell| matches!(cell.value, Value::Null);
            if same && (is_blank(earlier) || !is_blank(later)) {
                std::mem::swap(later, earlier);
            }
            same
        });
    }
    budget.spend_cells(cells.len() as u64)?;

    let mut sheet = Sheet::default();
    fill(&mut sheet, cells, &merges, styles, budget, &mut raw.notes)?;
    sheet.merges = Some(merges);
    if sheet.cells.as_ref().is_none_or(Cells::is_empty) && sheet.merges().is_empty() {
        return Ok(None);
    }
    Ok(Some(ImportedSheet {
        name: name.to_owned(),
        sheet,
        notes: raw.notes,
    }))
}

/// The blank cells whose style shows, but for those far from all content: whole styled rows and columns.
fn near_blanks(
    blanks: &[(u32, u32, u32)],
    cells: &[RawCell],
    merges: &[Bounds],
    styles: &[CellStyle],
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Vec<RawCell> {
    let edge = |of_cell: fn(&RawCell) -> u32, of_merge: fn(&Bounds) -> i64, margin: u32| {
        let content = cells.iter().map(of_cell).max().unwrap_or(0);
        let merged = merges
            .iter()
            .map(of_merge)
            .max()
            .and_then(|last| u32::try_from(last).ok())
            .unwrap_or(0);
        content.max(merged).saturating_add(margin)
    };
    let row_max = edge(|cell| cell.row, |merge| merge.first_row, limits.blank_rows_max);
    let col_max = edge(|cell| cell.col, |merge| merge.first_col, limits.blank_cols_max);
    let shows = |style: u32| {
        styles
            .get(style as usize)
            .is_some_and(|style| !style.properties.is_empty())
    };
    let (mut near, mut n_far) = (Vec::new(), 0);
    for (row, col, style) in blanks.iter().copied().filter(|(_, _, style)| shows(*style)) {
        if row > row_max || col > col_max {
            n_far += 1;
            continue;
        }
        let value = Value::Null;
        near.push(RawCell { row, col, style, value });
    }
    note(notes, "formatted blank cells far from any content skipped", n_far);
    near
}

/// Fills a sheet with sorted cells.
fn fill(
    sheet: &mut Sheet,
    cells: Vec<RawCell>,
    merges: &[Bounds],
    styles: &[CellStyle],
    budget: &mut Budget<'_>,
    notes: &mut Vec<Note>,
) -> Result<(), ImportError> {
    let Some(state) = sheet.cells.as_mut() else {
        return Ok(());
    };
    let (mut sweep, mut coming) = (Sweep::default(), merges.iter().peekable());
    let mut dropped: std::collections::BTreeMap<&'static str, u64> = std::collections::BTreeMap::new();
    let mut n_hidden = 0;
    for raw in cells {
        let at = CellAddress::new(i64::from(raw.row), i64::from(raw.col));
        while let Some(merge) = coming.next_if(|merge| merge.first_row <= at.row) {
            sweep.admit(*merge);
        }
        let hidden = sweep.covering(at).is_some_and(|merge| merge.first_cell() != at);
        let value = Some(raw.value).filter(|value| !matches!(value, Value::Null));
        n_hidden += u64::from(hidden && value.is_some());
        let value = value.filter(|_| !hidden);
        let style = styles.get(raw.style as usize);
        let properties = style.map(|style| style.properties.as_slice()).unwrap_or_default();
        for what in style.iter().flat_map(|style| &style.dropped) {
            *dropped.entry(what).or_default() += 1;
        }
        if value.is_none() && properties.is_empty() {
            continue;
        }
        budget.spend_properties(properties.len() + 1)?;
        let cell = state.touch(CellKey::Address(at));
        if let Some(value) = value {
            cell.set(Property::Value, value);
        }
        for (property, value) in properties {
            cell.set(*property, value.clone());
        }
    }
    note(notes, "values hidden by merges skipped", n_hidden);
    for (what, count) in dropped {
        note(notes, what, count);
    }
    Ok(())
}

/// The value of a number as a state holds it: whole ones are integers.
pub(super) fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
        return Value::Int(number as i64);
    }
    Value::Float(number)
}

/// The value of a text: an empty one is none.
pub(super) fn text(text: impl Into<Arc<str>>) -> Value {
    let text: Arc<str> = text.into();
    if text.is_empty() {
        Value::Null
    } else {
        Value::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_integers() {
        assert!(number(3.0).strictly_equals(&Value::Int(3)));
        assert!(number(0.5).strictly_equals(&Value::Float(0.5)));
        assert!(number(1e300).strictly_equals(&Value::Float(1e300)));
    }
}
