//! A sequence with what each action found and left behind.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use napsim_sim::state::{Sheet, Workbook};
use napsim_trajectories::{Action, Bounds, CellAddress};

use super::{Finding, Severity};
use crate::stats::replay::{Replay, Step, has_content, written_keys};

/// What the rules look at.
pub(super) struct View<'a> {
    /// The sequence.
    pub(super) actions: &'a [Action],
    /// What each action found and did; none of those that failed.
    pub(super) steps: Vec<Option<Step>>,
    /// The finished workbook.
    pub(super) state: Workbook,
    /// For each cell with content in the finished workbook, the index of the action that first put some there.
    filled: BTreeMap<(Arc<str>, CellAddress), usize>,
}

impl<'a> View<'a> {
    pub(super) fn of(actions: &'a [Action]) -> Self {
        let mut replay = Replay::default();
        let (mut steps, mut filled) = (Vec::new(), BTreeMap::new());
        for (action_idx, action) in actions.iter().enumerate() {
            steps.push(replay.step(action).ok());
            if writes_content(action) {
                for cell in cells_with_content(&replay.state, action) {
                    filled.entry(cell).or_insert(action_idx);
                }
            }
        }
        Self {
            actions,
            steps,
            state: replay.state,
            filled,
        }
    }

    /// Actions with their indices.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &'a Action)> + use<'a> {
        self.actions.iter().enumerate()
    }

    /// When each cell of a range first gets content, as indices of actions; cells that never do are left out.
    pub(super) fn fill_times(&self, sheet: &Arc<str>, bounds: &Bounds) -> impl Iterator<Item = usize> + use<'_> {
        let (sheet, bounds) = (sheet.clone(), *bounds);
        let from = (sheet.clone(), bounds.first_cell());
        let to = (sheet, CellAddress::new(bounds.last_row, bounds.last_col));
        // A reversed range would be no interval; it has no cells either.
        let range = (from <= to).then_some(from..=to);
        let cells = range.into_iter().flat_map(|range| self.filled.range(range));
        cells
            .filter(move |((_, cell), _)| bounds.contains_cell(*cell))
            .map(|(_, action_idx)| *action_idx)
    }
}

fn writes_content(action: &Action) -> bool {
    use napsim_trajectories::Group;
    matches!(action.group(), Group::Input | Group::Paste | Group::Autofill)
}

/// The cells that an action may have written and that hold content.
fn cells_with_content(state: &Workbook, action: &Action) -> Vec<(Arc<str>, CellAddress)> {
    let sheet = action.range().sheet();
    let cells = state.sheet(sheet).and_then(|sheet: &Sheet| sheet.cells.as_ref());
    let Some(cells) = cells else { return Vec::new() };
    let held = written_keys(action)
        .into_iter()
        .filter(|key| cells.get(key).is_some_and(has_content));
    held.filter_map(|key| key.address())
        .map(|cell| (sheet.clone(), cell))
        .collect()
}

/// The content area of a sheet: the box around all its content.
pub(super) fn content_area(sheet: &Sheet) -> Option<Bounds> {
    let cells = sheet.cells.as_ref()?;
    let held: BTreeSet<CellAddress> = cells
        .sorted()
        .filter(|(_, cell)| has_content(cell))
        .filter_map(|(key, _)| key.address())
        .collect();
    let (first, last) = (held.first()?, held.last()?);
    Some(Bounds {
        first_row: first.row,
        last_row: last.row,
        first_col: held.iter().map(|cell| cell.col).min()?,
        last_col: held.iter().map(|cell| cell.col).max()?,
    })
}

/// A finding about one action.
pub(super) fn finding(rule: &'static str, severity: Severity, action_idx: usize, reason: String) -> Finding {
    Finding {
        rule,
        severity,
        action_idx: Some(action_idx),
        reason,
        edit: None,
    }
}
