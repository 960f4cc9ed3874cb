//! Training of the recurrent network.

use std::ops::ControlFlow;
use std::sync::Arc;

use napsim_predictors::feature::RangeMode;
use napsim_predictors::lstm::{KIND_VERSION, Lstm, LstmConfig, LstmModel, LstmRanker, sections, tokens};
use napsim_predictors::model::{Model, ModelKind};
use napsim_predictors::ranked::Ranker;
use napsim_predictors::ranking::Gate;
use napsim_recurrent::{Checkpoint, Ending, EpochReport, Settings, Token};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use crate::evaluation::evaluate;
use crate::job::{Job, Trained, TrainingError};
use crate::progress::Progress;
use crate::ranking::{RankingSettings, Reservoir, draw, fit_gate};
use crate::sequences::{DataReport, Part, Sequence, visit};

/// Settings of the training.
#[derive(Clone, Debug, PartialEq)]
pub struct LstmSettings {
    /// How ranges enter the tokens.
    pub range_mode: RangeMode,
    /// The network; its seed is that of the job.
    pub network: Settings,
    /// Training sequences that the network learns from at most, drawn by the seed; none means all.
    pub sequences_max: Option<usize>,
    /// Training sequences of fewer actions are left out.
    pub actions_min: usize,
    /// How the ranking of candidates is fitted; none leaves it out, so that only the published decoding is possible.
    pub ranking: Option<RankingSettings>,
}

impl Default for LstmSettings {
    fn default() -> Self {
        Self {
            range_mode: RangeMode::Relative,
            network: Settings {
                tokens_per_epoch_max: Some(300_000),
                epochs_max: 30,
                ..Settings::default()
            },
            sequences_max: None,
            actions_min: 2,
            ranking: Some(RankingSettings {
                n_train: 60,
                n_valid: 40,
                ..RankingSettings::default()
            }),
        }
    }
}

impl LstmSettings {
    /// The published set-up (spec chapter 03, 6.2 and 6.3), save that whole sequences are held out and everything random
    /// has a seed (Q12).
    pub fn published() -> Self {
        Self {
            network: Settings::published(),
            actions_min: 3,
            ..Self::default()
        }
    }
}

/// Who is told of epochs and batches, and may break off.
pub type Listener<'a> = dyn FnMut(napsim_recurrent::Progress<'_>) -> ControlFlow<()> + Send + 'a;

/// How a training went.
#[derive(Clone, Debug)]
pub struct LstmTrained {
    /// The model; none where the training was broken off.
    pub trained: Option<Trained>,
    /// Every epoch, those before a resumption too.
    pub epochs: Vec<EpochReport>,
    /// Why it ended.
    pub ending: Ending,
}

/// What is needed of a sequence.
struct Needed {
    tokens: Vec<Token>,
    sequence: Sequence,
}

/// Training data as the network sees them.
struct Data {
    train: Vec<Vec<Token>>,
    valid: Vec<Vec<Token>>,
    /// Training sequences for the ranking.
    kept: Vec<Sequence>,
    valid_sequences: Vec<Sequence>,
}

/// Trains a network, from a checkpoint on where one is given, and measures it on the validation sequences.
///
/// The same data, settings and seed give the same bytes, also where the training was broken off and taken up again.
///
/// # Errors
/// [`TrainingError`] where the data cannot be used or do not go with the checkpoint, and for settings out of bounds.
pub fn train(
    job: &Job,
    settings: &LstmSettings,
    start: Option<Checkpoint>,
    progress: &(dyn Fn(Progress) + Sync),
    listener: &mut Listener<'_>,
) -> Result<LstmTrained, TrainingError> {
    let network_settings = Settings {
        seed: job.seed,
        ..settings.network.clone()
    };
    network_settings.check()?;
    let (data, report) = read(job, settings, progress)?;
    let fitted = napsim_recurrent::train(&network_settings, &data.train, &data.valid, start, listener)?;
    if fitted.ending == Ending::Interrupted {
        return Ok(LstmTrained {
            trained: None,
            epochs: fitted.epochs,
            ending: fitted.ending,
        });
    }
    let mut card = job.card(ModelKind::Lstm, KIND_VERSION, &report);
    card.settings = described(settings, &network_settings);
    card.metrics = measured_epochs(&fitted.epochs);
    let mut sections = sections(&fitted.network, settings.range_mode)?;
    let model = Arc::new(LstmModel::new(fitted.network, settings.range_mode, String::new()));
    let evaluation = measure(&model, &data.valid_sequences, job, progress);
    card.metrics
        .insert("n_parameters".to_owned(), json!(model.network().n_parameters()));
    card.metrics.insert(
        "next_action".to_owned(),
        serde_json::to_value(evaluation).map_err(std::io::Error::from)?,
    );
    if let Some(ranking) = &settings.ranking {
        let train = draw(&data.kept, ranking.n_train, job.seed);
        let valid = draw(&data.valid_sequences, ranking.n_valid, job.seed);
        // Without sequences to work through there is nothing to fit, and the published decoding remains.
        if !train.is_empty() && !valid.is_empty() {
            let make = |gate: Arc<Gate>| -> Box<dyn Ranker> { Box::new(LstmRanker::new(Arc::clone(&model), gate)) };
            let (stored, calibrated) = fit_gate(&train, &valid, &make, ranking, job.seed, progress);
            sections.push(stored.section().map_err(std::io::Error::from)?);
            card.metrics.insert("ranking".to_owned(), calibrated.metrics());
        }
    }
    Ok(LstmTrained {
        trained: Some(Trained {
            model: Model::new(card, sections),
            report,
        }),
        epochs: fitted.epochs,
        ending: fitted.ending,
    })
}

