//! Changes over a state that stays as it is: what would be, without a copy.

use super::cells::Cell;
use super::merges::{MergeId, MergeSet};
use super::slots::{Slot, SlotMap, SlotSet};

/// Cells and merges that differ, or may differ, from the state below.
#[derive(Debug, Default)]
pub(super) struct Layer {
    written: SlotSet,
    cells: SlotMap<Cell>,
    merges: Vec<MergeId>,
    /// The round in which the presence of a merge was last set.
    merge_rounds: Vec<u32>,
    merge_present: MergeSet,
    round: u32,
}

impl Layer {
    /// Starts anew: nothing is changed.
    pub(super) fn clear(&mut self) {
        self.written.clear();
        self.merges.clear();
        if self.round == u32::MAX {
            self.merge_rounds.clear();
            self.round = 0;
        }
        self.round += 1;
    }

    /// The cell, if the layer has it.
    pub(super) fn get(&self, slot: Slot) -> Option<Cell> {
        self.written.contains(slot).then(|| self.cells.at(slot))
    }

    pub(super) fn put(&mut self, slot: Slot, cell: Cell) {
        self.written.insert(slot);
        *self.cells.get_mut(slot) = cell;
    }

    /// The cells that the layer has.
    pub(super) fn written(&self) -> &[Slot] {
        self.written.members()
    }

    /// Whether a merge is present, if the layer tells.
    pub(super) fn merge(&self, id: MergeId) -> Option<bool> {
        let known = self.round > 0 && self.merge_rounds.get(id.idx()) == Some(&self.round);
        known.then(|| self.merge_present.contains(id))
    }

    #[expect(clippy::indexing_slicing, reason = "the merge's place was just made")]
    pub(super) fn put_merge(&mut self, id: MergeId, present: bool) {
        self.round = self.round.max(1);
        if id.idx() >= self.merge_rounds.len() {
            self.merge_rounds.resize(id.idx() + 1, 0);
        }
        if self.merge_rounds[id.idx()] != self.round {
            self.merge_rounds[id.idx()] = self.round;
            self.merges.push(id);
        }
        self.merge_present.put(id, present);
    }

    /// The merges of which the layer tells.
    pub(super) fn merges(&self) -> &[MergeId] {
        &self.merges
    }
}

/// A state: the present one, and what was changed over it.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) cells: &'a SlotMap<Cell>,
    pub(super) merges: &'a MergeSet,
    pub(super) over: Option<&'a Layer>,
}

impl Ground<'_> {
    /// The cell as it is there.
    pub(super) fn get(&self, slot: Slot) -> Cell {
        let over = self.over.and_then(|layer| layer.get(slot));
        over.unwrap_or_else(|| self.cells.at(slot))
    }

    /// Whether a merge is there.
    pub(super) fn has_merge(&self, id: MergeId) -> bool {
        let over = self.over.and_then(|layer| layer.merge(id));
        over.unwrap_or_else(|| self.merges.contains(id))
    }
}
