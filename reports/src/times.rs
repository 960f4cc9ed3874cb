//! Where the time of a run went. No figure depends on it.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::table::PredictionTime;

/// Where the time of one rollout, or of several together, went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RolloutTime {
    /// Time spent in the predictor.
    #[serde(flatten)]
    pub prediction: PredictionTime,
    /// Seconds spent in taking note of what happened: record, coverage, log and progress.
    #[serde(default)]
    pub record_s: f64,
    /// Seconds spent in scoring proposals.
    #[serde(default)]
    pub score_s: f64,
    /// Seconds spent in rewriting futures.
    #[serde(default)]
    pub rewrite_s: f64,
    /// Seconds of the whole rollout, these included; 0 where an older version has not kept them.
    #[serde(default)]
    pub total_s: f64,
}

impl AddAssign for RolloutTime {
    fn add_assign(&mut self, other: Self) {
        self.prediction = PredictionTime::sum([self.prediction, other.prediction].into_iter());
        self.record_s += other.record_s;
        self.score_s += other.score_s;
        self.rewrite_s += other.rewrite_s;
        self.total_s += other.total_s;
    }
}

/// What the clock said about a run as a whole.
#[derive(Clone, Copy, Debug)]
pub struct RunClock {
    /// Seconds from beginning to end.
    pub wall_s: f64,
    /// Of these, seconds in which the corpus was read.
    pub load_s: f64,
    /// Of these, seconds in which rollouts were done.
    pub rollouts_s: f64,
    /// How many threads did them.
    pub n_threads: usize,
}

/// Where the time of a run went, in seconds. What happens in rollouts is summed over threads, so that the parts are
/// together more than `wall_s` where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunTimes {
    /// From beginning to end.
    pub wall_s: f64,
    /// How many threads did the rollouts.
    pub threads: usize,
    /// Reading the corpus.
    pub load_s: f64,
    /// In the predictor, learning from the history included.
    pub predict_s: f64,
    /// Scoring proposals.
    pub score_s: f64,
    /// Rewriting futures.
    pub rewrite_s: f64,
    /// Carrying actions out, and the rest of the rollouts.
    pub carry_out_s: f64,
    /// Taking note of what happened: record, coverage, log and progress.
    pub record_s: f64,
    /// Threads without a trajectory while others still had one.
    pub idle_s: f64,
    /// Everything else, such as figures and tables.
    pub other_s: f64,
}

impl RunTimes {
    /// The parts of a run; `rollouts` is the time of those that were done in it.
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 threads")]
    pub fn new(clock: RunClock, rollouts: RolloutTime) -> Self {
        // Clocks are read at slightly different moments, so that a difference may be less than nothing.
        let rest = |whole: f64, parts: f64| (whole - parts).max(0.0);
        let predict_s = rollouts.prediction.seconds;
        Self {
            wall_s: clock.wall_s,
            threads: clock.n_threads,
            load_s: clock.load_s,
            predict_s,
            score_s: rollouts.score_s,
            rewrite_s: rollouts.rewrite_s,
            carry_out_s: rest(
                rollouts.total_s,
                predict_s + rollouts.score_s + rollouts.rewrite_s + rollouts.record_s,
            ),
            record_s: rollouts.record_s,
            idle_s: rest(clock.rollouts_s * clock.n_threads as f64, rollouts.total_s),
            other_s: rest(clock.wall_s, clock.load_s + clock.rollouts_s),
        }
    }

    /// The parts with what they are called in a table.
    pub fn parts(&self) -> [(&'static str, f64); 8] {
        [
            ("load", self.load_s),
            ("predict", self.predict_s),
            ("score", self.score_s),
            ("rewrite", self.rewrite_s),
            ("carry out", self.carry_out_s),
            ("record", self.record_s),
            ("idle threads", self.idle_s),
            ("other", self.other_s),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_whole() {
        let clock = RunClock {
            wall_s: 2.0,
            load_s: 0.25,
            rollouts_s: 1.5,
            n_threads: 2,
        };
        let mut rollouts = RolloutTime::default();
        for _ in 0..2 {
            rollouts += RolloutTime {
                prediction: PredictionTime {
                    seconds: 0.5,
                    calls: 10,
                },
                record_s: 0.25,
                score_s: 0.125,
                rewrite_s: 0.25,
                total_s: 1.25,
            };
        }
        let times = RunTimes::new(clock, rollouts);
        let sum: f64 = times.parts().iter().map(|(_, seconds)| seconds).sum();
        assert!((sum - (0.25 + 2.0 * 1.5 + 0.25)).abs() < 1e-9, "{times:?}");
        assert!(
            (times.carry_out_s - 0.25).abs() < 1e-9 && (times.idle_s - 0.5).abs() < 1e-9,
            "{times:?}"
        );
    }

    #[test]
    fn times_of_older_versions_are_read() {
        let time: RolloutTime = serde_json::from_str(r#"{"seconds": 1.5, "calls": 3}"#).unwrap();
        assert_eq!(
            (time.prediction.calls, time.prediction.seconds.to_bits()),
            (3, 1.5f64.to_bits())
        );
    }
}
