//! How sure a ranking may be, learnt from what became of its proposals on sequences that it was not trained on.

use napsim_predictors::ranked::{Ranker, best_of};
use napsim_predictors::ranking::{Calibration, CoveragePoint, Judged, risk_coverage};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::play::Session;
use crate::Progress;
use crate::sequences::Sequence;

/// A fitted calibration, with the threshold chosen and the figures behind the choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibrated {
    /// From scores to probabilities.
    pub calibration: Calibration,
    /// The least confidence with which to propose.
    pub confidence: f32,
    /// Coverage and risk at each confidence.
    pub curve: Vec<CoveragePoint>,
    /// Savings at each confidence.
    pub on_policy: Vec<OnPolicy>,
}

/// What a ranking saves on the validation sequences, proposing one action at a time with at least some confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnPolicy {
    /// The least confidence with which it proposes.
    pub confidence: f32,
    /// User actions saved: mean over the sequences of their share.
    pub uas: f64,
    /// Share of proposals taken, over all sequences.
    pub acceptance: f64,
    /// Proposals.
    pub n_proposals: usize,
    /// Sequences.
    pub n_sequences: usize,
}

impl Calibrated {
    /// What a model's card says of it.
    pub fn metrics(&self) -> serde_json::Value {
        serde_json::json!({
            "confidence": self.confidence,
            "on_policy": self.on_policy,
            "risk_coverage": self.curve,
        })
    }

    /// The figures at the threshold that was chosen.
    pub fn chosen(&self) -> Option<&OnPolicy> {
        self.on_policy
            .iter()
            .rev()
            .find(|point| point.confidence <= self.confidence)
    }
}

/// Of what is saved without any threshold, the share that the chosen threshold keeps at least.
const SAVINGS_KEPT: f64 = 0.97;

/// The thresholds that are tried, each by working through all sequences anew.
const THRESHOLDS: [f32; 7] = [0.02, 0.04, 0.06, 0.1, 0.15, 0.25, 0.5];

/// What became of a sequence.
#[derive(Clone, Debug, Default)]
struct Played {
    judged: Vec<Judged>,
    n_chances: usize,
    user_steps: usize,
    n_actions: usize,
}

/// Fits a calibration to what becomes of the best candidates, and chooses the highest threshold that keeps nearly all
/// savings.
pub fn calibrate(
    sequences: &[&Sequence],
    make: &(dyn Fn() -> Box<dyn Ranker> + Sync),
    progress: &(dyn Fn(Progress) + Sync),
) -> Calibrated {
    let first = play_all(sequences, make, &|_| true, progress);
    let all: Vec<Judged> = first.iter().flat_map(|played| played.judged.iter().copied()).collect();
    let n_chances = first.iter().map(|played| played.n_chances).sum();
    let calibration = Calibration::fit(&all);
    let sure: Vec<(f32, bool)> = all
        .iter()
        .map(|judged| (calibration.probability(judged.score), judged.right))
        .collect();
    let mut on_policy = vec![summary(0.0, &first)];
    for confidence in THRESHOLDS {
        let proposes = |score: f32| calibration.probability(score) >= confidence;
        on_policy.push(summary(confidence, &play_all(sequences, make, &proposes, progress)));
    }
    let least = on_policy.first().map_or(0.0, |point| point.uas) * SAVINGS_KEPT;
    let kept = on_policy.iter().take_while(|point| point.uas >= least);
    Calibrated {
        confidence: kept.last().map_or(0.0, |point| point.confidence),
        curve: risk_coverage(&sure, n_chances),
        calibration,
        on_policy,
    }
}

fn play_all(
    sequences: &[&Sequence],
    make: &(dyn Fn() -> Box<dyn Ranker> + Sync),
    proposes: &(dyn Fn(f32) -> bool + Sync),
    progress: &(dyn Fn(Progress) + Sync),
) -> Vec<Played> {
    let total = sequences.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    let play = |sequence: &&Sequence| {
        let played = play(sequence, make().as_mut(), proposes);
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        progress(Progress::Evaluating { done, total });
        played
    };
    sequences.par_iter().map(play).collect()
}

fn play(sequence: &Sequence, ranker: &mut dyn Ranker, proposes: &dyn Fn(f32) -> bool) -> Played {
    let mut played = Played {
        n_actions: sequence.actions.len(),
        user_steps: sequence.actions.len(),
        ..Played::default()
    };
    let Some(mut session) = Session::new(&sequence.actions) else {
        return played;
    };
    let (mut rows, mut scores) = (Vec::new(), Vec::new());
    ranker.begin();
    while session.step() {
        loop {
            session.look(ranker, &mut rows);
            ranker.weigh(&rows, &mut scores);
            played.n_chances += 1;
            let best = best_of(session.desk.candidates(), &scores);
            let Some((candidate, score)) = best.filter(|(_, score)| proposes(*score)) else {
                session.desk.offer(&[]);
                break;
            };
            let (taken, more) = session.propose(candidate);
            played.judged.push(Judged { score, right: taken });
            if !(taken && more) {
                break;
            }
        }
    }
    played.user_steps = session.user_steps;
    played
}

#[expect(clippy::cast_precision_loss, reason = "counts")]
fn summary(confidence: f32, played: &[Played]) -> OnPolicy {
    let saved = |played: &Played| 1.0 - played.user_steps as f64 / played.n_actions.max(1) as f64;
    let n_proposals: usize = played.iter().map(|played| played.judged.len()).sum();
    let n_taken = played
        .iter()
        .flat_map(|played| &played.judged)
        .filter(|judged| judged.right)
        .count();
    OnPolicy {
        confidence,
        uas: played.iter().map(saved).sum::<f64>() / played.len().max(1) as f64,
        acceptance: n_taken as f64 / n_proposals.max(1) as f64,
        n_proposals,
        n_sequences: played.len(),
    }
}
