//! Replay that tells what each action found and changed.

use napsim_sim::apply::ApplyError;
use napsim_sim::state::{Cell, CellKey, Property, Workbook};
use napsim_trajectories::{Action, Bounds, Edit, Range, Value};

/// A workbook to which actions are applied one by one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    /// The state after the actions so far.
    pub(crate) state: Workbook,
}

/// What one action found and did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Whether any cell of its range held content before.
    pub(crate) touched_content: bool,
    /// Whether it typed content over other content that was there.
    pub(crate) overwrote: bool,
    /// Cells it typed into that held a value before, be it an empty text.
    pub(crate) cells_overwritten: u64,
    /// Whether the state shows any difference afterwards: a property of a cell or a merge.
    ///
    /// Empty containers, which some actions leave behind, do not show, and neither does an empty text.
    pub(crate) changed: bool,
}

impl Replay {
    /// Applies one action.
    ///
    /// # Errors
    /// [`ApplyError`] when it cannot be carried out; partial effects stay.
    pub(crate) fn step(&mut self, action: &Action) -> Result<Step, ApplyError> {
        let keys = written_keys(action);
        let sheet = action.range().sheet().clone();
        let snapshot = |state: &Workbook| -> Vec<Option<Cell>> {
            let cells = state.sheet(&sheet).and_then(|sheet| sheet.cells.as_ref());
            keys.iter()
                .map(|key| cells.and_then(|cells| cells.get(key)).cloned())
                .collect()
        };
        // No other action touches merges, and copying a long list each time would cost.
        let may_merge = matches!(action.edit(), Edit::Merge { .. } | Edit::Paste { .. });
        let merges = |state: &Workbook| {
            let sheet = state.sheet(&sheet).filter(|_| may_merge);
            sheet.map(|sheet| sheet.merges().to_vec()).unwrap_or_default()
        };
        let (before, merges_before) = (snapshot(&self.state), merges(&self.state));
        let result = self.state.apply(action);
        let (after, merges_after) = (snapshot(&self.state), merges(&self.state));
        let valued = |cell: &Option<Cell>| cell.as_ref().is_some_and(has_content);
        let holds = |cell: &Option<Cell>| cell.as_ref().is_some_and(|cell| cell.has(Property::Value));
        let pairs = || before.iter().zip(&after).filter(|_| action.is_content());
        let overwrote = pairs().any(|(before, after)| valued(before) && valued(after));
        let cells_overwritten = pairs().fold(0, |n, (before, after)| n + u64::from(holds(before) && holds(after)));
        result.map(|()| Step {
            touched_content: before.iter().any(valued),
            overwrote,
            cells_overwritten,
            changed: merges_before != merges_after
                || before
                    .iter()
                    .zip(&after)
                    .any(|(before, after)| !look_alike(before.as_ref(), after.as_ref())),
        })
    }
}

/// The keys of all cells that an action may write.
pub(crate) fn written_keys(action: &Action) -> Vec<CellKey> {
    let range = action.range();
    let bounds = match action.edit() {
        Edit::Value { .. } | Edit::Formula { .. } => return vec![CellKey::from_text(range.text())],
        Edit::Paste { source, .. } => paste_extent(range, source),
        _ => range.bounds(),
    };
    bounds.cells().map(CellKey::Address).collect()
}

/// The destination together with a box of the source's size at its first cell.
fn paste_extent(range: &Range, source: &str) -> Bounds {
    let to = range.bounds();
    Range::parse(source).map_or(to, |source| {
        let from = source.bounds();
        Bounds {
            last_row: to.last_row.max(to.first_row + from.height() - 1),
            last_col: to.last_col.max(to.first_col + from.width() - 1),
            ..to
        }
    })
}

/// Whether a cell holds a value or a formula other than an empty text.
pub(crate) fn has_content(cell: &Cell) -> bool {
    [Property::Value, Property::Formula]
        .into_iter()
        .any(|property| cell.get(property).is_some_and(|value| !is_blank(property, value)))
}

/// Whether two cells show the same properties with the same values.
pub(crate) fn look_alike(a: Option<&Cell>, b: Option<&Cell>) -> bool {
    fn shown(cell: Option<&Cell>) -> impl Iterator<Item = &(Property, Value)> {
        let entries = cell.map(Cell::entries).unwrap_or_default().iter();
        entries.filter(|(property, value)| !property.is_container() && !is_blank(*property, value))
    }
    let all_in = |a: Option<&Cell>, b: Option<&Cell>| {
        shown(a)
            .all(|(property, value)| shown(b).any(|(known, other)| known == property && value.strictly_equals(other)))
    };
    match (a, b) {
        (Some(a), Some(b)) if a.is_same(b) => true,
        _ => all_in(a, b) && all_in(b, a),
    }
}

fn is_blank(property: Property, value: &Value) -> bool {
    property == Property::Value && matches!(value, Value::Null) || matches!(value, Value::Text(text) if text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &[&str], line: &str, (touched_content, overwrote, changed): (bool, bool, bool)) {
        let mut replay = Replay::default();
        for line in before {
            replay.step(&Action::parse(line).unwrap()).unwrap();
        }
        let step = replay.step(&Action::parse(line).unwrap()).unwrap();
        assert_eq!(
            (step.touched_content, step.overwrote, step.changed),
            (touched_content, overwrote, changed),
            "{line}"
        );
    }

    #[test]
    fn steps_tell_what_they_found_and_did() {
        let start = ["INPUT | A1 | 5", "FONT_BOLD | A1 | true", "INPUT | C1 | \"\""];
        check(&start, "INPUT | A1 | 6", (true, true, true));
        check(&start, "INPUT | A1 | 5", (true, true, false));
        check(&start, "INPUT | B1 | 5", (false, false, true));
        check(&start, "INPUT | C1 | 5", (false, false, true));
        check(&start, "INPUT | A1 | clear", (true, false, true));
        check(&start, "INPUT | D1 | \"\"", (false, false, false));
        check(&start, "FONT_BOLD | A1:B1 | true", (true, false, true));
        check(&start, "FONT_BOLD | A1 | true", (true, false, false));
        check(&start, "ALIGN_VERTICAL | B1 | bottom", (false, false, false));
        check(&start, "MERGE | B2:C2 | true", (false, false, true));
        check(&start, "PASTE_FROM | D1 | A1:B1 | all", (false, false, true));
        check(&start, "BORDER_BOTTOM | A2 | Thin, Continuous", (false, false, true));
    }
}
