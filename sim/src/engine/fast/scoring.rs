//! The score of a proposal (spec 02, 3), from the cells that it names or changes alone.

use std::rc::Rc;

use napsim_trajectories::Action;

use super::cells::{Cell, Tables};
use super::future::{EntryId, Future};
use super::layer::Layer;
use super::merges::{MergeCounts, MergeId};
use super::outcomes::Outcomes;
use super::prepared::{Prepared, Roles};
use super::slots::{SheetIdx, Slot, SlotSet};
use super::standing::{InView, Standing};
use crate::compare::{Compared, Match, Place};
use crate::counts::Counts;
use crate::event::PropertyKey;
use crate::matching::{Lookahead, matches, pair};
use crate::plan::Planned;
use crate::score::Score;
use crate::state::Property;

/// How many actions of the future are looked at one by one rather than found by the cells that a proposal names.
const SCAN_MAX: usize = 16;

/// One proposal against the target.
pub(super) struct Scoring<'a> {
    pub(super) tables: &'a mut Tables,
    pub(super) future: &'a Future,
    pub(super) standing: &'a Standing,
    pub(super) predicted: &'a [Rc<Planned>],
    /// The proposal carried out.
    pub(super) after: &'a Layer,
    /// The cells that it changes.
    pub(super) changed: &'a [Slot],
    /// The cells that it names.
    pub(super) named: &'a SlotSet,
}

/// Counts of changed properties, and the right ones among them.
#[derive(Default)]
struct Changes {
    counts: Counts,
    correct: Vec<PropertyKey>,
}

impl Changes {
    fn add(&mut self, outcome: Option<Match>, n: u32) {
        match outcome {
            None | Some(Match::TruePositive) => self.counts.tp += n,
            Some(Match::FalsePositive) => self.counts.fp += n,
            Some(Match::FalseNegative | Match::Mismatch) => self.counts.mm += n,
        }
    }
}

/// Whether any of the named cells of a sheet exists, after the proposal and before it.
#[derive(Clone, Copy, Default)]
struct Exists {
    after: bool,
    before: bool,
}

