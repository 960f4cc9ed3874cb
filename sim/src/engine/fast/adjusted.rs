//! The current state as it would be after all merges and then all unmerges of the future (spec 02, 12, step 3), kept
//! up to date.
//!
//! Let one run lead from a state `S` by merges and unmerges `A` to `E`, and another one from `S'` by `A'` to `E'`, where
//! `A'` is `A` with some actions taken out and others put in. Call *dirty* every cell in which `S` and `S'` differ, the
//! cells of merges that only one of them has, everything touched by actions that only one of the runs has, and, as long
//! as there are any, all cells of an action of `A'` that touches a dirty cell. Actions that touch no dirty cell do the
//! same in both runs: what they do depends on the cells they touch alone. So `E'` is `E` outside the dirty cells, and
//! there what the actions on dirty cells, in order, make of `S'`. A merge belongs to its first cell.

use std::collections::BTreeSet;
use std::rc::Rc;

use napsim_trajectories::{Action, Edit};

use super::carry::Board;
use super::cells::{Cell, Tables};
use super::future::{EntryId, Future, Marks};
use super::layer::{Ground, Layer};
use super::merges::MergeId;
use super::outcomes::Outcomes;
use super::slots::{Slot, SlotMap, SlotSet};
use super::standing::Standing;
use crate::compare::{Match, Record};
use crate::plan::Planned;
use crate::rewrite::same_merge;

/// The current state after the merges of the future.
#[derive(Debug, Default)]
pub(super) struct Adjusted {
    cells: SlotMap<Cell>,
    outcomes: SlotMap<Outcomes>,
    /// Cells with something in excess.
    excess: BTreeSet<Slot>,
    /// Merges that the target does not have.
    excess_merges: BTreeSet<MergeId>,
    /// How often the excess has changed.
    version: u64,
    /// What a change of the state or of the merges can matter to.
    pub(super) changed: Readjustment,
}

/// A changed state, adjusted: what is different from before the change.
#[derive(Debug, Default)]
pub(super) struct Readjustment {
    pub(super) dirty: SlotSet,
    layer: Layer,
    marks: Marks,
    selected: Vec<EntryId>,
}

impl Readjustment {
    /// Starts anew: nothing is dirty.
    pub(super) fn clear(&mut self) {
        self.dirty.clear();
    }

    /// Carries out the merges and unmerges that can matter, where `dirty` holds what changed. A merge of the proposal
    /// gives way to those of the future that overlap it.
    pub(super) fn work_out(
        &mut self,
        tables: &mut Tables,
        future: &Future,
        ground: Ground<'_>,
        proposed: &[Rc<Planned>],
    ) -> Option<()> {
        self.layer.clear();
        if future.n_merges() == 0 {
            return Some(());
        }
        let proposed = distinct_merges(proposed);
        for planned in &proposed {
            // It may have to give way although it changes nothing.
            self.dirty
                .extend(planned.prepared(tables)?.parts.iter().map(|part| part.slot));
        }
        self.select(future);
        let Self { layer, selected, .. } = self;
        let is_merge = |id: &&EntryId| matches!(future.planned(**id).action.edit(), Edit::Merge { on: true });
        let mut board = Board { tables, ground, layer };
        for id in selected.iter().filter(is_merge) {
            let merge = future.planned(*id);
            for other in proposed.iter().filter(|other| gives_way(&other.action, &merge.action)) {
                let range = other.action.range().clone();
                let unmerge = Planned::new(Action::new(range, Edit::Merge { on: false }));
                let prepared = unmerge.prepared(board.tables)?;
                // The adjustment is lenient.
                let _skipped = board.carry_out(&prepared.script, None);
            }
            let _skipped = board.carry_out(&future.prepared(*id).script, None);
        }
        for id in selected.iter().filter(|id| !is_merge(id)) {
            let _skipped = board.carry_out(&future.prepared(*id).script, None);
        }
        Some(())
    }

    /// Finds the merges and unmerges on dirty cells; all their cells become dirty.
    fn select(&mut self, future: &Future) {
        let Self {
            dirty, marks, selected, ..
        } = self;
        marks.clear();
        selected.clear();
        let mut next = 0;
        while let Some(slot) = dirty.members().get(next).copied() {
            next += 1;
            for mention in future.mentions(slot) {
                let prepared = future.prepared(mention.entry);
                if prepared.is_merge && marks.mark(mention.entry) {
                    selected.push(mention.entry);
                    dirty.extend(prepared.parts.iter().map(|part| part.slot));
                }
            }
        }
        future.sort(selected);
    }

    fn cell(&self, ground: Ground<'_>, slot: Slot) -> Cell {
        self.layer.get(slot).unwrap_or_else(|| ground.get(slot))
    }

    /// The merges that may have changed, and whether each is there.
    fn merges(&self, tables: &Tables, ground: Ground<'_>) -> Vec<(MergeId, bool)> {
        if tables.merges.is_empty() {
            return Vec::new();
        }
        let anchored = |slot: &Slot| tables.merges.anchored(*slot).to_vec();
        let ids = self.dirty.members().iter().flat_map(anchored);
        ids.map(|id| (id, self.layer.merge(id).unwrap_or_else(|| ground.has_merge(id))))
            .collect()
    }
}

fn distinct_merges(proposed: &[Rc<Planned>]) -> Vec<&Rc<Planned>> {
    let mut distinct: Vec<&Rc<Planned>> = Vec::new();
    for planned in proposed {
        let same = |other: &&Rc<Planned>| same_merge(&other.action, &planned.action);
        if matches!(planned.action.edit(), Edit::Merge { on: true }) && !distinct.iter().any(same) {
            distinct.push(planned);
        }
    }
    distinct
}

