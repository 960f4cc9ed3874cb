//! Training of the boosted trees that rank candidates.

use std::ops::ControlFlow;
use std::sync::Arc;

use napsim_boosting::{BoostingError, Dataset, DatasetError, Ensemble, Objective, Parameters, Round, train as boost};
use napsim_predictors::ranked::{Ranker, Stored};
use napsim_predictors::ranking::{BoostedRanker, N_FEATURES, UntrainedRanker};
use serde::{Deserialize, Serialize};

use super::{Calibrated, RankingSettings, Rows, calibrate, gather};
use crate::Progress;
use crate::sequences::Sequence;

/// How the trees are grown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoostedSettings {
    /// How rows are gathered.
    pub ranking: RankingSettings,
    /// Trees at most; fewer where more do not help on the validation rows.
    pub n_rounds: u32,
    /// Splits from root to leaf.
    pub depth_max: u32,
    /// What each tree's answer is multiplied by.
    pub learning_rate: f32,
    /// Stop after so many trees that do not help.
    pub patience: u32,
}

impl Default for BoostedSettings {
    fn default() -> Self {
        Self {
            ranking: RankingSettings::default(),
            n_rounds: 160,
            depth_max: 6,
            learning_rate: 0.12,
            patience: 15,
        }
    }
}

/// Trees that rank candidates, with what goes with them.
#[derive(Clone, Debug)]
pub struct BoostedRanking {
    /// The trees.
    pub ensemble: Ensemble,
    /// Calibration and threshold.
    pub stored: Stored,
    /// The figures behind them.
    pub calibrated: Calibrated,
    /// Loss on training and validation rows after each tree of the last round.
    pub losses: Vec<(f32, f32)>,
}

/// Why trees could not be grown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoostedError {
    /// There is nothing to learn from.
    #[error("gather rows to learn from: {0}")]
    Rows(#[from] DatasetError),
    /// XGBoost is missing or refuses.
    #[error(transparent)]
    Boosting(#[from] BoostingError),
}

impl BoostedError {
    /// Whether the machine lacks something, rather than the data.
    pub fn is_environment(&self) -> bool {
        matches!(self, Self::Boosting(BoostingError::Unavailable(_)))
    }
}

/// Grows trees in two rounds, the first on moments that chance leads to and the second on those that the trees of the
/// first lead to, and calibrates what comes out.
///
/// # Errors
/// [`BoostedError`] where there are too few sequences, or XGBoost is missing.
pub fn fit_boosted(
    train: &[&Sequence],
    valid: &[&Sequence],
    settings: &BoostedSettings,
    seed: u64,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<BoostedRanking, BoostedError> {
    napsim_boosting::availability().map_err(BoostingError::Unavailable)?;
    let mut losses = Vec::new();
    let untrained = || -> Box<dyn Ranker> { Box::new(UntrainedRanker) };
    let first = grow(train, valid, &untrained, true, settings, seed, progress, &mut losses)?;
    let first = ranker(first);
    let make = || -> Box<dyn Ranker> { first.clone() };
    let ensemble = grow(
        train,
        valid,
        &make,
        false,
        settings,
        seed.wrapping_add(1),
        progress,
        &mut losses,
    )?;
    let trained = ranker(ensemble.clone());
    let calibrated = calibrate(valid, &|| -> Box<dyn Ranker> { trained.clone() }, progress);
    Ok(BoostedRanking {
        ensemble,
        stored: Stored {
            confidence: calibrated.confidence,
            calibration: Arc::new(calibrated.calibration.clone()),
            gate: None,
        },
        calibrated,
        losses,
    })
}

/// The ranker of an ensemble that was trained on its columns.
fn ranker(ensemble: Ensemble) -> Box<BoostedRanker> {
    #[expect(
        clippy::expect_used,
        reason = "the ensemble was trained on rows of just these columns"
    )]
    let ranker = BoostedRanker::new(Arc::new(ensemble)).expect("the columns of a ranking");
    Box::new(ranker)
}

#[expect(clippy::too_many_arguments, reason = "the steps of one round share all of them")]
fn grow(
    sequences: &[&Sequence],
    valid: &[&Sequence],
    make: &(dyn Fn() -> Box<dyn Ranker> + Sync),
    untrained: bool,
    settings: &BoostedSettings,
    seed: u64,
    progress: &(dyn Fn(Progress) + Sync),
    losses: &mut Vec<(f32, f32)>,
) -> Result<Ensemble, BoostedError> {
    let dataset = |sequences: &[&Sequence]| {
        let Rows {
            values,
            labels,
            weights,
            ..
        } = gather(sequences, make, untrained, &settings.ranking, seed, progress);
        Dataset::new(N_FEATURES, values, labels, Some(weights))
    };
    let (rows, valid_rows) = (dataset(sequences)?, dataset(valid)?);
    let parameters = Parameters {
        n_rounds: settings.n_rounds,
        depth_max: settings.depth_max,
        learning_rate: settings.learning_rate,
        min_child_weight: 20.0,
        subsample: 0.7,
        column_sample: 0.7,
        seed: u32::try_from(seed & 0x7FFF_FFFF).unwrap_or_default(),
        early_stopping_rounds: Some(settings.patience),
        ..Parameters::new(Objective::Logistic)
    };
    losses.clear();
    let mut report = |round: Round| {
        losses.push((round.train_loss, round.valid_loss.unwrap_or(round.train_loss)));
        progress(Progress::Fitting {
            done: u64::from(round.index) + 1,
            total: u64::from(round.of),
        });
        ControlFlow::Continue(())
    };
    Ok(boost(&parameters, &rows, Some(&valid_rows), &mut report)?)
}
