//! Training of Llama models, from scratch or on top of what they know: whole or by low-rank adapters.
//!
//! Weights are learned by AdamW on windows of tokens. Batches of a step are worked on side by side, a thread each, and their
//! gradients are summed up in a fixed order, so the same data, settings and seed give the same bytes on any number of threads,
//! also where a run was interrupted and taken up again.

mod checkpoint;
mod device;
mod host;
mod optimizer;
mod place;
mod plan;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod trainee;
mod windows;
mod workers;

pub use checkpoint::{Checkpoint, Snapshot};
pub use place::Place;
pub use settings::{AdapterSettings, Settings};
pub use windows::{Window, Windows};

use serde::{Deserialize, Serialize};

use crate::network::{LlamaNetwork, NetworkError};

/// Why a training failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A setting out of bounds.
    #[error("use the setting {name} = {value}: expected {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// There is no window to learn from.
    #[error("learn: no window holds a token to be learned")]
    NothingToLearn,
    /// The loss or its gradient is no longer a number.
    #[error("learn: the loss of step {step} is not finite; a lower learning rate may help")]
    Diverged {
        /// The step, from 1.
        step: usize,
    },
    /// A checkpoint that comes from something else.
    #[error("resume: the checkpoint comes from another {0}")]
    OtherRun(&'static str),
    /// Bytes that are no checkpoint.
    #[error("read the checkpoint: {0}")]
    Checkpoint(String),
    /// The model cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A device that cannot be used.
    #[error("train on a CUDA device: {0}")]
    Device(String),
    /// No thread to compute on.
    #[error("start the computing threads: {0}")]
    Thread(#[from] rayon::ThreadPoolBuildError),
}

impl From<candle_core::Error> for TrainError {
    fn from(error: candle_core::Error) -> Self {
        Self::Network(error.into())
    }
}

/// What training came to at some point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Steps done.
    pub step: usize,
    /// Passes over the windows done, with the share of the one under way.
    pub epoch: f64,
    /// Mean loss of the tokens learned since the last report, in nats; measured on the way, while the weights moved.
    pub train: f64,
    /// Mean loss of the tokens of the validation windows, in nats; none without such windows.
    pub valid: Option<f64>,
    /// Whether the weights are the best so far.
    pub best: bool,
}

/// Where a training has got to.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A step was taken.
    Step {
        /// Steps done.
        step: usize,
        /// Steps in all.
        steps: usize,
        /// Mean loss of the step's tokens, in nats.
        loss: f64,
        /// Tokens that the model read in this step.
        n_tokens: usize,
    },
    /// The model was measured.
    Report {
        /// What it came to.
        report: &'a Report,
        /// All that is needed to go on from here.
        snapshot: Snapshot<'a>,
    },
    /// The training stops here and may go on later.
    Interrupted {
        /// All that is needed to go on from here.
        snapshot: Snapshot<'a>,
    },
}

/// How a training is to be ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// At once, to go on later.
    Interrupt,
    /// For good: the model is measured once more, and the best weights are the outcome.
    Finish,
}

/// Why a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All steps were taken.
    Complete,
    /// It was finished before.
    Finished,
    /// It was interrupted.
    Interrupted,
}

/// What a training gives.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The weights with the lowest validation loss, adapters merged; without validation windows those of the last step.
    pub network: LlamaNetwork,
    /// All reports, those before a resumption too.
    pub reports: Vec<Report>,
    /// Steps taken in all.
    pub steps: usize,
    /// Why it ended.
    pub ending: Ending,
}

/// Who follows a training, and how it is ended early.
pub struct Watch<'a> {
    /// Is told of steps and reports.
    pub listener: &'a mut (dyn FnMut(Progress<'_>) + Send),
    /// Is asked again and again, from several threads, whether to end.
    pub halt: &'a (dyn Fn() -> Option<Halt> + Sync),
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// Trains a network on windows, or goes on from a checkpoint; on the processor on as many threads as the current rayon pool
/// has.
///
/// # Errors
/// [`TrainError`] for settings out of bounds, data that cannot be learned from, a checkpoint of another run, and where the
/// loss is no longer a number.
pub fn train(
    network: LlamaNetwork,
    settings: &Settings,
    place: &Place,
    train: &Windows,
    valid: &Windows,
    start: Option<Checkpoint>,
    watch: &mut Watch<'_>,
) -> Result<Trained, TrainError> {
    settings.check()?;
    run::Run::new(network, settings, place, train, valid, start)?.go(watch)
}