impl Scoring<'_> {
    /// The figures of the proposal.
    pub(super) fn score(mut self) -> Score {
        let segment = self.future.iter().take(self.predicted.len());
        let segment: Vec<&Action> = segment.map(|id| &self.future.planned(id).action).collect();
        let predicted: Vec<&Action> = self.predicted.iter().map(|planned| &planned.action).collect();
        let mut score = Score {
            pairs: pair(&segment, &predicted),
            ..Score::default()
        };
        if self.future.len() == 0 {
            return score;
        }
        score.compared = true;
        score.lookahead = self.lookahead();
        let mut changes = Changes::default();
        let exists = self.compare_cells(&mut changes);
        let mut in_view = self.in_view();
        for sheet in 0..self.tables.slots.n_sheets() {
            let sheet = SheetIdx::of(sheet);
            let exists = exists.get(sheet.idx()).copied().unwrap_or_default();
            self.compare_merges(sheet, exists, &mut in_view, &mut changes);
        }
        score.counts = in_view.totals.counts;
        score.totals = in_view.totals;
        if !self.named.members().is_empty() {
            changes.counts.missing = score.counts.missing;
            score.counts = changes.counts;
            if !changes.correct.is_sorted() {
                changes.correct.sort_unstable();
            }
            score.correct = changes.correct;
        }
        score
    }

    fn after(&self, slot: Slot) -> Cell {
        self.after.get(slot).unwrap_or_else(|| self.standing.now(slot))
    }

    /// Counts what the proposal changes in the cells that it names.
    fn compare_cells(&mut self, changes: &mut Changes) -> Vec<Exists> {
        let mut exists = vec![Exists::default(); self.tables.slots.n_sheets()];
        for slot in self.named.members() {
            let (after, before) = (self.after(*slot), self.standing.now(*slot));
            let sheet = self.tables.slots.place(*slot).sheet_idx;
            if let Some(exists) = exists.get_mut(sheet.idx()) {
                exists.after |= after.exists();
                exists.before |= before.exists();
            }
            if after == before {
                continue;
            }
            let changed = self.tables.compare(after, before).gap();
            if changed == 0 {
                continue;
            }
            let outcomes = self.tables.compare(after, self.standing.target(*slot));
            for property in Property::from_bits(changed) {
                let outcome = outcomes.of(property);
                changes.add(outcome, 1);
                if outcome == Some(Match::TruePositive) {
                    let place = self.tables.slots.place(*slot);
                    changes.correct.push(PropertyKey {
                        sheet: place.sheet.clone(),
                        place: Place::Cell(place.key.clone()),
                        compared: Compared::Cell(property),
                    });
                }
            }
        }
        exists
    }

    /// Totals of the cells in view after the proposal.
    fn in_view(&mut self) -> InView {
        let Self {
            tables,
            standing,
            changed,
            named,
            after,
            ..
        } = self;
        let mut in_view = standing.in_view.clone();
        let mut move_cell = |slot: Slot| {
            let (now, target) = (standing.now(slot), standing.target(slot));
            let after = after.get(slot).unwrap_or(now);
            let sheet = tables.slots.place(slot).sheet_idx;
            if standing.is_in_view(slot) {
                if now == after {
                    return;
                }
                in_view.take(sheet, standing.outcomes(slot), now, target);
            } else if !named.contains(slot) {
                return;
            }
            let outcomes: Outcomes = tables.compare(after, target);
            in_view.add(sheet, outcomes, after, target);
        };
        for slot in named.members() {
            move_cell(*slot);
        }
        for slot in changed.iter().filter(|slot| !named.contains(**slot)) {
            move_cell(*slot);
        }
        in_view
    }

    /// Rule `merge-leak`: counts a sheet's merges where the cells looked at bring them into view.
    fn compare_merges(&self, sheet: SheetIdx, exists: Exists, in_view: &mut InView, changes: &mut Changes) {
        let protocol = self.tables.protocol;
        let now = self.standing.merge_counts(sheet);
        let moved = self.moved_merges(sheet);
        let mut after = now;
        for (id, comes) in &moved {
            after.change(*comes, self.tables.merges.is_wanted(*id));
        }
        let presence = *in_view.presence(sheet);
        let seen = Seen {
            mine: protocol.counts_merges(presence.predicted > 0),
            wanted: protocol.counts_merges(presence.target > 0),
        };
        seen.count(after, &mut in_view.totals);
        let (seen_after, seen_before) = (
            protocol.counts_merges(exists.after),
            protocol.counts_merges(exists.before),
        );
        match (seen_after, seen_before) {
            (false, false) => return,
            (true, true) => {
                for (id, comes) in &moved {
                    changes.add(seen.outcome(*comes, self.tables.merges.is_wanted(*id)), 1);
                }
            }
            (true, false) => {
                changes.add(seen.outcome(true, true), after.both);
                changes.add(seen.outcome(true, false), after.present - after.both);
            }
            (false, true) => {
                let mut stay = now;
                for (id, _) in moved.iter().filter(|(_, comes)| !comes) {
                    let wanted = self.tables.merges.is_wanted(*id);
                    stay.change(false, wanted);
                    changes.add(seen.outcome(false, wanted), 1);
                }
                changes.add(seen.outcome(true, true), stay.both);
                changes.add(seen.outcome(true, false), stay.present - stay.both);
            }
        }
        if seen_after {
            // A merge of the history is not something that the proposal produced (Q15).
            for (id, _) in moved.iter().filter(|(_, comes)| *comes) {
                if seen.outcome(true, self.tables.merges.is_wanted(*id)) == Some(Match::TruePositive) {
                    changes.correct.push(PropertyKey {
                        sheet: self.tables.slots.sheet(sheet).clone(),
                        place: Place::Merge(self.tables.merges.get(*id).bounds),
                        compared: Compared::Merge,
                    });
                }
            }
        }
    }

    /// The merges of a sheet that the proposal makes (true) or deletes.
    fn moved_merges(&self, sheet: SheetIdx) -> Vec<(MergeId, bool)> {
        let merges = self.after.merges().iter();
        let merges = merges.map(|id| (*id, self.after.merge(*id) == Some(true)));
        merges
            .filter(|(id, is)| self.tables.merges.get(*id).sheet == sheet && self.standing.has_merge(*id) != *is)
            .collect()
    }

    /// Looks each proposed action up in the future: its first strict match, or else the last loose one (Q19).
    fn lookahead(&mut self) -> Lookahead {
        let mut found = Lookahead::among(self.predicted.len(), self.future.len());
        let mut taken: Vec<EntryId> = Vec::new();
        for planned in self.predicted {
            let Some(prepared) = planned.prepared(self.tables).cloned() else {
                continue;
            };
            let (mut strict, mut loose) = (None::<EntryId>, None::<EntryId>);
            let label = |id: EntryId| self.future.label(id);
            self.each_overlapping(&prepared, &mut |id| {
                if taken.contains(&id) || self.future.prepared(id).family != prepared.family {
                    return;
                }
                let action = &self.future.planned(id).action;
                if matches(&planned.action, action, true) {
                    if strict.is_none_or(|other| label(id) < label(other)) {
                        strict = Some(id);
                    }
                } else if matches(&planned.action, action, false) && loose.is_none_or(|other| label(id) > label(other))
                {
                    loose = Some(id);
                }
            });
            if let Some(id) = strict.or(loose) {
                taken.push(id);
                found.add(strict.is_some());
            }
        }
        found
    }

    /// Visits at least the actions of the future that overlap one or are equal to it, some perhaps twice.
    fn each_overlapping(&self, prepared: &Prepared, visit: &mut impl FnMut(EntryId)) {
        let few = prepared.parts.len() * SCAN_MAX < self.future.len();
        if prepared.is_odd || !few {
            return self.future.iter().for_each(visit);
        }
        for slot in prepared.cells(Roles::NAMES) {
            let naming = self.future.mentions(slot).iter();
            naming
                .filter(|mention| mention.roles.has(Roles::NAMES))
                .for_each(|mention| visit(mention.entry));
        }
        self.future.odd().iter().for_each(|id| visit(*id));
    }
}

/// Which sides of a comparison show their merges.
#[derive(Clone, Copy)]
struct Seen {
    mine: bool,
    wanted: bool,
}

impl Seen {
    /// The outcome of a merge, given which sides have it; none where neither shows it.
    fn outcome(self, present: bool, wanted: bool) -> Option<Match> {
        match (present && self.mine, wanted && self.wanted) {
            (true, true) => Some(Match::TruePositive),
            (true, false) => Some(Match::FalsePositive),
            (false, true) => Some(Match::FalseNegative),
            (false, false) => None,
        }
    }

    fn count(self, merges: MergeCounts, totals: &mut crate::compare::Totals) {
        let kinds = [
            (true, true, merges.both),
            (true, false, merges.present - merges.both),
            (false, true, merges.wanted - merges.both),
        ];
        for (present, wanted, n) in kinds {
            if let Some(outcome) = self.outcome(present, wanted) {
                totals.count_many(Compared::Merge, outcome, n);
            }
        }
    }
}
