//! Habits: what follows what, and in which order things are done.

use std::collections::BTreeMap;

use napsim_trajectories::{Action, Edit, Group, Trajectory};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::count::{Histogram, Share, as_f64};
use super::replay::Step;
use super::shape::offset_name;
use super::tally::Tally;

/// Habits of order and repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HabitStats {
    /// Kinds of the first actions.
    pub first_kinds: Tally,
    /// Kinds of the last actions.
    pub last_kinds: Tally,
    /// Actions of the same kind as the one before, among all that have one before.
    pub same_kind: Share,
    /// Lengths of the longest possible stretches of one kind.
    pub run_lengths: Histogram,
    /// Steps between the first cells of one action's range and the next one's: `same`, `right`, `below`, `left`,
    /// `above`, `row`, `column`, `other`.
    pub offsets: Tally,
    /// The same between an INPUT and an INPUT that follows it.
    pub input_offsets: Tally,
    /// Format actions that repeat a kind and value used earlier in the trajectory, among all format actions.
    pub repeated_formats: Share,
    /// Format actions on cells that all lack content at that time, among all format actions.
    pub formats_on_blank: Share,
    /// Where in its trajectory each format action stands: tenths `0` to `9`.
    pub format_tenths: Tally,
    /// Merges by when content is first typed into the anchor: `after`, `before` or `without`.
    pub merges: Tally,
    /// Typing over content that is there, among all actions that type; an empty text is no content.
    pub overwrites: Share,
    /// Cells that were typed over, those that held an empty text included.
    pub cells_overwritten: u64,
    /// Actions that change nothing, by kind.
    pub idle: Tally,
    /// Actions that cannot be carried out, by kind.
    pub failed: Tally,
}

/// Whether an action counts as formatting here: it neither types nor copies. Merges count, as in the published figures.
fn is_format(action: &Action) -> bool {
    !matches!(action.group(), Group::Input | Group::Paste | Group::Autofill)
}

impl HabitStats {
    /// Counts what can be told from the actions of a trajectory alone.
    pub(super) fn add_order(&mut self, trajectory: &Trajectory) {
        let actions = &trajectory.actions;
        let kind = |action: &Action| action.keyword().text();
        if let (Some(first), Some(last)) = (actions.first(), actions.last()) {
            self.first_kinds.add(kind(first));
            self.last_kinds.add(kind(last));
        }
        for run in actions.chunk_by(|a, b| a.keyword() == b.keyword()) {
            self.run_lengths.add(count(run.len()));
        }
        for (before, after) in actions.iter().zip(actions.iter().skip(1)) {
            self.same_kind.count(before.keyword() == after.keyword());
            let same_sheet = before.range().sheet() == after.range().sheet();
            let offset = if same_sheet {
                offset_name(&before.range().bounds(), &after.range().bounds())
            } else {
                "other"
            };
            self.offsets.add(offset);
            if before.group() == Group::Input && after.group() == Group::Input {
                self.input_offsets.add(offset);
            }
        }
        self.add_formats(actions);
        self.add_merges(actions);
    }

    fn add_formats(&mut self, actions: &[Action]) {
        let mut seen = FxHashSet::default();
        for (action_idx, action) in actions.iter().enumerate() {
            if !is_format(action) {
                continue;
            }
            self.repeated_formats.count(!seen.insert(kind_and_value(action)));
            self.format_tenths.add(&(action_idx * 10 / actions.len()).to_string());
        }
    }

    fn add_merges(&mut self, actions: &[Action]) {
        let mut typed = BTreeMap::new();
        for (action_idx, action) in actions.iter().enumerate() {
            if action.is_content() {
                for cell in action.range().bounds().cells() {
                    typed.entry((action.range().sheet(), cell)).or_insert(action_idx);
                }
            }
        }
        for (action_idx, action) in actions.iter().enumerate() {
            if !matches!(action.edit(), Edit::Merge { on: true }) {
                continue;
            }
            let anchor = action.range().bounds().first_cell();
            self.merges.add(match typed.get(&(action.range().sheet(), anchor)) {
                Some(typed_idx) if *typed_idx < action_idx => "after",
                Some(_) => "before",
                None => "without",
            });
        }
    }

    /// Counts what one action found and did; nothing of an action that failed.
    pub(super) fn add_step(&mut self, action: &Action, step: Option<Step>) {
        let Some(step) = step else {
            self.failed.add(action.keyword().text());
            return;
        };
        if is_format(action) {
            self.formats_on_blank.count(!step.touched_content);
        }
        if action.is_content() {
            self.overwrites.count(step.overwrote);
            self.cells_overwritten += step.cells_overwritten;
        }
        if !step.changed {
            self.idle.add(action.keyword().text());
        }
    }

    /// The mean place of a format action in its trajectory, from 0 (first) to 1 (last), by tenths.
    pub fn mean_format_place(&self) -> f64 {
        let sum: f64 = (0..10_u32)
            .map(|tenth| as_f64(self.format_tenths.get(&tenth.to_string())) * (f64::from(tenth) + 0.5) / 10.0)
            .sum();
        let n = self.format_tenths.total();
        if n == 0 { 0.0 } else { sum / as_f64(n) }
    }
}

/// The action's canonical text without its range.
fn kind_and_value(action: &Action) -> String {
    let text = action.to_string();
    let mut fields = text.splitn(3, " | ");
    let kind = fields.next().unwrap_or_default();
    // The range is the second field.
    format!("{kind} | {}", fields.nth(1).unwrap_or_default())
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
