//! From differences to actions: undoing what should not be there, making what is missing
//! (spec chapter 02, sections 6 and 10).

use std::borrow::Cow;
use std::sync::Arc;

use napsim_trajectories::{Action, Edit, RangeError, Value};

use rustc_hash::FxHashMap;

use crate::compare::{Compared, Match, Place, Record};
use crate::mergers::{GrowFirst, merge_borders, merge_rectangles};
use crate::sequencer::sequence;
use crate::state::{CellKey, Property, Workbook, same_line};
use crate::state_actions::{DescribeError, actions_of};

/// Why differences cannot be turned into actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SynthesisError {
    /// A cell whose key or content no action can reproduce.
    #[error(transparent)]
    Describe(#[from] DescribeError),
    /// A range that cannot be walked over.
    #[error("a range is {0}")]
    Range(#[from] RangeError),
}

/// The actions that undo what only the prediction has; every one carries the inverse flag.
///
/// Wrong content is undone cell by cell (Q27), formats by rectangles.
///
/// # Errors
/// [`SynthesisError`] when a predicted value cannot be described.
pub fn undo_actions<'a>(false_positives: impl IntoIterator<Item = &'a Record>) -> Result<Vec<Action>, SynthesisError> {
    let mut false_positives = false_positives.into_iter().peekable();
    if false_positives.peek().is_none() {
        return Ok(Vec::new());
    }
    let mut excess = Workbook::default();
    for record in false_positives {
        add_to_state(
            &mut excess,
            &record.sheet,
            &record.place,
            record.compared,
            record.predicted.as_ref(),
        );
    }
    let undo: Vec<Action> = actions_of(&excess)?.iter().map(Action::inverse).collect();
    merge_all(undo)
}

/// The actions that make what is missing or mismatching, merged and in order.
///
/// `sides` tells the left, right, upper and lower border of a cell of the target, which completes borders: where a cell
/// should have four identical sides, all four are drawn again.
///
/// # Errors
/// [`SynthesisError`] when a target value cannot be described.
pub fn synthesize<'t>(
    missing: &[Record],
    sides: impl Fn(&str, &CellKey) -> Option<[Option<&'t Value>; 4]>,
) -> Result<Vec<Action>, SynthesisError> {
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted = Workbook::default();
    for record in complete_borders(missing, sides) {
        if record.target.is_none() && record.compared != Compared::Merge {
            continue;
        }
        add_to_state(
            &mut wanted,
            &record.sheet,
            &record.place,
            record.compared,
            record.target.as_ref(),
        );
    }
    let mut actions = merge_all(actions_of(&wanted)?)?;
    sequence(&mut actions);
    Ok(actions)
}

/// Rectangles first, borders after them.
fn merge_all(actions: Vec<Action>) -> Result<Vec<Action>, SynthesisError> {
    let is_border = |action: &Action| matches!(action.edit(), Edit::Border { .. });
    let (borders, others): (Vec<Action>, Vec<Action>) = actions.into_iter().partition(is_border);
    let mut merged = merge_rectangles(&others, GrowFirst::Down)?;
    merged.extend(merge_borders(&borders)?);
    Ok(merged)
}

/// Sets one difference in a state that holds nothing but differences.
fn add_to_state(state: &mut Workbook, sheet: &Arc<str>, place: &Place, compared: Compared, value: Option<&Value>) {
    let sheet = state.touch_sheet(sheet);
    match (place, compared) {
        (Place::Merge(bounds), _) => sheet.merges.get_or_insert_default().push(*bounds),
        (Place::Cell(key), Compared::Cell(property)) => {
            let cell = sheet.cells.get_or_insert_default().touch(key.clone());
            if let Some(value) = value {
                cell.set(property, value.clone());
            }
        }
        (Place::Cell(_), Compared::Merge) => {}
    }
}

/// Border records go last, cell by cell; a cell that should have four identical sides gets all four
/// (spec 02, 10, step 1).
fn complete_borders<'r, 't>(
    records: &'r [Record],
    sides: impl Fn(&str, &CellKey) -> Option<[Option<&'t Value>; 4]>,
) -> Vec<Cow<'r, Record>> {
    let is_border = |record: &&Record| match record.compared {
        Compared::Cell(property) => Property::BOX_SIDES.contains(&property),
        Compared::Merge => false,
    };
    let others = records.iter().filter(|record| !is_border(record));
    let mut ordered: Vec<Cow<'r, Record>> = others.map(Cow::Borrowed).collect();
    let mut cells: Vec<(&Arc<str>, &CellKey, Vec<&'r Record>)> = Vec::new();
    let mut known: FxHashMap<(&Arc<str>, &CellKey), usize> = FxHashMap::default();
    for record in records.iter().filter(is_border) {
        let Place::Cell(key) = &record.place else { continue };
        let idx = *known.entry((&record.sheet, key)).or_insert(cells.len());
        match cells.get_mut(idx) {
            Some((_, _, given)) => given.push(record),
            None => cells.push((&record.sheet, key, vec![record])),
        }
    }
    for (sheet, key, given) in cells {
        match sides(sheet, key).and_then(identical) {
            Some(line) => ordered.extend(Property::BOX_SIDES.iter().map(|side| {
                let known = given.iter().find(|record| record.compared == Compared::Cell(*side));
                known.map_or_else(
                    || Cow::Owned(missing_side(sheet, key, *side, &line)),
                    |record| Cow::Borrowed(*record),
                )
            })),
            None => ordered.extend(given.into_iter().map(Cow::Borrowed)),
        }
    }
    ordered
}

fn missing_side(sheet: &Arc<str>, key: &CellKey, side: Property, line: &Value) -> Record {
    Record {
        sheet: sheet.clone(),
        place: Place::Cell(key.clone()),
        compared: Compared::Cell(side),
        outcome: Match::FalseNegative,
        predicted: None,
        target: Some(line.clone()),
    }
}

/// The line that is on all four sides, if there is one.
fn identical([first, others @ ..]: [Option<&Value>; 4]) -> Option<Value> {
    let first = first?;
    others
        .iter()
        .all(|other| other.is_some_and(|other| same_line(first, other)))
        .then(|| first.clone())
}

/// The borders of a cell of a workbook, for [`synthesize`].
pub fn sides_of<'t>(workbook: &'t Workbook, sheet: &str, key: &CellKey) -> Option<[Option<&'t Value>; 4]> {
    let cell = workbook.cell(sheet, key)?;
    Some(Property::BOX_SIDES.map(|side| cell.get(side)))
}
