//! Training of the n-gram.

use std::sync::Arc;

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::model::{Model, ModelKind};
use napsim_predictors::ngram::{KIND_VERSION, NgramConfig, NgramModel, Trainer, TrainerOptions, sections};
use napsim_predictors::{Context, Ngram};
use serde_json::{Map, Value, json};

use crate::evaluation::evaluate;
use crate::job::{Job, Trained, TrainingError};
use crate::progress::Progress;
use crate::sequences::{Part, Sequence, visit};

/// Settings of the training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NgramSettings {
    /// How ranges enter the symbols.
    pub range_mode: RangeMode,
    /// Longest context.
    pub max_n: usize,
    /// Contexts of several symbols, and successors, that occur less often are left out.
    pub min_count: u32,
}

impl Default for NgramSettings {
    fn default() -> Self {
        Self {
            range_mode: RangeMode::Relative,
            max_n: 5,
            min_count: 1,
        }
    }
}

/// What is needed of a sequence.
enum Needed {
    Train(Vec<Feature>),
    Valid(Sequence),
}

/// Counts what follows what, and measures the model on the validation sequences.
///
/// # Errors
/// [`TrainingError`] where the data cannot be used.
pub fn train(
    job: &Job,
    settings: NgramSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Trained, TrainingError> {
    let mut trainer = Trainer::new(TrainerOptions {
        range_mode: settings.range_mode,
        max_n: settings.max_n,
    });
    let mut valid = Vec::new();
    let report = visit(&job.corpora, job.reading(), progress, needed, |needed| match needed {
        Needed::Train(features) => trainer.push(&features),
        Needed::Valid(sequence) => valid.push(sequence),
    })?;
    progress(Progress::Fitting { done: 0, total: 0 });
    let tables = trainer.finish(settings.min_count);
    let mut card = job.card(ModelKind::Ngram, KIND_VERSION, &report);
    card.settings = described(settings);
    let sections = sections(&tables).map_err(std::io::Error::from)?;
    card.metrics.insert("n_symbols".to_owned(), json!(tables.symbols.len()));
    card.metrics
        .insert("n_contexts".to_owned(), json!(tables.contexts.n_contexts()));
    card.metrics
        .insert("n_successors".to_owned(), json!(tables.contexts.n_successors()));
    let measured = Arc::new(NgramModel::new(tables, String::new()));
    let config = NgramConfig {
        max_actions: 1,
        stop_on_type_change: true,
        context: Context::All,
    };
    let make = || -> Box<dyn napsim_sim::predictor::Predictor> { Box::new(Ngram::new(Arc::clone(&measured), config)) };
    let evaluation = evaluate(&valid, &make, job.evaluation(), progress);
    let evaluation = serde_json::to_value(evaluation).map_err(std::io::Error::from)?;
    card.metrics.insert("next_action".to_owned(), evaluation);
    let model = Model::new(card, sections);
    Ok(Trained { model, report })
}

fn needed(sequence: Sequence) -> Needed {
    if sequence.part != Part::Train {
        return Needed::Valid(sequence);
    }
    let mut features: Vec<Feature> = Vec::with_capacity(sequence.actions.len());
    for action in &sequence.actions {
        let feature = Feature::of_next(&action.to_string(), features.last());
        features.push(feature);
    }
    Needed::Train(features)
}

fn described(settings: NgramSettings) -> Map<String, Value> {
    let NgramSettings {
        range_mode,
        max_n,
        min_count,
    } = settings;
    let members = [
        ("range_mode", json!(range_mode.name())),
        ("max_n", json!(max_n)),
        ("min_count", json!(min_count)),
    ];
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[cfg(test)]
mod tests;
