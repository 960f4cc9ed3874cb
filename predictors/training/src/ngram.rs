//! Training of the n-gram.

use std::sync::Arc;

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::model::{Model, ModelKind};
use napsim_predictors::ngram::{KIND_VERSION, NgramConfig, NgramModel, NgramRanker, Trainer, TrainerOptions, sections};
use napsim_predictors::ranked::Ranker;
use napsim_predictors::ranking::Gate;
use napsim_predictors::{Context, Ngram};
use serde_json::{Map, Value, json};

use crate::evaluation::evaluate;
use crate::job::{Job, Trained, TrainingError};
use crate::progress::Progress;
use crate::ranking::{RankingSettings, Reservoir, draw, fit_gate};
use crate::sequences::{Part, Sequence, visit};

/// Settings of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct NgramSettings {
    /// How ranges enter the symbols.
    pub range_mode: RangeMode,
    /// Longest context.
    pub max_n: usize,
    /// Contexts of several symbols, and successors, that occur less often are left out.
    pub min_count: u32,
    /// How the ranking of candidates is fitted; none leaves it out, so that only the published decoding is possible.
    pub ranking: Option<RankingSettings>,
}

impl Default for NgramSettings {
    fn default() -> Self {
        Self {
            range_mode: RangeMode::Relative,
            max_n: 5,
            min_count: 1,
            ranking: Some(RankingSettings {
                n_train: 60,
                n_valid: 40,
                ..RankingSettings::default()
            }),
        }
    }
}

/// What is needed of a sequence.
enum Needed {
    Train(Vec<Feature>, Sequence),
    Valid(Sequence),
}

/// Counts what follows what, and measures the model on the validation sequences.
///
/// # Errors
/// [`TrainingError`] where the data cannot be used.
pub fn train(
    job: &Job,
    settings: &NgramSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Trained, TrainingError> {
    let mut trainer = Trainer::new(TrainerOptions {
        range_mode: settings.range_mode,
        max_n: settings.max_n,
    });
    let mut valid = Vec::new();
    let n_kept = settings.ranking.as_ref().map_or(0, |ranking| ranking.n_train);
    let mut kept = Reservoir::new(n_kept, job.seed);
    let report = visit(&job.corpora, job.reading(), progress, needed, |needed| match needed {
        Needed::Train(features, sequence) => {
            trainer.push(&features);
            kept.push(sequence);
        }
        Needed::Valid(sequence) => valid.push(sequence),
    })?;
    progress(Progress::Fitting { done: 0, total: 0 });
    let tables = trainer.finish(settings.min_count);
    let mut card = job.card(ModelKind::Ngram, KIND_VERSION, &report);
    card.settings = described(settings);
    let mut sections = sections(&tables).map_err(std::io::Error::from)?;
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
    if let Some(ranking) = &settings.ranking {
        let train = kept.into_sequences();
        let (train, valid) = (
            draw(&train, ranking.n_train, job.seed),
            draw(&valid, ranking.n_valid, job.seed),
        );
        // Without sequences that can be worked through nothing can be learnt of candidates.
        if !(train.is_empty() || valid.is_empty()) {
            let make = |gate: Arc<Gate>| -> Box<dyn Ranker> { Box::new(NgramRanker::new(Arc::clone(&measured), gate)) };
            let (stored, calibrated) = fit_gate(&train, &valid, &make, ranking, job.seed, progress);
            sections.push(stored.section().map_err(std::io::Error::from)?);
            card.metrics.insert("ranking".to_owned(), calibrated.metrics());
        }
    }
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
    Needed::Train(features, sequence)
}

fn described(settings: &NgramSettings) -> Map<String, Value> {
    let NgramSettings {
        range_mode,
        max_n,
        min_count,
        ranking,
    } = settings;
    let members = [
        ("range_mode", json!(range_mode.name())),
        ("max_n", json!(max_n)),
        ("min_count", json!(min_count)),
        ("ranking", json!(ranking)),
    ];
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

#[cfg(test)]
mod tests;
