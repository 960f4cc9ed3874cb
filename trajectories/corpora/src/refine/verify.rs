//! Verification of a candidate: replay and comparison in all properties.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet, Workbook};
use napsim_trajectories::{Action, Bounds, CellAddress, Value, json};

use super::Feedback;
use super::RefineOptions;
use super::reply::EditReply;

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
    fn what(&self) -> String {
        let shown = |value: &Value| match value {
            Value::Null => "nothing".to_owned(),
            value => json::write(value).chars().take(120).collect(),
        };
        let path = self.property.map_or(MERGE, Property::path);
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
            merges
                .contains(merge)
                .then_some(Value::Bool(true))
                .unwrap_or(Value::Null)
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

/// The actions of a reply, if they can be read and carried out and reach the target but for what is declared.
pub(super) fn verify(reply: &EditReply, target: &Workbook, options: &RefineOptions) -> Result<Vec<Action>, Feedback> {
    let mut problems = Problems::new(options.problems_per_note_max);
    let mut actions = Vec::with_capacity(reply.operations.len());
    for (operation_no, text) in (1..).zip(&reply.operations) {
        match Action::parse(text) {
            Ok(action) => actions.push(action),
            Err(error) => problems.add(&format!("operation {operation_no} `{}`: {error}", clip(text))),
        }
    }
    for problem in reply.declared.problems() {
        problems.add(&problem);
    }
    if reply.declared.corrections.len() > options.corrections_max {
        problems.add(&format!("more than {} corrections", options.corrections_max));
    }
    let corrected = match reply.declared.correct(target) {
        Ok(corrected) => corrected,
        Err(wrong) => {
            for problem in wrong {
                problems.add(&problem);
            }
            target.clone()
        }
    };
    let mut state = Workbook::default();
    if problems.is_empty()
        && let Err(error) = state.apply_strict(&actions)
    {
        let text = reply
            .operations
            .get(error.action_idx)
            .map(|text| clip(text))
            .unwrap_or_default();
        problems.add(&format!("operation {} `{text}`: {}", error.action_idx + 1, error.error));
    }
    if !problems.is_empty() {
        return Err(Feedback::Invalid(problems.note("These could not be used:")));
    }
    let left: Vec<StateDifference> = differences(&state, &corrected)
        .into_iter()
        .filter(|difference| !reply.declared.covers(difference))
        .collect();
    if left.is_empty() {
        return Ok(actions);
    }
    for line in grouped(&left) {
        problems.add(&line);
    }
    Err(Feedback::Mismatch(
        problems.note("The sequence leads to another sheet than it should:"),
    ))
}

/// One line for each property and pair of values, with the ranges where they occur.
fn grouped(differences: &[StateDifference]) -> Vec<String> {
    let mut groups: BTreeMap<(&Arc<str>, String), Vec<Bounds>> = BTreeMap::new();
    let mut order = Vec::new();
    for difference in differences {
        let key = (&difference.sheet, difference.what());
        let places = groups.entry(key.clone()).or_insert_with(|| {
            order.push(key);
            Vec::new()
        });
        places.push(difference.place.bounds());
    }
    let line = |(sheet, what): (_, String)| {
        let is_merge = what.starts_with(MERGE);
        let places = groups.remove(&(sheet, what.clone())).unwrap_or_default();
        let places = if is_merge { places } else { rectangles(places) };
        let shown: Vec<String> = places
            .iter()
            .take(RANGES_SHOWN)
            .map(|bounds| format!("{sheet}!{bounds}"))
            .collect();
        let n_more = places.len() - shown.len();
        let more = if n_more == 0 {
            String::new()
        } else {
            format!(" and {n_more} more")
        };
        format!("{}{more}: {what}", shown.join(", "))
    };
    order.into_iter().map(line).collect()
}

/// Ranges named in one line of a note.
const RANGES_SHOWN: usize = 12;

/// How a difference in a merge begins.
const MERGE: &str = "merge";

/// Cells joined along their rows, then equal pieces of successive rows joined along the columns.
fn rectangles(mut cells: Vec<Bounds>) -> Vec<Bounds> {
    cells.sort_unstable();
    let mut joined: Vec<Bounds> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(last) if last.first_row == cell.first_row && last.last_col + 1 == cell.first_col => {
                last.last_col = cell.last_col;
            }
            _ => joined.push(cell),
        }
    }
    joined.sort_unstable_by_key(|piece| (piece.first_col, piece.last_col, piece.first_row));
    let mut stacked: Vec<Bounds> = Vec::new();
    for piece in joined {
        match stacked.last_mut() {
            Some(last)
                if (last.first_col, last.last_col) == (piece.first_col, piece.last_col)
                    && last.last_row + 1 == piece.first_row =>
            {
                last.last_row = piece.last_row;
            }
            _ => stacked.push(piece),
        }
    }
    stacked.sort_unstable();
    stacked
}

fn clip(text: &str) -> String {
    text.chars().take(160).collect()
}

/// Problems for a note: the first ones in full, the others counted.
struct Problems {
    lines: Vec<String>,
    n_more: usize,
    n_max: usize,
}

impl Problems {
    fn new(n_max: usize) -> Self {
        Self {
            lines: Vec::new(),
            n_more: 0,
            n_max,
        }
    }

    fn add(&mut self, problem: &str) {
        if self.lines.len() < self.n_max {
            self.lines.push(format!("- {problem}"));
        } else {
            self.n_more += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.n_more == 0
    }

    fn note(&self, heading: &str) -> String {
        let mut note = format!("{heading}\n{}", self.lines.join("\n"));
        if self.n_more > 0 {
            note.push_str(&format!("\n- and {} more", self.n_more));
        }
        note
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_rectangles() {
        let cells = ["A1", "B1", "A2", "B2", "C2", "D9", "A3", "B3"];
        let bounds = cells.map(|text| Bounds::of_cell(CellAddress::from_normalised(text).unwrap()));
        let texts: Vec<String> = rectangles(bounds.to_vec()).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["A1:B1", "A2:C2", "A3:B3", "D9"]);
        let block = ["A1", "B1", "A2", "B2"].map(|text| Bounds::of_cell(CellAddress::from_normalised(text).unwrap()));
        let texts: Vec<String> = rectangles(block.to_vec()).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["A1:B2"]);
    }

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
        let texts: Vec<String> = found.iter().map(|difference| difference.to_string()).collect();
        assert_eq!(texts.len(), 4, "{texts:?}");
        assert_eq!(texts[0], "Sheet1!A1 value: wanted 0, found false");
        assert!(
            texts[2].starts_with("Sheet1!A2 Format.borders.diagonal_up"),
            "{texts:?}"
        );
        assert_eq!(texts[3], "Sheet1!B1:C1 merge: wanted true, found nothing");
    }
}
