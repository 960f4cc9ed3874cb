//! Counts of a group of predictions.

use napsim_sim::event::Prediction;

use crate::number::{RatioSum, count};

/// Counts of a group of predictions. Adding is the same in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) predictions: u64,
    pub(crate) accepted: u64,
    pub(crate) precision: RatioSum,
    /// Proposed actions.
    pub(crate) proposed: u64,
    /// User actions saved, undo actions added and future actions removed by accepted predictions.
    pub(crate) saved: i64,
    pub(crate) undo: u64,
    pub(crate) removed: u64,
}

impl Tally {
    pub(crate) fn of(prediction: &Prediction) -> Self {
        let if_accepted = |n: usize| if prediction.accepted { count(n) } else { 0 };
        Self {
            predictions: 1,
            accepted: u64::from(prediction.accepted),
            precision: RatioSum::of(prediction.metrics.precision),
            proposed: count(prediction.predicted.len()),
            saved: if prediction.accepted {
                prediction.metrics.ops_saved
            } else {
                0
            },
            undo: if_accepted(prediction.undo.len()),
            removed: if_accepted(prediction.removed.len()),
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.predictions += other.predictions;
        self.accepted += other.accepted;
        self.precision.add(other.precision);
        self.proposed += other.proposed;
        self.saved += other.saved;
        self.undo += other.undo;
        self.removed += other.removed;
    }
}

/// Tallies by place on some scale; places beyond the last one are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tallies(Vec<Tally>);

impl Tallies {
    pub(crate) fn add(&mut self, place: usize, tally: &Tally) {
        if self.0.len() <= place {
            self.0.resize(place + 1, Tally::default());
        }
        if let Some(sum) = self.0.get_mut(place) {
            sum.add(tally);
        }
    }

    pub(crate) fn get(&self, place: usize) -> Tally {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// Counts by place on some scale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(Vec<u64>);

impl Places {
    pub(crate) fn add(&mut self, place: usize, n: u64) {
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        if let Some(sum) = self.0.get_mut(place) {
            *sum += n;
        }
    }

    pub(crate) fn get(&self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn sum(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        for (place, n) in other.0.iter().enumerate() {
            self.add(place, *n);
        }
    }
}
