//! The state that the future leads to, as far as it is not the target, kept up to date.
//!
//! Let one run lead from a state `S` by actions `A` to `E`, and another one from `S'` by `A'` to `E'`, where `A'` is `A`
//! with some actions taken out and others put in. How far actions reach is as [`prepared`](super::prepared) says. Give it
//! a set of *dirty* cells that holds every cell in which `S` and `S'` differ, the cells of merges that only one of them
//! has, and everything touched by actions that only one of the runs has.
//!
//! **Forwards:** go through `A'`; an action that reads a dirty cell makes all it touches dirty. Then the two runs agree
//! outside the dirty cells at every point. They do at the start. An action of one run alone touches dirty cells only. A
//! common action that reads no dirty cell does the same to a clean cell in both runs; one that reads some touches
//! dirty cells only. Records of merges that differ have all their cells dirty, so an action that depends on one reads
//! a dirty cell. Hence `E'` is `E` outside the dirty cells, and a merge whose first cell is clean is in both or neither.
//!
//! **Backwards:** start with the dirty cells as *needed* and go through `A'` from its end; an action that touches a
//! needed cell is carried out, and what it reads is needed as well. Then carrying out these actions alone, starting
//! from the needed cells and all merges of `S'`, gives every needed cell its true content at every point from which it is
//! needed: what is left out touches none of them, and what is carried out reads only such cells. The same holds for
//! every merge whose first cell is needed, since what makes or deletes a merge touches all its cells.
//!
//! An action that writes each cell of its range alone and alike is carried out on the needed cells only, which makes no
//! difference to them. Neither direction goes through the whole sequence: the index of the future gives the readers
//! and the writers of a cell, and two queues keep them in order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use super::carry::Board;
use super::cells::{Cell, Tables};
use super::edits::Edits;
use super::future::{EntryId, Future, Marks};
use super::layer::{Ground, Layer};
use super::merges::MergeId;
use super::prepared::{Prepared, Roles};
use super::slots::{Slot, SlotSet};
use super::standing::Standing;
use crate::compare::{Match, Record};
use crate::plan::Planned;

/// What is wrong with the state that the future leads to.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// Cells that differ from the target's.
    cells: BTreeMap<Slot, Cell>,
    /// Merges that only one of them has, and whether it is this one.
    merges: BTreeMap<MergeId, bool>,
    pub(super) dirty: SlotSet,
    needed: SlotSet,
    layer: Layer,
    /// Actions of the future that a change drops.
    gone: Marks,
    found: Marks,
    selected: Vec<EntryId>,
    /// What the change worked out last makes of `cells` and `merges`.
    cells_after: Vec<(Slot, Option<Cell>)>,
    merges_after: Vec<(MergeId, Option<bool>)>,
}

impl Ending {
    /// Works out where the edited future leads from the state of `ground`, where `dirty` holds the cells in which that
    /// state differs from the one before. None where an action's reach is not known.
    pub(super) fn work_out(
        &mut self,
        tables: &mut Tables,
        future: &Future,
        standing: &Standing,
        ground: Ground<'_>,
        edits: &Edits,
    ) -> Option<()> {
        self.cells_after.clear();
        self.merges_after.clear();
        self.gone.clear();
        for id in &edits.gone {
            self.gone.mark(*id);
            self.add_touched(future.prepared(*id));
        }
        let replacements = edits.replaced.iter().flat_map(|(_, actions)| actions);
        for planned in edits.front.iter().chain(replacements) {
            self.add_touched(planned.prepared(tables)?);
        }
        for (_, planned) in &edits.inserted {
            self.add_touched(planned.prepared(tables)?);
        }
        if self.dirty.members().is_empty() {
            return Some(());
        }
        self.spread(future);
        self.select(future);
        self.run(tables, future, ground, edits)?;
        self.take_note(tables, standing, ground);
        Some(())
    }

    fn add_touched(&mut self, prepared: &Prepared) {
        self.dirty.extend(prepared.cells(Roles::TOUCHES));
    }

    /// Forwards: what reads dirty cells makes others dirty.
    fn spread(&mut self, future: &Future) {
        let Self { dirty, gone, found, .. } = self;
        found.clear();
        let mut queue: BinaryHeap<Reverse<(u64, EntryId)>> = BinaryHeap::new();
        let mut push_readers = |queue: &mut BinaryHeap<_>, slot: Slot, after: Option<u64>| {
            for mention in future.mentions(slot).iter().filter(|m| m.roles.has(Roles::READS)) {
                let label = future.label(mention.entry);
                let later = after.is_none_or(|after| label > after);
                if later && !gone.has(mention.entry) && found.mark(mention.entry) {
                    queue.push(Reverse((label, mention.entry)));
                }
            }
        };
        for slot in dirty.members() {
            push_readers(&mut queue, *slot, None);
        }
        while let Some(Reverse((label, id))) = queue.pop() {
            for slot in future.prepared(id).cells(Roles::TOUCHES) {
                if dirty.insert(slot) {
                    push_readers(&mut queue, slot, Some(label));
                }
            }
        }
    }

