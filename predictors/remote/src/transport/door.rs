//! The door that every request goes through: in order, and no more of them than servers take.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::{self, sleep_until};

use super::concurrency::{Concurrency, Round};
use super::rate::Bucket;
use super::retry::RetryCause;
use super::{TransportActivity, TransportSettings};

/// What lets a request go out.
#[derive(Debug)]
struct Rules {
    concurrency: Concurrency,
    /// No request goes out before: a server asked for it.
    paused_until: Option<Instant>,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

/// Whether the first in the queue may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Now(Round),
    /// Not before.
    At(Instant),
    /// Not before another request has come back.
    AfterAnother,
}

impl Rules {
    fn new(settings: &TransportSettings, now: Instant) -> Self {
        Self {
            concurrency: Concurrency::new(settings.connections_max),
            paused_until: None,
            requests: settings.requests_per_minute.map(|rate| Bucket::new(rate.into(), now)),
            tokens: settings.tokens_per_minute.map(|rate| Bucket::new(rate, now)),
        }
    }

    fn enter(&mut self, tokens: u64, now: Instant) -> Entry {
        if let Some(until) = self.paused_until.filter(|until| now < *until) {
            return Entry::At(until);
        }
        self.paused_until = None;
        if !self.concurrency.is_open() {
            return Entry::AfterAnother;
        }
        let mut buckets = [(self.requests.as_mut(), 1), (self.tokens.as_mut(), tokens)];
        let ready = buckets
            .iter_mut()
            .filter_map(|(bucket, amount)| bucket.as_mut()?.ready_at(*amount, now));
        if let Some(at) = ready.max() {
            return Entry::At(at);
        }
        for (bucket, amount) in buckets {
            if let Some(bucket) = bucket {
                bucket.take(amount, now);
            }
        }
        self.concurrency.enter().map_or(Entry::AfterAnother, Entry::Now)
    }

    fn pause(&mut self, until: Instant) {
        self.paused_until = self.paused_until.max(Some(until));
    }
}

struct Inner {
    rules: Rules,
    activity: TransportActivity,
}

/// The door. Whoever holds its queue is the next to go.
pub(super) struct Door {
    queue: tokio::sync::Mutex<()>,
    came_back: Notify,
    inner: Mutex<Inner>,
}

impl Door {
    pub(super) fn new(settings: &TransportSettings) -> Self {
        Self {
            queue: tokio::sync::Mutex::default(),
            came_back: Notify::new(),
            inner: Mutex::new(Inner {
                rules: Rules::new(settings, now()),
                activity: TransportActivity::default(),
            }),
        }
    }

    /// Waits until a request of so many tokens may go out.
    pub(super) async fn enter(&self, tokens: u64) -> Slot<'_> {
        let waiting = Waiting::begin(self, Wait::ForLimits);
        let _first = self.queue.lock().await;
        let round = loop {
            let entry = self.inner().rules.enter(tokens, now());
            match entry {
                Entry::Now(round) => break round,
                Entry::At(at) => sleep_until(at.into()).await,
                Entry::AfterAnother => self.came_back.notified().await,
            }
        };
        // From here on nothing waits, so that the slot cannot get lost.
        let slot = Slot { door: self, round };
        drop(waiting);
        self.inner().activity.requests += 1;
        slot
    }

    /// Lets nothing out for this long.
    pub(super) fn pause(&self, wait: Duration) {
        if let Some(until) = now().checked_add(wait) {
            self.inner().rules.pause(until);
        }
    }

    /// Waits before a retry.
    pub(super) async fn wait_for_retry(&self, wait: Duration, cause: RetryCause) {
        self.inner().activity.count_retry(cause);
        let _waiting = Waiting::begin(self, Wait::ForRetry);
        time::sleep(wait).await;
    }

    pub(super) fn activity(&self) -> TransportActivity {
        let inner = self.inner();
        TransportActivity {
            in_flight: inner.rules.concurrency.in_flight(),
            concurrency_limit: inner.rules.concurrency.limit(),
            ..inner.activity
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to have a request in flight. It ends when it is dropped.
pub(super) struct Slot<'a> {
    door: &'a Door,
    round: Round,
}

impl Slot<'_> {
    /// Learns that the server answered.
    pub(super) fn answered(&self) {
        self.door.inner().rules.concurrency.answered();
    }

    /// Learns that the server throttles.
    pub(super) fn throttled(&self) {
        self.door.inner().rules.concurrency.throttled(self.round);
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.door.inner().rules.concurrency.leave();
        self.door.came_back.notify_one();
    }
}

