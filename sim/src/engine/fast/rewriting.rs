//! What is left to do after a proposal (spec 02, 12), from the actions and cells that it can matter to.
//!
//! The steps are those of [`rewrite`](crate::rewrite::rewrite); what that finds by going through the whole future is
//! found here by cell.

use std::rc::Rc;

use napsim_trajectories::Value;

use super::FastJudge;
use super::adjusted::AdjustedAfter;
use super::cells::{Cell, Tables};
use super::edits::Edits;
use super::future::{EntryId, Future, Marks};
use super::placing::Placing;
use super::prepared::{Prepared, Roles};
use super::slots::Slot;
use crate::compare::{Place, Record};
use crate::engine::Consequences;
use crate::fingerprint::PropertySet;
use crate::plan::Planned;
use crate::rewrite::{RewriteError, same_merge, undo_of, unmerge_record};
use crate::state::{CellKey, Property};
use crate::synthesis::synthesize;

/// What a rewriting may fail with: an action whose reach is not known, which the plain engine has to deal with, or an
/// error of the rewriting itself.
pub(super) enum Failure {
    UnknownReach,
    Rewrite(RewriteError),
}

impl<E: Into<RewriteError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Rewrite(error.into())
    }
}

impl FastJudge {
    /// Works out the future after a proposal that has been carried out in `self.after`.
    pub(super) fn rewrite(&mut self, predicted: &[Rc<Planned>], undo_max: usize) -> Result<Consequences, Failure> {
        let mut prepared = Vec::with_capacity(predicted.len());
        for planned in predicted {
            let known = planned.prepared(&mut self.tables).ok_or(Failure::UnknownReach)?;
            known.properties?;
            prepared.push(known.clone());
        }
        // A fingerprint that cannot be told makes the whole rewriting fail, wherever it stands.
        if let Some(id) = self.future.first_untold() {
            self.future.prepared(id).properties?;
        }
        let first_undo = self.first_undo(predicted, undo_max)?;
        let wrong = self.wrong_merges(&prepared)?;
        let mut edits = Edits::default();
        let removed = self.process(predicted, &prepared, &mut edits)?;
        let n_wrong = wrong.n_unmerges;
        edits.front = wrong.actions;
        let unmerges: Vec<_> = edits.front.iter().take(n_wrong).cloned().collect();
        edits.front.extend(first_undo.iter().cloned());
        let (second_undo, missing) = self.second_pass(&edits, undo_max)?;
        self.place(&mut edits, second_undo.iter().chain(&missing))?;
        let mut undo = first_undo;
        undo.extend(second_undo);
        undo.extend(unmerges);
        let (comes, goes) = edits.growth();
        self.edits = edits;
        Ok(Consequences {
            future: self.future.len() + comes - goes,
            removed,
            undo,
        })
    }

