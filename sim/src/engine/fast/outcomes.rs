//! The outcomes of comparing one cell, property by property.

use crate::compare::{Compared, Match, Totals};
use crate::state::Property;

/// The outcomes of one cell's properties, each outcome as a set of properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) right: u32,
    pub(super) excess: u32,
    pub(super) missing: u32,
    pub(super) mismatch: u32,
}

impl Outcomes {
    /// Notes the outcome of a property.
    pub(super) fn add(&mut self, property: Property, outcome: Match) {
        let set = match outcome {
            Match::TruePositive => &mut self.right,
            Match::FalsePositive => &mut self.excess,
            Match::FalseNegative => &mut self.missing,
            Match::Mismatch => &mut self.mismatch,
        };
        *set |= property.bit();
    }

    /// Both together, of disjoint properties.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            right: self.right | other.right,
            excess: self.excess | other.excess,
            missing: self.missing | other.missing,
            mismatch: self.mismatch | other.mismatch,
        }
    }

    fn by_outcome(self) -> [(Match, u32); 4] {
        [
            (Match::TruePositive, self.right),
            (Match::FalsePositive, self.excess),
            (Match::FalseNegative, self.missing),
            (Match::Mismatch, self.mismatch),
        ]
    }

    /// The outcome of a property, if it shows on either side.
    pub(super) fn of(self, property: Property) -> Option<Match> {
        let sets = self.by_outcome().into_iter();
        sets.filter(|(_, set)| set & property.bit() != 0)
            .map(|(outcome, _)| outcome)
            .next()
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

    /// The properties that are missing or mismatching.
    pub(super) fn lacking(self) -> u32 {
        self.missing | self.mismatch
    }

    /// The properties on which the two sides disagree.
    pub(super) fn gap(self) -> u32 {
        self.excess | self.missing | self.mismatch
    }
}
