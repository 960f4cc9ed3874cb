//! VALUE, FORMULA and INPUT (spec 01, 6.1 to 6.3).

use std::sync::Arc;

use napsim_trajectories::{CellAddress, Range, Value};

use super::{ApplyError, cells_of};
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

/// What a scalar or a clearing types into every cell; none for a grid.
pub(super) fn typed_alike(value: &Value) -> Option<Option<Value>> {
    match value {
        Value::Null => Some(None),
        Value::List(rows) => rows.is_empty().then_some(None),
        scalar => Some(Some(scalar.clone())),
    }
}

/// The cells of a typed grid, counted from the first cell of its range, so a range with `$` works here.
pub(crate) fn grid_cells<'v>(range: &Range, value: &'v Value) -> impl Iterator<Item = (CellAddress, &'v Value)> {
    let rows = match value {
        Value::List(rows) => &**rows,
        _ => &[],
    };
    let first = range.bounds().first_cell();
    let values = |row: &'v Value| match row {
        Value::List(values) => &**values,
        _ => &[],
    };
    let cells = (first.row..).zip(rows).map(move |(row, of_row)| (row, values(of_row)));
    cells.flat_map(move |(row, values)| {
        let cells = (first.col..).zip(values);
        cells.map(move |(col, value)| (CellAddress::new(row, col), value))
    })
}

pub(super) fn type_grid(workbook: &mut Workbook, range: &Range, value: &Value) -> Result<(), ApplyError> {
    for (address, value) in grid_cells(range, value) {
        let cells = cells_of(workbook, range.sheet())?;
        let cell = cells.touch(CellKey::Address(address));
        match value {
            Value::Null => cell.remove(Property::Value),
            value => cell.set(Property::Value, value.clone()),
        }
    }
    Ok(())
}
