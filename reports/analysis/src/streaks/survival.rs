//! How many streaks are at least so long, beside what chance would give.

use super::counts::{self, Histogram};
use super::{SurvivalPoint, at_least, expected};
use crate::interval::{Part, rate_intervals};
use crate::number::{float, ratio};
use crate::run::RunAnalysis;

/// A streak may be as long as a trajectory; the curve has a point for each length up to this, and then for those that
/// occur.
const DENSE_MAX: u32 = 50;

pub(super) fn survival(run: &RunAnalysis, streaks: &Histogram) -> Vec<SurvivalPoint> {
    let longest = streaks.keys().next_back().copied().unwrap_or_default();
    let sparse = streaks.range(DENSE_MAX + 1..).map(|(length, _)| *length);
    let lengths: Vec<u32> = (1..=longest.min(DENSE_MAX)).chain(sparse).collect();
    let clusters = run.clusters(
        |histogram: &mut Histogram, unit| counts::add(histogram, &unit.streaks.streaks),
        |histogram| {
            let whole = float(at_least(histogram, 1));
            let part = |length: &u32| Part {
                part: float(at_least(histogram, *length)),
                whole,
            };
            lengths.iter().map(part).collect()
        },
    );
    let intervals = rate_intervals(&clusters, lengths.len());
    let basis = run.basis();
    let rate = ratio(basis.accepted, basis.predictions).unwrap_or_default();
    let expected = expected::survival(run.counted().map(|unit| unit.streaks.order), &lengths);
    let n_all = at_least(streaks, 1);
    let mut expected_pooled = 1.0;
    let mut last_length = 1;
    let points = lengths.iter().zip(intervals).zip(expected);
    points
        .map(|((length, interval), expected)| {
            // By multiplication, which is the same on every machine.
            for _ in last_length..*length {
                expected_pooled *= rate;
            }
            last_length = *length;
            let n = at_least(streaks, *length);
            SurvivalPoint {
                length: *length,
                n,
                share: ratio(n, n_all).unwrap_or_default(),
                // Every streak has a length of at least 1.
                interval: interval.filter(|_| *length > 1),
                expected,
                expected_pooled,
            }
        })
        .collect()
}
