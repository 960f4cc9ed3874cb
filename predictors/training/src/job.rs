//! What every training is told and gives.

use std::io;
use std::path::PathBuf;

use napsim_predictors::model::{Card, Model, ModelError, ModelKind};

use crate::evaluation::EvaluationOptions;
use crate::sequences::{DataError, DataReport, ReadingOptions};

/// What every training is told, whatever its kind.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files and corpora to train on, in this order.
    pub corpora: Vec<PathBuf>,
    /// Seed of the split and of all else that is random.
    pub seed: u64,
    /// The day that the card names, `YYYY-MM-DD`.
    pub date: String,
    /// The version of the program that the card names.
    pub program: String,
    /// Most positions of the validation sequences that the model is measured on.
    pub positions_max: usize,
}

impl Job {
    /// How the data are read.
    pub fn reading(&self) -> ReadingOptions {
        ReadingOptions { seed: self.seed }
    }

    /// How the model is measured.
    pub fn evaluation(&self) -> EvaluationOptions {
        EvaluationOptions {
            positions_max: self.positions_max,
            seed: self.seed,
        }
    }

    /// A card that says what the model was trained on.
    pub fn card(&self, kind: ModelKind, kind_version: u32, report: &DataReport) -> Card {
        Card {
            data: report.sources.clone(),
            split: report.split,
            ..Card::new(kind, kind_version, &self.program, &self.date, self.seed)
        }
    }
}

/// A trained model with what is to be said of its data.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// What was read.
    pub report: DataReport,
}

/// Why a training failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Too few sequences that can be worked through.
    #[error(
        "train on {n_train} training and {n_valid} validation sequences of 20 to 900 actions: at least one of each is needed"
    )]
    TooFew {
        /// Sequences to train on.
        n_train: usize,
        /// Sequences to measure on.
        n_valid: usize,
    },
    /// XGBoost is missing or refuses.
    #[error(transparent)]
    Boosted(#[from] crate::ranking::BoostedError),
    /// The model cannot be used, which is a mistake of the program.
    #[error("use the model just trained: {0}")]
    Model(#[from] ModelError),
    /// All actions to be predicted are of one kind.
    #[error("tell kinds of actions apart where all those to be predicted are of one kind")]
    OneKind,
    /// The network cannot be trained so, or a checkpoint does not go with the data and settings.
    #[error(transparent)]
    Network(#[from] napsim_recurrent::RecurrentError),
    /// A setting out of bounds.
    #[error("use the setting {name} = {value}: expected {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// What it is.
        value: usize,
        /// What it may be.
        expected: &'static str,
    },
    /// A Llama model cannot be used.
    #[error(transparent)]
    Llama(#[from] napsim_llama::LlamaError),
    /// The weights of a Llama model cannot be used.
    #[error(transparent)]
    Weights(#[from] napsim_llama::NetworkError),
    /// A Llama model cannot be trained so, or a checkpoint does not go with the data and settings.
    #[error(transparent)]
    LlamaTraining(#[from] napsim_llama::train::TrainError),
    /// There is no vocabulary for the data.
    #[error(transparent)]
    Vocabulary(#[from] napsim_llama::vocabulary::VocabularyError),
    /// A vocabulary in which lines are not kept apart.
    #[error("learn lines with this vocabulary: a line break is no token of its own in it")]
    LineBreak,
    /// The model cannot be put into bytes.
    #[error("write the model: {0}")]
    Write(#[from] io::Error),
}

impl TrainingError {
    /// Whether the system, and not what the user gave, stands in the way.
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Data(error) => error.is_environment(),
            Self::Boosted(error) => error.is_environment(),
            Self::Write(_) => true,
            _ => false,
        }
    }
}
