//! How long to wait for predictors, and what to do with those that fail.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use napsim_remote::transport::Stop;

/// What holds for all programs and sessions of a predictor.
#[derive(Clone, Debug)]
pub struct ExternalSettings {
    /// Longest time for an answer to `predict`.
    pub call_timeout: Duration,
    /// Longest time for a program to start and answer `hello`, and for an answer to `begin`.
    pub start_timeout: Duration,
    /// What becomes of a trajectory in which a program failed.
    pub on_crash: OnCrash,
    /// Most fresh starts within a trajectory.
    pub restarts_max: u32,
    /// What becomes of the standard error of programs.
    pub stderr: StderrMode,
    /// Says when nobody waits for answers any more.
    pub stop: Stop,
}

impl Default for ExternalSettings {
    fn default() -> Self {
        Self {
            call_timeout: Duration::from_secs(60),
            start_timeout: Duration::from_secs(120),
            on_crash: OnCrash::Fail,
            restarts_max: 3,
            stderr: StderrMode::Keep,
            stop: Stop::never(),
        }
    }
}

/// What becomes of a trajectory in which a program crashed, did not answer or talked nonsense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnCrash {
    /// It ends as failed.
    #[default]
    Fail,
    /// A fresh program is told the history and asked again.
    Resume,
}

/// What becomes of the standard error of programs.
#[derive(Clone, Default)]
pub enum StderrMode {
    /// It is kept by trajectory, beginning and end.
    #[default]
    Keep,
    /// It is kept, and each line is handed on at once, as it came but for the line feed; long ones in pieces.
    PassOn(Arc<dyn Fn(&str) + Send + Sync>),
}

impl fmt::Debug for StderrMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep => "Keep",
            Self::PassOn(_) => "PassOn",
        })
    }
}
