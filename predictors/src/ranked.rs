//! The predictor that offers the best of many candidates, whatever model ranks them.

mod stored;

use std::fmt;
use std::sync::Arc;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::candidates::Candidate;
use crate::context::Context;
use crate::ranking::{Calibration, Desk};
use crate::reading::as_written;

pub use stored::Stored;

/// A model that says how likely each candidate is.
pub trait Ranker: fmt::Debug + Send {
    /// Columns of a description.
    fn n_columns(&self) -> usize;

    /// A trajectory begins.
    fn begin(&mut self);

    /// Describes the candidates that the desk made last, a row each: `[n_candidates, n_columns]`. These rows are what
    /// the weighing part of the model is trained on.
    fn describe(&mut self, desk: &Desk, rows: &mut Vec<f32>);

    /// Log-odds of each row. Higher is better.
    fn weigh(&self, rows: &[f32], scores: &mut Vec<f32>);
}

/// What a ranked predictor may be told.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedConfig {
    /// The least confidence with which an action is proposed, from 0 to 1.
    pub confidence: f32,
    /// Most actions proposed at once.
    pub actions_max: usize,
    /// How much of the history it knows.
    pub context: Context,
}

/// The confidence that an action needs after the first one: a wrong one spoils the whole proposal.
const CONFIDENCE_LATER: f32 = 0.5;

/// Proposes the likeliest candidate and, where several actions may be proposed, the likeliest after it, and so on.
///
/// A candidate that was refused is not proposed again. Where even the likeliest one is not likely enough, nothing is
/// proposed.
#[derive(Debug)]
pub struct Ranked {
    fingerprint: Fingerprint,
    config: RankedConfig,
    calibration: Arc<Calibration>,
    desk: Desk,
    ranker: Box<dyn Ranker>,
    rows: Vec<f32>,
    scores: Vec<f32>,
}

impl Ranked {
    /// A predictor that has seen nothing. `identity` names the model with the hash of its weights.
    pub fn new(identity: &str, config: RankedConfig, calibration: Arc<Calibration>, ranker: Box<dyn Ranker>) -> Self {
        let RankedConfig {
            confidence,
            actions_max,
            context,
        } = &config;
        let version = env!("CARGO_PKG_VERSION");
        let fingerprint = format!(
            "{identity}/{version}?values=v2&confidence={confidence}&max_actions={actions_max}&context={context}"
        );
        Self {
            fingerprint: Fingerprint(fingerprint),
            config,
            calibration,
            desk: Desk::default(),
            ranker,
            rows: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// The likeliest candidate of the moment with its probability.
    fn best(&mut self) -> Option<(Candidate, f32)> {
        self.desk.make_candidates();
        self.ranker.describe(&self.desk, &mut self.rows);
        self.ranker.weigh(&self.rows, &mut self.scores);
        let (candidate, score) = best_of(self.desk.candidates(), &self.scores)?;
        Some((candidate, self.calibration.probability(score)))
    }
}

/// The candidate with the highest score; of equals the one made first.
pub fn best_of(candidates: &[Candidate], scores: &[f32]) -> Option<(Candidate, f32)> {
    let mut best: Option<(Candidate, f32)> = None;
    for (candidate, score) in candidates.iter().zip(scores) {
        if best.is_none_or(|(_, highest)| *score > highest) {
            best = Some((*candidate, *score));
        }
    }
    best
}

impl Predictor for Ranked {
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.clone()
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.desk.clear();
        self.ranker.begin();
    }

    fn observe(&mut self, actions: &[Action]) {
        self.desk.observe(actions);
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let n_dropped = self.config.context.n_dropped(view.history.len());
        if n_dropped > 0 {
            self.desk.forget_before(n_dropped, view.history);
            self.ranker.begin();
        }
        let budget = budget.actions_max.and_then(|n| usize::try_from(n).ok());
        let actions_max = budget.unwrap_or(usize::MAX).min(self.config.actions_max);
        let mut offers: Vec<Candidate> = Vec::new();
        while offers.len() < actions_max {
            let Some((candidate, probability)) = self.best() else {
                break;
            };
            let needed = if offers.is_empty() {
                self.config.confidence
            } else {
                self.config.confidence.max(CONFIDENCE_LATER)
            };
            let action = self.desk.action(&candidate).filter(|_| probability >= needed);
            let Some(action) = action.as_ref().and_then(as_written) else {
                break;
            };
            out.push(action, Some(probability.into()));
            offers.push(candidate);
            if offers.len() < actions_max {
                self.desk.scene.imagine(candidate.edit, candidate.place);
            }
        }
        self.desk.scene.wake();
        self.desk.offer(&offers);
        Ok(Usage::default())
    }

    fn withdrawn(&mut self) {
        self.desk.offer(&[]);
    }

    fn refused(&mut self, actions: &[Action]) {
        self.desk.refuse(actions);
    }
}
