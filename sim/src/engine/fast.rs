//! The fast engine: carries out and compares only what a proposal can change.

use std::rc::Rc;

use super::limited::Limited;
use super::plain::PlainJudge;
use super::slots::{Slot, Slots};
use super::{Judge, Outlook};
use crate::compare::{Record, compare_cell, compare_merges};
use crate::plan::Planned;
use crate::rewrite::{Comparisons, Draft, Gap, Rewrite, Whole, WrongMerge, rewrite_by};
use crate::score::{Situation, score};
use crate::state::{CellKey, Workbook};

/// A record and the slot of its cell, or of the first cell of its merge.
type Placed = (Slot, Record);

/// What the fast engine knows of a rollout.
#[derive(Default)]
pub(super) struct FastJudge {
    slots: Slots,
    limited: Limited,
    /// Whether the future or the history holds an action of unknown reach: the plain engine takes over for good.
    lost: bool,
    /// What the state after the whole future would lack or have in excess, without any proposal.
    end: Vec<Placed>,
    /// The same after the proposal judged last, without the corrections of its second pass.
    end_if_accepted: Vec<Placed>,
    /// Corrections in the future that `end` does not account for yet.
    unaccounted: Vec<Rc<Planned>>,
}

impl Judge for FastJudge {
    fn begin(&mut self, situation: Situation<'_>) {
        self.check(situation.future);
    }

    fn stepped(&mut self, _done: &Planned, _situation: Situation<'_>) {}

    fn judge(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], undo_max: usize) -> Outlook {
        let known = |planned: &Rc<Planned>| planned.reach(&mut self.slots).is_some();
        if self.lost || !predicted.iter().all(known) {
            return PlainJudge.judge(situation, predicted, undo_max);
        }
        self.account_for_corrections(situation);
        let mut after = situation.current.clone();
        after.apply_lenient(predicted.iter().map(|planned| &planned.action));
        let score = score(situation, predicted, &after);
        let mut comparisons = Changes {
            judge: self,
            whole: Whole {
                situation,
                predicted,
                after: &after,
            },
        };
        let rewritten = rewrite_by(situation, predicted, &mut comparisons, undo_max);
        Outlook { score, rewritten }
    }

    fn accepted(&mut self, predicted: &[Rc<Planned>], rewritten: &Rewrite, _current: &Workbook) {
        self.check(predicted);
        self.check(&rewritten.future);
        self.end = std::mem::take(&mut self.end_if_accepted);
        self.unaccounted.clone_from(&rewritten.corrections);
    }
}

impl FastJudge {
    /// Gives up for good on meeting an action of unknown reach.
    fn check(&mut self, actions: &[Rc<Planned>]) {
        self.lost |= actions.iter().any(|planned| planned.reach(&mut self.slots).is_none());
    }

    /// Brings the account of the end up to date with corrections that an acceptance brought into the future.
    fn account_for_corrections(&mut self, situation: Situation<'_>) {
        if self.unaccounted.is_empty() {
            return;
        }
        let unaccounted = std::mem::take(&mut self.unaccounted);
        let rest: Vec<&Planned> = situation.future.iter().map(|planned| &**planned).collect();
        match self.end_after_change(situation, situation.current, &[&unaccounted], &rest) {
            Some(end) => self.end = end,
            None => self.lost = true,
        }
    }

    /// What separates the state that `rest` leads to from the target, where only the `changes` are new: what they
    /// touch is worked out, the rest is known. None where an action's reach is not known.
    fn end_after_change(
        &mut self,
        situation: Situation<'_>,
        state: &Workbook,
        changes: &[&[Rc<Planned>]],
        rest: &[&Planned],
    ) -> Option<Vec<Placed>> {
        let Self { slots, limited, .. } = self;
        limited.clear();
        for change in changes {
            limited.add(slots, change)?;
        }
        let selected = limited.select(slots, rest)?;
        let cell = |slot| slots.place(slot).and_then(|(sheet, key)| state.shared_cell(sheet, key));
        let end = limited.run(slots, state, cell, &selected);
        let dirty = limited.dirty();
        let mut records: Vec<Placed> = Vec::new();
        for slot in dirty.members() {
            let Some((sheet, key)) = slots.place(*slot) else {
                continue;
            };
            let (mine, wanted) = (end.shared_cell(sheet, key), situation.target.shared_cell(sheet, key));
            compare_cell(situation.protocol, sheet, key, mine, wanted, &mut |difference| {
                if difference.outcome.is_gap() {
                    records.push((*slot, difference.to_record()));
                }
            });
        }
        for sheet in end.sheet_names_with(situation.target) {
            compare_merges(
                sheet,
                end.merges_of(sheet),
                situation.target.merges_of(sheet),
                &mut |difference| {
                    let first = difference.merge.map(|merge| CellKey::Address(merge.first_cell()));
                    let slot = first.and_then(|first| slots.find(sheet, &first));
                    if let Some(slot) = slot.filter(|slot| dirty.contains(*slot) && difference.outcome.is_gap()) {
                        records.push((slot, difference.to_record()));
                    }
                },
            );
        }
        records.extend(self.end.iter().filter(|(slot, _)| !dirty.contains(*slot)).cloned());
        records.sort_by(|(_, a), (_, b)| (&a.sheet, &a.place).cmp(&(&b.sheet, &b.place)));
        Some(records)
    }
}

/// The comparisons for one proposal.
struct Changes<'a> {
    judge: &'a mut FastJudge,
    whole: Whole<'a>,
}

impl Comparisons for Changes<'_> {
    fn first_gap(&mut self, affected: &[&Planned]) -> Gap {
        self.whole.first_gap(affected)
    }

    fn destroyed(&mut self, wrong: &[WrongMerge]) -> Vec<Record> {
        self.whole.destroyed(wrong)
    }

    fn final_gap(&mut self, draft: Draft<'_>) -> Gap {
        let Whole {
            situation,
            predicted,
            after,
        } = self.whole;
        let rest: Vec<&Planned> = draft
            .front
            .iter()
            .chain(draft.processed)
            .map(|planned| &**planned)
            .collect();
        let changes = [predicted, draft.front, draft.changed];
        let Some(end) = self.judge.end_after_change(situation, after, &changes, &rest) else {
            self.judge.lost = true;
            return self.whole.final_gap(draft);
        };
        let gap = end.iter().map(|(_, record)| record.clone()).collect();
        self.judge.end_if_accepted = end;
        gap
    }
}
