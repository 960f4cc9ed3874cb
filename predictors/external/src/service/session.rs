//! A conversation with a service about one trajectory at a time.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Service;
use crate::failure::Failure;
use crate::message::{Answer, Bye, Prediction, ToPredictor, Wants, WantsHistory};
use crate::partner::{Call, Partner, Start};

/// A conversation with a service.
pub(crate) struct Session {
    service: Arc<Service>,
    wants: Wants,
    /// Names the conversation; each trajectory has one of its own.
    name: String,
    start: Start,
    /// Whether the service knows of the session.
    is_known: bool,
    n_told: usize,
    next_id: u64,
}

impl Session {
    pub(crate) fn new(service: &Arc<Service>, wants: Wants) -> Self {
        Self {
            service: Arc::clone(service),
            wants,
            name: String::new(),
            start: Start::default(),
            is_known: false,
            n_told: 0,
            next_id: 1,
        }
    }

    fn next_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Lets the service forget a session that it may still hold.
    fn leave(&mut self) {
        if std::mem::take(&mut self.is_known) {
            self.service.say_bye(ToPredictor::Bye(Bye {
                session: Some(Cow::Borrowed(&self.name)),
            }));
        }
    }
}

impl Partner for Session {
    /// The question goes along with the first call.
    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.leave();
        self.name = unique_name();
        self.start = start.clone();
        self.n_told = 0;
        self.next_id = 1;
        Ok(())
    }

    fn predict(&mut self, call: &Call<'_>) -> Result<Prediction, Failure> {
        let tells_all = self.wants.history == WantsHistory::All;
        let begin_id = (tells_all || !self.is_known).then(|| self.next_id());
        let id = self.next_id();
        let session = Some(self.name.as_str());
        let mut messages: Vec<_> = begin_id
            .map(|id| self.start.question(id, session))
            .into_iter()
            .collect();
        messages.extend(call.messages(self.wants, self.n_told, id, session));
        let ids: Vec<u64> = begin_id.into_iter().chain([id]).collect();
        let mut answers = self.service.ask(&messages, &ids)?.into_iter();
        if begin_id.is_some() {
            match answers.next() {
                Some(Answer::Ready(_)) => {}
                // What follows was asked in vain; the next call begins anew.
                Some(Answer::Error(error)) => return Err(self.service.reported(error)),
                answer => return Err(self.service.wrong_type("ready", answer.as_ref())),
            }
        }
        // A predictor that wants all of the history keeps no session.
        self.is_known = !tells_all;
        self.n_told = call.lines.len();
        match answers.next() {
            Some(Answer::Prediction(prediction)) => Ok(prediction),
            Some(Answer::Error(error)) => Err(self.service.reported(error)),
            answer => Err(self.service.wrong_type("prediction", answer.as_ref())),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.leave();
    }
}

/// A name that no other session has, of this process or of any other.
fn unique_name() -> String {
    static N_SESSIONS: AtomicU64 = AtomicU64::new(0);
    let n = N_SESSIONS.fetch_add(1, Ordering::Relaxed);
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(n);
    format!("{}-{n}-{:016x}", process::id(), hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sessions_have_one_name() {
        let mut names: Vec<String> = (0..1_000).map(|_| unique_name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 1_000);
    }
}