/// Reads the data and turns them into tokens.
fn read(
    job: &Job,
    settings: &LstmSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Data, DataReport), TrainingError> {
    let n_kept = settings.ranking.as_ref().map_or(0, |ranking| ranking.n_train);
    let mut data = Data {
        train: Vec::new(),
        valid: Vec::new(),
        kept: Vec::new(),
        valid_sequences: Vec::new(),
    };
    let mut kept = Reservoir::new(n_kept, job.seed);
    let needed = |sequence: Sequence| Needed {
        tokens: tokens(sequence.actions.iter().map(ToString::to_string), settings.range_mode),
        sequence,
    };
    let report = visit(
        &job.corpora,
        job.reading(),
        progress,
        needed,
        |Needed { tokens, sequence }| {
            if sequence.part == Part::Train {
                data.train
                    .extend(Some(tokens).filter(|tokens| tokens.len() >= settings.actions_min));
                kept.push(sequence);
            } else {
                data.valid.push(tokens);
                data.valid_sequences.push(sequence);
            }
        },
    )?;
    data.kept = kept.into_sequences();
    limit(&mut data.train, settings.sequences_max, job.seed);
    Ok((data, report))
}

/// Keeps so many of the sequences, drawn by the seed, in their order.
fn limit(sequences: &mut Vec<Vec<Token>>, n_max: Option<usize>, seed: u64) {
    let Some(n_max) = n_max.filter(|n_max| *n_max < sequences.len()) else {
        return;
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = rand::seq::index::sample(&mut random, sequences.len(), n_max).into_vec();
    drawn.sort_unstable();
    *sequences = drawn
        .into_iter()
        .filter_map(|idx| sequences.get_mut(idx).map(std::mem::take))
        .collect();
}

/// How often the published decoding names the next action.
fn measure(
    model: &Arc<LstmModel>,
    valid: &[Sequence],
    job: &Job,
    progress: &(dyn Fn(Progress) + Sync),
) -> crate::evaluation::Evaluation {
    let config = LstmConfig {
        max_actions: 1,
        ..LstmConfig::default()
    };
    let make = || -> Box<dyn napsim_sim::predictor::Predictor> { Box::new(Lstm::new(Arc::clone(model), config)) };
    evaluate(valid, &make, job.evaluation(), progress)
}

fn described(settings: &LstmSettings, network: &Settings) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("range_mode".to_owned(), json!(settings.range_mode.name()));
    members.insert("sequences_max".to_owned(), json!(settings.sequences_max));
    members.insert("actions_min".to_owned(), json!(settings.actions_min));
    if let Ok(Value::Object(network)) = serde_json::to_value(network) {
        members.extend(network);
    }
    members.insert("ranking".to_owned(), json!(settings.ranking));
    members
}

/// Losses and accuracies of every epoch, and the epoch whose weights were kept.
fn measured_epochs(epochs: &[EpochReport]) -> Map<String, Value> {
    let mut metrics = Map::new();
    if let Some(best) = epochs.iter().rev().find(|report| report.best) {
        metrics.insert("best_epoch".to_owned(), json!(best.epoch));
        metrics.insert("training_loss".to_owned(), json!(best.train.loss));
        if let Some(valid) = &best.valid {
            metrics.insert("validation_loss".to_owned(), json!(valid.loss));
            let names = ["keyword", "row", "column", "height", "width", "value_type"];
            let heads: Map<String, Value> = names
                .iter()
                .zip(valid.accuracy)
                .map(|(name, share)| ((*name).to_owned(), json!(share)))
                .collect();
            metrics.insert("validation_accuracy".to_owned(), Value::Object(heads));
        }
    }
    metrics.insert("epochs".to_owned(), json!(epochs));
    metrics
}

#[cfg(test)]
mod tests;
