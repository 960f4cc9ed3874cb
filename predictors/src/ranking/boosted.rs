//! Candidates ranked by gradient-boosted trees on their features.

use std::sync::Arc;

use napsim_boosting::Ensemble;

use super::{Desk, N_FEATURES};
use crate::ranked::Ranker;

/// Ranks candidates by an ensemble that was trained on the columns of [`FEATURES`](super::FEATURES).
#[derive(Clone, Debug)]
pub struct BoostedRanker {
    ensemble: Arc<Ensemble>,
}

impl BoostedRanker {
    /// A ranker; none where the ensemble has other columns or outputs.
    pub fn new(ensemble: Arc<Ensemble>) -> Option<Self> {
        let fits = ensemble.n_columns() == N_FEATURES && ensemble.n_outputs() == 1;
        fits.then_some(Self { ensemble })
    }
}

impl Ranker for BoostedRanker {
    fn n_columns(&self) -> usize {
        N_FEATURES
    }

    fn begin(&mut self) {}

    fn describe(&mut self, desk: &Desk, rows: &mut Vec<f32>) {
        desk.features(rows);
    }

    fn weigh(&self, rows: &[f32], scores: &mut Vec<f32>) {
        scores.clear();
        scores.resize(rows.len() / N_FEATURES, 0.0);
        let weighed = self.ensemble.margins_of_rows(rows, scores);
        debug_assert!(weighed.is_ok(), "the shapes were compared when the ranker was made");
    }
}

/// Describes candidates for the training of an ensemble, and weighs them all alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct UntrainedRanker;

impl Ranker for UntrainedRanker {
    fn n_columns(&self) -> usize {
        N_FEATURES
    }

    fn begin(&mut self) {}

    fn describe(&mut self, desk: &Desk, rows: &mut Vec<f32>) {
        desk.features(rows);
    }

    fn weigh(&self, rows: &[f32], scores: &mut Vec<f32>) {
        scores.clear();
        scores.resize(rows.len() / N_FEATURES, 0.0);
    }
}
