//! Differences between two states, in all properties.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet, Workbook};
use napsim_trajectories::{Bounds, CellAddress, Value, json};

/// Where two states differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// In a cell.
    Cell(CellAddress),
    /// In a merge.
    Merge(Bounds),
}

impl Place {
    pub(super) fn bounds(&self) -> Bounds {
        match self {
            Self::Cell(cell) => Bounds::of_cell(*cell),
            Self::Merge(bounds) => *bounds,
        }
    }
}

/// One property in which a state differs from its target.
#[derive(Clone, Debug)]
pub struct StateDifference {
    /// Name of the sheet.
    pub sheet: Arc<str>,
    pub(super) place: Place,
    /// The property; none for a merge.
    pub property: Option<Property>,
    /// What the state has; null for nothing.
    pub found: Value,
    /// What the target has; null for nothing.
    pub wanted: Value,
}

impl StateDifference {
    /// The property with both values, without the place.
    pub(super) fn what(&self) -> String {
        let shown = |value: &Value| match value {
            Value::Null => "nothing".to_owned(),
            value => json::write(value).chars().take(120).collect(),
        };
        let path = self.property.map_or("merge", Property::path);
        format!("{path}: wanted {}, found {}", shown(&self.wanted), shown(&self.found))
    }
}

impl fmt::Display for StateDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!{} {}", self.sheet, self.place.bounds(), self.what())
    }
}

/// Every property of every cell and every merge in which two states differ, in order of sheet and place.
///
/// Nothing is overlooked but what cannot be seen: empty containers, empty texts and nulls count as absent, and numbers
/// are equal by value. Cells whose key is no plain address are not compared.
pub fn differences(state: &Workbook, target: &Workbook) -> Vec<StateDifference> {
    let names: BTreeSet<&Arc<str>> = state.sheets().chain(target.sheets()).map(|(name, _)| name).collect();
    let mut found = Vec::new();
    for name in names {
        sheet_differences(name, state.sheet(name), target.sheet(name), &mut found);
    }
    found
}

fn sheet_differences(name: &Arc<str>, state: Option<&Sheet>, target: Option<&Sheet>, found: &mut Vec<StateDifference>) {
    let keys = |sheet: Option<&Sheet>| -> BTreeSet<CellAddress> {
        let cells = sheet.and_then(|sheet| sheet.cells.as_ref()).into_iter();
        cells
            .flat_map(Cells::sorted)
            .filter_map(|(key, _)| key.address())
            .collect()
    };
    let mut all = keys(state);
    all.extend(keys(target));
    for at in all {
        let key = CellKey::Address(at);
        let cell = |sheet: Option<&Sheet>| sheet.and_then(|sheet| sheet.cell(&key)).cloned().unwrap_or_default();
        let (mine, theirs) = (cell(state), cell(target));
        if mine.is_same(&theirs) {
            continue;
        }
        for property in properties_of(&mine, &theirs) {
            let (a, b) = (shown(&mine, property), shown(&theirs, property));
            if !same_value(&a, &b) {
                found.push(StateDifference {
                    sheet: name.clone(),
                    place: Place::Cell(at),
                    property: Some(property),
                    found: a,
                    wanted: b,
                });
            }
        }
    }
    let merges = |sheet: Option<&Sheet>| -> BTreeSet<Bounds> {
        sheet.map(Sheet::merges).unwrap_or_default().iter().copied().collect()
    };
    let (mine, theirs) = (merges(state), merges(target));
    found.extend(mine.symmetric_difference(&theirs).map(|merge| {
        let present = |merges: &BTreeSet<Bounds>| {
            if merges.contains(merge) {
                Value::Bool(true)
            } else {
                Value::Null
            }
        };
        StateDifference {
            sheet: name.clone(),
            place: Place::Merge(*merge),
            property: None,
            found: present(&mine),
            wanted: present(&theirs),
        }
    }));
}

/// The properties that two cells have between them, each once.
fn properties_of(a: &Cell, b: &Cell) -> BTreeSet<Property> {
    let entries = a.entries().iter().chain(b.entries());
    let properties = entries.map(|(property, _)| *property);
    properties
        .filter(|property| !property.is_container() && *property != Property::Unknown)
        .collect()
}

fn shown(cell: &Cell, property: Property) -> Value {
    match cell.get(property) {
        Some(Value::Text(text)) if text.is_empty() => Value::Null,
        Some(value) => value.clone(),
        None => Value::Null,
    }
}

/// Whether two stored values are the same: numbers by value, parts of objects that are null as absent.
pub(super) fn same_value(a: &Value, b: &Value) -> bool {
    let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Float(_));
    match (a, b) {
        (Value::Object(mine), Value::Object(theirs)) => {
            let part = |value: &Value, key: &str| value.get(key).cloned().unwrap_or(Value::Null);
            let mut keys = mine.iter().chain(theirs.iter()).map(|(key, _)| key);
            keys.all(|key| same_value(&part(a, key), &part(b, key)))
        }
        _ if is_number(a) && is_number(b) => a.loosely_equals(b),
        _ => a.strictly_equals(b),
    }
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Action;

    use super::*;

    #[test]
    fn differences_are_found_in_all_properties() {
        let state_of = |lines: &[&str]| {
            let mut state = Workbook::default();
            for line in lines {
                state.apply(&Action::parse(line).unwrap()).unwrap();
            }
            state
        };
        let target = state_of(&["INPUT | A1 | 0", "FONT_SIZE | A1 | 12", "MERGE | B1:C1 | true"]);
        let same = [
            "INPUT | A1 | 0.0",
            "FONT_SIZE | A1 | 12.0",
            "MERGE | B1:C1 | true",
            "ALIGN_VERTICAL | D1 | bottom",
        ];
        assert_eq!(differences(&state_of(&same), &target).len(), 0);
        let found = differences(
            &state_of(&["INPUT | A1 | false", "BORDER_DIAGONAL_UP | A2 | Thin, Continuous"]),
            &target,
        );
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 4, "{texts:?}");
        assert_eq!(texts[0], "Sheet1!A1 value: wanted 0, found false");
        assert!(
            texts[2].starts_with("Sheet1!A2 Format.borders.diagonal_up"),
            "{texts:?}"
        );
        assert_eq!(texts[3], "Sheet1!B1:C1 merge: wanted true, found nothing");
    }
}
