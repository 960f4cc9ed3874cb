//! Cells by number: every cell that a rollout meets gets a slot, so that sets of cells are arrays.

use std::rc::Rc;
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
    places: Vec<Place>,
}

/// The sheet and the key of a cell; places compare in canonical order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) sheet: Arc<str>,
    pub(super) key: CellKey,
    /// The number of the sheet, in the order in which the rollout met them.
    pub(super) sheet_idx: usize,
}

impl Slots {
    /// The slot of a cell, given out now if it is new.
    pub(super) fn of(&mut self, sheet: &Arc<str>, key: CellKey) -> Slot {
        let sheet_idx = self.sheet_idx(sheet);
        self.of_sheet(sheet_idx, key)
    }

    /// The slots of several cells of a sheet.
    pub(super) fn of_cells(&mut self, sheet: &Arc<str>, cells: impl IntoIterator<Item = CellAddress>) -> Rc<[Slot]> {
        let sheet_idx = self.sheet_idx(sheet);
        let slots = cells
            .into_iter()
            .map(|cell| self.of_sheet(sheet_idx, CellKey::Address(cell)));
        slots.collect()
    }

    fn sheet_idx(&mut self, sheet: &Arc<str>) -> usize {
        let found = self.sheets.iter().position(|(known, _)| known == sheet);
        found.unwrap_or_else(|| {
            self.sheets.push((sheet.clone(), FxHashMap::default()));
            self.sheets.len() - 1
        })
    }

    #[expect(clippy::indexing_slicing, reason = "the index is that of a known sheet")]
    fn of_sheet(&mut self, sheet_idx: usize, key: CellKey) -> Slot {
        let Self { sheets, places } = self;
        let (sheet, cells) = &mut sheets[sheet_idx];
        *cells.entry(key).or_insert_with_key(|key| {
            places.push(Place {
                sheet: sheet.clone(),
                key: key.clone(),
                sheet_idx,
            });
            Slot(u32::try_from(places.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// The slot of a cell, if the rollout has met it.
    pub(super) fn find(&self, sheet: &str, key: &CellKey) -> Option<Slot> {
        let cells = self.sheets.iter().find(|(known, _)| &**known == sheet);
        cells.and_then(|(_, cells)| cells.get(key)).copied()
    }

    /// Where the cell of a slot is.
    #[expect(clippy::indexing_slicing, reason = "a slot is given out along with its place")]
    pub(super) fn place(&self, slot: Slot) -> &Place {
        &self.places[slot.0 as usize]
    }

    /// Puts slots in canonical order, each once.
    pub(super) fn sort(&self, slots: &mut Vec<Slot>) {
        slots.sort_unstable_by(|a, b| self.place(*a).cmp(self.place(*b)));
        slots.dedup();
    }

    /// The sheets that the rollout has met, in that order.
    pub(super) fn sheets(&self) -> impl Iterator<Item = &Arc<str>> {
        self.sheets.iter().map(|(name, _)| name)
    }
}

/// A value for each slot, the default one until it is set.
#[derive(Debug, Default)]
pub(super) struct SlotMap<T>(Vec<T>);

impl<T: Clone + Default> SlotMap<T> {
    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.0.get(slot.0 as usize)
    }

    #[expect(clippy::indexing_slicing, reason = "the slot's place was just made")]
    pub(super) fn get_mut(&mut self, slot: Slot) -> &mut T {
        let idx = slot.0 as usize;
        if idx >= self.0.len() {
            self.0.resize(idx + 1, T::default());
        }
        &mut self.0[idx]
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
            *self.rounds.get_mut(slot) = self.round;
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
