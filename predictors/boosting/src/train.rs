//! Training by XGBoost.

use std::ops::ControlFlow;

use thiserror::Error;
use xgboost_rs::parameters::learning::{
    EvaluationMetric, LearningTaskParameters, LearningTaskParametersBuilder, Metrics, Objective as LibraryObjective,
};
use xgboost_rs::parameters::tree::{
    TreeBoosterParameters, TreeBoosterParametersBuilder, TreeMethod as LibraryTreeMethod,
};
use xgboost_rs::parameters::{BoosterParameters, BoosterParametersBuilder, BoosterType};
use xgboost_rs::{Booster, DMatrix, XGBError};

use crate::dataset::Dataset;
use crate::ensemble::Ensemble;
use crate::objective::Objective;
use crate::parameters::{ParameterError, Parameters, TreeMethod};
use crate::xgboost_model::{self, ModelError};

/// How many threads XGBoost may use: one, so that the same dataset gives the same trees on every machine.
///
/// Who trains several ensembles trains them side by side instead.
const N_THREADS: u32 = 1;

/// Where training stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// The round that was just done, from 0.
    pub index: u32,
    /// How many rounds there are at most.
    pub of: u32,
    /// The loss on the training rows: log-loss in nats, or the root of the mean squared error.
    pub train_loss: f32,
    /// The same on the validation rows, where there are any.
    pub valid_loss: Option<f32>,
}

/// Why nothing was trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BoostingError {
    /// XGBoost is not there. The text says how to install it.
    #[error("train: {0}")]
    Unavailable(String),
    /// A parameter is out of its bounds.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A label does not fit the objective.
    #[error("use {label} as the label of row {row} (expected {expected})")]
    Label {
        /// The row, from 0.
        row: usize,
        /// Its label.
        label: f32,
        /// What labels may be.
        expected: &'static str,
    },
    /// The validation rows have other columns than the training rows.
    #[error("validate with {valid} columns what was trained with {train}")]
    Columns {
        /// How many columns the training rows have.
        train: usize,
        /// How many the validation rows have.
        valid: usize,
    },
    /// Training should stop early but there are no validation rows to tell when.
    #[error("stop early without validation rows")]
    NothingToStopBy,
    /// XGBoost said no.
    #[error("train: {0}")]
    Library(String),
    /// XGBoost's trees could not be read.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Whoever watches the progress said that it is enough.
    #[error("train to the end: stopped after round {index}")]
    Stopped {
        /// The last round that was done, from 0.
        index: u32,
    },
}

impl From<XGBError> for BoostingError {
    fn from(error: XGBError) -> BoostingError {
        BoostingError::Library(error.to_string())
    }
}

/// Tells whether [`train`] can train: XGBoost is installed.
///
/// # Errors
///
/// Says what is missing and how to install it.
pub fn availability() -> Result<(), String> {
    xgboost_rs_sys::availability()
}

/// The version of XGBoost that trains, as `1.7.4`. Other versions may grow other trees.
///
/// # Errors
///
/// As [`availability`].
pub fn xgboost_version() -> Result<String, String> {
    let (major, minor, patch) = xgboost_rs_sys::version()?;
    Ok(format!("{major}.{minor}.{patch}"))
}

/// Trains on `train` as `parameters` say and measures each round on `valid`. `progress` is told of each round and may
/// stop the training.
///
/// The same parameters, rows and version of XGBoost give the same ensemble, to the byte.
///
/// # Errors
///
/// Fails where XGBoost is missing or refuses, where parameters, labels or columns do not fit, and where `progress`
/// breaks off.
pub fn train(
    parameters: &Parameters,
    train: &Dataset,
    valid: Option<&Dataset>,
    progress: &mut dyn FnMut(Round) -> ControlFlow<()>,
) -> Result<Ensemble, BoostingError> {
    parameters.check()?;
    check_labels(parameters.objective, train)?;
    if let Some(valid) = valid {
        check_labels(parameters.objective, valid)?;
        if train.n_columns() != valid.n_columns() {
            let (train, valid) = (train.n_columns(), valid.n_columns());
            return Err(BoostingError::Columns { train, valid });
        }
    } else if parameters.early_stopping_rounds.is_some() {
        return Err(BoostingError::NothingToStopBy);
    }
    availability().map_err(BoostingError::Unavailable)?;

    let train_matrix = matrix(train)?;
    let valid_matrix = valid.map(matrix).transpose()?;
    let (booster, n_rounds) = boost(parameters, &train_matrix, valid_matrix.as_ref(), progress)?;
    let text = booster.save_to_buffer("json".to_owned())?;
    let n_trees = n_rounds as usize * parameters.objective.n_outputs();
    Ok(xgboost_model::ensemble(
        &text,
        parameters.objective,
        train.n_columns(),
        n_trees,
    )?)
}

