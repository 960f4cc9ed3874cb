//! What has been done and what went wrong, over all lanes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

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
    /// What was said of the first one of each kind.
    pub first_messages: BTreeMap<String, String>,
    /// Proposals that could not be read as actions.
    pub unreadable: u64,
    /// The first of them, with the reason.
    pub first_unreadable: Option<(String, String)>,
    /// Answers with more actions than were asked for; the rest of them is not heard.
    pub over_budget: u64,
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

    pub(crate) fn failed(&self, failure: &Failure) {
        let mut activity = self.lock();
        *activity.failures.entry(failure.kind.clone()).or_default() += 1;
        activity
            .first_messages
            .entry(failure.kind.clone())
            .or_insert_with(|| failure.message.clone());
    }

    pub(crate) fn unreadable(&self, text: &str, reason: &str) {
        let mut activity = self.lock();
        activity.unreadable += 1;
        activity
            .first_unreadable
            .get_or_insert_with(|| (text.to_owned(), reason.to_owned()));
    }

    pub(crate) fn over_budget(&self) {
        self.lock().over_budget += 1;
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
