//! How long calls of a predictor took, as counts by duration: small, mergeable, and good for percentiles.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Buckets in which a duration doubles, so that a percentile is wrong by less than 5 %.
const BUCKETS_PER_DOUBLING: f64 = 8.0;

/// Durations of calls, counted by their size. No figure of a run depends on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latencies {
    /// Number of calls by bucket: bucket `b` ends at 2^(b / 8) microseconds, the first one at 1.
    counts: BTreeMap<u16, u64>,
}

impl Latencies {
    /// Counts a call that took so many seconds.
    pub fn add(&mut self, seconds: f64) {
        *self.counts.entry(bucket(seconds)).or_default() += 1;
    }

    /// Counts the calls of another rollout too.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, count) in &other.counts {
            *self.counts.entry(*bucket).or_default() += count;
        }
    }

    /// Number of calls.
    pub fn n_calls(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether there was no call.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Seconds within which that share of the calls ended, for a share between 0 and 1; absent without calls.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts are far below 2^53, and shares are no more than 1"
    )]
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let n = self.n_calls();
        let rank = ((share.clamp(0.0, 1.0) * n as f64).ceil() as u64).max(1);
        let mut n_before = 0;
        for (bucket, count) in &self.counts {
            n_before += count;
            if n_before >= rank {
                return Some(end_s(*bucket));
            }
        }
        None
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is between 0 and the greatest of the type"
)]
fn bucket(seconds: f64) -> u16 {
    let doublings = (seconds * 1e6).max(1.0).log2();
    (doublings * BUCKETS_PER_DOUBLING)
        .ceil()
        .clamp(0.0, f64::from(u16::MAX)) as u16
}

/// The seconds at which a bucket ends.
fn end_s(bucket: u16) -> f64 {
    (f64::from(bucket) / BUCKETS_PER_DOUBLING).exp2() / 1e6
}

/// As pairs of a bucket and its count.
impl Serialize for Latencies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.counts)
    }
}

impl<'de> Deserialize<'de> for Latencies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Vec::<(u16, u64)>::deserialize(deserializer)?;
        let mut latencies = Self::default();
        for (bucket, count) in pairs {
            *latencies.counts.entry(bucket).or_default() += count;
        }
        Ok(latencies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_right_but_for_their_rounding() {
        let mut latencies = Latencies::default();
        for ms in 1..=1000 {
            latencies.add(f64::from(ms) / 1000.0);
        }
        for (share, seconds) in [(0.5, 0.5), (0.9, 0.9), (0.99, 0.99), (1.0, 1.0), (0.0, 0.001)] {
            let found = latencies.quantile(share).unwrap();
            assert!((seconds..seconds * 1.1).contains(&found), "{share}: {found}");
        }
        assert_eq!(Latencies::default().quantile(0.5), None);
    }

    #[test]
    fn every_duration_has_a_place() {
        for seconds in [0.0, -1.0, 1e-9, 1e9, f64::INFINITY, f64::NAN] {
            let mut latencies = Latencies::default();
            latencies.add(seconds);
            assert_eq!(latencies.n_calls(), 1);
            assert!(latencies.quantile(0.5).is_some());
        }
    }

    #[test]
    fn rollouts_add_up_and_are_read_back() {
        let (mut one, mut other) = (Latencies::default(), Latencies::default());
        one.add(0.001);
        other.add(0.001);
        other.add(2.0);
        one.merge(&other);
        assert_eq!(one.n_calls(), 3);
        let text = serde_json::to_string(&one).unwrap();
        assert_eq!(text, "[[80,2],[168,1]]");
        assert_eq!(serde_json::from_str::<Latencies>(&text).unwrap(), one);
    }
}
