//! Why a model cannot be used.

use std::path::{Path, PathBuf};

use crate::config::ConfigError;

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlamaError {
    /// A file of the model cannot be read.
    #[error("read `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that the model needs is not there.
    #[error("find `{}`: {needed}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What it is needed for.
        needed: &'static str,
    },
    /// A file that is not what its name says, or is cut short.
    #[error("read `{}`: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A model that cannot be run here.
    #[error("use `{}`: failed to {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ConfigError,
    },
    /// Weights that do not go with the shape.
    #[error("use the weights `{name}` of `{}`: {reason}", path.display())]
    Tensor {
        /// The file or folder.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A vocabulary that does not go with the weights.
    #[error(
        "use the vocabulary of `{}`: it has tokens up to {largest}, the model knows {n_known}",
        path.display()
    )]
    Vocabulary {
        /// The file.
        path: PathBuf,
        /// The largest token.
        largest: u32,
        /// Tokens that the model knows.
        n_known: usize,
    },
    /// Too little memory.
    #[error("hold the model in memory: it needs some {needed_mib} MiB, and {available_mib} MiB are free")]
    Memory {
        /// What is needed.
        needed_mib: u64,
        /// What is there.
        available_mib: u64,
    },
    /// More tokens than the model can look at.
    #[error("read {n_tokens} tokens: the model looks at {n_max} at most")]
    TooLong {
        /// Tokens given.
        n_tokens: usize,
        /// Tokens that fit.
        n_max: usize,
    },
    /// No tokens at all.
    #[error("continue a text without tokens")]
    NoTokens,
    /// Text that cannot be turned into tokens, or back.
    #[error("use the vocabulary: {0}")]
    Tokenizer(String),
    /// The tensor library gave up.
    #[error("compute with tensors: {0}")]
    Candle(#[from] candle_core::Error),
}

impl LlamaError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors and words of many types are handed over"
    )]
    pub(crate) fn damaged(path: &Path, reason: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors and words of many types are handed over"
    )]
    pub(crate) fn tensor(path: &Path, name: &str, reason: impl ToString) -> Self {
        Self::Tensor {
            path: path.to_owned(),
            name: name.to_owned(),
            reason: reason.to_string(),
        }
    }
}
