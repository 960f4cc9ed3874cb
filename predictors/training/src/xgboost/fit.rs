//! Growing the five ensembles side by side.

use std::ops::ControlFlow;
use std::sync::Mutex;

use napsim_boosting::{Dataset, Ensemble, Objective, Parameters, Round, train as boost};
use napsim_predictors::gbm_vector;
use napsim_predictors::xgboost::{FiveEnsembles, N_RANGE_NUMBERS};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::XgboostSettings;
use super::rows::Rows;
use crate::job::TrainingError;
use crate::progress::Progress;
use crate::ranking::BoostedError;

/// How many ensembles there are.
const N_ENSEMBLES: usize = 1 + N_RANGE_NUMBERS;

/// Five ensembles and how they came about, always in the order keyword, row, column, height, width.
pub(super) struct Fitted {
    pub(super) five: FiveEnsembles,
    /// Rounds kept, `[5]`.
    pub(super) rounds: Vec<u32>,
    /// The loss on the training rows after the last round kept, `[5]`: log-loss in nats, then roots of mean squared errors.
    pub(super) train_losses: Vec<f32>,
    /// The same on the validation rows; null without any.
    pub(super) valid_losses: Vec<Option<f32>>,
}

/// One ensemble to grow.
struct Task {
    objective: Objective,
    train: Dataset,
    valid: Option<Dataset>,
}

/// Grows the ensembles on the threads of the current rayon pool, of which each ensemble takes one.
pub(super) fn fit(
    settings: XgboostSettings,
    train: Rows,
    mut valid: Rows,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Fitted, TrainingError> {
    let classes = train.classes();
    if classes.len() == 1 {
        return Err(TrainingError::OneKind);
    }
    valid.retain(&classes);
    let n_classes = u32::try_from(classes.len()).unwrap_or(u32::MAX);
    let train = labelled(train, &classes, settings.window)?;
    let valid = match valid.len() {
        0 => None,
        _ => Some(labelled(valid, &classes, settings.window)?),
    };
    let mut valid = valid.map(Vec::into_iter);
    let objectives = std::iter::once(Objective::Softprob { n_classes })
        .chain(std::iter::repeat_n(Objective::SquaredError, N_RANGE_NUMBERS));
    let tasks: Vec<Task> = objectives
        .zip(train)
        .map(|(objective, train)| Task {
            objective,
            train,
            valid: valid.as_mut().and_then(Iterator::next),
        })
        .collect();
    let bar = Bar::new(&tasks, settings, progress);
    let grown = tasks
        .into_par_iter()
        .enumerate()
        .with_max_len(1)
        .map(|(idx, task)| grow(idx, &task, settings, &bar))
        .collect::<Result<Vec<Grown>, TrainingError>>()?;
    assemble(settings, classes, grown)
}

/// The rows with the labels of each ensemble in turn.
fn labelled(rows: Rows, classes: &[u8], window: usize) -> Result<Vec<Dataset>, TrainingError> {
    let (kinds, ranges) = (rows.class_labels(classes), rows.range_labels());
    let dataset =
        Dataset::new(gbm_vector::length(window), rows.into_values(), kinds, None).map_err(BoostedError::from)?;
    let mut datasets = vec![dataset.clone()];
    for labels in ranges {
        datasets.push(dataset.relabelled(labels).map_err(BoostedError::from)?);
    }
    Ok(datasets)
}

struct Grown {
    ensemble: Ensemble,
    n_rounds: u32,
    train_loss: f32,
    valid_loss: Option<f32>,
}

/// Whether training may end early. A few far jumps make up nearly all of the squared errors of places: by them the first
/// round may be the best on the validation rows, long before near places are told apart.
fn stops_early(objective: Objective) -> bool {
    objective != Objective::SquaredError
}

fn grow(idx: usize, task: &Task, settings: XgboostSettings, bar: &Bar<'_>) -> Result<Grown, TrainingError> {
    let parameters = Parameters {
        n_rounds: settings.n_rounds,
        depth_max: settings.depth_max,
        learning_rate: settings.learning_rate,
        early_stopping_rounds: settings
            .patience
            .filter(|_| task.valid.is_some() && stops_early(task.objective)),
        ..Parameters::new(task.objective)
    };
    let mut losses = Vec::new();
    let mut report = |round: Round| {
        losses.push((round.train_loss, round.valid_loss));
        bar.show(idx, round.index + 1);
        ControlFlow::Continue(())
    };
    let ensemble = boost(&parameters, &task.train, task.valid.as_ref(), &mut report).map_err(BoostedError::from)?;
    bar.show(idx, settings.n_rounds);
    let n_rounds = ensemble.n_trees() / ensemble.n_outputs();
    let (train_loss, valid_loss) = n_rounds
        .checked_sub(1)
        .and_then(|last| losses.get(last).copied())
        .unwrap_or_default();
    Ok(Grown {
        ensemble,
        n_rounds: u32::try_from(n_rounds).unwrap_or(u32::MAX),
        train_loss,
        valid_loss,
    })
}

fn assemble(settings: XgboostSettings, classes: Vec<u8>, grown: Vec<Grown>) -> Result<Fitted, TrainingError> {
    let rounds = grown.iter().map(|grown| grown.n_rounds).collect();
    let train_losses = grown.iter().map(|grown| grown.train_loss).collect();
    let valid_losses = grown.iter().map(|grown| grown.valid_loss).collect();
    let mistaken = |reason: String| {
        let section = "op-type";
        TrainingError::Model(napsim_predictors::model::ModelError::MalformedSection { section, reason })
    };
    let ensembles: Vec<Ensemble> = grown.into_iter().map(|grown| grown.ensemble).collect();
    let [op_type, row, col, height, width] = <[Ensemble; N_ENSEMBLES]>::try_from(ensembles)
        .map_err(|ensembles| mistaken(format!("{} ensembles were grown", ensembles.len())))?;
    let (mode, window) = (settings.range_mode, settings.window);
    let ranges = [row, col, height, width];
    let five = FiveEnsembles::new(mode, window, classes, op_type, ranges, String::new())
        .map_err(|error| mistaken(error.to_string()))?;
    Ok(Fitted {
        five,
        rounds,
        train_losses,
        valid_losses,
    })
}

/// How far all ensembles together have come, in trees.
struct Bar<'a> {
    /// Trees a round, `[5]`.
    trees: Vec<u64>,
    total: u64,
    /// Rounds done, `[5]`.
    done: Mutex<Vec<u64>>,
    progress: &'a (dyn Fn(Progress) + Sync),
}

impl<'a> Bar<'a> {
    fn new(tasks: &[Task], settings: XgboostSettings, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        let n_trees = |task: &Task| u64::try_from(task.objective.n_outputs()).unwrap_or(u64::MAX);
        let trees: Vec<u64> = tasks.iter().map(n_trees).collect();
        let total = trees.iter().sum::<u64>() * u64::from(settings.n_rounds);
        progress(Progress::Fitting { done: 0, total });
        Self {
            done: Mutex::new(vec![0; trees.len()]),
            trees,
            total,
            progress,
        }
    }

    fn show(&self, idx: usize, n_rounds: u32) {
        // A thread that panicked leaves nothing half done here.
        let mut done = self.done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(done) = done.get_mut(idx) {
            *done = u64::from(n_rounds);
        }
        let done = done.iter().zip(&self.trees).map(|(rounds, trees)| rounds * trees).sum();
        let total = self.total;
        (self.progress)(Progress::Fitting { done, total });
    }
}
