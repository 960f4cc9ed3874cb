//! Cells by number: every cell that a rollout meets gets a slot, so that sets of cells are arrays.

use std::sync::Arc;

use napsim_trajectories::CellAddress;
use rustc_hash::FxHashMap;

use crate::state::CellKey;

/// The number of a cell of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(u32);

/// The cells that a rollout has met so far.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    sheets: Vec<(Arc<str>, FxHashMap<CellKey, Slot>)>,
    places: Vec<(Arc<str>, CellKey)>,
}

impl Slots {
    /// The slot of a cell, given out now if it is new.
    pub(super) fn of(&mut self, sheet: &Arc<str>, key: CellKey) -> Slot {
        let Self { sheets, places } = self;
        let found = sheets.iter().position(|(known, _)| known == sheet);
        let idx = found.unwrap_or_else(|| {
            sheets.push((sheet.clone(), FxHashMap::default()));
            sheets.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "the index was just found or made")]
        let (sheet, cells) = &mut sheets[idx];
        *cells.entry(key).or_insert_with_key(|key| {
            places.push((sheet.clone(), key.clone()));
            Slot(u32::try_from(places.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// The slots of several cells of a sheet.
    pub(super) fn of_cells(&mut self, sheet: &Arc<str>, cells: impl IntoIterator<Item = CellAddress>) -> Vec<Slot> {
        let slots = cells.into_iter().map(|cell| self.of(sheet, CellKey::Address(cell)));
        slots.collect()
    }

    /// The slot of a cell, if the rollout has met it.
    pub(super) fn find(&self, sheet: &str, key: &CellKey) -> Option<Slot> {
        let cells = self.sheets.iter().find(|(known, _)| &**known == sheet);
        cells.and_then(|(_, cells)| cells.get(key)).copied()
    }

    /// The sheet and key of a slot.
    pub(super) fn place(&self, slot: Slot) -> Option<&(Arc<str>, CellKey)> {
        self.places.get(slot.0 as usize)
    }
}

/// A value for each slot, the default one until it is set.
#[derive(Debug, Default)]
pub(super) struct SlotMap<T>(Vec<T>);

impl<T: Clone + Default> SlotMap<T> {
    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.0.get(slot.0 as usize)
    }

    pub(super) fn set(&mut self, slot: Slot, value: T) {
        let idx = slot.0 as usize;
        if idx >= self.0.len() {
            self.0.resize(idx + 1, T::default());
        }
        if let Some(known) = self.0.get_mut(idx) {
            *known = value;
        }
    }
}

/// A set of slots, emptied at no cost.
#[derive(Debug, Default)]
pub(super) struct SlotSet {
    /// The round in which a slot was last put in.
    rounds: SlotMap<u32>,
    /// The round that counts, from 1 once the set was emptied.
    round: u32,
    members: Vec<Slot>,
}

impl SlotSet {
    pub(super) fn clear(&mut self) {
        if self.round == u32::MAX {
            *self = Self::default();
        }
        self.round += 1;
        self.members.clear();
    }

    pub(super) fn contains(&self, slot: Slot) -> bool {
        self.round > 0 && self.rounds.get(slot) == Some(&self.round)
    }

    pub(super) fn insert(&mut self, slot: Slot) {
        if !self.contains(slot) {
            self.rounds.set(slot, self.round);
            self.members.push(slot);
        }
    }

    pub(super) fn extend(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.insert(*slot);
        }
    }

    /// Whether any of the slots is in the set.
    pub(super) fn contains_any(&self, slots: &[Slot]) -> bool {
        slots.iter().any(|slot| self.contains(*slot))
    }

    /// The members in the order in which they were put in.
    pub(super) fn members(&self) -> &[Slot] {
        &self.members
    }
}
