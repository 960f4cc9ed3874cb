//! Why training data cannot be used.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use napsim_trajectories::ReadError;

/// A line or a file that should hold a sequence of actions and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; none for the file as a whole.
    pub line_no: Option<u64>,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line_no) = self.line_no {
            write!(f, ":{line_no}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// Why training data cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A corpus that cannot be read.
    #[error(transparent)]
    Corpus(#[from] ReadError),
    /// A file that the system does not let read.
    #[error("read {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A line beyond the limit.
    #[error("read {}:{line_no}: longer than the limit of {limit} bytes (sequence_bytes_max)", path.display())]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line_no: u64,
        /// The limit.
        limit: u64,
    },
    /// A corpus folder whose manifest says nothing that can be understood.
    #[error("read {}: {reason}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// More than one line in a hundred is no sequence of actions.
    #[error(
        "use the data: {n_bad} of {n_lines} lines are no sequences of actions, more than 1 %{}",
        listed(first)
    )]
    TooManyBadLines {
        /// Lines that are none.
        n_bad: u64,
        /// All lines.
        n_lines: u64,
        /// The first bad ones.
        first: Vec<BadLine>,
    },
    /// No sequence is for training.
    #[error("use the data: no sequence is for training ({n_valid} for validation, {n_test} for testing)")]
    NothingToTrainOn {
        /// Sequences for validation.
        n_valid: u64,
        /// Sequences for testing.
        n_test: u64,
    },
}

impl DataError {
    pub(super) fn io(path: &Path, reason: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            reason,
        }
    }

    /// Whether the system is the reason, rather than what the user gave.
    pub fn is_environment(&self) -> bool {
        let reason = match self {
            Self::Io { reason, .. } | Self::Corpus(ReadError::Io { reason, .. }) => reason,
            _ => return false,
        };
        !matches!(
            reason.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::InvalidData
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::UnexpectedEof
        )
    }
}

fn listed(first: &[BadLine]) -> String {
    first.iter().map(|bad| format!("\n  {bad}")).collect()
}
