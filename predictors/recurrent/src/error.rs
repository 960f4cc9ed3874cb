//! Everything that can go wrong with a network.

use thiserror::Error;

/// Why a network could not be read, trained or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecurrentError {
    /// Six numbers that are no token.
    #[error("no token: {ids:?} must lie in 1..=29, four times 1..=101 and 1..=17")]
    Token {
        /// The numbers.
        ids: [u8; 6],
    },
    /// A setting that makes no sense or is out of bounds.
    #[error("setting {name} is {value}, must be {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// No sequence has two tokens, so there is nothing to learn.
    #[error("learn: no sequence has two tokens or more")]
    NothingToLearn,
    /// A padding step inside of a sequence.
    #[error("learn from sequence {sequence}: token {position} is padding")]
    PaddingInSequence {
        /// Index of the sequence.
        sequence: usize,
        /// Index of the token in it.
        position: usize,
    },
    /// The loss or a gradient is no longer a number.
    #[error("learn: the loss of epoch {epoch}, batch {batch} is not finite")]
    Diverged {
        /// The epoch, from 1.
        epoch: usize,
        /// The batch, from 1.
        batch: usize,
    },
    /// A checkpoint of other settings or other data.
    #[error("resume: the checkpoint comes from other {what}")]
    OtherRun {
        /// `settings` or `data`.
        what: &'static str,
    },
    /// An op type that the network doesn't know.
    #[error("score: op type {0} must lie in 0..=28")]
    OpType(u8),
    /// Bytes that are no safetensors file, or a truncated one.
    #[error("read the network: {0}")]
    Container(#[from] safetensors::SafeTensorError),
    /// A safetensors file without our header, or with one that can't be read.
    #[error("read the network: {0}")]
    Header(String),
    /// A file of another format version.
    #[error("read the network: format version {found} is unknown, this version reads {known}")]
    Version {
        /// The version of the file.
        found: u64,
        /// The version that can be read.
        known: u64,
    },
    /// A tensor that is missing, left over, of the wrong shape or not finite.
    #[error("read the network: tensor {name}: {reason}")]
    Tensor {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The tensor library refused.
    #[error("compute: {0}")]
    Compute(#[from] candle_core::Error),
    /// No thread to compute on.
    #[error("start the computing thread: {0}")]
    Thread(#[from] rayon::ThreadPoolBuildError),
}