/// Trains round by round. Returns the booster and how many of its rounds to keep.
fn boost(
    parameters: &Parameters,
    train: &DMatrix,
    valid: Option<&DMatrix>,
    progress: &mut dyn FnMut(Round) -> ControlFlow<()>,
) -> Result<(Booster, u32), BoostingError> {
    // Matrices that the booster knows from the start need not go through all trees again in each round.
    let matrices: Vec<&DMatrix> = std::iter::once(train).chain(valid).collect();
    // Silence comes first, and by this way because the typed parameters have no word for it.
    let silence = [("verbosity".to_owned(), "0".to_owned())].into();
    let mut booster = Booster::new_with_json_config(&matrices, silence)?;
    booster.set_params(&library_parameters(parameters)?)?;
    let mut best: Option<(f32, u32)> = None;
    for index in 0..parameters.n_rounds {
        booster.update(train, index as i32)?;
        let valid_loss = valid.map(|valid| loss(&booster, valid)).transpose()?;
        let round = Round {
            index,
            of: parameters.n_rounds,
            train_loss: loss(&booster, train)?,
            valid_loss,
        };
        if progress(round).is_break() {
            return Err(BoostingError::Stopped { index });
        }
        if let Some(loss) = valid_loss {
            let better = best.is_none_or(|(best_loss, _)| loss < best_loss);
            best = if better { Some((loss, index)) } else { best };
        }
        let worse_for = best.map_or(0, |(_, best_index)| index - best_index);
        if parameters
            .early_stopping_rounds
            .is_some_and(|patience| worse_for >= patience)
        {
            break;
        }
    }
    match (parameters.early_stopping_rounds, best) {
        (Some(_), Some((_, best_index))) => Ok((booster, best_index + 1)),
        _ => Ok((booster, parameters.n_rounds)),
    }
}

/// The loss of the booster on the rows of `matrix`.
fn loss(booster: &Booster, matrix: &DMatrix) -> Result<f32, BoostingError> {
    let losses = booster.evaluate(matrix, "rows")?;
    // There is one, since one was asked for.
    let loss = losses.into_values().next();
    loss.ok_or_else(|| BoostingError::Library("XGBoost measured no loss".to_owned()))
}

/// Copies the dataset to where XGBoost wants it. (`DMatrix::from_dense` would take zeros as missing.)
fn matrix(dataset: &Dataset) -> Result<DMatrix, BoostingError> {
    let bytes_a_value = size_of::<f32>();
    let (n_rows, n_columns) = (dataset.n_rows(), dataset.n_columns());
    // Despite its name the function takes any strides; these are those of rows one after the other.
    let strides = (n_columns * bytes_a_value, bytes_a_value);
    let n_threads = N_THREADS as i32;
    let mut matrix = DMatrix::from_col_major_f32(
        dataset.values(),
        strides.0,
        strides.1,
        n_rows,
        n_columns,
        n_threads,
        f32::NAN,
    )?;
    matrix.set_labels(dataset.labels())?;
    if let Some(weights) = dataset.weights() {
        matrix.set_weights(weights)?;
    }
    Ok(matrix)
}

fn library_parameters(parameters: &Parameters) -> Result<BoosterParameters, BoostingError> {
    let built = BoosterParametersBuilder::default()
        .booster_type(BoosterType::Tree(tree_parameters(parameters)?))
        .learning_params(learning_parameters(parameters)?)
        .threads(Some(N_THREADS))
        .build();
    built.map_err(|error| BoostingError::Library(error.to_string()))
}

fn tree_parameters(parameters: &Parameters) -> Result<TreeBoosterParameters, BoostingError> {
    let mut builder = TreeBoosterParametersBuilder::default();
    builder
        .eta(parameters.learning_rate)
        .max_depth(parameters.depth_max)
        .min_child_weight(parameters.min_child_weight)
        .subsample(parameters.subsample)
        .colsample_bytree(parameters.column_sample)
        .lambda(parameters.lambda);
    match parameters.tree_method {
        TreeMethod::Exact => builder.tree_method(LibraryTreeMethod::Exact),
        TreeMethod::Hist { max_bins } => builder.tree_method(LibraryTreeMethod::Hist).max_bin(max_bins),
    };
    builder
        .build()
        .map_err(|error| BoostingError::Library(error.to_string()))
}

fn learning_parameters(parameters: &Parameters) -> Result<LearningTaskParameters, BoostingError> {
    let (objective, metric) = match parameters.objective {
        Objective::Logistic => (LibraryObjective::BinaryLogistic, EvaluationMetric::LogLoss),
        Objective::Softprob { n_classes } => {
            let objective = LibraryObjective::MultiSoftprob(n_classes);
            (objective, EvaluationMetric::MultiClassLogLoss)
        }
        Objective::SquaredError => (LibraryObjective::RegSquaredError, EvaluationMetric::Rmse),
    };
    let built = LearningTaskParametersBuilder::default()
        .objective(objective)
        .eval_metrics(Metrics::Custom(vec![metric]))
        .seed(u64::from(parameters.seed))
        .build();
    built.map_err(|error| BoostingError::Library(error.to_string()))
}

fn check_labels(objective: Objective, dataset: &Dataset) -> Result<(), BoostingError> {
    let expected = match objective {
        Objective::Logistic => "0 to 1",
        Objective::Softprob { .. } => "the number of a class",
        Objective::SquaredError => return Ok(()),
    };
    let fits = |label: f32| match objective {
        Objective::Softprob { n_classes } => {
            label >= 0.0 && f64::from(label) < f64::from(n_classes) && label.fract().abs() < f32::MIN_POSITIVE
        }
        _ => (0.0..=1.0).contains(&label),
    };
    let mut labels = dataset.labels().iter().copied().enumerate();
    match labels.find(|(_, label)| !fits(*label)) {
        None => Ok(()),
        Some((row, label)) => Err(BoostingError::Label { row, label, expected }),
    }
}
