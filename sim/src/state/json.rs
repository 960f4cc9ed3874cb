//! States as JSON values, in the shape of spec chapter 01, section 5.1.

use std::sync::Arc;

use napsim_trajectories::{Bounds, Value};

use super::cell::{Cell, unknown_container};
use super::{CellKey, Cells, Property, Sheet, Workbook};

/// Why a JSON value is not a workbook state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected {expected}")]
pub struct StateError {
    place: String,
    expected: &'static str,
}

fn object<'a>(value: &'a Value, place: &str) -> Result<&'a [(Arc<str>, Value)], StateError> {
    match value {
        Value::Object(entries) => Ok(entries),
        _ => Err(StateError {
            place: place.to_owned(),
            expected: "an object",
        }),
    }
}

impl Workbook {
    /// Reads a state.
    ///
    /// # Errors
    /// [`StateError`] naming the place whose shape is not that of a state.
    pub fn from_json(value: &Value) -> Result<Self, StateError> {
        let mut workbook = Workbook::default();
        for (key, part) in object(value, "state")? {
            if &**key == "worksheets" {
                for (name, sheet) in object(part, "worksheets")? {
                    workbook.push_sheet(name.clone(), Sheet::from_json(sheet, name)?);
                }
            } else {
                workbook.extra.push((key.clone(), part.clone()));
            }
        }
        Ok(workbook)
    }

    /// The state as a JSON value, in order of insertion.
    pub fn to_json(&self) -> Value {
        let sheets: Vec<_> = self
            .sheets()
            .map(|(name, sheet)| (name.clone(), sheet.to_json()))
            .collect();
        let mut entries = vec![(Arc::from("worksheets"), Value::Object(sheets.into()))];
        entries.extend(self.extra.iter().cloned());
        Value::Object(entries.into())
    }
}

impl Sheet {
    fn from_json(value: &Value, name: &str) -> Result<Self, StateError> {
        let mut sheet = Sheet {
            cells: None,
            merges: None,
            extra_properties: Vec::new(),
            extra: Vec::new(),
        };
        for (key, part) in object(value, name)? {
            match &**key {
                "cells" => sheet.cells = Some(Cells::from_json(part, name)?),
                "worksheetProperties" => {
                    let others = object(part, name)?.iter().filter(|(key, _)| &**key != MERGES);
                    sheet.extra_properties = others.cloned().collect();
                    sheet.merges = Some(read_merges(part, name)?);
                }
                _ => sheet.extra.push((key.clone(), part.clone())),
            }
        }
        Ok(sheet)
    }

    fn to_json(&self) -> Value {
        let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
        if let Some(cells) = &self.cells {
            let cells: Vec<_> = cells
                .in_insertion_order()
                .into_iter()
                .map(|(key, cell)| (key.to_string().into(), cell.to_json()))
                .collect();
            entries.push(("cells".into(), Value::Object(cells.into())));
        }
        if let Some(merges) = &self.merges {
            let merges: Vec<_> = merges.iter().map(merge_to_json).collect();
            let mut properties: Vec<(Arc<str>, Value)> = vec![(MERGES.into(), Value::list(merges))];
            properties.extend(self.extra_properties.iter().cloned());
            entries.push(("worksheetProperties".into(), Value::Object(properties.into())));
        }
        entries.extend(self.extra.iter().cloned());
        Value::Object(entries.into())
    }
}

/// The key of the merged ranges in `worksheetProperties`.
const MERGES: &str = "merged_cells";

const MERGE_KEYS: [&str; 4] = ["start_row", "start_col", "end_row", "end_col"];

fn read_merges(value: &Value, sheet: &str) -> Result<Vec<Bounds>, StateError> {
    let error = || StateError {
        place: format!("{sheet}.worksheetProperties"),
        expected: "a list of merged ranges",
    };
    let list = match value.get(MERGES) {
        None => return Ok(Vec::new()),
        Some(Value::List(list)) => list,
        Some(_) => return Err(error()),
    };
    let number = |merge: &Value, key: &str| match merge.get(key) {
        Some(Value::Int(number)) => Ok(*number),
        _ => Err(error()),
    };
    list.iter()
        .map(|merge| {
            let [first_row, first_col, last_row, last_col] = MERGE_KEYS.map(|key| number(merge, key));
            Ok(Bounds {
                first_row: first_row?,
                first_col: first_col?,
                last_row: last_row?,
                last_col: last_col?,
            })
        })
        .collect()
}