    fn adjusted_after(&self) -> AdjustedAfter<'_> {
        self.adjusted
            .after(&self.readjusted, self.standing.ground(Some(&self.after)))
    }

    /// Undo actions for everything in excess; those of the unchanged state are known from before.
    fn first_undo(&mut self, predicted: &[Rc<Planned>], undo_max: usize) -> Result<Vec<Rc<Planned>>, Failure> {
        let Self {
            tables,
            future,
            standing,
            adjusted,
            readjusted,
            after,
            changed,
            ..
        } = self;
        readjusted.clear();
        readjusted.dirty.extend(changed.members().iter().copied());
        let ground = standing.ground(Some(after));
        readjusted
            .work_out(tables, future, ground, predicted)
            .ok_or(Failure::UnknownReach)?;
        let result = adjusted.after(readjusted, ground);
        let Some(excess) = result.excess(tables, standing) else {
            if self
                .standing_undo
                .as_ref()
                .is_none_or(|known| known.version != adjusted.version())
            {
                let excess = result.standing_excess(tables, standing);
                let undo = undo_of(&excess, undo_max)?;
                self.standing_undo = Some(KnownUndo {
                    version: adjusted.version(),
                    undo: Planned::all(undo),
                    merges: merges_in(&excess),
                });
            }
            let known = self.standing_undo.as_ref();
            self.excess_merges = known.map(|known| known.merges.clone()).unwrap_or_default();
            return Ok(known.map(|known| known.undo.clone()).unwrap_or_default());
        };
        self.excess_merges = merges_in(&excess);
        Ok(Planned::all(undo_of(&excess, undo_max)?))
    }

    /// Merges that should not be there, undone, and what they destroyed, restored (step 8).
    fn wrong_merges(&mut self, prepared: &[Rc<Prepared>]) -> Result<WrongMerges, Failure> {
        let mut wrong = WrongMerges::default();
        if self.excess_merges.is_empty() {
            return Ok(wrong);
        }
        let merges = std::mem::take(&mut self.excess_merges);
        let mut slots: Vec<Slot> = Vec::new();
        // Deleting the records of merges changes no cell, so only what the proposal touches can be destroyed.
        for prepared in prepared {
            slots.extend(prepared.cells(Roles::TOUCHES).filter(|slot| {
                let place = self.tables.slots.place(*slot);
                let within = |record: &Record| match (&record.place, place.key.address()) {
                    (Place::Merge(bounds), Some(at)) => record.sheet == place.sheet && bounds.contains_cell(at),
                    _ => false,
                };
                merges.iter().any(within)
            }));
        }
        self.tables.slots.sort(&mut slots);
        slots.dedup();
        let mut destroyed = Vec::new();
        for slot in slots {
            let (after, before) = (self.cell_after(slot), self.standing.now(slot));
            let lacking = self.tables.compare(after, before).lacking();
            self.tables.records(slot, after, before, lacking, &mut destroyed);
        }
        let (standing, tables) = (&self.standing, &self.tables);
        let restorations = synthesize(&destroyed, |sheet, key| {
            four_sides(tables, sheet, key, |slot| standing.now(slot))
        })?;
        wrong.actions = Planned::all(merges.iter().filter_map(unmerge_record));
        wrong.n_unmerges = wrong.actions.len();
        wrong.actions.extend(Planned::all(restorations));
        Ok(wrong)
    }

    /// Decides what of the future stays, goes or is replaced (steps 5 to 7 and 9). Returns what goes for good.
    fn process(
        &mut self,
        predicted: &[Rc<Planned>],
        prepared: &[Rc<Prepared>],
        edits: &mut Edits,
    ) -> Result<Vec<Rc<Planned>>, Failure> {
        let affected = self.affected(prepared);
        let mut owed: Vec<(EntryId, Vec<(Slot, u32)>)> = Vec::new();
        self.settled.clear();
        for id in affected {
            if self.future.prepared(id).is_merge {
                continue;
            }
            let owes = self.owed(id);
            if owes.is_empty() && is_final(&self.future, id) {
                self.settled.mark(id);
            }
            owed.push((id, owes));
        }
        let mut gone = self.done_merges(predicted, prepared);
        for (id, owes) in owed {
            if owes.is_empty() {
                if !is_locked(&self.future, id, &self.settled) {
                    gone.push(id);
                }
                continue;
            }
            let records = self.records_of(owes);
            let (standing, tables) = (&self.standing, &self.tables);
            let replacement = synthesize(&records, |sheet, key| {
                four_sides(tables, sheet, key, |slot| standing.target(slot))
            })?;
            if self.tables.protocol.replaces_by(replacement.len()) {
                edits.replaced.push((id, Planned::all(replacement)));
            }
        }
        self.future.sort(&mut gone);
        let removed = gone.iter().map(|id| self.future.planned(*id).clone()).collect();
        gone.extend(edits.replaced.iter().map(|(id, _)| *id));
        self.future.sort(&mut gone);
        edits.gone = gone;
        Ok(removed)
    }

    /// The actions of the future that write something that the proposal writes, in order.
    fn affected(&mut self, prepared: &[Rc<Prepared>]) -> Vec<EntryId> {
        let mut affected = Vec::new();
        self.met.clear();
        for (slot, properties) in prepared.iter().flat_map(|prepared| prepared.writes()) {
            for mention in self.future.mentions(slot) {
                if mention.writes.is_related(properties) && self.met.mark(mention.entry) {
                    affected.push(mention.entry);
                }
            }
        }
        self.future.sort(&mut affected);
        affected
    }

    /// What an action owes: missing properties of its cells that are related to any it writes.
    fn owed(&mut self, id: EntryId) -> Vec<(Slot, u32)> {
        let Self {
            tables,
            future,
            standing,
            adjusted,
            readjusted,
            after,
            ..
        } = self;
        let prepared = future.prepared(id);
        let related = prepared.properties.unwrap_or(PropertySet::EMPTY).related();
        let result = adjusted.after(readjusted, standing.ground(Some(after)));
        let owed = prepared.writes().filter_map(|(slot, _)| {
            let lacking = result.outcomes(tables, standing, slot).lacking() & related;
            (lacking != 0).then_some((slot, lacking))
        });
        owed.collect()
    }

    fn records_of(&mut self, owed: Vec<(Slot, u32)>) -> Vec<Record> {
        let mut slots: Vec<Slot> = owed.iter().map(|(slot, _)| *slot).collect();
        self.tables.slots.sort(&mut slots);
        let mut lacking: rustc_hash::FxHashMap<Slot, u32> = owed.into_iter().collect();
        let mut records = Vec::new();
        for slot in slots {
            let properties = lacking.remove(&slot).unwrap_or(0);
            let (cell, target) = (self.adjusted_after().cell(slot), self.standing.target(slot));
            self.tables.records(slot, cell, target, properties, &mut records);
        }
        records
    }

    /// Merges and unmerges of the future that the proposal has done.
    fn done_merges(&self, predicted: &[Rc<Planned>], prepared: &[Rc<Prepared>]) -> Vec<EntryId> {
        let mut done = Vec::new();
        for (planned, prepared) in predicted.iter().zip(prepared).filter(|(_, prepared)| prepared.is_merge) {
            let Some(part) = prepared.parts.first() else { continue };
            for mention in self.future.mentions(part.slot) {
                let other = self.future.planned(mention.entry);
                let is_merge = self.future.prepared(mention.entry).is_merge;
                if is_merge && same_merge(&planned.action, &other.action) {
                    done.push(mention.entry);
                }
            }
        }
        done
    }

    /// Works out what the rewritten future still gets wrong (step 10). There is no third pass.
    fn second_pass(&mut self, edits: &Edits, undo_max: usize) -> Result<TwoLists, Failure> {
        let Self {
            tables,
            future,
            standing,
            ending,
            after,
            changed,
            ..
        } = self;
        ending.dirty.clear();
        ending.dirty.extend(changed.members().iter().copied());
        let ground = standing.ground(Some(after));
        ending
            .work_out(tables, future, standing, ground, edits)
            .ok_or(Failure::UnknownReach)?;
        let (excess, missing) = ending.gap(tables, standing);
        let undo = undo_of(&excess, undo_max);
        let tables = &*tables;
        let missing = synthesize(&missing, |sheet, key| {
            four_sides(tables, sheet, key, |slot| standing.target(slot))
        });
        // A pass that fails makes nothing.
        let (Ok(undo), Ok(missing)) = (undo, missing) else {
            return Ok(TwoLists::default());
        };
        Ok((Planned::all(undo), Planned::all(missing)))
    }

    /// Finds the place of each correction (step 11).
    fn place<'p>(
        &mut self,
        edits: &mut Edits,
        corrections: impl Iterator<Item = &'p Rc<Planned>>,
    ) -> Result<(), Failure> {
        let mut inserted = Vec::new();
        for planned in corrections {
            let prepared = planned.prepared(&mut self.tables).ok_or(Failure::UnknownReach)?.clone();
            let properties = prepared.properties?;
            let placing = Placing {
                future: &self.future,
                edits,
                tables: &mut self.tables,
                gone: &mut self.met,
            };
            inserted.push((placing.anchor(&planned.action, &prepared, properties)?, planned.clone()));
        }
        edits.inserted = inserted;
        Ok(())
    }
}