    /// Backwards: finds the actions that decide what dirty cells end as.
    fn select(&mut self, future: &Future) {
        let Self {
            dirty,
            needed,
            gone,
            found,
            selected,
            ..
        } = self;
        needed.clear();
        found.clear();
        selected.clear();
        let mut queue: BinaryHeap<(u64, EntryId)> = BinaryHeap::new();
        for slot in dirty.members() {
            needed.insert(*slot);
            for mention in future.mentions(*slot) {
                if mention.roles.has(Roles::TOUCHES) && !gone.has(mention.entry) && found.mark(mention.entry) {
                    queue.push((future.label(mention.entry), mention.entry));
                }
            }
        }
        while let Some((label, id)) = queue.pop() {
            selected.push(id);
            for slot in future.prepared(id).cells(Roles::READS) {
                if !needed.insert(slot) {
                    continue;
                }
                for mention in future.mentions(slot) {
                    let earlier = future.label(mention.entry);
                    if earlier < label
                        && mention.roles.has(Roles::TOUCHES)
                        && !gone.has(mention.entry)
                        && found.mark(mention.entry)
                    {
                        queue.push((earlier, mention.entry));
                    }
                }
            }
        }
        selected.reverse();
    }

    /// Carries out what was selected, the actions in front first, replacements in place of what they replace.
    fn run(&mut self, tables: &mut Tables, future: &Future, ground: Ground<'_>, edits: &Edits) -> Option<()> {
        let Self {
            layer,
            needed,
            selected,
            ..
        } = self;
        layer.clear();
        let mut board = Board { tables, ground, layer };
        let mut carry_out = |planned: &Rc<Planned>| {
            let prepared = planned.prepared(board.tables)?;
            // The simulation is lenient.
            let _skipped = board.carry_out(&prepared.script, Some(needed));
            Some(())
        };
        for planned in &edits.front {
            carry_out(planned)?;
        }
        let mut replaced = edits.replaced.iter().peekable();
        for id in &*selected {
            while let Some((_, actions)) = replaced.next_if(|(other, _)| future.label(*other) < future.label(*id)) {
                actions.iter().try_for_each(&mut carry_out)?;
            }
            carry_out(future.planned(*id))?;
        }
        replaced.flat_map(|(_, actions)| actions).try_for_each(&mut carry_out)
    }

    /// Notes how the dirty cells end.
    fn take_note(&mut self, tables: &mut Tables, standing: &Standing, ground: Ground<'_>) {
        for slot in self.dirty.members() {
            let cell = self.layer.get(*slot).unwrap_or_else(|| ground.get(*slot));
            let differs = tables.compare(cell, standing.target(*slot)).gap() != 0;
            if differs {
                self.cells_after.push((*slot, Some(cell)));
            } else if self.cells.contains_key(slot) {
                self.cells_after.push((*slot, None));
            }
            for id in tables.merges.anchored(*slot) {
                let present = self.layer.merge(*id).unwrap_or_else(|| ground.has_merge(*id));
                let differs = present != tables.merges.is_wanted(*id);
                if differs {
                    self.merges_after.push((*id, Some(present)));
                } else if self.merges.contains_key(id) {
                    self.merges_after.push((*id, None));
                }
            }
        }
    }

    /// What was worked out last comes true.
    pub(super) fn commit(&mut self) {
        for (slot, cell) in self.cells_after.drain(..) {
            match cell {
                Some(cell) => self.cells.insert(slot, cell),
                None => self.cells.remove(&slot),
            };
        }
        for (id, present) in self.merges_after.drain(..) {
            match present {
                Some(present) => self.merges.insert(id, present),
                None => self.merges.remove(&id),
            };
        }
    }

    /// What would be in excess and what would be missing, after the change worked out last, in canonical order.
    pub(super) fn gap(&self, tables: &mut Tables, standing: &Standing) -> (Vec<Record>, Vec<Record>) {
        let clean = |slot: &Slot| !self.dirty.contains(*slot);
        let kept = self.cells.iter().filter(|(slot, _)| clean(slot));
        let mut cells: BTreeMap<Slot, Cell> = kept.map(|(slot, cell)| (*slot, *cell)).collect();
        cells.extend(
            self.cells_after
                .iter()
                .filter_map(|(slot, cell)| Some((*slot, (*cell)?))),
        );
        let kept = self.merges.iter();
        let kept = kept.filter(|(id, _)| clean(&tables.merges.get(**id).first));
        let mut merges: Vec<(MergeId, bool)> = kept.map(|(id, present)| (*id, *present)).collect();
        merges.extend(
            self.merges_after
                .iter()
                .filter_map(|(id, present)| Some((*id, (*present)?))),
        );
        let (mut excess, mut missing) = (Vec::new(), Vec::new());
        let mut slots: Vec<Slot> = cells.keys().copied().collect();
        tables.slots.sort(&mut slots);
        for slot in slots {
            let cell = cells.get(&slot).copied().unwrap_or_default();
            let target = standing.target(slot);
            let outcomes = tables.compare(cell, target);
            tables.records(slot, cell, target, outcomes.excess, &mut excess);
            tables.records(slot, cell, target, outcomes.lacking(), &mut missing);
        }
        if !merges.is_empty() {
            for (id, present) in merges {
                let (records, outcome) = if present {
                    (&mut excess, Match::FalsePositive)
                } else {
                    (&mut missing, Match::FalseNegative)
                };
                records.push(tables.merge_record(id, outcome));
            }
            for records in [&mut excess, &mut missing] {
                records.sort_by(|a, b| (&a.sheet, &a.place).cmp(&(&b.sheet, &b.place)));
            }
        }
        (excess, missing)
    }
}