fn merge_to_json(merge: &Bounds) -> Value {
    let numbers = [merge.first_row, merge.first_col, merge.last_row, merge.last_col];
    let entries: Vec<(Arc<str>, Value)> = MERGE_KEYS
        .iter()
        .zip(numbers)
        .map(|(key, number)| (Arc::from(*key), Value::Int(number)))
        .collect();
    Value::Object(entries.into())
}

impl Cells {
    fn from_json(value: &Value, sheet: &str) -> Result<Self, StateError> {
        let mut cells = Cells::default();
        for (key, part) in object(value, sheet)? {
            *cells.touch(CellKey::from_text(key)) = Cell::from_json(part, key)?;
        }
        Ok(cells)
    }
}

/// The keys of each level, in the terms of [`Property`].
fn child(container: Option<Property>, key: &str) -> Option<Property> {
    let path = match container {
        None => key.to_owned(),
        Some(container) => format!("{}.{key}", container.path()),
    };
    Property::from_path(&path)
}

impl Cell {
    /// Reads one cell of a state; `place` names it in errors.
    ///
    /// # Errors
    /// [`StateError`] where a container is not an object.
    pub fn from_json(value: &Value, place: &str) -> Result<Self, StateError> {
        let mut cell = Cell::default();
        cell.read_level(None, value, place)?;
        Ok(cell)
    }

    fn read_level(&mut self, container: Option<Property>, value: &Value, place: &str) -> Result<(), StateError> {
        for (key, part) in object(value, place)? {
            match child(container, key) {
                Some(property) if property.is_container() => {
                    self.touch(property);
                    self.read_level(Some(property), part, place)?;
                }
                Some(property) => self.set(property, part.clone()),
                None => self.push_unknown(container, key, part.clone()),
            }
        }
        Ok(())
    }

    /// The cell as a JSON object, in order of insertion at each level.
    pub fn to_json(&self) -> Value {
        self.level_to_json(None)
    }

    fn level_to_json(&self, container: Option<Property>) -> Value {
        let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
        for (property, value) in self.entries() {
            if *property == Property::Unknown {
                if let Value::List(items) = value
                    && unknown_container(value) == container
                    && let [_, Value::Text(key), value] = &**items
                {
                    entries.push((key.clone(), value.clone()));
                }
            } else if property.container() == container {
                let value = if property.is_container() {
                    self.level_to_json(Some(*property))
                } else {
                    value.clone()
                };
                entries.push((property.key().into(), value));
            }
        }
        Value::Object(entries.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_survives_a_round_trip_in_order() {
        let text = r##"{"worksheets": {"S": {"cells": {"B2": {"Format": {"font": {"size": 9.0, "bold": true, "strike": 1}, "borders": {"top": {"lineStyle": "thin", "color": null}}, "fill": {"patternType": "solid", "fgColor": "#FFFFFF"}}, "value": 1, "odd": [1]}, "a1": {}}, "worksheetProperties": {"merged_cells": [{"start_row": 1, "start_col": 1, "end_row": 2, "end_col": 2}], "frozen": "A2"}, "zoom": 2}}, "meta": {}}"##;
        let value = napsim_trajectories::json::read(text).unwrap();
        let state = Workbook::from_json(&value).unwrap();
        assert_eq!(napsim_trajectories::json::write(&state.to_json()), text);
    }

    #[test]
    fn copying_a_format_keeps_its_place() {
        let read = |text: &str| Cell::from_json(&napsim_trajectories::json::read(text).unwrap(), "A1").unwrap();
        let mut to = read(r#"{"Format": {"wrapText": true}, "value": 1}"#);
        to.copy_format(&read(r#"{"Format": {"font": {"bold": true}}}"#));
        assert_eq!(
            napsim_trajectories::json::write(&to.to_json()),
            r#"{"Format": {"font": {"bold": true}}, "value": 1}"#
        );
        to.copy_format(&read("{}"));
        assert_eq!(napsim_trajectories::json::write(&to.to_json()), r#"{"value": 1}"#);
    }
}
