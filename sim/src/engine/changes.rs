//! The comparisons for one proposal, put together from what it changes and what is known without it.

use std::rc::Rc;
use std::sync::Arc;

use napsim_trajectories::Bounds;

use super::fast::FastJudge;
use super::slots::Slot;
use super::standing::Outcomes;
use crate::compare::{Difference, Match, Record, Totals, compare_cell, compare_merges};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::rewrite::{Comparisons, Draft, Gap, Whole, WrongMerge, merge_adjustment};
use crate::score::{Situation, Views};
use crate::state::{Cell, Workbook};

/// One proposal and the state after it.
pub(super) struct Changes<'a> {
    pub(super) judge: &'a mut FastJudge,
    pub(super) situation: Situation<'a>,
    pub(super) predicted: &'a [Rc<Planned>],
    /// The cells that the proposal touches, reads or names, and all merges, after the proposal.
    pub(super) after: Workbook,
}

impl Changes<'_> {
    fn cell_after(&self, slot: Slot) -> Option<&Arc<Cell>> {
        let FastJudge {
            slots,
            standing,
            touched,
            ..
        } = &*self.judge;
        standing.after(slots, touched, &self.after, slot)
    }

    /// The cells that proposal or adjustment touch, and all merges, after both. None where an action's reach is not
    /// known.
    fn adjusted(&mut self, adjustment: &[Rc<Planned>]) -> Option<Workbook> {
        let FastJudge {
            slots,
            standing,
            touched,
            limited,
            ..
        } = &mut *self.judge;
        limited.clear();
        limited.add_cells(touched.members());
        limited.add(slots, adjustment)?;
        let adjustment: Vec<&Planned> = adjustment.iter().map(|planned| &**planned).collect();
        let selected = limited.select(slots, &adjustment)?;
        let cell = |slot| standing.after(slots, touched, &self.after, slot);
        Some(limited.run(slots, &self.after, cell, &selected))
    }

    /// Leaves the comparisons of this proposal, and everything after it, to the plain engine.
    fn lose<T>(&mut self, compare: impl FnOnce(&mut Whole<'_>) -> T) -> T {
        self.judge.lost = true;
        let mut after = self.situation.current.clone();
        after.apply_lenient(self.predicted.iter().map(|planned| &planned.action));
        compare(&mut Whole {
            situation: self.situation,
            predicted: self.predicted,
            after: &after,
        })
    }
}

/// The merges of a sheet, if the cells in view bring them into view.
fn visible<'s>(protocol: &Protocol, state: &'s Workbook, sheet: &str, any: bool) -> &'s [Bounds] {
    if protocol.counts_merges(any) {
        state.merges_of(sheet)
    } else {
        &[]
    }
}