/// What a lane waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    ForLimits,
    ForRetry,
}

/// A lane that waits, counted until it does so no more.
struct Waiting<'a> {
    door: &'a Door,
    wait: Wait,
    since: Instant,
}

impl<'a> Waiting<'a> {
    fn begin(door: &'a Door, wait: Wait) -> Self {
        let waiting = Self {
            door,
            wait,
            since: now(),
        };
        *waiting.count(&mut door.inner()).0 += 1;
        waiting
    }

    fn count<'b>(&self, inner: &'b mut Inner) -> (&'b mut u32, &'b mut Duration) {
        let activity = &mut inner.activity;
        match self.wait {
            Wait::ForLimits => (&mut activity.waiting_for_limits, &mut activity.waited_for_limits),
            Wait::ForRetry => (&mut activity.waiting_for_retries, &mut activity.waited_for_retries),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let waited = now().saturating_duration_since(self.since);
        let mut inner = self.door.inner();
        let (waiting, total) = self.count(&mut inner);
        *waiting = waiting.saturating_sub(1);
        *total += waited;
    }
}

/// The clock of the timers, which tests may stop.
fn now() -> Instant {
    time::Instant::now().into_std()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> TransportSettings {
        TransportSettings {
            connections_max: 2,
            requests_per_minute: Some(60),
            tokens_per_minute: Some(6_000),
            ..TransportSettings::default()
        }
    }

    #[test]
    fn requests_go_when_every_rule_lets_them() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut rules = Rules::new(&settings(), start);
        rules.pause(at(2.0));
        rules.pause(at(1.0));
        assert_eq!(rules.enter(10, at(0.5)), Entry::At(at(2.0)));
        assert!(matches!(rules.enter(310, at(2.0)), Entry::Now(_)));
        // The requests would do after one second, the tokens after three.
        match rules.enter(10, at(2.0)) {
            Entry::At(ready) => assert!((at(5.0)..at(5.2)).contains(&ready)),
            entry => panic!("{entry:?}"),
        }
        assert!(matches!(rules.enter(10, at(6.0)), Entry::Now(_)));
        assert_eq!(rules.enter(10, at(9.0)), Entry::AfterAnother);
        rules.concurrency.leave();
        assert!(matches!(rules.enter(10, at(9.0)), Entry::Now(_)));
    }

    #[test]
    fn who_may_not_go_takes_nothing() {
        let start = Instant::now();
        let mut rules = Rules::new(&settings(), start);
        rules.tokens.as_mut().unwrap().take(100, start);
        for _ in 0..100 {
            assert!(matches!(rules.enter(5, start), Entry::At(_)));
        }
        assert!(matches!(rules.enter(5, start + Duration::from_secs(2)), Entry::Now(_)));
        assert_eq!(rules.concurrency.in_flight(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn lanes_go_in_the_order_in_which_they_came() {
        let door = Door::new(&settings());
        let order = Mutex::new(Vec::new());
        let lane = async |idx: u32| {
            let slot = door.enter(if idx == 3 { 300 } else { 1 }).await;
            order.lock().unwrap().push(idx);
            time::sleep(Duration::from_millis(1_500)).await;
            drop(slot);
        };
        tokio::join!(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5));
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
        let activity = door.activity();
        assert_eq!(
            (activity.requests, activity.in_flight, activity.waiting_for_limits),
            (6, 0, 0)
        );
        assert!(activity.waited_for_limits >= Duration::from_secs(1 + 2 + 3 + 4 + 5));
    }

    #[tokio::test(start_paused = true)]
    async fn lanes_that_give_up_leave_nothing_behind() {
        let door = Door::new(&TransportSettings {
            connections_max: 1,
            ..TransportSettings::default()
        });
        let slot = door.enter(1).await;
        for _ in 0..10 {
            let wait = time::timeout(Duration::from_secs(1), door.enter(1)).await;
            assert!(wait.is_err());
        }
        assert_eq!(door.activity().waiting_for_limits, 0);
        drop(slot);
        let slot = door.enter(1).await;
        assert_eq!(door.activity().in_flight, 1);
        drop(slot);
        assert_eq!(door.activity().in_flight, 0);
    }
}
