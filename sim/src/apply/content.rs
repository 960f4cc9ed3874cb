//! VALUE, FORMULA and INPUT (spec 01, 6.1 to 6.3).

use std::sync::Arc;

use napsim_trajectories::{CellAddress, Range, Value};

use super::{ApplyError, cells_of, each_cell};
use crate::state::{CellKey, Property, Workbook};

/// The cell key is the range text as it stands (spec 01, 6.1).
pub(super) fn set_value(
    workbook: &mut Workbook,
    range: &Range,
    value: &Value,
    datatype: Option<&Arc<str>>,
) -> Result<(), ApplyError> {
    let cell = cells_of(workbook, range.sheet())?.touch(CellKey::from_text(range.text()));
    if matches!(value, Value::Null) {
        cell.remove(Property::Value);
        cell.remove(Property::Datatype);
        return Ok(());
    }
    cell.set(Property::Value, value.clone());
    if let Some(datatype) = datatype.filter(|datatype| !datatype.is_empty()) {
        cell.set(Property::Datatype, Value::Text(datatype.clone()));
    }
    Ok(())
}

pub(super) fn set_formula(
    workbook: &mut Workbook,
    range: &Range,
    formula: Option<&Arc<str>>,
) -> Result<(), ApplyError> {
    let cell = cells_of(workbook, range.sheet())?.touch(CellKey::from_text(range.text()));
    match formula {
        Some(formula) => cell.set(Property::Formula, Value::Text(formula.clone())),
        None => cell.remove(Property::Formula),
    }
    Ok(())
}

pub(super) fn type_input(workbook: &mut Workbook, range: &Range, value: &Value) -> Result<(), ApplyError> {
    match value {
        Value::Null => each_cell(workbook, range, |cell| cell.remove(Property::Value)),
        Value::List(rows) if rows.is_empty() => each_cell(workbook, range, |cell| cell.remove(Property::Value)),
        Value::List(rows) => type_grid(workbook, range, rows),
        scalar => each_cell(workbook, range, |cell| cell.set(Property::Value, scalar.clone())),
    }
}

/// A grid is walked by coordinates, so a range with `$` works here.
fn type_grid(workbook: &mut Workbook, range: &Range, rows: &[Value]) -> Result<(), ApplyError> {
    let first = range.bounds().first_cell();
    for (row, values) in (first.row..).zip(rows) {
        let Value::List(values) = values else { continue };
        for (col, value) in (first.col..).zip(values.iter()) {
            let cells = cells_of(workbook, range.sheet())?;
            let cell = cells.touch(CellKey::Address(CellAddress::new(row, col)));
            match value {
                Value::Null => cell.remove(Property::Value),
                value => cell.set(Property::Value, value.clone()),
            }
        }
    }
    Ok(())
}
