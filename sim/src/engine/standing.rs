//! How the current state stands against the target, cell by cell, kept up to date.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::slots::{Place, Slot, SlotMap, SlotSet, Slots};
use crate::compare::{Compared, Match, Totals, compare_cell};
use crate::protocol::Protocol;
use crate::state::{Cell, Cells, Property, Workbook};

/// The outcomes of one cell's properties, each outcome as a set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) right: u32,
    pub(super) excess: u32,
    pub(super) missing: u32,
    pub(super) mismatch: u32,
}

impl Outcomes {
    /// Compares one cell of a state with the target's.
    pub(super) fn of(
        protocol: &Protocol,
        place: &Place,
        predicted: Option<&Arc<Cell>>,
        target: Option<&Arc<Cell>>,
    ) -> Self {
        let mut outcomes = Self::default();
        compare_cell(
            protocol,
            &place.sheet,
            &place.key,
            predicted,
            target,
            &mut |difference| {
                if let Compared::Cell(property) = difference.compared {
                    outcomes.add(property, difference.outcome);
                }
            },
        );
        outcomes
    }

    fn add(&mut self, property: Property, outcome: Match) {
        let set = match outcome {
            Match::TruePositive => &mut self.right,
            Match::FalsePositive => &mut self.excess,
            Match::FalseNegative => &mut self.missing,
            Match::Mismatch => &mut self.mismatch,
        };
        *set |= property.bit();
    }

    fn by_outcome(self) -> [(Match, u32); 4] {
        [
            (Match::TruePositive, self.right),
            (Match::FalsePositive, self.excess),
            (Match::FalseNegative, self.missing),
            (Match::Mismatch, self.mismatch),
        ]
    }

    pub(super) fn add_to(self, totals: &mut Totals) {
        for (outcome, set) in self.by_outcome() {
            Property::from_bits(set).for_each(|property| totals.count(Compared::Cell(property), outcome));
        }
    }

    pub(super) fn take_from(self, totals: &mut Totals) {
        for (outcome, set) in self.by_outcome() {
            Property::from_bits(set).for_each(|property| totals.uncount(Compared::Cell(property), outcome));
        }
    }

    /// Whether anything is missing or mismatching.
    pub(super) fn lacks(self) -> bool {
        self.missing | self.mismatch != 0
    }
}

/// How many properties are missing, and how many mismatch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lack {
    pub(super) missing: usize,
    pub(super) mismatches: usize,
}

impl Lack {
    pub(super) fn add(&mut self, outcomes: Outcomes) {
        self.missing += outcomes.missing.count_ones() as usize;
        self.mismatches += outcomes.mismatch.count_ones() as usize;
    }

    pub(super) fn take(&mut self, outcomes: Outcomes) {
        self.missing -= outcomes.missing.count_ones() as usize;
        self.mismatches -= outcomes.mismatch.count_ones() as usize;
    }
}

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
    /// By the number of the sheet.
    presence: Vec<Presence>,
}

impl InView {
    /// The presence of a sheet's cells.
    #[expect(clippy::indexing_slicing, reason = "the sheet's entry was just made")]
    pub(super) fn presence(&mut self, sheet_idx: usize) -> &mut Presence {
        if sheet_idx >= self.presence.len() {
            self.presence.resize(sheet_idx + 1, Presence::default());
        }
        &mut self.presence[sheet_idx]
    }

    /// A cell comes into view.
    pub(super) fn add(&mut self, sheet_idx: usize, outcomes: Outcomes, in_predicted: bool, in_target: bool) {
        outcomes.add_to(&mut self.totals);
        let presence = self.presence(sheet_idx);
        presence.predicted += u32::from(in_predicted);
        presence.target += u32::from(in_target);
    }

    /// A cell goes out of view.
    pub(super) fn take(&mut self, sheet_idx: usize, outcomes: Outcomes, in_predicted: bool, in_target: bool) {
        outcomes.take_from(&mut self.totals);
        let presence = self.presence(sheet_idx);
        presence.predicted -= u32::from(in_predicted);
        presence.target -= u32::from(in_target);
    }
}

