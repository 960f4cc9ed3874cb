//! Training of what ranks candidates: rows from simulated users, calibration, and the choice of a threshold.
//!
//! A model is trained on the moments that it meets itself: a simulated user works through training sequences, the model
//! as far as it is trained proposes, and at some moments every candidate is judged by what it would save.

mod boosted;
mod calibrate;
mod play;
mod reservoir;

use std::sync::Arc;

use napsim_predictors::ranked::{Ranker, Stored};
use napsim_predictors::ranking::{Gate, GateRows};
use rand::seq::index::sample;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Progress;
use crate::sequences::Sequence;

pub use boosted::{BoostedError, BoostedRanking, BoostedSettings, fit_boosted};
pub use calibrate::{Calibrated, OnPolicy, calibrate};
use play::{Offers, play};
pub use reservoir::Reservoir;

/// How rows are gathered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankingSettings {
    /// Training sequences that are worked through.
    pub n_train: usize,
    /// Validation sequences that are worked through.
    pub n_valid: usize,
    /// The share of moments at which all candidates are judged.
    pub measured: f64,
    /// The share of the candidates that save nothing of which a row is kept; it weighs as much more.
    pub kept: f64,
}

impl Default for RankingSettings {
    fn default() -> Self {
        Self {
            n_train: 600,
            n_valid: 100,
            measured: 0.2,
            kept: 0.3,
        }
    }
}

/// Sequences of these lengths alone are worked through: shorter ones say little, longer ones the same again and again.
pub(super) const LENGTHS: std::ops::RangeInclusive<usize> = 20..=900;

/// Described candidates with what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// `[n_rows, n_columns]`, row by row.
    pub values: Vec<f32>,
    /// `[n_rows]`: 1 where the candidate would have saved an action, else 0.
    pub labels: Vec<f32>,
    /// `[n_rows]`: how many candidates the row stands for.
    pub weights: Vec<f32>,
    /// Moments at which candidates were judged.
    pub n_moments: usize,
    /// Those at which at least one candidate would have saved an action.
    pub n_reachable: usize,
}

impl Rows {
    fn extend(&mut self, other: Rows) {
        self.values.extend(other.values);
        self.labels.extend(other.labels);
        self.weights.extend(other.weights);
        self.n_moments += other.n_moments;
        self.n_reachable += other.n_reachable;
    }
}

/// Draws at most so many sequences that are worth working through; the same seed draws the same ones, in order.
pub fn draw(sequences: &[Sequence], n: usize, seed: u64) -> Vec<&Sequence> {
    let fit: Vec<&Sequence> = sequences
        .iter()
        .filter(|sequence| LENGTHS.contains(&sequence.actions.len()))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<usize> = sample(&mut random, fit.len(), n.min(fit.len())).into_vec();
    drawn.sort_unstable();
    drawn.into_iter().filter_map(|idx| fit.get(idx).copied()).collect()
}

/// Works through sequences and describes candidates on the way.
///
/// `make` makes the ranker that describes them; while it is `untrained` it does not decide what is proposed, chance and
/// the candidates' evidence do. The rows come in the order of the sequences, whatever the number of threads.
pub fn gather(
    sequences: &[&Sequence],
    make: &(dyn Fn() -> Box<dyn Ranker> + Sync),
    untrained: bool,
    settings: &RankingSettings,
    seed: u64,
    progress: &(dyn Fn(Progress) + Sync),
) -> Rows {
    let total = sequences.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    let offers = if untrained { Offers::ByEvidence } else { Offers::Ranked };
    let parts: Vec<Rows> = sequences
        .par_iter()
        .enumerate()
        .map(|(idx, sequence)| {
            let mut random = ChaCha8Rng::seed_from_u64(seed ^ (idx as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let rows = play(&sequence.actions, make().as_mut(), offers, settings, random.next_u64());
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            progress(Progress::Fitting { done, total });
            rows
        })
        .collect();
    let mut rows = Rows::default();
    for part in parts {
        rows.extend(part);
    }
    rows
}

/// Fits a gate in two rounds, the first on moments that chance leads to and the second on those that the model itself
/// leads to, and calibrates what comes out.
///
/// `make` makes the ranker with a gate.
pub fn fit_gate(
    train: &[&Sequence],
    valid: &[&Sequence],
    make: &(dyn Fn(Arc<Gate>) -> Box<dyn Ranker> + Sync),
    settings: &RankingSettings,
    seed: u64,
    progress: &(dyn Fn(Progress) + Sync),
) -> (Stored, Calibrated) {
    let mut gate = Arc::new(Gate::default());
    for round in 0..2 {
        let make_now = || make(gate.clone());
        let rows = gather(
            train,
            &make_now,
            round == 0,
            settings,
            seed.wrapping_add(round),
            progress,
        );
        gate = Arc::new(Gate::fit(GateRows {
            n_columns: make_now().n_columns(),
            rows: &rows.values,
            labels: &rows.labels,
            weights: &rows.weights,
        }));
    }
    let calibrated = calibrate(valid, &|| make(gate.clone()), progress);
    let stored = Stored {
        confidence: calibrated.confidence,
        calibration: Arc::new(calibrated.calibration.clone()),
        gate: Some(gate),
    };
    (stored, calibrated)
}

#[cfg(test)]
mod tests;
