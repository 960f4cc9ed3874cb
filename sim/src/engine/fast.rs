//! The fast engine: carries out and compares only what a proposal can change.

use std::rc::Rc;

use super::changes::Changes;
use super::limited::Limited;
use super::plain::PlainJudge;
use super::slots::{Slot, SlotSet, Slots};
use super::standing::Standing;
use super::{Judge, Outlook};
use crate::compare::{Record, compare_cell, compare_merges};
use crate::plan::Planned;
use crate::rewrite::{Rewrite, rewrite_by};
use crate::score::{Situation, score_by};
use crate::state::{CellKey, Workbook};

/// A record and the slot of its cell, or of the first cell of its merge.
type Placed = (Slot, Record);

/// What the fast engine knows of a rollout.
#[derive(Default)]
pub(super) struct FastJudge {
    pub(super) slots: Slots,
    pub(super) limited: Limited,
    pub(super) standing: Standing,
    /// Whether the future or the history holds an action of unknown reach: the plain engine takes over for good.
    pub(super) lost: bool,
    /// What the state after the whole future would lack or have in excess, without any proposal.
    end: Vec<Placed>,
    /// The same after the proposal judged last, without the corrections of its second pass.
    pub(super) end_if_accepted: Vec<Placed>,
    /// Corrections in the future that `end` does not account for yet.
    unaccounted: Vec<Rc<Planned>>,
    /// The cells that the proposal may change.
    pub(super) touched: SlotSet,
    /// The cells that the proposal names.
    pub(super) named: SlotSet,
}

impl Judge for FastJudge {
    fn begin(&mut self, situation: Situation<'_>) {
        self.standing
            .begin(situation.protocol, &mut self.slots, situation.target);
        self.lost |= self.count_in(situation.future).is_none();
    }

    fn stepped(&mut self, done: &Planned, situation: Situation<'_>) {
        let Self { slots, standing, .. } = self;
        if self.lost {
            return;
        }
        if let Some(reach) = done.reach(slots) {
            standing.unname(slots, &reach.names);
            standing.changed(situation.protocol, slots, &reach.touches, situation.current);
        }
    }

    fn judge(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], undo_max: usize) -> Outlook {
        if !self.lost {
            self.account_for_corrections(situation);
        }
        let after = if self.lost {
            None
        } else {
            self.after(situation.current, predicted)
        };
        let Some(after) = after else {
            return PlainJudge.judge(situation, predicted, undo_max);
        };
        let mut changes = Changes {
            judge: self,
            situation,
            predicted,
            after,
        };
        Outlook {
            score: score_by(situation, predicted, &mut changes),
            rewritten: rewrite_by(situation, predicted, &mut changes, undo_max),
        }
    }

    fn accepted(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], rewritten: &Rewrite) {
        self.lost |= self.carry_over(situation, predicted, rewritten).is_none();
    }
}

impl FastJudge {
    /// Counts the cells in that actions of the future name. None where an action's reach is not known.
    fn count_in(&mut self, actions: &[Rc<Planned>]) -> Option<()> {
        for planned in actions {
            let names = &planned.reach(&mut self.slots)?.names;
            self.standing.name(&self.slots, names);
        }
        Some(())
    }

    /// The cells that the proposal touches, reads or names, and all merges, after the proposal. None where its reach is
    /// not known.
    fn after(&mut self, current: &Workbook, predicted: &[Rc<Planned>]) -> Option<Workbook> {
        let Self {
            slots,
            standing,
            touched,
            named,
            limited,
            ..
        } = self;
        touched.clear();
        named.clear();
        for planned in predicted {
            let reach = planned.reach(slots)?;
            touched.extend(&reach.touches);
            named.extend(&reach.names);
        }
        let all: Vec<&Planned> = predicted.iter().map(|planned| &**planned).collect();
        limited.clear();
        limited.add_cells(touched.members());
        limited.add_cells(named.members());
        let selected = limited.select(slots, &all)?;
        Some(limited.run(slots, current, |slot| standing.now(slot), &selected))
    }

    /// Takes an acceptance in. None where an action's reach is not known.
    fn carry_over(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], rewritten: &Rewrite) -> Option<()> {
        if self.lost {
            return None;
        }
        for planned in predicted {
            let touches = &planned.reach(&mut self.slots)?.touches;
            self.standing
                .changed(situation.protocol, &self.slots, touches, situation.current);
        }
        // The new future comes before the old one goes, so that what both name stays in view.
        self.count_in(&rewritten.future)?;
        for planned in situation.future {
            let names = &planned.reach(&mut self.slots)?.names;
            self.standing.unname(&self.slots, names);
        }
        self.end = std::mem::take(&mut self.end_if_accepted);
        self.unaccounted.clone_from(&rewritten.corrections);
        Some(())
    }

    /// Brings the account of the end up to date with corrections that an acceptance brought into the future.
    fn account_for_corrections(&mut self, situation: Situation<'_>) {
        if self.unaccounted.is_empty() {
            return;
        }
        let unaccounted = std::mem::take(&mut self.unaccounted);
        let rest: Vec<&Planned> = situation.future.iter().map(|planned| &**planned).collect();
        // The state is the current one: no cell is touched.
        self.touched.clear();
        match self.end_after_change(situation, situation.current, &[&unaccounted], &rest) {
            Some(end) => self.end = end,
            None => self.lost = true,
        }
    }

    /// What separates the state that `rest` leads to from the target, where only the `changes` are new: what they
    /// touch is worked out, the rest is known. `after` holds the touched cells and all merges to start from. None where
    /// an action's reach is not known.
    pub(super) fn end_after_change(
        &mut self,
        situation: Situation<'_>,
        after: &Workbook,
        changes: &[&[Rc<Planned>]],
        rest: &[&Planned],
    ) -> Option<Vec<Placed>> {
        let Self {
            slots,
            limited,
            standing,
            touched,
            ..
        } = self;
        limited.clear();
        limited.add_cells(touched.members());
        for change in changes {
            limited.add(slots, change)?;
        }
        let selected = limited.select(slots, rest)?;
        let end = limited.run(
            slots,
            after,
            |slot| standing.after(slots, touched, after, slot),
            &selected,
        );
        let dirty = limited.dirty();
        let mut records: Vec<Placed> = Vec::new();
        for slot in dirty.members() {
            let place = slots.place(*slot);
            let (sheet, key) = (&place.sheet, &place.key);
            let (mine, wanted) = (end.shared_cell(sheet, key), standing.target(*slot));
            compare_cell(situation.protocol, sheet, key, mine, wanted, &mut |difference| {
                if difference.outcome.is_gap() {
                    records.push((*slot, difference.to_record()));
                }
            });
        }
        for sheet in end.sheet_names_with(situation.target) {
            let (mine, wanted) = (end.merges_of(sheet), situation.target.merges_of(sheet));
            compare_merges(sheet, mine, wanted, &mut |difference| {
                let first = difference.merge.map(|merge| CellKey::Address(merge.first_cell()));
                let slot = first.and_then(|first| slots.find(sheet, &first));
                if let Some(slot) = slot.filter(|slot| dirty.contains(*slot) && difference.outcome.is_gap()) {
                    records.push((slot, difference.to_record()));
                }
            });
        }
        records.extend(self.end.iter().filter(|(slot, _)| !dirty.contains(*slot)).cloned());
        records.sort_by(|(_, a), (_, b)| (&a.sheet, &a.place).cmp(&(&b.sheet, &b.place)));
        Some(records)
    }
}
