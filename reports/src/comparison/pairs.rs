//! Two runs compared trajectory by trajectory.

use std::collections::BTreeMap;

use napsim_statistics::{BootstrapSettings, PairedDifference, StatisticsError, paired_difference};

use super::metric::Metric;
use super::run::{ComparedRun, TrajectoryRepeats, trajectories, values};

/// A run compared with another one, pair by pair of trajectories.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedFigures {
    /// Name of the run.
    pub run: String,
    /// Name of the run that it is compared with.
    pub baseline: String,
    /// Trajectories of either run that make no pair, and why.
    pub left_out: LeftOut,
    /// Pairs in which a limit stopped a rollout of either run.
    pub truncated: usize,
    /// The figures of run − baseline.
    pub difference: PairedDifference,
    /// p of the sign-flip test, adjusted by Holm's method over all comparisons of the table; absent without pairs.
    pub p_sign_flip: Option<f64>,
    /// p of Wilcoxon's test, adjusted likewise.
    pub p_wilcoxon: Option<f64>,
    /// What follows.
    pub verdict: Verdict,
}

/// Trajectories that make no pair, each under one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// One of the runs lacks the trajectory or a repeat of it.
    pub missing: usize,
    /// The trajectories have the same name and other actions.
    pub different: usize,
    /// A repeat of one of the runs failed.
    pub failed: usize,
    /// A limit stopped a rollout of one of the runs so that it has no UAS.
    pub truncated: usize,
    /// One of the runs has no such figure for it: no predictions to be accepted, or no list of predictable properties.
    pub undefined: usize,
}

/// What is said of rollouts that a limit stopped which the published system does not have.
pub(super) const TRUNCATED_WITHOUT_UAS: &str = "truncated (chain-max or future-max: no UAS)";

/// What a comparison comes to. Its test is the sign-flip test of the mean difference, adjusted by Holm's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The mean is higher, and the test says that it is no chance.
    Better,
    /// The mean is lower, and the test says that it is no chance.
    Worse,
    /// The test cannot tell the runs apart. That does not make them equal.
    NoDifferenceShown,
    /// Every pair has the same value.
    Identical,
    /// One of the runs is incomplete.
    NotRanked,
    /// No pair is left.
    NothingPaired,
}

impl Verdict {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::NoDifferenceShown => "no difference shown",
            Self::Identical => "identical on every trajectory",
            Self::NotRanked => "not ranked",
            Self::NothingPaired => "nothing to pair",
        }
    }
}

impl LeftOut {
    /// How many there are.
    pub fn total(&self) -> usize {
        self.missing + self.different + self.failed + self.truncated + self.undefined
    }

    /// The reasons with their counts: `1 failed, 2 without the figure`.
    pub fn words(&self) -> String {
        let parts = [
            (self.missing, "missing in one of them"),
            (self.different, "with other actions under the same name"),
            (self.failed, "failed"),
            (self.truncated, TRUNCATED_WITHOUT_UAS),
            (self.undefined, "without the figure"),
        ];
        let some = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = some.map(|(count, reason)| format!("{count} {reason}")).collect();
        words.join(", ")
    }
}

/// Values of the trajectories that two runs share.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    left: Vec<f64>,
    right: Vec<f64>,
    left_out: LeftOut,
    truncated: usize,
    /// Trajectories that both runs have by name.
    in_common: usize,
}

impl Pairs {
    /// The pairs in the order of the left run.
    pub(super) fn of(left: &ComparedRun, right: &ComparedRun, metric: Metric) -> Self {
        let (left, right) = (trajectories(left), trajectories(right));
        let others: BTreeMap<&str, (&TrajectoryRepeats<'_>, Option<f64>)> = right
            .iter()
            .zip(values(&right, metric))
            .map(|(other, value)| (other.name, (other, value)))
            .collect();
        let mut pairs = Self::default();
        for (one, value) in left.iter().zip(values(&left, metric)) {
            match others.get(one.name) {
                Some((other, other_value)) => pairs.take((one, value), (other, *other_value)),
                None => pairs.left_out.missing += 1,
            }
        }
        pairs.left_out.missing += right.len() - pairs.in_common;
        pairs
    }

    fn take(&mut self, left: (&TrajectoryRepeats<'_>, Option<f64>), right: (&TrajectoryRepeats<'_>, Option<f64>)) {
        self.in_common += 1;
        if !left.0.trajectory.is_same(&right.0.trajectory) {
            self.left_out.different += 1;
        } else if left.0.has_failed() || right.0.has_failed() {
            self.left_out.failed += 1;
        } else if !left.0.is_whole() || !right.0.is_whole() {
            self.left_out.missing += 1;
        } else if let (Some(one), Some(other)) = (left.1, right.1) {
            self.left.push(one);
            self.right.push(other);
            self.truncated += usize::from(left.0.is_truncated() || right.0.is_truncated());
        } else if left.0.is_without_uas() || right.0.is_without_uas() {
            self.left_out.truncated += 1;
        } else {
            self.left_out.undefined += 1;
        }
    }

    /// The figures of left − right; p-values are not adjusted yet.
    pub(super) fn figures(
        &self,
        run: &str,
        baseline: &str,
        metric: Metric,
        settings: &BootstrapSettings,
    ) -> Result<PairedFigures, StatisticsError> {
        let mut difference = paired_difference(&self.left, &self.right, settings)?;
        let (lowest, highest) = metric.bounds();
        let reach = highest - lowest;
        difference.interval = difference.interval.map(|interval| interval.within(-reach, reach));
        Ok(PairedFigures {
            run: run.to_owned(),
            baseline: baseline.to_owned(),
            left_out: self.left_out,
            truncated: self.truncated,
            p_sign_flip: (difference.n > 0).then_some(difference.sign_flip.p),
            p_wilcoxon: (difference.n > 0).then_some(difference.wilcoxon.p),
            difference,
            verdict: Verdict::NothingPaired,
        })
    }
}

impl PairedFigures {
    /// Whether the runs do not even have a trajectory in common, as far as is known of either.
    pub(super) fn are_strangers(&self) -> bool {
        self.left_out.missing + self.left_out.different == self.left_out.total() && self.difference.n == 0
    }

    /// What the figures come to at a significance level of 1 − `level`.
    pub(super) fn judge(&self, level: f64, are_complete: bool) -> Verdict {
        /// What rounding may add to 1 − 0.95.
        const SLACK: f64 = 1e-9;
        let difference = &self.difference;
        if difference.n == 0 {
            Verdict::NothingPaired
        } else if !are_complete {
            Verdict::NotRanked
        } else if difference.ties == difference.n {
            Verdict::Identical
        } else if self.p_sign_flip.is_none_or(|p| p > 1.0 - level + SLACK) {
            Verdict::NoDifferenceShown
        } else if difference.mean.is_some_and(|mean| mean > 0.0) {
            Verdict::Better
        } else {
            Verdict::Worse
        }
    }
}
