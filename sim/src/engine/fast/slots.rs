//! Cells by number: every cell that a rollout meets gets a slot, so that sets of cells are arrays.

use std::sync::Arc;

use napsim_trajectories::CellAddress;
use rustc_hash::FxHashMap;

use crate::state::CellKey;

/// The number of a cell of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(u32);

/// The number of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SheetIdx(u32);

impl SheetIdx {
    /// The sheet of an index.
    pub(super) fn of(idx: usize) -> Self {
        Self(u32::try_from(idx).unwrap_or(u32::MAX))
    }

    /// As an index of a list.
    pub(super) fn idx(self) -> usize {
        self.0 as usize
    }
}

/// The cells that a rollout has met so far.
#[derive(Debug, Default)]
pub(super) struct Slots {
    sheets: Vec<Sheet>,
    places: Vec<Place>,
}

#[derive(Debug)]
struct Sheet {
    name: Arc<str>,
    addressed: FxHashMap<CellAddress, Slot>,
    /// Cells whose key is no plain address.
    others: FxHashMap<CellKey, Slot>,
}

/// The sheet and the key of a cell.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) sheet: Arc<str>,
    pub(super) key: CellKey,
    pub(super) sheet_idx: SheetIdx,
}

impl Slots {
    /// The number of a sheet, given out now if it is new.
    pub(super) fn sheet_idx(&mut self, name: &Arc<str>) -> SheetIdx {
        let found = self.sheets.iter().position(|sheet| sheet.name == *name);
        let idx = found.unwrap_or_else(|| {
            self.sheets.push(Sheet {
                name: name.clone(),
                addressed: FxHashMap::default(),
                others: FxHashMap::default(),
            });
            self.sheets.len() - 1
        });
        SheetIdx::of(idx)
    }

    /// The name of a sheet.
    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its sheet")]
    pub(super) fn sheet(&self, sheet: SheetIdx) -> &Arc<str> {
        &self.sheets[sheet.idx()].name
    }

    /// How many sheets the rollout has met.
    pub(super) fn n_sheets(&self) -> usize {
        self.sheets.len()
    }

    /// The slot of a cell, given out now if it is new.
    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its sheet")]
    pub(super) fn of_sheet(&mut self, sheet_idx: SheetIdx, key: CellKey) -> Slot {
        let Self { sheets, places } = self;
        let sheet = &mut sheets[sheet_idx.idx()];
        let mut given_out = || {
            places.push(Place {
                sheet: sheet.name.clone(),
                key: key.clone(),
                sheet_idx,
            });
            Slot(u32::try_from(places.len() - 1).unwrap_or(u32::MAX))
        };
        match &key {
            CellKey::Address(address) => *sheet.addressed.entry(*address).or_insert_with(given_out),
            CellKey::Text(_) => match sheet.others.get(&key) {
                Some(slot) => *slot,
                None => {
                    let slot = given_out();
                    sheet.others.insert(key, slot);
                    slot
                }
            },
        }
    }

    /// The slot of a cell, if the rollout has met it.
    pub(super) fn find(&self, sheet: &str, key: &CellKey) -> Option<Slot> {
        let sheet = self.sheets.iter().find(|known| &*known.name == sheet)?;
        match key {
            CellKey::Address(address) => sheet.addressed.get(address),
            CellKey::Text(_) => sheet.others.get(key),
        }
        .copied()
    }

    /// Where the cell of a slot is.
    #[expect(clippy::indexing_slicing, reason = "a slot is given out along with its place")]
    pub(super) fn place(&self, slot: Slot) -> &Place {
        &self.places[slot.0 as usize]
    }

    /// Puts slots in canonical order.
    pub(super) fn sort(&self, slots: &mut [Slot]) {
        let key = |slot: &Slot| {
            let place = self.place(*slot);
            (&place.sheet, &place.key)
        };
        if !slots.is_sorted_by_key(key) {
            slots.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        }
    }
}

/// A value for each slot, the default one until it is set.
#[derive(Debug, Default)]
pub(super) struct SlotMap<T>(Vec<T>);

impl<T: Clone + Default> SlotMap<T> {
    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.0.get(slot.0 as usize)
    }

    /// A copy of the value.
    pub(super) fn at(&self, slot: Slot) -> T {
        self.get(slot).cloned().unwrap_or_default()
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
#[derive(Debug)]
pub(super) struct SlotSet {
    /// The round in which a slot was last put in.
    rounds: SlotMap<u32>,
    /// The round that counts, from 1.
    round: u32,
    members: Vec<Slot>,
}

impl Default for SlotSet {
    fn default() -> Self {
        Self {
            rounds: SlotMap::default(),
            round: 1,
            members: Vec::new(),
        }
    }
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
        self.rounds.get(slot) == Some(&self.round)
    }

    /// Puts a slot in. False where it was in before.
    pub(super) fn insert(&mut self, slot: Slot) -> bool {
        let round = self.rounds.get_mut(slot);
        if *round == self.round {
            return false;
        }
        *round = self.round;
        self.members.push(slot);
        true
    }

    /// Puts several slots in.
    pub(super) fn extend(&mut self, slots: impl IntoIterator<Item = Slot>) {
        for slot in slots {
            self.insert(slot);
        }
    }

    /// The members in the order in which they were put in.
    pub(super) fn members(&self) -> &[Slot] {
        &self.members
    }
}
