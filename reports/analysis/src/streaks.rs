//! Accepted predictions in a row.
//!
//! A *streak* is an unbroken run of accepted predictions of one trajectory. User actions and empty answers between them do
//! not end it; a rejected prediction does, and a failed call, an acceptance that had to be taken back, and the end of the
//! rollout. A *chain* is a run of accepted predictions without any user action between.

mod counts;
mod expected;
mod runs_test;
mod survival;
mod tables;
mod text;

use serde::Serialize;

use crate::interval::{Part, RateInterval, rate_intervals};
use crate::kind::Kind;
use crate::number::{float, ratio};
use crate::published::{self, PublishedStreaks};
use crate::run::{Basis, RunAnalysis};
use crate::tally::Places;

use counts::Histogram;
pub(crate) use counts::{StreakBuilder, StreakCounts};
pub use runs_test::{RunsMethod, RunsTest};
pub use text::text;

/// Name and version of the object's schema.
pub const SCHEMA: &str = "napsim-streaks/1";

/// From this length on the paper calls a streak long.
pub const LONG: u32 = 7;

/// How many accepted predictions come in a row, and whether that is more than chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Streaks {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// What the figures are made of.
    pub basis: Basis,
    /// Lengths of streaks, in predictions.
    pub streaks: Lengths,
    /// Lengths of chains, in predictions.
    pub chains: Lengths,
    /// How many streaks are at least so long, for 1, 2, … up to the longest; none without streaks.
    pub survival: Vec<SurvivalPoint>,
    /// Whether acceptances stand together more than chance would have it; absent where no trajectory has both acceptances
    /// and rejections.
    pub runs_test: Option<RunsTest>,
    /// Acceptance of predictions that follow an accepted one, a rejected one, and of the first of a trajectory.
    pub after: After,
    /// Where streaks start and end, by the kind of the proposal, its first action where it has several.
    pub by_kind: Vec<Turn>,
    /// Where streaks start and end, by the kind of the last user action before.
    pub by_trigger: Vec<Turn>,
    /// What ended the streaks.
    pub ends: Ends,
    /// What the paper reports of GPT-5, for comparison.
    pub published: PublishedStreaks,
}

/// How long streaks or chains are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lengths {
    /// How many there are.
    pub n: u64,
    /// Mean length; absent without any, as are the next two.
    pub mean: Option<f64>,
    /// Median length, halfway between the middle two of an even number.
    pub median: Option<f64>,
    /// Share of those at least [`LONG`].
    pub share_long: Option<f64>,
    /// The longest; 0 without any.
    pub longest: u32,
    /// How many have each length that occurs, shortest first.
    pub histogram: Vec<LengthCount>,
}

/// How many streaks have a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LengthCount {
    /// The length, in predictions.
    pub length: u32,
    /// How many have it.
    pub n: u64,
}

/// How many streaks are at least so long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurvivalPoint {
    /// The length.
    pub length: u32,
    /// Streaks of that length or more.
    pub n: u64,
    /// Their share of all streaks.
    pub share: f64,
    /// An interval of the share; absent for length 1, whose share is 1 whatever happens.
    pub interval: Option<RateInterval>,
    /// The share to expect if each trajectory's acceptances and rejections came in random order, all orders equally
    /// likely. It takes account of rates that differ between trajectories and of their ends.
    pub expected: f64,
    /// The share to expect of a coin that comes up "accepted" with the acceptance rate of the whole run: AR^(length − 1).
    pub expected_pooled: f64,
}

/// Acceptance after acceptance and after rejection. Calls without a suggestion or without an answer are passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct After {
    /// Predictions whose predecessor in the trajectory was accepted.
    pub accepted: AfterRate,
    /// Predictions whose predecessor was not.
    pub rejected: AfterRate,
    /// First predictions of trajectories.
    pub first: AfterRate,
}

/// How many of a group of predictions were accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AfterRate {
    /// Predictions of the group.
    pub predictions: u64,
    /// Those accepted.
    pub accepted: u64,
    /// Their share; absent without predictions.
    pub rate: Option<f64>,
    /// An interval of the share.
    pub interval: Option<RateInterval>,
}

/// How many streaks start and end with a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// The kind.
    pub kind: Kind,
    /// Streaks that start so.
    pub starts: u64,
    /// Their share of all streaks.
    pub start_share: Option<f64>,
    /// Streaks that a rejected prediction of that kind, or after that kind of user action, ended.
    pub ends: u64,
    /// Their share of the streaks that a rejected prediction ended.
    pub end_share: Option<f64>,
}