impl Views for Changes<'_> {
    fn changes(&mut self, visit: &mut dyn FnMut(Difference<'_>)) -> bool {
        let FastJudge {
            slots, standing, named, ..
        } = &*self.judge;
        let current = self.situation.current;
        let n_sheets = slots.sheets().count();
        let (mut in_after, mut in_current) = (vec![false; n_sheets], vec![false; n_sheets]);
        for slot in named.members() {
            let place = slots.place(*slot);
            let (after, before) = (self.cell_after(*slot), standing.now(*slot));
            mark(&mut in_after, place.sheet_idx, after.is_some());
            mark(&mut in_current, place.sheet_idx, before.is_some());
            let protocol = self.situation.protocol;
            compare_cell(protocol, &place.sheet, &place.key, after, before, &mut |difference| {
                visit(difference);
            });
        }
        for ((sheet, in_after), in_current) in slots.sheets().zip(in_after).zip(in_current) {
            let mine = visible(self.situation.protocol, &self.after, sheet, in_after);
            let other = visible(self.situation.protocol, current, sheet, in_current);
            compare_merges(sheet, mine, other, &mut |difference| {
                visit(difference);
            });
        }
        !named.members().is_empty()
    }

    fn against_target(&mut self, visit: &mut dyn FnMut(Difference<'_>)) -> Totals {
        let FastJudge {
            slots,
            standing,
            touched,
            named,
            ..
        } = &*self.judge;
        let Situation { protocol, target, .. } = self.situation;
        let mut in_view = standing.in_view.clone();
        let only_named = named.members().iter().filter(|slot| !touched.contains(**slot));
        for slot in touched.members().iter().chain(only_named) {
            let place = slots.place(*slot);
            let (after, wanted) = (self.cell_after(*slot), standing.target(*slot));
            let (was_in_view, is_named) = (standing.is_in_view(*slot), named.contains(*slot));
            if was_in_view {
                let was_there = standing.now(*slot).is_some();
                in_view.take(place.sheet_idx, standing.outcomes(*slot), was_there, wanted.is_some());
            }
            if was_in_view || is_named {
                let outcomes = Outcomes::of(protocol, place, after, wanted);
                in_view.add(place.sheet_idx, outcomes, after.is_some(), wanted.is_some());
            }
            if is_named {
                compare_cell(protocol, &place.sheet, &place.key, after, wanted, &mut |difference| {
                    visit(difference);
                });
            }
        }
        for (sheet_idx, sheet) in slots.sheets().enumerate() {
            let presence = *in_view.presence(sheet_idx);
            let mine = visible(protocol, &self.after, sheet, presence.predicted > 0);
            let wanted = visible(protocol, target, sheet, presence.target > 0);
            compare_merges(sheet, mine, wanted, &mut |difference| {
                in_view.totals.add(&difference);
                visit(difference);
            });
        }
        in_view.totals
    }
}

fn mark(sheets: &mut [bool], sheet_idx: usize, present: bool) {
    if let Some(sheet) = sheets.get_mut(sheet_idx) {
        *sheet |= present;
    }
}

impl Comparisons for Changes<'_> {
    /// Cells that neither the proposal nor the adjustment touches stand as they do now.
    fn first_gap(&mut self, affected: &[&Planned]) -> Gap {
        let adjustment = merge_adjustment(self.predicted, self.situation.future);
        let Some(adjusted) = self.adjusted(&adjustment) else {
            return self.lose(|whole| whole.first_gap(affected));
        };
        let mut affected_cells: Vec<Slot> = Vec::new();
        for planned in affected {
            affected_cells.extend(planned.written(&mut self.judge.slots));
        }
        let FastJudge {
            slots,
            standing,
            limited,
            ..
        } = &*self.judge;
        let protocol = self.situation.protocol;
        let dirty = limited.dirty();
        let cell = |slot: Slot| {
            let place = slots.place(slot);
            if dirty.contains(slot) {
                adjusted.shared_cell(&place.sheet, &place.key)
            } else {
                standing.now(slot)
            }
        };
        let mut lack = standing.lack;
        let mut excess: Vec<Slot> = standing
            .excess
            .iter()
            .copied()
            .filter(|slot| !dirty.contains(*slot))
            .collect();
        for slot in dirty.members() {
            let outcomes = Outcomes::of(protocol, slots.place(*slot), cell(*slot), standing.target(*slot));
            lack.take(standing.outcomes(*slot));
            lack.add(outcomes);
            if outcomes.excess != 0 {
                excess.push(*slot);
            }
        }
        affected_cells.retain(|slot| dirty.contains(*slot) || standing.outcomes(*slot).lacks());
        let mut gap = Gap::default();
        for (mut cells, wanted) in [(excess, true), (affected_cells, false)] {
            slots.sort(&mut cells);
            for slot in cells {
                let place = slots.place(slot);
                let (mine, target) = (cell(slot), standing.target(slot));
                compare_cell(protocol, &place.sheet, &place.key, mine, target, &mut |difference| {
                    if (difference.outcome == Match::FalsePositive) == wanted {
                        gap.add(difference.to_record());
                    }
                });
            }
        }
        for sheet in adjusted.sheet_names_with(self.situation.target) {
            let (mine, wanted) = (adjusted.merges_of(sheet), self.situation.target.merges_of(sheet));
            compare_merges(sheet, mine, wanted, &mut |difference| match difference.outcome {
                Match::FalsePositive => gap.excess.push(difference.to_record()),
                Match::FalseNegative => lack.missing += 1,
                Match::TruePositive | Match::Mismatch => {}
            });
        }
        gap.excess
            .sort_by(|a, b| (&a.sheet, &a.place).cmp(&(&b.sheet, &b.place)));
        gap.n_missing = lack.missing + lack.mismatches;
        gap.n_mismatches = lack.mismatches;
        gap
    }

    /// Deleting the records of merges changes no cell, so only what the proposal touches can be destroyed.
    fn destroyed(&mut self, wrong: &[WrongMerge]) -> Vec<Record> {
        let FastJudge {
            slots,
            standing,
            touched,
            ..
        } = &*self.judge;
        let mut cells = touched.members().to_vec();
        cells.retain(|slot| {
            let place = slots.place(*slot);
            let within = |(sheet, bounds): &WrongMerge| {
                *sheet == place.sheet && place.key.address().is_some_and(|at| bounds.contains_cell(at))
            };
            wrong.iter().any(within)
        });
        slots.sort(&mut cells);
        let mut gap = Gap::default();
        for slot in cells {
            let place = slots.place(slot);
            let (mine, before) = (self.cell_after(slot), standing.now(slot));
            compare_cell(
                self.situation.protocol,
                &place.sheet,
                &place.key,
                mine,
                before,
                &mut |difference| {
                    gap.add(difference.to_record());
                },
            );
        }
        gap.missing
    }

    fn final_gap(&mut self, draft: Draft<'_>) -> Gap {
        let rest = draft.front.iter().chain(draft.processed);
        let rest: Vec<&Planned> = rest.map(|planned| &**planned).collect();
        let changes = [draft.front, draft.changed];
        let Some(end) = self
            .judge
            .end_after_change(self.situation, &self.after, &changes, &rest)
        else {
            return self.lose(|whole| whole.final_gap(draft));
        };
        let gap = end.iter().map(|(_, record)| record.clone()).collect();
        self.judge.end_if_accepted = end;
        gap
    }
}
