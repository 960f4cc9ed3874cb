//! What separates a state from another one, and where a rewriting gets such comparisons from.

use std::rc::Rc;
use std::sync::Arc;

use napsim_trajectories::{Action, Bounds, Edit};

use super::wrong_merges::unmerge;
use super::{is_merge, same_merge};
use crate::compare::{Match, Record, compare_gaps};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::score::Situation;
use crate::state::{CellKey, Workbook};

/// What is missing from a state, and what is too much in it, in canonical order.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    /// Missing and mismatching properties.
    pub(super) missing: Vec<Record>,
    /// Properties that the target does not have.
    pub(super) excess: Vec<Record>,
    /// How many properties are missing or mismatching.
    pub(super) n_missing: usize,
    /// How many properties are mismatching.
    pub(super) n_mismatches: usize,
}

impl Gap {
    fn find(protocol: &Protocol, state: &Workbook, target: &Workbook) -> Self {
        let mut gap = Gap::default();
        compare_gaps(protocol, state, target, &mut |difference| {
            gap.add(difference.to_record());
        });
        gap
    }

    /// Adds a record at the end.
    pub(super) fn add(&mut self, record: Record) {
        match record.outcome {
            Match::TruePositive => {}
            Match::FalsePositive => self.excess.push(record),
            Match::FalseNegative | Match::Mismatch => {
                self.n_missing += 1;
                self.n_mismatches += usize::from(record.outcome == Match::Mismatch);
                self.missing.push(record);
            }
        }
    }
}

/// A merge that the target does not have: its sheet and range.
pub(super) type WrongMerge = (Arc<str>, Bounds);

/// A rewritten future before its second pass.
#[derive(Clone, Copy)]
pub(super) struct Draft<'a> {
    /// What is put in front: unmerges, restorations, undo actions.
    pub(super) front: &'a [Rc<Planned>],
    /// What comes of the future before.
    pub(super) processed: &'a [Rc<Planned>],
}

/// The comparisons that a rewriting rests on: whole workbooks, each state worked out from the one before.
pub(super) struct Whole<'a> {
    pub(super) situation: Situation<'a>,
    pub(super) predicted: &'a [Rc<Planned>],
    /// The state after the proposal.
    pub(super) after: &'a Workbook,
}

impl Whole<'_> {
    /// What separates the state after the proposal, adjusted for the future's merges, from the target (step 4).
    pub(super) fn first_gap(&self) -> Gap {
        let Situation {
            protocol,
            future,
            target,
            ..
        } = self.situation;
        let adjustment = merge_adjustment(self.predicted, future);
        if adjustment.is_empty() {
            return Gap::find(protocol, self.after, target);
        }
        let mut adjusted = self.after.clone();
        adjusted.apply_lenient(adjustment.iter().map(|planned| &planned.action));
        Gap::find(protocol, &adjusted, target)
    }

    /// What the proposal, less the merges in `wrong`, lacks of the state before it, within those merges (step 8).
    pub(super) fn destroyed(&self, wrong: &[WrongMerge]) -> Vec<Record> {
        let mut restored = self.after.clone();
        restored.apply_lenient(&wrong.iter().map(unmerge).collect::<Vec<_>>());
        let within = |record: &Record| {
            let address = record.place.cell().and_then(CellKey::address);
            address.is_some_and(|at| {
                wrong
                    .iter()
                    .any(|(sheet, bounds)| *sheet == record.sheet && bounds.contains_cell(at))
            })
        };
        let mut destroyed = Gap::find(self.situation.protocol, &restored, self.situation.current).missing;
        destroyed.retain(within);
        destroyed
    }

    /// What separates the state after proposal and draft from the target (step 10).
    pub(super) fn final_gap(&self, draft: Draft<'_>) -> Gap {
        let mut end = self.after.clone();
        let rest = draft.front.iter().chain(draft.processed);
        end.apply_lenient(rest.map(|planned| &planned.action));
        Gap::find(self.situation.protocol, &end, self.situation.target)
    }
}

/// The actions that adjust the state after a proposal for the future's merges: all merges, then all unmerges (step 3).
///
/// A predicted merge that overlaps another future merge gives way to it.
pub(super) fn merge_adjustment(predicted: &[Rc<Planned>], future: &[Rc<Planned>]) -> Vec<Rc<Planned>> {
    let mut proposed: Vec<&Action> = Vec::new();
    for planned in predicted {
        let same = |other: &&Action| same_merge(other, &planned.action);
        if matches!(planned.action.edit(), Edit::Merge { on: true }) && !proposed.iter().any(same) {
            proposed.push(&planned.action);
        }
    }
    let (merges, unmerges): (Vec<_>, Vec<_>) = future
        .iter()
        .filter(|planned| is_merge(&planned.action))
        .cloned()
        .partition(|planned| matches!(planned.action.edit(), Edit::Merge { on: true }));
    let mut adjustment = Vec::with_capacity(merges.len() + unmerges.len());
    for merge in merges {
        for proposed in &proposed {
            let (mine, other) = (proposed.range(), merge.action.range());
            if mine.sheet() == other.sheet() && mine.text() != other.text() && mine.bounds().overlaps(&other.bounds()) {
                adjustment.push(Planned::new(Action::new(mine.clone(), Edit::Merge { on: false })));
            }
        }
        adjustment.push(merge);
    }
    adjustment.extend(unmerges);
    adjustment
}
