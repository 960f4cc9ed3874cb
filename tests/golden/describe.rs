//! Actions and states in the terms of the golden vectors.

use std::sync::Arc;

use napsim_trajectories::action::BorderLine;
use napsim_trajectories::{Action, Bounds, Edit, Range, Value};

use super::vectors::object;

/// An action as the vectors describe it: family, range, value, flag, and the fields that one family has alone.
pub(crate) fn describe(action: &Action) -> Value {
    let mut members = vec![
        ("family", Value::text(action.family().name())),
        ("sheet", Value::Text(action.range().sheet().clone())),
        ("range", Value::Text(action.range().text().clone())),
        ("value", value_of(action.edit())),
        ("is_inverse", Value::Bool(action.is_inverse())),
    ];
    let extra = match action.edit() {
        Edit::Value { datatype, .. } => Some(("datatype", datatype.clone().map_or(Value::Null, Value::Text))),
        Edit::Font { property, .. } => Some(("font_property", property.name().into())),
        Edit::Align { axis, .. } => Some(("axis", axis.name().into())),
        Edit::Border { side, .. } => Some(("side", side.name().into())),
        Edit::Paste { source, .. } => Some(("source", Value::Text(source.clone()))),
        _ => None,
    };
    members.extend(extra);
    object(members)
}

fn value_of(edit: &Edit) -> Value {
    match edit {
        Edit::Value { value, .. }
        | Edit::Input { value }
        | Edit::Font { value, .. }
        | Edit::Orientation { degrees: value } => value.clone(),
        Edit::Formula { text } | Edit::Fill { color: text } => text.clone().map_or(Value::Null, Value::Text),
        Edit::NumberFormat { format: text }
        | Edit::Align { value: text, .. }
        | Edit::Paste { mode: text, .. }
        | Edit::Autofill { source: text } => Value::Text(text.clone()),
        Edit::Wrap { on } | Edit::Merge { on } => Value::Bool(*on),
        Edit::Border { line, .. } => line_of(line),
    }
}

fn line_of(line: &BorderLine) -> Value {
    let text = |text: &Option<Arc<str>>| text.clone().map_or(Value::Null, Value::Text);
    object([
        ("weight", text(&line.weight)),
        ("style", text(&line.style)),
        ("color", text(&line.color)),
    ])
}

/// A range as the vectors describe it.
pub(crate) fn describe_range(range: &Range) -> Value {
    let bounds = range.bounds();
    let corners = [bounds.first_row, bounds.first_col, bounds.last_row, bounds.last_col];
    let mut members = vec![
        ("sheet", Value::Text(range.sheet().clone())),
        ("range", Value::Text(range.text().clone())),
        ("str", Value::text(range.to_string())),
        ("coordinates", integers(&corners)),
        ("dimensions", integers(&[bounds.height(), bounds.width()])),
        ("single_cell", Value::Bool(range.is_single_cell())),
    ];
    match range.walk() {
        Ok(cells) => members.extend(describe_cells(&cells)),
        Err(error) => members.push(("expand_error", error.code().into())),
    }
    object(members)
}

/// How many cells a walk visits, and the first twelve.
fn describe_cells(cells: &Bounds) -> [(&'static str, Value); 2] {
    let n_cells = i64::try_from(cells.n_cells()).unwrap_or(i64::MAX);
    let first: Vec<Value> = cells
        .cells()
        .take(12)
        .map(|cell| Value::text(cell.to_string()))
        .collect();
    [("n_cells", Value::Int(n_cells)), ("cells", Value::list(first))]
}

fn integers(integers: &[i64]) -> Value {
    Value::list(integers.iter().map(|integer| Value::Int(*integer)).collect::<Vec<_>>())
}