/// What ended streaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// A prediction that was rejected.
    pub rejected: u64,
    /// A call that failed.
    pub failed_call: u64,
    /// An acceptance that had to be taken back.
    pub diverged: u64,
    /// The end of the trajectory: nothing was left to do.
    pub end: u64,
    /// A limit that stopped the rollout.
    pub limit: u64,
}

impl Ends {
    /// What ended them, in words, and how many.
    pub fn rows(&self) -> [(&'static str, u64); 5] {
        [
            ("a rejected proposal", self.rejected),
            ("a failed call", self.failed_call),
            ("an acceptance taken back", self.diverged),
            ("the end of the trajectory", self.end),
            ("a limit", self.limit),
        ]
    }
}

pub(crate) fn of(run: &RunAnalysis) -> Streaks {
    let mut sum = StreakCounts::default();
    for unit in run.counted() {
        sum.add(&unit.streaks);
    }
    Streaks {
        schema: SCHEMA,
        basis: run.basis(),
        streaks: lengths(&sum.streaks),
        chains: lengths(&sum.chains),
        survival: survival::survival(run, &sum.streaks),
        runs_test: runs_test::of(run.counted().map(|unit| unit.streaks.order)),
        after: after(run),
        by_kind: turns(&sum.start_kinds, &sum.end_kinds),
        by_trigger: turns(&sum.start_triggers, &sum.end_triggers),
        ends: sum.ends,
        published: published::STREAKS,
    }
}

fn lengths(histogram: &Histogram) -> Lengths {
    let n: u64 = histogram.values().sum();
    let total: u64 = histogram.iter().map(|(length, n)| u64::from(*length) * n).sum();
    let at = |place: u64| {
        let mut below = 0;
        histogram.iter().find_map(|(length, n)| {
            below += n;
            (place < below).then(|| f64::from(*length))
        })
    };
    let median = n.checked_sub(1).and_then(|last| {
        let (low, high) = (at(last / 2)?, at(n / 2)?);
        Some(f64::midpoint(low, high))
    });
    Lengths {
        n,
        mean: ratio(total, n),
        median,
        share_long: ratio(at_least(histogram, LONG), n),
        longest: histogram.keys().next_back().copied().unwrap_or_default(),
        histogram: histogram
            .iter()
            .map(|(length, n)| LengthCount { length: *length, n: *n })
            .collect(),
    }
}

fn at_least(histogram: &Histogram, length: u32) -> u64 {
    histogram.range(length..).map(|(_, n)| n).sum()
}

fn after(run: &RunAnalysis) -> After {
    let mut sums = [(0, 0); 3];
    for unit in run.counted() {
        for (sum, (n, accepted)) in sums.iter_mut().zip(unit.streaks.after) {
            sum.0 += n;
            sum.1 += accepted;
        }
    }
    let clusters = run.clusters(
        |sums: &mut [(u64, u64); 3], unit| {
            for (sum, (n, accepted)) in sums.iter_mut().zip(unit.streaks.after) {
                sum.0 += n;
                sum.1 += accepted;
            }
        },
        |sums| {
            let part = |(n, accepted): &(u64, u64)| Part {
                part: float(*accepted),
                whole: float(*n),
            };
            sums.iter().map(part).collect()
        },
    );
    let mut rates = sums
        .iter()
        .zip(rate_intervals(&clusters, 3))
        .map(|((n, accepted), interval)| AfterRate {
            predictions: *n,
            accepted: *accepted,
            rate: ratio(*accepted, *n),
            interval,
        });
    let mut next = || rates.next().unwrap_or_default();
    After {
        accepted: next(),
        rejected: next(),
        first: next(),
    }
}

fn turns(starts: &Places, ends: &Places) -> Vec<Turn> {
    let (n_starts, n_ends) = (starts.sum(), ends.sum());
    let turn = |kind: Kind| {
        let (starts, ends) = (starts.get(kind.place()), ends.get(kind.place()));
        Turn {
            kind,
            starts,
            start_share: ratio(starts, n_starts),
            ends,
            end_share: ratio(ends, n_ends),
        }
    };
    Kind::all()
        .map(turn)
        .filter(|turn| turn.kind.group().is_some() || turn.starts + turn.ends > 0)
        .collect()
}

#[cfg(test)]
mod tests;
