//! Predictions by the predictor's confidence, in thousandths.

use std::collections::BTreeMap;

use crate::number::{RatioSum, part_of_one};
use crate::tally::Tally;

/// How finely confidences are told apart.
pub(crate) const PARTS: u16 = 1000;

/// Predictions of nearly the same confidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) predictions: u64,
    pub(crate) accepted: u64,
    pub(crate) precision: RatioSum,
    pub(crate) confidence: RatioSum,
    /// Sum of the squares of confidence − accepted, for the Brier score.
    pub(crate) squares: RatioSum,
}

impl Level {
    pub(crate) fn add(&mut self, other: &Self) {
        self.predictions += other.predictions;
        self.accepted += other.accepted;
        self.precision.add(other.precision);
        self.confidence.add(other.confidence);
        self.squares.add(other.squares);
    }
}

/// Levels by thousandth.
pub(crate) type Levels = BTreeMap<u16, Level>;

pub(crate) fn add(levels: &mut Levels, confidence: f64, tally: &Tally) {
    let target = if tally.accepted > 0 { 1.0 } else { 0.0 };
    let error = confidence.clamp(0.0, 1.0) - target;
    levels.entry(part_of_one(confidence, PARTS)).or_default().add(&Level {
        predictions: tally.predictions,
        accepted: tally.accepted,
        precision: tally.precision,
        confidence: RatioSum::of(confidence),
        squares: RatioSum::of(error * error),
    });
}
