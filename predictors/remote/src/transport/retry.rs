//! Whether to ask again, and when.

use std::time::Duration;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::TransportSettings;

/// Why a request is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryCause {
    Throttled,
    Server,
    Connection,
    TimedOut,
    Malformed,
}

/// How often a call may still ask again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    retries: u32,
    malformed_retries: u32,
}

impl Patience {
    pub(super) fn new(settings: &TransportSettings) -> Self {
        Self {
            retries: settings.retries_max,
            malformed_retries: settings.malformed_retries_max,
        }
    }

    /// Whether to ask again, which is then counted.
    pub(super) fn allows(&mut self, cause: RetryCause) -> bool {
        let left = match cause {
            RetryCause::Malformed => &mut self.malformed_retries,
            _ => &mut self.retries,
        };
        match left.checked_sub(1) {
            Some(fewer) => *left = fewer,
            None => return false,
        }
        true
    }
}

/// The waits between the attempts of one call: each twice as long as the one before, shortened by up to a half at random
/// so that lanes which failed together do not come back together.
pub(super) struct Backoff {
    next: Duration,
    max: Duration,
    random: ChaCha8Rng,
}

impl Backoff {
    /// The waits of the call with this number.
    pub(super) fn new(settings: &TransportSettings, call: u64) -> Self {
        Self {
            next: settings.backoff_min.min(settings.backoff_max),
            max: settings.backoff_max,
            random: ChaCha8Rng::seed_from_u64(call),
        }
    }

    /// The next wait, which is never shorter than what a server asks for.
    pub(super) fn wait(&mut self, asked: Option<Duration>) -> Duration {
        let whole = self.next;
        self.next = whole.saturating_mul(2).min(self.max);
        let part = whole.as_secs_f64() * self.random.random_range(0.5..=1.0);
        let wait = Duration::try_from_secs_f64(part).unwrap_or(whole);
        wait.max(asked.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit() {
        let settings = TransportSettings::default();
        let mut firsts = Vec::new();
        for call in 0..200 {
            let mut backoff = Backoff::new(&settings, call);
            for whole in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
                let wait = backoff.wait(None).as_secs_f64();
                assert!((whole / 2.0..=whole).contains(&wait), "{wait} of {whole}");
                firsts.push(wait);
            }
        }
        firsts.sort_by(f64::total_cmp);
        firsts.dedup();
        assert!(firsts.len() > 1_500, "waits differ: {}", firsts.len());
    }

    #[test]
    fn servers_are_not_asked_before_they_want_it() {
        let mut backoff = Backoff::new(&TransportSettings::default(), 7);
        let asked = Duration::from_secs(20);
        assert_eq!(backoff.wait(Some(asked)), asked);
        assert!(backoff.wait(Some(Duration::ZERO)) >= Duration::from_secs(1));
    }

    #[test]
    fn waits_of_any_length_are_possible() {
        for (min, max) in [
            (Duration::MAX, Duration::MAX),
            (Duration::ZERO, Duration::ZERO),
            (Duration::MAX, Duration::ZERO),
        ] {
            let settings = TransportSettings {
                backoff_min: min,
                backoff_max: max,
                ..TransportSettings::default()
            };
            let mut backoff = Backoff::new(&settings, 1);
            assert!((0..100).all(|_| backoff.wait(None) <= max));
        }
    }

    #[test]
    fn nonsense_has_fewer_retries_of_its_own() {
        let mut patience = Patience::new(&TransportSettings {
            retries_max: 3,
            malformed_retries_max: 1,
            ..TransportSettings::default()
        });
        assert!(patience.allows(RetryCause::Malformed));
        assert!(!patience.allows(RetryCause::Malformed));
        for cause in [RetryCause::Throttled, RetryCause::Connection, RetryCause::TimedOut] {
            assert!(patience.allows(cause), "{cause:?}");
        }
        assert!(!patience.allows(RetryCause::Server));
    }
}
