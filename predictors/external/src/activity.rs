//! What has been done and what went wrong, over all lanes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What has been done so far and what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExternalActivity {
    /// Programs started, or sessions begun.
    pub starts: u64,
    /// Calls of `predict`, failed ones among them.
    pub calls: u64,
    /// Everything that went wrong by kind, whether or not it cost a call.
    pub failures: BTreeMap<String, u64>,
    /// Failures after which a call was answered nevertheless, by a fresh program.
    pub restarts: u64,
    /// Failures between two trajectories, which cost neither of them anything.
    pub replaced: u64,
    /// Requests that were sent again; over HTTP only.
    pub retries: u64,
}

/// The activity, as lanes count it.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<ExternalActivity>);

impl Counts {
    pub(crate) fn started(&self) {
        self.lock().starts += 1;
    }

    pub(crate) fn called(&self) {
        self.lock().calls += 1;
    }

    pub(crate) fn failed(&self, kind: &str) {
        *self.lock().failures.entry(kind.to_owned()).or_default() += 1;
    }

    pub(crate) fn restarted(&self, n_restarts: usize) {
        self.lock().restarts += n_restarts as u64;
    }

    pub(crate) fn replaced(&self) {
        self.lock().replaced += 1;
    }

    pub(crate) fn activity(&self) -> ExternalActivity {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, ExternalActivity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
