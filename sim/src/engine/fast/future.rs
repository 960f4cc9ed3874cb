//! What the user still has to do, with an index by cell: who touches it, reads it, names it, writes it.
//!
//! The actions make up a linked list. Each carries a label that grows along the list, so that two actions are put in
//! order at once; where no label is left between two neighbours, all are given out anew.

use std::rc::Rc;

use super::prepared::{Prepared, Roles};
use super::slots::{Slot, SlotMap};
use crate::fingerprint::PropertySet;
use crate::plan::Planned;

/// The number of an action of the future; it is not given out twice in a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EntryId(u32);

const NOBODY: EntryId = EntryId(u32::MAX);

/// Labels left free between neighbours when they are given out anew.
const GAP: u64 = 1 << 32;

#[derive(Debug)]
struct Entry {
    planned: Rc<Planned>,
    prepared: Rc<Prepared>,
    label: u64,
    before: EntryId,
    after: EntryId,
    is_in: bool,
}

/// One action that has to do with a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) entry: EntryId,
    pub(super) roles: Roles,
    pub(super) writes: PropertySet,
}

/// The actions to do, in order.
#[derive(Debug)]
pub(super) struct Future {
    entries: Vec<Entry>,
    first: EntryId,
    last: EntryId,
    len: usize,
    /// Who has to do with a cell, the last action first.
    mentions: SlotMap<Vec<Mention>>,
    /// Actions that name no cell.
    odd: Vec<EntryId>,
    /// Actions whose fingerprint cannot be told.
    untold: Vec<EntryId>,
    /// How many merges and unmerges there are.
    n_merges: usize,
}

impl Default for Future {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            first: NOBODY,
            last: NOBODY,
            len: 0,
            mentions: SlotMap::default(),
            odd: Vec::new(),
            untold: Vec::new(),
            n_merges: 0,
        }
    }
}

impl Future {
    /// How many actions there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many merges and unmerges there are.
    pub(super) fn n_merges(&self) -> usize {
        self.n_merges
    }

    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its entry")]
    fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its entry")]
    fn entry_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    /// The action of a number.
    pub(super) fn planned(&self, id: EntryId) -> &Rc<Planned> {
        &self.entry(id).planned
    }

    /// What is known of an action.
    pub(super) fn prepared(&self, id: EntryId) -> &Rc<Prepared> {
        &self.entry(id).prepared
    }

    /// What orders the actions, until the next change.
    pub(super) fn label(&self, id: EntryId) -> u64 {
        self.entry(id).label
    }

    /// The next action to do.
    pub(super) fn first(&self) -> Option<EntryId> {
        (self.first != NOBODY).then_some(self.first)
    }

    /// The last action to do.
    pub(super) fn last(&self) -> Option<EntryId> {
        (self.last != NOBODY).then_some(self.last)
    }

