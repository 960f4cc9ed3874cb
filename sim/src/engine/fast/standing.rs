//! How the current state stands against the target, cell by cell, kept up to date.

use super::cells::{Cell, Tables};
use super::layer::{Ground, Layer};
use super::merges::{MergeCounts, MergeId, MergeSet};
use super::outcomes::Outcomes;
use super::prepared::{Prepared, Roles};
use super::slots::{SheetIdx, Slot, SlotMap};
use crate::compare::Totals;

/// How many of the cells in view a state and the target have, on one sheet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Presence {
    pub(super) predicted: u32,
    pub(super) target: u32,
}

/// What is in view: totals of the cells that future actions name.
#[derive(Clone, Debug, Default)]
pub(super) struct InView {
    pub(super) totals: Totals,
    presence: Vec<Presence>,
}

impl InView {
    /// The presence of a sheet's cells.
    #[expect(clippy::indexing_slicing, reason = "the sheet's entry was just made")]
    pub(super) fn presence(&mut self, sheet: SheetIdx) -> &mut Presence {
        if sheet.idx() >= self.presence.len() {
            self.presence.resize(sheet.idx() + 1, Presence::default());
        }
        &mut self.presence[sheet.idx()]
    }

    /// A cell comes into view.
    pub(super) fn add(&mut self, sheet: SheetIdx, outcomes: Outcomes, predicted: Cell, target: Cell) {
        outcomes.add_to(&mut self.totals);
        let presence = self.presence(sheet);
        presence.predicted += u32::from(predicted.exists());
        presence.target += u32::from(target.exists());
    }

    /// A cell goes out of view.
    pub(super) fn take(&mut self, sheet: SheetIdx, outcomes: Outcomes, predicted: Cell, target: Cell) {
        outcomes.take_from(&mut self.totals);
        let presence = self.presence(sheet);
        presence.predicted -= u32::from(predicted.exists());
        presence.target -= u32::from(target.exists());
    }
}

/// The current state against the target.
#[derive(Debug, Default)]
pub(super) struct Standing {
    now: SlotMap<Cell>,
    target: SlotMap<Cell>,
    outcomes: SlotMap<Outcomes>,
    /// How many actions of the future name a cell.
    n_naming: SlotMap<u32>,
    pub(super) in_view: InView,
    merges: MergeSet,
    merge_counts: Vec<MergeCounts>,
}

impl Standing {
    /// The cell as it is now.
    pub(super) fn now(&self, slot: Slot) -> Cell {
        self.now.at(slot)
    }

    /// The cell as it should be.
    pub(super) fn target(&self, slot: Slot) -> Cell {
        self.target.at(slot)
    }

    /// The outcomes of the cell as it is now.
    pub(super) fn outcomes(&self, slot: Slot) -> Outcomes {
        self.outcomes.at(slot)
    }

    /// Whether an action of the future names the cell.
    pub(super) fn is_in_view(&self, slot: Slot) -> bool {
        self.n_naming.at(slot) > 0
    }

    /// Whether the current state has a merge.
    pub(super) fn has_merge(&self, id: MergeId) -> bool {
        self.merges.contains(id)
    }

    /// How many merges a sheet has.
    pub(super) fn merge_counts(&self, sheet: SheetIdx) -> MergeCounts {
        self.merge_counts.get(sheet.idx()).copied().unwrap_or_default()
    }

    /// The current state, with what was changed over it.
    pub(super) fn ground<'a>(&'a self, over: Option<&'a Layer>) -> Ground<'a> {
        Ground {
            cells: &self.now,
            merges: &self.merges,
            over,
        }
    }

    /// Starts from nothing; the state of a layer is the target.
    pub(super) fn aim(&mut self, tables: &mut Tables, target: &Layer) {
        for slot in target.written() {
            let cell = target.get(*slot).unwrap_or_default();
            *self.outcomes.get_mut(*slot) = tables.compare(Cell::default(), cell);
            *self.target.get_mut(*slot) = cell;
        }
        for id in target.merges() {
            if target.merge(*id) == Some(true) {
                tables.merges.want(*id);
                self.counts_mut(tables.merges.get(*id).sheet).wanted += 1;
            }
        }
    }

    /// The changes of a layer become the current state. The cells that differ are added to `changed`.
    pub(super) fn commit(&mut self, tables: &mut Tables, layer: &Layer, mut changed: impl FnMut(Slot)) {
        for slot in layer.written() {
            let Some(cell) = layer.get(*slot) else { continue };
            if cell != self.now(*slot) {
                self.update(tables, *slot, cell);
                changed(*slot);
            }
        }
        for id in layer.merges() {
            let (was, is) = (self.merges.contains(*id), layer.merge(*id) == Some(true));
            if was == is {
                continue;
            }
            self.merges.put(*id, is);
            let (merge, wanted) = (tables.merges.get(*id), tables.merges.is_wanted(*id));
            let counts = self.counts_mut(merge.sheet);
            counts.change(is, wanted);
            tables.merges.cells(&mut tables.slots, *id).for_each(&mut changed);
        }
    }

    #[expect(clippy::indexing_slicing, reason = "the sheet's entry was just made")]
    fn counts_mut(&mut self, sheet: SheetIdx) -> &mut MergeCounts {
        if sheet.idx() >= self.merge_counts.len() {
            self.merge_counts.resize(sheet.idx() + 1, MergeCounts::default());
        }
        &mut self.merge_counts[sheet.idx()]
    }

    fn update(&mut self, tables: &mut Tables, slot: Slot, cell: Cell) {
        let target = self.target(slot);
        let after = tables.compare(cell, target);
        if self.is_in_view(slot) {
            let sheet = tables.slots.place(slot).sheet_idx;
            let (before, was) = (self.outcomes(slot), self.now(slot));
            self.in_view.take(sheet, before, was, target);
            self.in_view.add(sheet, after, cell, target);
        }
        *self.outcomes.get_mut(slot) = after;
        *self.now.get_mut(slot) = cell;
    }

    /// One more action of the future names its cells.
    pub(super) fn name(&mut self, tables: &Tables, prepared: &Prepared) {
        for slot in prepared.cells(Roles::NAMES) {
            let n_naming = self.n_naming.get_mut(slot);
            *n_naming += 1;
            if *n_naming == 1 {
                let sheet = tables.slots.place(slot).sheet_idx;
                let (now, target) = (self.now(slot), self.target(slot));
                self.in_view.add(sheet, self.outcomes.at(slot), now, target);
            }
        }
    }

    /// One action less names its cells.
    pub(super) fn unname(&mut self, tables: &Tables, prepared: &Prepared) {
        for slot in prepared.cells(Roles::NAMES) {
            let n_naming = self.n_naming.get_mut(slot);
            *n_naming -= 1;
            if *n_naming == 0 {
                let sheet = tables.slots.place(slot).sheet_idx;
                let (now, target) = (self.now(slot), self.target(slot));
                self.in_view.take(sheet, self.outcomes.at(slot), now, target);
            }
        }
    }
}
