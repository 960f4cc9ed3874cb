//! Training: epochs over sequences, with checkpoints from which a killed run goes on to the same bytes.

mod batch;
mod checkpoint;
mod linear;
mod loss;
mod model;
mod optimizer;
mod plan;
mod run;
mod scan;
#[cfg(test)]
pub(crate) mod testing;

pub use checkpoint::Checkpoint;

use crate::error::RecurrentError;
use crate::network::Network;
use crate::settings::Settings;
use crate::token::{HEADS, Token};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// How well a network did on the targets of an epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Mean over the targets of twice the cross-entropy of the op type plus that of the five other heads, in nats.
    pub loss: f64,
    /// Targets that counted.
    pub targets: usize,
    /// Share of targets that each head gets right; conditional heads are given the true op type.
    pub accuracy: [f64; HEADS],
}

/// One finished epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpochReport {
    /// Its number, from 1.
    pub epoch: usize,
    /// On the training sequences, measured on the way: with dropout, and weights still moving.
    pub train: Measures,
    /// On the validation sequences, or nothing where these hold no target.
    pub valid: Option<Measures>,
    /// Whether the weights after this epoch are the best so far.
    pub best: bool,
}

/// Where training has got to.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A batch was learned.
    Batch {
        /// The epoch, from 1.
        epoch: usize,
        /// The batch, from 1.
        batch: usize,
        /// Batches in this epoch.
        batches: usize,
        /// Mean loss of the epoch so far.
        loss: f64,
    },
    /// An epoch is over.
    Epoch {
        /// What it came to.
        report: &'a EpochReport,
        /// Everything that is needed to go on from here.
        checkpoint: &'a Checkpoint,
    },
}

/// Why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All epochs are done.
    Complete,
    /// The validation loss has not fallen for as many epochs as the patience allows.
    NoProgress,
    /// The caller broke off.
    Interrupted,
}

/// What training gives.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The weights with the lowest validation loss; without validation targets those after the last epoch.
    pub network: Network,
    /// All epochs, those before a resumption too.
    pub epochs: Vec<EpochReport>,
    /// Why it ended.
    pub ending: Ending,
    /// The state after the last finished epoch, from which an interrupted run can go on.
    pub checkpoint: Checkpoint,
}

/// Trains a network on sequences of tokens, one for each trajectory, or goes on from a checkpoint.
///
/// Sequences of fewer than two tokens hold no target and are passed over. Everything random comes from the seed, all
/// arithmetic is done on one thread, and the result depends on nothing else but the processor's instruction set.
/// After each batch and each epoch `progress` may break off.
///
/// # Errors
/// [`RecurrentError::Setting`], [`RecurrentError::NothingToLearn`] and [`RecurrentError::PaddingInSequence`] for what
/// can't be trained on, [`RecurrentError::OtherRun`] for a checkpoint of other settings (save `epochs_max` and `patience`)
/// or data, [`RecurrentError::Diverged`] when the loss is no longer a number, [`RecurrentError::Compute`] when the
/// tensor library refuses.
pub fn train(
    settings: &Settings,
    train: &[Vec<Token>],
    valid: &[Vec<Token>],
    start: Option<Checkpoint>,
    progress: &mut (dyn FnMut(Progress<'_>) -> ControlFlow<()> + Send),
) -> Result<Trained, RecurrentError> {
    settings.check()?;
    for (sequence, tokens) in train.iter().chain(valid).enumerate() {
        if let Some(position) = tokens.iter().position(|token| token.is_padding()) {
            return Err(RecurrentError::PaddingInSequence { sequence, position });
        }
    }
    // The tensor library hands matrix products to whatever thread pool it finds itself in. Results would be the same
    // with more threads, but at these sizes they would spend their time waiting for each other.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| run::Run::new(settings, train, valid, start)?.go(progress))
}
