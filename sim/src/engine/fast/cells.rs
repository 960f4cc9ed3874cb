//! Cells and what they are compared with, all by number.

use napsim_trajectories::Value;

use super::looks::{LookId, Looks, OpId};
use super::merges::Merges;
use super::outcomes::Outcomes;
use super::slots::{Slot, Slots};
use super::values::{ValueId, Values};
use crate::compare::{Compared, Match, Place, Record, outcome_of, recorded_sides};
use crate::protocol::Protocol;
use crate::state::Property;

/// A cell, or its absence. Data types are left out: nothing that is measured depends on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) value: ValueId,
    pub(super) formula: ValueId,
    pub(super) look: LookId,
}

impl Cell {
    /// Whether there is a cell, be it empty.
    pub(super) fn exists(self) -> bool {
        self.look != LookId::ABSENT
    }

    /// A cell that holds nothing but a look.
    pub(super) fn of_look(look: LookId) -> Self {
        Self {
            look,
            ..Self::default()
        }
    }

    /// The cell, made where there was none.
    pub(super) fn touched(self) -> Self {
        if self.exists() {
            self
        } else {
            Self::of_look(LookId::BARE)
        }
    }
}

/// Everything that has a number.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) protocol: Protocol,
    pub(super) values: Values,
    pub(super) looks: Looks,
    pub(super) slots: Slots,
    pub(super) merges: Merges,
}

impl Tables {
    pub(super) fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            values: Values::default(),
            looks: Looks::default(),
            slots: Slots::default(),
            merges: Merges::default(),
        }
    }

    /// The number of a value.
    pub(super) fn value(&mut self, value: &Value) -> ValueId {
        self.values.intern(&self.protocol, value)
    }

    /// What an operation makes of a look.
    pub(super) fn apply(&mut self, look: LookId, op: OpId) -> LookId {
        self.looks.apply(&self.protocol, &mut self.values, look, op)
    }

    /// Compares one cell of a state with another one.
    pub(super) fn compare(&mut self, predicted: Cell, target: Cell) -> Outcomes {
        let looks = self
            .looks
            .compare(&self.protocol, &self.values, predicted.look, target.look);
        let mut contents = Outcomes::default();
        self.compare_content(Property::Value, predicted.value, target.value, &mut contents);
        self.compare_content(Property::Formula, predicted.formula, target.formula, &mut contents);
        looks.with(contents)
    }

    fn compare_content(&self, property: Property, predicted: ValueId, target: ValueId, outcomes: &mut Outcomes) {
        if predicted == target {
            if self.values.shows_as_content(predicted) {
                outcomes.right |= property.bit();
            }
            return;
        }
        let (predicted, target) = (self.values.get(predicted), self.values.get(target));
        if let Some(outcome) = outcome_of(&self.protocol, property, predicted, target) {
            outcomes.add(property, outcome);
        }
    }

    /// The value of a cell's property.
    pub(super) fn get(&self, cell: Cell, property: Property) -> Option<&Value> {
        self.values.get(match property {
            Property::Value => cell.value,
            Property::Formula => cell.formula,
            property => self.looks.get(cell.look, property),
        })
    }

    /// Records of some of a cell's properties, in canonical order.
    pub(super) fn records(
        &mut self,
        slot: Slot,
        predicted: Cell,
        target: Cell,
        properties: u32,
        records: &mut Vec<Record>,
    ) {
        let outcomes = self.compare(predicted, target);
        let place = self.slots.place(slot);
        for property in Property::from_bits(properties) {
            let Some(outcome) = outcomes.of(property) else { continue };
            let compared = Compared::Cell(property);
            let sides = (self.get(predicted, property), self.get(target, property));
            let (predicted, target) = recorded_sides(property, outcome, sides);
            records.push(Record {
                sheet: place.sheet.clone(),
                place: Place::Cell(place.key.clone()),
                compared,
                outcome,
                predicted,
                target,
            });
        }
    }

    /// The record of a merge.
    pub(super) fn merge_record(&self, id: super::merges::MergeId, outcome: Match) -> Record {
        let merge = self.merges.get(id);
        Record {
            sheet: self.slots.sheet(merge.sheet).clone(),
            place: Place::Merge(merge.bounds),
            compared: Compared::Merge,
            outcome,
            predicted: None,
            target: None,
        }
    }
}
