//! One call: attempts at a request until its answer is final.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::select;

use super::attempt::Outcome;
use super::door::Door;
use super::error::Server;
use super::retry::{Backoff, Patience};
use super::stop::Stopping;
use super::{AgainCause, Judge, Judgement, Reply, TransportActivity, TransportError, TransportSettings};

/// What all calls share.
pub(super) struct Calls {
    settings: TransportSettings,
    stopping: Stopping,
    door: Door,
    n_calls: AtomicU64,
    /// Whether any connection was ever made.
    was_reached: AtomicBool,
}

/// Most retries while no connection was ever made: an address is rather mistyped, or a server not started, than out of
/// order for a minute.
const RETRIES_BEFORE_REACHED_MAX: u32 = 2;

impl Calls {
    pub(super) fn new(settings: TransportSettings, stopping: Stopping) -> Self {
        Self {
            door: Door::new(&settings),
            n_calls: AtomicU64::new(0),
            was_reached: AtomicBool::new(false),
            settings,
            stopping,
        }
    }

    pub(super) fn settings(&self) -> &TransportSettings {
        &self.settings
    }

    pub(super) fn activity(&self) -> TransportActivity {
        self.door.activity()
    }

    /// Attempts a request of so many tokens until its answer is final or hope is lost. Says also how many attempts before
    /// the last one may have been paid for.
    pub(super) async fn call_counting(
        &self,
        tokens: u64,
        attempt: impl AsyncFn() -> Outcome,
        server: impl Fn() -> Server,
        judge: Judge<'_>,
    ) -> (Result<Reply, TransportError>, u32) {
        let mut n_lost = 0;
        let result = self.attempts(tokens, attempt, server, judge, &mut n_lost).await;
        (result, n_lost)
    }

    /// The attempts of a call; counts those that may have been paid for before the last one.
    async fn attempts(
        &self,
        tokens: u64,
        attempt: impl AsyncFn() -> Outcome,
        server: impl Fn() -> Server,
        judge: Judge<'_>,
        n_lost: &mut u32,
    ) -> Result<Reply, TransportError> {
        let mut patience = Patience::new(&self.settings);
        let mut backoff = Backoff::new(&self.settings, self.n_calls.fetch_add(1, Ordering::Relaxed));
        let mut n_retries = 0;
        loop {
            let Outcome { result, asked_to_wait } = self.once(tokens, &attempt, &server, judge).await;
            let error = match result {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            let Some(cause) = error.retry_cause() else {
                return Err(error);
            };
            if asked_to_wait > Some(self.settings.retry_after_max) {
                return Err(error);
            }
            if let Some(asked) = asked_to_wait {
                self.door.pause(asked);
            }
            let hopeless = n_retries >= RETRIES_BEFORE_REACHED_MAX && !self.was_reached.load(Ordering::Relaxed);
            if hopeless || !patience.allows(cause) {
                return Err(error);
            }
            n_retries += 1;
            *n_lost += u32::from(error.may_have_cost());
            let wait = backoff.wait(asked_to_wait);
            self.unless_stopped(self.door.wait_for_retry(wait, cause)).await?;
        }
    }

    /// One attempt, judged.
    async fn once(
        &self,
        tokens: u64,
        attempt: impl AsyncFn() -> Outcome,
        server: impl Fn() -> Server,
        judge: Judge<'_>,
    ) -> Outcome {
        let stopped = |error| Outcome {
            result: Err(error),
            asked_to_wait: None,
        };
        let slot = match self.unless_stopped(self.door.enter(tokens)).await {
            Ok(slot) => slot,
            Err(error) => return stopped(error),
        };
        let Outcome { result, asked_to_wait } = select! {
            biased;
            outcome = attempt() => outcome,
            () = self.stopping.grace_over() => return stopped(TransportError::Stopped),
        };
        let result = result.and_then(|reply| match judge(&reply) {
            Judgement::Done => Ok(reply),
            Judgement::Again { cause, reason } => Err(refused(&server(), &reply, cause, &reason, asked_to_wait)),
        });
        if !matches!(
            &result,
            Err(TransportError::Unreachable { .. } | TransportError::Stopped)
        ) {
            self.was_reached.store(true, Ordering::Relaxed);
        }
        match &result {
            Ok(_) | Err(TransportError::Malformed { .. }) => slot.answered(),
            Err(TransportError::Throttled { .. }) => slot.throttled(),
            Err(_) => {}
        }
        Outcome { result, asked_to_wait }
    }

    /// What comes of waiting, if nothing is to stop before.
    async fn unless_stopped<T>(&self, wait: impl Future<Output = T>) -> Result<T, TransportError> {
        if self.stopping.is_stopped() {
            return Err(TransportError::Stopped);
        }
        select! {
            biased;
            () = self.stopping.stopped() => Err(TransportError::Stopped),
            waited = wait => Ok(waited),
        }
    }
}

/// The error that a judge makes of a reply.
fn refused(
    server: &Server,
    reply: &Reply,
    cause: AgainCause,
    reason: &str,
    asked_to_wait: Option<Duration>,
) -> TransportError {
    let host = server.host.clone();
    let status = reply.status;
    let reason = server.words(reason);
    match cause {
        AgainCause::Throttled => TransportError::Throttled {
            host,
            status,
            reason,
            asked_to_wait,
            body_start: server.words(&reply.body),
        },
        AgainCause::Server => TransportError::Server {
            host,
            status,
            reason,
            asked_to_wait,
            body_start: server.words(&reply.body),
        },
        AgainCause::Malformed => TransportError::Malformed {
            host,
            reason,
            body: server.redact(&reply.body),
        },
    }
}

#[cfg(test)]
mod tests;