    /// The actions in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = EntryId> {
        let after = |id: &EntryId| Some(self.entry(*id).after).filter(|id| *id != NOBODY);
        std::iter::successors(self.first(), after)
    }

    /// Who has to do with a cell, the last action first.
    pub(super) fn mentions(&self, slot: Slot) -> &[Mention] {
        self.mentions.get(slot).map_or(&[], Vec::as_slice)
    }

    /// Actions that name no cell.
    pub(super) fn odd(&self) -> &[EntryId] {
        &self.odd
    }

    /// The first action whose fingerprint cannot be told.
    pub(super) fn first_untold(&self) -> Option<EntryId> {
        self.untold.iter().copied().min_by_key(|id| self.label(*id))
    }

    /// Adds an action after another one, or as the first. Returns its number.
    pub(super) fn insert(&mut self, after: Option<EntryId>, planned: Rc<Planned>, prepared: Rc<Prepared>) -> EntryId {
        let before = after.unwrap_or(NOBODY);
        let next = after.map_or(self.first, |after| self.entry(after).after);
        let label = self.free_label(before, next);
        let id = EntryId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(Entry {
            planned,
            prepared,
            label,
            before,
            after: next,
            is_in: true,
        });
        self.link(before, id);
        self.link(id, next);
        self.len += 1;
        self.index(id);
        id
    }

    fn link(&mut self, before: EntryId, after: EntryId) {
        if before == NOBODY {
            self.first = after;
        } else {
            self.entry_mut(before).after = after;
        }
        if after == NOBODY {
            self.last = before;
        } else {
            self.entry_mut(after).before = before;
        }
    }

    /// A label between two neighbours.
    fn free_label(&mut self, before: EntryId, after: EntryId) -> u64 {
        for _ in 0..2 {
            let low = (before != NOBODY).then(|| self.label(before));
            let high = (after != NOBODY).then(|| self.label(after));
            let free = match (low, high) {
                (None, None) => Some(u64::MAX / 2),
                (Some(low), None) => low.checked_add(GAP),
                (None, Some(high)) => high.checked_sub(GAP),
                (Some(low), Some(high)) => Some(low + (high - low) / 2).filter(|middle| *middle > low),
            };
            if let Some(free) = free {
                return free;
            }
            self.give_out_labels();
        }
        u64::MAX
    }

    fn give_out_labels(&mut self) {
        let ids: Vec<EntryId> = self.iter().collect();
        let start = u64::MAX / 2 - (ids.len() as u64 / 2) * GAP;
        for (label, id) in (0..).map(|idx| start + idx * GAP).zip(ids) {
            self.entry_mut(id).label = label;
        }
    }

    fn index(&mut self, id: EntryId) {
        let prepared = self.prepared(id).clone();
        let label = self.label(id);
        let Self { entries, mentions, .. } = self;
        for part in &prepared.parts {
            let of_cell = mentions.get_mut(part.slot);
            let mention = Mention {
                entry: id,
                roles: part.roles,
                writes: part.writes,
            };
            let later = of_cell.partition_point(|other| {
                let other = entries.get(other.entry.0 as usize);
                other.is_some_and(|other| other.label > label)
            });
            of_cell.insert(later, mention);
        }
        if prepared.is_odd {
            self.odd.push(id);
        }
        if prepared.properties.is_err() {
            self.untold.push(id);
        }
        self.n_merges += usize::from(prepared.is_merge);
    }

    /// Takes an action out.
    pub(super) fn remove(&mut self, id: EntryId) {
        let entry = self.entry_mut(id);
        if !std::mem::replace(&mut entry.is_in, false) {
            return;
        }
        let (before, after, label, prepared) = (entry.before, entry.after, entry.label, entry.prepared.clone());
        self.link(before, after);
        self.len -= 1;
        let Self { entries, mentions, .. } = self;
        for part in &prepared.parts {
            let of_cell = mentions.get_mut(part.slot);
            // The next action to do, which goes most often, comes last.
            let idx = if of_cell.last().is_some_and(|last| last.entry == id) {
                of_cell.len() - 1
            } else {
                of_cell.partition_point(|other| {
                    let other = entries.get(other.entry.0 as usize);
                    other.is_some_and(|other| other.label > label)
                })
            };
            if of_cell.get(idx).is_some_and(|found| found.entry == id) {
                of_cell.remove(idx);
            }
        }
        self.odd.retain(|other| *other != id);
        self.untold.retain(|other| *other != id);
        self.n_merges -= usize::from(prepared.is_merge);
    }

    /// Puts numbers in the order of the future, each once.
    pub(super) fn sort(&self, ids: &mut Vec<EntryId>) {
        ids.sort_unstable_by_key(|id| self.label(*id));
        ids.dedup();
    }
}

/// A mark for each action, emptied at no cost.
#[derive(Debug, Default)]
pub(super) struct Marks {
    rounds: Vec<u32>,
    round: u32,
}

impl Marks {
    /// Takes all marks away.
    pub(super) fn clear(&mut self) {
        if self.round == u32::MAX {
            self.rounds.clear();
            self.round = 0;
        }
        self.round += 1;
    }

    /// Marks an action. False where it was marked before.
    #[expect(clippy::indexing_slicing, reason = "the action's place was just made")]
    pub(super) fn mark(&mut self, id: EntryId) -> bool {
        let idx = id.0 as usize;
        if idx >= self.rounds.len() {
            self.rounds.resize(idx + 1, 0);
        }
        std::mem::replace(&mut self.rounds[idx], self.round) != self.round
    }

    /// Whether an action is marked.
    pub(super) fn has(&self, id: EntryId) -> bool {
        self.round > 0 && self.rounds.get(id.0 as usize) == Some(&self.round)
    }
}