fn gives_way(proposed: &Action, merge: &Action) -> bool {
    let (mine, other) = (proposed.range(), merge.range());
    mine.sheet() == other.sheet() && mine.text() != other.text() && mine.bounds().overlaps(&other.bounds())
}

impl Adjusted {
    /// How often the excess has changed so far.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Brings the account up to date after a change of the current state or of the future's merges, where
    /// `changed.dirty` holds what changed.
    pub(super) fn update(&mut self, tables: &mut Tables, future: &Future, standing: &Standing) -> Option<()> {
        let mut changed = std::mem::take(&mut self.changed);
        let ground = standing.ground(None);
        let done = changed.work_out(tables, future, ground, &[]);
        for slot in changed.dirty.members() {
            let cell = changed.cell(ground, *slot);
            let outcomes = if cell == standing.now(*slot) {
                standing.outcomes(*slot)
            } else {
                tables.compare(cell, standing.target(*slot))
            };
            let had_excess = self.outcomes.at(*slot).excess != 0;
            let same = cell == self.cells.at(*slot);
            if outcomes.excess != 0 {
                self.excess.insert(*slot);
            } else if had_excess {
                self.excess.remove(slot);
            }
            if !same && (had_excess || outcomes.excess != 0) {
                self.version += 1;
            }
            *self.cells.get_mut(*slot) = cell;
            *self.outcomes.get_mut(*slot) = outcomes;
        }
        for (id, present) in changed.merges(tables, ground) {
            let is_excess = present && !tables.merges.is_wanted(id);
            let moved = if is_excess {
                self.excess_merges.insert(id)
            } else {
                self.excess_merges.remove(&id)
            };
            self.version += u64::from(moved);
        }
        self.changed = changed;
        done
    }

    /// What separates a changed state, adjusted, from the target.
    pub(super) fn after<'a>(&'a self, readjusted: &'a Readjustment, ground: Ground<'a>) -> AdjustedAfter<'a> {
        AdjustedAfter {
            adjusted: self,
            readjusted,
            ground,
        }
    }
}

/// A changed state after the merges of the future.
#[derive(Clone, Copy)]
pub(super) struct AdjustedAfter<'a> {
    adjusted: &'a Adjusted,
    readjusted: &'a Readjustment,
    ground: Ground<'a>,
}

impl AdjustedAfter<'_> {
    /// The cell there.
    pub(super) fn cell(&self, slot: Slot) -> Cell {
        if self.readjusted.dirty.contains(slot) {
            self.readjusted.cell(self.ground, slot)
        } else {
            self.adjusted.cells.at(slot)
        }
    }

    /// The outcomes of the cell against the target.
    pub(super) fn outcomes(&self, tables: &mut Tables, standing: &Standing, slot: Slot) -> Outcomes {
        if self.readjusted.dirty.contains(slot) {
            tables.compare(self.readjusted.cell(self.ground, slot), standing.target(slot))
        } else {
            self.adjusted.outcomes.at(slot)
        }
    }

    /// The excess in canonical order, or none where it is that of the unchanged state.
    pub(super) fn excess(&self, tables: &mut Tables, standing: &Standing) -> Option<Vec<Record>> {
        let Self {
            adjusted,
            readjusted,
            ground,
        } = self;
        let mut found: Vec<Slot> = Vec::new();
        let mut had_any = false;
        for slot in readjusted.dirty.members() {
            had_any |= adjusted.outcomes.at(*slot).excess != 0;
            let cell = readjusted.cell(*ground, *slot);
            if tables.compare(cell, standing.target(*slot)).excess != 0 {
                found.push(*slot);
            }
        }
        let mut found_merges: Vec<MergeId> = Vec::new();
        for (id, present) in readjusted.merges(tables, *ground) {
            had_any |= adjusted.excess_merges.contains(&id);
            if present && !tables.merges.is_wanted(id) {
                found_merges.push(id);
            }
        }
        if !had_any && found.is_empty() && found_merges.is_empty() {
            return None;
        }
        let is_clean = |slot: &Slot| !readjusted.dirty.contains(*slot);
        let mut slots: Vec<Slot> = adjusted.excess.iter().copied().filter(is_clean).collect();
        slots.extend(found);
        let clean = |id: &&MergeId| is_clean(&tables.merges.get(**id).first);
        let mut merges: Vec<MergeId> = adjusted.excess_merges.iter().filter(clean).copied().collect();
        merges.extend(found_merges);
        Some(self.records(tables, standing, slots, &merges))
    }

    /// The excess of the unchanged state, in canonical order.
    pub(super) fn standing_excess(&self, tables: &mut Tables, standing: &Standing) -> Vec<Record> {
        let slots = self.adjusted.excess.iter().copied().collect();
        let merges: Vec<MergeId> = self.adjusted.excess_merges.iter().copied().collect();
        self.records(tables, standing, slots, &merges)
    }

    fn records(
        &self,
        tables: &mut Tables,
        standing: &Standing,
        mut slots: Vec<Slot>,
        merges: &[MergeId],
    ) -> Vec<Record> {
        tables.slots.sort(&mut slots);
        let mut records = Vec::new();
        for slot in slots {
            let (cell, target) = (self.cell(slot), standing.target(slot));
            let excess = tables.compare(cell, target).excess;
            tables.records(slot, cell, target, excess, &mut records);
        }
        if !merges.is_empty() {
            let merges = merges.iter();
            records.extend(merges.map(|id| tables.merge_record(*id, Match::FalsePositive)));
            records.sort_by(|a, b| (&a.sheet, &a.place).cmp(&(&b.sheet, &b.place)));
        }
        records
    }
}