/// The current state against the target.
#[derive(Debug, Default)]
pub(super) struct Standing {
    now: SlotMap<Option<Arc<Cell>>>,
    target: SlotMap<Option<Arc<Cell>>>,
    outcomes: SlotMap<Outcomes>,
    /// How many actions of the future name a cell.
    n_naming: SlotMap<u32>,
    pub(super) in_view: InView,
    /// Over all cells.
    pub(super) lack: Lack,
    /// Cells with anything in excess.
    pub(super) excess: BTreeSet<Slot>,
}

impl Standing {
    /// The cell as it is now.
    pub(super) fn now(&self, slot: Slot) -> Option<&Arc<Cell>> {
        self.now.get(slot).and_then(Option::as_ref)
    }

    /// The cell as it should be.
    pub(super) fn target(&self, slot: Slot) -> Option<&Arc<Cell>> {
        self.target.get(slot).and_then(Option::as_ref)
    }

    /// The cell in a state that differs from the current one in the `touched` cells alone.
    pub(super) fn after<'s>(
        &'s self,
        slots: &Slots,
        touched: &SlotSet,
        after: &'s Workbook,
        slot: Slot,
    ) -> Option<&'s Arc<Cell>> {
        if !touched.contains(slot) {
            return self.now(slot);
        }
        let place = slots.place(slot);
        after.shared_cell(&place.sheet, &place.key)
    }

    /// The outcomes of the cell as it is now.
    pub(super) fn outcomes(&self, slot: Slot) -> Outcomes {
        self.outcomes.get(slot).copied().unwrap_or_default()
    }

    /// Whether an action of the future names the cell.
    pub(super) fn is_in_view(&self, slot: Slot) -> bool {
        self.n_naming.get(slot).is_some_and(|n| *n > 0)
    }

    /// Starts with an empty current state.
    pub(super) fn begin(&mut self, protocol: &Protocol, slots: &mut Slots, target: &Workbook) {
        for (name, sheet) in target.sheets() {
            for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
                let slot = slots.of(name, key.clone());
                *self.target.get_mut(slot) = Some(cell.clone());
                self.update(protocol, slots, slot, None);
            }
        }
    }

    /// The current state has changed in these cells.
    pub(super) fn changed(&mut self, protocol: &Protocol, slots: &Slots, cells: &[Slot], current: &Workbook) {
        for slot in cells {
            let place = slots.place(*slot);
            let cell = current.shared_cell(&place.sheet, &place.key).cloned();
            self.update(protocol, slots, *slot, cell);
        }
    }

    fn update(&mut self, protocol: &Protocol, slots: &Slots, slot: Slot, cell: Option<Arc<Cell>>) {
        let place = slots.place(slot);
        let before = self.outcomes(slot);
        let after = Outcomes::of(protocol, place, cell.as_ref(), self.target(slot));
        self.lack.take(before);
        self.lack.add(after);
        if after.excess != 0 {
            self.excess.insert(slot);
        } else if before.excess != 0 {
            self.excess.remove(&slot);
        }
        if self.is_in_view(slot) {
            let (was, is) = (self.now(slot).is_some(), cell.is_some());
            let in_target = self.target(slot).is_some();
            self.in_view.take(place.sheet_idx, before, was, in_target);
            self.in_view.add(place.sheet_idx, after, is, in_target);
        }
        *self.outcomes.get_mut(slot) = after;
        *self.now.get_mut(slot) = cell;
    }

    /// One more action of the future names these cells.
    pub(super) fn name(&mut self, slots: &Slots, cells: &[Slot]) {
        for slot in cells {
            let n_naming = self.n_naming.get_mut(*slot);
            *n_naming += 1;
            if *n_naming == 1 {
                let (was, in_target) = (self.now(*slot).is_some(), self.target(*slot).is_some());
                let outcomes = self.outcomes(*slot);
                self.in_view.add(slots.place(*slot).sheet_idx, outcomes, was, in_target);
            }
        }
    }

    /// One action less names these cells.
    pub(super) fn unname(&mut self, slots: &Slots, cells: &[Slot]) {
        for slot in cells {
            let n_naming = self.n_naming.get_mut(*slot);
            *n_naming -= 1;
            if *n_naming == 0 {
                let (was, in_target) = (self.now(*slot).is_some(), self.target(*slot).is_some());
                let outcomes = self.outcomes(*slot);
                self.in_view
                    .take(slots.place(*slot).sheet_idx, outcomes, was, in_target);
            }
        }
    }
}
