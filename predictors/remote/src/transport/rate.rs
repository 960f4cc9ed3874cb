//! How much may be sent in a minute.

use std::time::{Duration, Instant};

/// A bucket that fills at an even rate, and out of which every request takes what it needs.
///
/// It holds a tenth of a second's worth, at least one: no minute, wherever it begins, sees more than the rate, apart from
/// the one request that may be larger than what there is and is paid for afterwards.
#[derive(Debug)]
pub(super) struct Bucket {
    per_second: f64,
    capacity: f64,
    /// What there is; below zero after a request that was larger.
    level: f64,
    /// When the level was so.
    at: Instant,
}

impl Bucket {
    pub(super) fn new(per_minute: u64, now: Instant) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "rates are far below 2^53")]
        let per_minute = per_minute.max(1) as f64;
        let capacity = (per_minute / 600.0).floor().max(1.0);
        Self {
            // What it holds at first comes on top of what flows in.
            per_second: (per_minute - (capacity - 1.0)) / 60.0,
            capacity,
            level: capacity,
            at: now,
        }
    }

    /// None if a request of this size may go now, else when it may.
    pub(super) fn ready_at(&mut self, amount: u64, now: Instant) -> Option<Instant> {
        self.fill(now);
        let missing = size(amount).min(self.capacity) - self.level;
        // What rounding leaves is not worth a wait.
        (missing > 1e-6).then(|| {
            let wait = Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX);
            now.checked_add(wait).unwrap_or(now)
        })
    }

    /// Takes what a request needs.
    pub(super) fn take(&mut self, amount: u64, now: Instant) {
        self.fill(now);
        self.level -= size(amount);
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        self.at = self.at.max(now);
    }
}

fn size(amount: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "requests are far below 2^53 tokens")]
    let size = amount as f64;
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When as many requests of a size as fit are sent, with waits rounded up to milliseconds as timers do.
    fn sent(per_minute: u64, amount: u64, duration: Duration) -> Vec<Duration> {
        let start = Instant::now();
        let mut bucket = Bucket::new(per_minute, start);
        let mut now = Duration::ZERO;
        let mut sent = Vec::new();
        while now < duration {
            match bucket.ready_at(amount, start + now) {
                None => {
                    bucket.take(amount, start + now);
                    sent.push(now);
                }
                Some(at) => {
                    let wait = at.duration_since(start + now).as_nanos().div_ceil(1_000_000).max(1);
                    now += Duration::from_millis(u64::try_from(wait).unwrap());
                }
            }
        }
        sent
    }

    #[test]
    fn no_minute_sees_more_than_the_rate_and_long_runs_nearly_all_of_it() {
        for per_minute in [1, 3, 60, 500, 5_000, 30_000] {
            let minutes = 10;
            let sent = sent(per_minute, 1, Duration::from_secs(60 * minutes));
            let total = sent.len() as u64;
            assert!(total <= per_minute * minutes, "{per_minute}: {total}");
            assert!(total * 100 >= per_minute * minutes * 98, "{per_minute}: {total}");
            let minute = Duration::from_secs(60);
            for (idx, first) in sent.iter().enumerate() {
                let end = sent.partition_point(|at| *at < *first + minute);
                assert!((end - idx) as u64 <= per_minute, "{per_minute} from {first:?}");
            }
        }
    }

    #[test]
    fn large_requests_are_paid_for_afterwards() {
        // 60,000 a minute are 1,000 a second; one request takes 5,000.
        let sent = sent(60_000, 5_000, Duration::from_secs(120));
        assert_eq!(sent.first(), Some(&Duration::ZERO));
        assert!(
            sent.windows(2)
                .all(|pair| pair[1] - pair[0] > Duration::from_millis(4_990))
        );
        assert!((23..=25).contains(&sent.len()), "{}", sent.len());
    }

    #[test]
    fn requests_of_no_size_go_whenever_there_is_no_debt() {
        let start = Instant::now();
        let mut bucket = Bucket::new(60, start);
        bucket.take(3, start);
        assert!(bucket.ready_at(0, start).is_some());
        assert_eq!(bucket.ready_at(0, start + Duration::from_secs(2)), None);
    }
}
