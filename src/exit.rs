//! Exit codes, and failures that lead to them.

use std::any::Any;
use std::path::Path;

use napsim_hub::HubError;
use napsim_remote::ExchangeError;
use napsim_remote::cache::CacheError;
use napsim_remote::journal::JournalError;
use napsim_remote::recording::RecordingError;
use napsim_reports::store::{StoreError, is_of_the_path};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Complete,
    /// A mistake in the program itself.
    Bug,
    /// Something the user gave cannot be used.
    BadInput,
    /// What was checked does not hold.
    GateMissed,
    /// Done in part: some trajectories failed, or a record does not hold what it says.
    Incomplete,
    /// The system does not let the program do its work, such as a full disk.
    Environment,
    /// Stopped by a signal of this number, after a clean end.
    Signal(u8),
}

impl Exit {
    /// The code that the calling shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::Bug => 1,
            Self::BadInput => 2,
            Self::GateMissed => 10,
            Self::Incomplete => 20,
            Self::Environment => 30,
            Self::Signal(number) => number.saturating_add(128),
        }
    }
}

/// Why a command ends before its work is done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something the user gave cannot be used.
    Input(anyhow::Error),
    /// The system does not let the program do its work.
    Environment(anyhow::Error),
    /// Nobody reads the output any more, which is no mistake.
    Closed,
}

impl Failure {
    /// A failure for which the user's input is the reason.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::Input(error.into())
    }

    /// A failure of the system in making or writing something at a path that the user gave, which may be no such path.
    pub(crate) fn at_path(verb: &str, path: &Path, error: &std::io::Error) -> Self {
        let message = anyhow::anyhow!("failed to {verb} {}: {error}", path.display());
        if is_of_the_path(error.kind()) {
            Self::Input(message)
        } else {
            Self::Environment(message)
        }
    }

    /// A failure for which the system is the reason.
    pub(crate) fn environment(error: impl Into<anyhow::Error>) -> Self {
        Self::Environment(error.into())
    }
}

impl Failure {
    /// The same failure, with the place that it has to do with.
    pub(crate) fn within(self, place: &str) -> Self {
        let within = |error: anyhow::Error| anyhow::anyhow!("{place}: {error:#}");
        match self {
            Self::Input(error) => Self::Input(within(error)),
            Self::Environment(error) => Self::Environment(within(error)),
            Self::Closed => Self::Closed,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let is_environment = error.is_environment();
        let error = anyhow::anyhow!("failed to {error}");
        if is_environment {
            Self::Environment(error)
        } else {
            Self::Input(error)
        }
    }
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        let is_environment = error.is_environment();
        let error = anyhow::anyhow!("failed to {error}");
        if is_environment {
            Self::Environment(error)
        } else {
            Self::Input(error)
        }
    }
}

impl From<ExchangeError> for Failure {
    fn from(error: ExchangeError) -> Self {
        let is_input = match &error {
            ExchangeError::Cache(error) => matches!(error, CacheError::NoFolder | CacheError::NotAFolder { .. }),
            ExchangeError::Journal(error) => is_foreign(error),
            ExchangeError::Recording(error) => match error {
                RecordingError::Line { .. } | RecordingError::TwoAnswers { .. } | RecordingError::NotAFile { .. } => {
                    true
                }
                RecordingError::Io { reason, .. } => reason.kind() == std::io::ErrorKind::NotFound,
                RecordingError::Journal(error) => is_foreign(error),
                _ => false,
            },
            _ => false,
        };
        let error = anyhow::anyhow!("failed to {error}");
        if is_input {
            Self::Input(error)
        } else {
            Self::Environment(error)
        }
    }
}

/// Whether a file holds something other than answers.
fn is_foreign(error: &JournalError) -> bool {
    matches!(error, JournalError::NotAJournal { .. })
}

/// The message of a panic.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
