//! The rectangle merger (spec 02, section 7).

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_trajectories::action::{Axis, FontProperty};
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Family, Range, RangeError, Value, json};

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

/// Mergeable actions by sheet and signature, groups in order of first appearance.
fn groups(actions: &[Action]) -> Vec<Vec<&Action>> {
    let mut groups: Vec<(&Arc<str>, Signature<'_>, Vec<&Action>)> = Vec::new();
    for action in actions {
        let Some(signature) = Signature::of(action) else {
            continue;
        };
        let sheet = action.range().sheet();
        let same = |(known, of_group, _): &&mut (&Arc<str>, Signature<'_>, Vec<&Action>)| {
            *of_group == signature && *known == sheet
        };
        match groups.iter_mut().find(same) {
            Some((_, _, group)) => group.push(action),
            None => groups.push((sheet, signature, vec![action])),
        }
    }
    groups.into_iter().map(|(_, _, group)| group).collect()
}

/// What two actions must share to be merged, besides their sheet.
#[derive(PartialEq)]
struct Signature<'a> {
    kind: Kind<'a>,
    inverse: bool,
}

#[derive(PartialEq)]
enum Kind<'a> {
    NumberFormat(&'a str),
    Font(FontProperty, Printed<'a>),
    Wrap(bool),
    Fill(Option<&'a str>),
    Align(Axis, &'a str),
    Orientation(Printed<'a>),
    /// Pastes, and autofills, whatever their source.
    Copy(Family),
}

impl<'a> Signature<'a> {
    /// The signature of an action; none for those that are never merged here.
    fn of(action: &'a Action) -> Option<Self> {
        let kind = match action.edit() {
            Edit::Value { .. }
            | Edit::Formula { .. }
            | Edit::Input { .. }
            | Edit::Merge { .. }
            | Edit::Border { .. } => return None,
            Edit::NumberFormat { format } => Kind::NumberFormat(format),
            Edit::Font { property, value } => Kind::Font(*property, Printed(value)),
            Edit::Wrap { on } => Kind::Wrap(*on),
            Edit::Fill { color } => Kind::Fill(color.as_deref()),
            Edit::Align { axis, value } => Kind::Align(*axis, value),
            Edit::Orientation { degrees } => Kind::Orientation(Printed(degrees)),
            Edit::Paste { .. } | Edit::Autofill { .. } => Kind::Copy(action.family()),
        };
        let inverse = action.is_inverse();
        Some(Self { kind, inverse })
    }
}

/// A value by its printed form, in which 11 and 11.0 differ.
struct Printed<'a>(&'a Value);

impl PartialEq for Printed<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => json::write(a) == json::write(b),
            _ => false,
        }
    }
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
