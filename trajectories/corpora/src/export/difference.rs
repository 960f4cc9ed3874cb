//! What a state loses on its way through a workbook file.

use std::sync::Arc;

use napsim_sim::compare::{Record, compare_gaps};
use napsim_sim::protocol::Protocol;
use napsim_sim::state::{Cell, CellKey, Property, Sheet, Workbook};
use napsim_trajectories::{Bounds, Value};

use crate::import::clock::serial_text;
use crate::import::merges::Sweep;
use crate::import::number_format::{self, Shown};

/// The properties and merges in which two states differ, one of which came out of a workbook file.
///
/// Compared by the rules of `nape-1`, with what a workbook file cannot tell apart left out (spec 04, 8.6): formulas
/// count as content whether they stand under `value` or `formula` and whether newer functions carry the prefix that
/// files give them, an empty text is none, a number that its format shows as a date or time is the text of that date or
/// time, a border without a colour is black, and cells hidden by a merge count for nothing. Cells under other keys than
/// plain addresses are compared, though no workbook file holds them.
pub fn round_trip_difference(before: &Workbook, after: &Workbook) -> Vec<Record> {
    let (before, after) = (visible(before), visible(after));
    let mut records = Vec::new();
    compare_gaps(&Protocol::NAPE_1, &after, &before, &mut |difference| {
        records.push(difference.to_record());
    });
    records
}

/// A workbook as a file could hold it at best.
fn visible(workbook: &Workbook) -> Workbook {
    let mut visible = Workbook::default();
    for (name, sheet) in workbook.sheets() {
        let mut shown = Sheet {
            merges: Some(sheet.merges().to_vec()),
            ..Sheet::default()
        };
        let mut merged = Merged::of(sheet.merges());
        let Some(cells) = &mut shown.cells else { continue };
        for (key, cell) in sheet.cells.iter().flat_map(napsim_sim::state::Cells::sorted) {
            if !merged.hides(key) {
                *cells.touch(key.clone()) = plain(cell);
            }
        }
        visible.push_sheet(name.clone(), shown);
    }
    visible
}

/// The content of a cell: its formula before its value, an empty text for nothing.
pub(super) fn content(cell: &Cell) -> Option<&Value> {
    let shown = |property| {
        let value = cell.get(property)?;
        let empty = matches!(value, Value::Null) || value.as_text().is_some_and(str::is_empty);
        (!empty).then_some(value)
    };
    shown(Property::Formula).or_else(|| shown(Property::Value))
}

fn plain(cell: &Cell) -> Cell {
    let mut plain = Cell::default();
    if let Some(value) = content(cell) {
        let code = cell
            .get(Property::NumberFormat)
            .and_then(Value::as_text)
            .unwrap_or_default();
        plain.set(Property::Value, read_back(value, number_format::shown(code)));
    }
    for (property, value) in cell.entries() {
        match property {
            Property::Value | Property::Formula | Property::Unknown => {}
            property if property.is_container() => {}
            property if Property::BOX_SIDES.contains(property) => plain.set(*property, colored(value)),
            property => plain.set(*property, value.clone()),
        }
    }
    plain
}

/// Content as an import words it.
fn read_back(value: &Value, shown: Shown) -> Value {
    match value {
        Value::Int(_) | Value::Float(_) => {
            let serial = value.as_number().unwrap_or(f64::NAN);
            serial_text(serial, shown, false).map_or_else(|| value.clone(), Value::text)
        }
        Value::Text(text) if text.starts_with('=') && text.contains("_xl") => {
            Value::text(text.replace("_xlfn.", "").replace("_xlws.", ""))
        }
        other => other.clone(),
    }
}

/// A border line with the colour that it has at the latest in a file.
fn colored(line: &Value) -> Value {
    if line.get("color").is_some_and(|color| !matches!(color, Value::Null)) {
        return line.clone();
    }
    let style = line.get("lineStyle").cloned().unwrap_or(Value::Null);
    let entries: [(Arc<str>, Value); 2] = [("lineStyle".into(), style), ("color".into(), Value::text("#000000"))];
    Value::Object(entries.into())
}

/// The merges of a sheet met cell by cell, row by row.
pub(super) struct Merged {
    /// The merges still to come, the next one last.
    coming: Vec<Bounds>,
    sweep: Sweep,
}

impl Merged {
    pub(super) fn of(merges: &[Bounds]) -> Self {
        let mut coming = merges.to_vec();
        coming.sort_unstable_by_key(|merge| (merge.first_row, merge.first_col));
        coming.reverse();
        Self {
            coming,
            sweep: Sweep::default(),
        }
    }

    /// The merge that covers a cell; cells must be asked for in the order of their keys.
    pub(super) fn covering(&mut self, key: &CellKey) -> Option<Bounds> {
        let address = key.address()?;
        while let Some(merge) = self.coming.pop_if(|merge| merge.first_row <= address.row) {
            self.sweep.admit(merge);
        }
        self.sweep.covering(address)
    }

    /// Whether a merge hides the cell: it lies within, and not at the first corner.
    pub(super) fn hides(&mut self, key: &CellKey) -> bool {
        self.covering(key)
            .is_some_and(|merge| CellKey::Address(merge.first_cell()) != *key)
    }
}
