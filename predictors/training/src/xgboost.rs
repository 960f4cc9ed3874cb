//! Training of the published boosted trees (spec chapter 03, 7.2).

mod fit;
mod rows;

use std::sync::Arc;

use napsim_boosting::{BoostingError, availability, xgboost_version};
use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::model::{Model, ModelKind};
use napsim_predictors::xgboost::{
    FEATURES_SETTING, FEATURES_V1, FiveEnsembles, KIND_VERSION, Xgboost, XgboostConfig, sections,
};
use serde_json::{Map, Value, json};

use crate::evaluation::evaluate;
use crate::job::{Job, Trained, TrainingError};
use crate::progress::Progress;
use crate::ranking::BoostedError;
use crate::sequences::{Part, Sequence, visit};

use fit::fit;
use rows::Rows;

/// Fewest actions of a sequence that is learnt from, as published.
const ACTIONS_MIN: usize = 3;

/// Settings of the training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct XgboostSettings {
    /// How ranges are described.
    pub range_mode: RangeMode,
    /// How many of the last actions are looked at.
    pub window: usize,
    /// Most rounds: trees for each class and each range number.
    pub n_rounds: u32,
    /// Splits from root to leaf at most.
    pub depth_max: u32,
    /// What each tree's answer is multiplied by.
    pub learning_rate: f32,
    /// Stop growing trees of the keyword after so many rounds that do not help on the validation rows; those of the range
    /// numbers go through all rounds. None trains all rounds, and so does a lack of validation sequences.
    pub patience: Option<u32>,
    /// Most rows; where there are more, so many are drawn. None takes all.
    pub rows_max: Option<usize>,
    /// Learn from the first so many sequences of at least three actions. None takes all.
    pub sequences_max: Option<usize>,
    /// The label of actions whose keyword is not in the vocabulary.
    pub unknown_as: UnknownAs,
}

/// The label of actions whose keyword is not in the vocabulary, above all AUTOFILL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownAs {
    /// As published: that of ALIGN_HORIZONTAL, whose predictions they spoil (Q12).
    Published,
    /// A class of their own. Where it is the likeliest, nothing is proposed.
    OwnClass,
}

impl UnknownAs {
    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::OwnClass => "own-class",
        }
    }
}

impl Default for XgboostSettings {
    /// What trains in minutes and gives a small file: fewer rounds of larger steps, ended early, on a sample of the rows.
    fn default() -> Self {
        Self {
            n_rounds: 60,
            learning_rate: 0.15,
            patience: Some(5),
            rows_max: Some(150_000),
            unknown_as: UnknownAs::OwnClass,
            ..Self::published()
        }
    }
}

impl XgboostSettings {
    /// The published settings.
    pub fn published() -> Self {
        Self {
            range_mode: RangeMode::Relative,
            window: 10,
            n_rounds: 200,
            depth_max: 6,
            learning_rate: 0.1,
            patience: None,
            rows_max: None,
            sequences_max: Some(5_000),
            unknown_as: UnknownAs::Published,
        }
    }

    fn described(self) -> Map<String, Value> {
        let members = [
            (FEATURES_SETTING, json!(FEATURES_V1)),
            ("range_mode", json!(self.range_mode.name())),
            ("window", json!(self.window)),
            ("rounds", json!(self.n_rounds)),
            ("depth", json!(self.depth_max)),
            // In its short spelling, which the widened number would not have.
            ("learning_rate", json!(self.learning_rate.to_string())),
            ("patience", json!(self.patience)),
            ("rows_max", json!(self.rows_max)),
            ("max_sequences", json!(self.sequences_max)),
            ("unknown_as", json!(self.unknown_as.name())),
        ];
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// What is needed of a sequence: its features, and of one for validation the actions too.
struct Needed {
    features: Vec<Feature>,
    valid: Option<Sequence>,
}

/// Grows the five ensembles, and measures the model on the validation sequences.
///
/// # Errors
/// [`TrainingError`] where XGBoost is missing or the data cannot be used.
pub fn train(
    job: &Job,
    settings: XgboostSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Trained, TrainingError> {
    // Before minutes of reading.
    availability().map_err(unavailable)?;
    let version = xgboost_version().map_err(unavailable)?;
    let mut train_rows = Rows::new(settings, settings.rows_max, job.seed);
    // A quarter of the training rows is more than enough to tell when to stop.
    let mut valid_rows = Rows::new(settings, settings.rows_max.map(|n| n.div_ceil(4)), job.seed);
    let mut valid = Vec::new();
    let mut n_sequences = 0;
    let report = visit(&job.corpora, job.reading(), progress, needed, |needed| {
        let Needed {
            features,
            valid: held_out,
        } = needed;
        let is_long = features.len() >= ACTIONS_MIN;
        match held_out {
            Some(sequence) => {
                if is_long {
                    valid_rows.push(&features);
                }
                valid.push(sequence);
            }
            None if is_long && settings.sequences_max.is_none_or(|n_max| n_sequences < n_max) => {
                n_sequences += 1;
                train_rows.push(&features);
            }
            None => {}
        }
    })?;
    let mut card = job.card(ModelKind::Xgboost, KIND_VERSION, &report);
    card.settings = settings.described();
    let mut measure = |name: &str, value: Value| card.metrics.insert(name.to_owned(), value);
    measure("xgboost", json!(version));
    measure("n_sequences", json!(n_sequences));
    measure("n_rows", json!(train_rows.len()));
    let fitted = fit(settings, train_rows, valid_rows, progress)?;
    measure("rounds", json!(fitted.rounds));
    measure("train_loss", json!(fitted.train_losses));
    measure("valid_loss", json!(fitted.valid_losses));
    measure("n_nodes", json!(n_nodes(&fitted.five)));
    let sections = sections(&fitted.five).map_err(std::io::Error::from)?;
    let five = Arc::new(fitted.five);
    let config = XgboostConfig {
        max_actions: 1,
        ..XgboostConfig::default()
    };
    let make = || -> Box<dyn napsim_sim::predictor::Predictor> { Box::new(Xgboost::new(Arc::clone(&five), config)) };
    let evaluation = evaluate(&valid, &make, job.evaluation(), progress);
    measure(
        "next_action",
        serde_json::to_value(evaluation).map_err(std::io::Error::from)?,
    );
    Ok(Trained {
        model: Model::new(card, sections),
        report,
    })
}

fn needed(sequence: Sequence) -> Needed {
    let mut features: Vec<Feature> = Vec::with_capacity(sequence.actions.len());
    for action in &sequence.actions {
        let feature = Feature::of_next(&action.to_string(), features.last());
        features.push(feature);
    }
    Needed {
        features,
        valid: (sequence.part != Part::Train).then_some(sequence),
    }
}

fn unavailable(reason: String) -> BoostedError {
    BoostedError::Boosting(BoostingError::Unavailable(reason))
}

fn n_nodes(five: &FiveEnsembles) -> usize {
    let ranges: usize = five.ranges().iter().map(napsim_boosting::Ensemble::n_nodes).sum();
    five.op_type().n_nodes() + ranges
}

#[cfg(test)]
mod tests;
