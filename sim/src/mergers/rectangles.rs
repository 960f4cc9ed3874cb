//! The rectangle merger (spec 02, section 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, RangeError, Value, json};

/// Which way a rectangle grows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowFirst {
    /// Down, then right: the published setting, called "row first" there.
    Down,
    /// Right, then down.
    Right,
}

/// Merges all but content and merge actions into rectangles.
///
/// Output order: merge actions, content actions, then the rest by sheet and kind in order of first appearance.
/// Border actions are dropped.
///
/// # Errors
/// [`RangeError`] when a range cannot be walked over.
pub fn merge_rectangles(actions: &[Action], grow: GrowFirst) -> Result<Vec<Action>, RangeError> {
    let is_merge = |action: &&Action| matches!(action.edit(), Edit::Merge { .. });
    let mut merged: Vec<Action> = actions.iter().filter(is_merge).cloned().collect();
    merged.extend(actions.iter().filter(|action| action.is_content()).cloned());
    for group in groups(actions) {
        merge_group(&group, grow, &mut merged)?;
    }
    Ok(merged)
}

/// Sheet and signature: what the actions of one group have in common.
type Key = (Arc<str>, String);

/// Mergeable actions by sheet and signature, groups in order of first appearance.
fn groups(actions: &[Action]) -> Vec<Vec<&Action>> {
    let mut groups: Vec<(Key, Vec<&Action>)> = Vec::new();
    for action in actions {
        let Some(signature) = signature(action) else { continue };
        let key = (action.range().sheet().clone(), signature);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(action),
            None => groups.push((key, vec![action])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What two actions must share to be merged; none for those that are never merged here.
fn signature(action: &Action) -> Option<String> {
    let kind = match action.edit() {
        Edit::Value { .. } | Edit::Formula { .. } | Edit::Input { .. } | Edit::Merge { .. } | Edit::Border { .. } => {
            return None;
        }
        Edit::NumberFormat { format } => format!("NUMBER_FORMAT::{format}"),
        Edit::Font { property, value } => format!("FONT::{}::{}", property.name(), printed(value)),
        Edit::Wrap { on } => format!("WRAP::{on}"),
        Edit::Fill { color } => format!("FILL::{color:?}"),
        Edit::Align { axis, value } => format!("ALIGN::{}::{value}", axis.name()),
        Edit::Orientation { degrees } => format!("TEXT_ORIENTATION::{}", printed(degrees)),
        Edit::Paste { .. } | Edit::Autofill { .. } => action.family().sort_name().to_owned(),
    };
    Some(format!("{kind}::{}", action.is_inverse()))
}

/// The printed form, in which 11 and 11.0 differ.
fn printed(value: &Value) -> String {
    json::write(value)
}

fn merge_group(group: &[&Action], grow: GrowFirst, merged: &mut Vec<Action>) -> Result<(), RangeError> {
    let Some(sheet) = group.first().map(|action| action.range().sheet().clone()) else {
        return Ok(());
    };
    let mut covered: BTreeMap<CellAddress, &Action> = BTreeMap::new();
    for action in group {
        for cell in action.range().walk()?.cells() {
            covered.insert(cell, action);
        }
    }
    while let Some((first, action)) = covered.first_key_value() {
        let (first, action) = (*first, *action);
        let bounds = grown(first, grow, |cell| covered.contains_key(&cell));
        for cell in bounds.cells() {
            covered.remove(&cell);
        }
        merged.push(action.on_range(Range::from_bounds(sheet.clone(), bounds)));
    }
    Ok(())
}

/// The rectangle that grows from a cell along one axis and then, by whole lines, along the other.
pub(super) fn grown(first: CellAddress, grow: GrowFirst, free: impl Fn(CellAddress) -> bool) -> Bounds {
    let mut bounds = Bounds::of_cell(first);
    match grow {
        GrowFirst::Down => {
            while free(CellAddress::new(bounds.last_row + 1, first.col)) {
                bounds.last_row += 1;
            }
            while (bounds.first_row..=bounds.last_row).all(|row| free(CellAddress::new(row, bounds.last_col + 1))) {
                bounds.last_col += 1;
            }
        }
        GrowFirst::Right => {
            while free(CellAddress::new(first.row, bounds.last_col + 1)) {
                bounds.last_col += 1;
            }
            while (bounds.first_col..=bounds.last_col).all(|col| free(CellAddress::new(bounds.last_row + 1, col))) {
                bounds.last_row += 1;
            }
        }
    }
    bounds
}