/// Undo actions and additions.
type TwoLists = (Vec<Rc<Planned>>, Vec<Rc<Planned>>);

/// What is put in front for wrong merges: unmerges, then restorations.
#[derive(Default)]
struct WrongMerges {
    actions: Vec<Rc<Planned>>,
    n_unmerges: usize,
}

/// The undo actions of the unchanged state.
#[derive(Debug)]
pub(super) struct KnownUndo {
    version: u64,
    undo: Vec<Rc<Planned>>,
    /// The merges among the excess.
    merges: Vec<Record>,
}

fn merges_in(excess: &[Record]) -> Vec<Record> {
    let merges = excess.iter().filter(|record| matches!(record.place, Place::Merge(_)));
    merges.cloned().collect()
}

/// The lines on the four sides of a cell.
fn four_sides<'t>(
    tables: &'t Tables,
    sheet: &str,
    key: &CellKey,
    cell: impl Fn(Slot) -> Cell,
) -> Option<[Option<&'t Value>; 4]> {
    let slot = tables.slots.find(sheet, key)?;
    let cell = cell(slot);
    cell.exists()
        .then(|| Property::BOX_SIDES.map(|side| tables.get(cell, side)))
}

/// Whether an action is the last to write some property of some cell.
fn is_final(future: &Future, id: EntryId) -> bool {
    let label = future.label(id);
    future.prepared(id).writes().any(|(slot, properties)| {
        let later = future.mentions(slot).iter();
        let later = later.take_while(|mention| future.label(mention.entry) > label);
        let left = later.fold(properties, |left, mention| left.minus(mention.writes));
        !left.is_empty()
    })
}

/// Whether the action writes nothing last, and some last writer of what it writes is not settled (step 7).
fn is_locked(future: &Future, id: EntryId, settled: &Marks) -> bool {
    if is_final(future, id) {
        return false;
    }
    future.prepared(id).writes().any(|(slot, properties)| {
        // From the last writer backwards: each takes what it covers of the properties still open.
        let mut open = properties;
        for mention in future.mentions(slot) {
            let left = open.minus(mention.writes);
            if left != open && !settled.has(mention.entry) {
                return true;
            }
            open = left;
        }
        false
    })
}
