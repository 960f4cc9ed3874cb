//! The figures of each run of a comparison.

use std::collections::BTreeMap;

use napsim_sim::event::Outcome;
use napsim_statistics::{
    BootstrapSettings, Interval, RepeatVariance, StatisticsError, mean, mean_interval, repeat_variance,
};

use super::metric::Metric;
use crate::aggregate::{Aggregate, UnitResult};
use crate::setup::RunSetup;

/// A run, with all its repeats, as it is handed to a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Name that the run has in tables.
    pub name: String,
    /// What it was asked to measure. Repeats differ from it in the seed alone.
    pub setup: RunSetup,
    /// One list a repeat, each in corpus order.
    pub repeats: Vec<Vec<UnitResult>>,
    /// Digest of each trajectory's actions by the trajectory's name, where it is known. Trajectories of the same name
    /// are only paired if their digests agree, or their lengths where a digest is missing.
    pub digests: BTreeMap<String, String>,
    /// Units of the run that are still to be done.
    pub missing: usize,
}

/// The figures of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFigures {
    /// Name of the run.
    pub name: String,
    /// What it was asked to measure.
    pub setup: RunSetup,
    /// What tables call the corpus: as much of its path as it takes to tell the corpora of a comparison apart.
    pub corpus: String,
    /// Place among the complete runs by the mean, from 1; equal means share a place. Absent for an incomplete run, one
    /// without the figure, and where complete runs have no trajectory in common.
    pub rank: Option<usize>,
    /// Trajectories that have the figure in all repeats.
    pub trajectories: usize,
    /// Trajectories of which anything is known.
    pub trajectories_all: usize,
    /// Repeats.
    pub repeats: usize,
    /// Units that are still to be done.
    pub missing: usize,
    /// Units that failed.
    pub failed: usize,
    /// Units that a limit stopped.
    pub truncated: usize,
    /// Of these, units without a UAS, since the published system does not have the limit.
    pub truncated_without_uas: usize,
    /// Units in which an acceptance had to be taken back.
    pub diverged: usize,
    /// Mean of the metric over trajectories, each of which is a mean over repeats.
    pub mean: Option<f64>,
    /// Confidence interval of the mean; absent below two trajectories.
    pub interval: Option<Interval>,
    /// The metric over all trajectories pooled, where there is such a thing; mean over repeats.
    pub pooled: Option<f64>,
    /// The means of all metrics.
    pub means: Means,
    /// The spread over repeats; absent for a single repeat.
    pub spread: Option<RepeatVariance>,
}

/// The means of a run by metric, and its pooled figures. Ratios between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "`Metric` says what they are")]
pub struct Means {
    pub uas: Option<f64>,
    pub uas_pooled: Option<f64>,
    pub ar: Option<f64>,
    pub ar_pooled: Option<f64>,
    pub precision: Option<f64>,
    pub pcov: Option<f64>,
    pub pcov_attempted: Option<f64>,
    /// Undo actions of a repeat; mean over repeats.
    pub undo_actions: Option<f64>,
}

impl RunFigures {
    /// The figures of a run with intervals for one metric; `rank` is left open.
    ///
    /// # Errors
    /// Settings out of bounds.
    pub fn of(run: &ComparedRun, metric: Metric, settings: &BootstrapSettings) -> Result<Self, StatisticsError> {
        let trajectories = trajectories(run);
        let values: Vec<f64> = values(&trajectories, metric).into_iter().flatten().collect();
        let (lowest, highest) = metric.bounds();
        let interval = match mean_interval(&values, settings) {
            Err(StatisticsError::TooFew { .. }) => None,
            interval => Some(interval?.within(lowest, highest)),
        };
        let units = || run.repeats.iter().flatten();
        let n_with = |outcome| units().filter(|unit| unit.summary.outcome == outcome).count();
        Ok(Self {
            name: run.name.clone(),
            setup: run.setup.clone(),
            corpus: run.setup.corpus.clone(),
            rank: None,
            trajectories: values.len(),
            trajectories_all: trajectories.len(),
            repeats: run.repeats.len(),
            missing: run.missing,
            failed: n_with(Outcome::Failed),
            truncated: units().filter(|unit| unit.summary.limit.is_some()).count(),
            truncated_without_uas: units().filter(|unit| is_without_uas(unit)).count(),
            diverged: n_with(Outcome::Diverged),
            mean: mean(&values),
            interval,
            pooled: pooled(run, |aggregate| metric.pooled(aggregate)),
            means: Means::of(run, &trajectories),
            spread: spread(&trajectories, metric),
        })
    }

    /// Whether every unit is there and none failed. What is not is not ranked.
    pub fn is_complete(&self) -> bool {
        self.missing == 0 && self.failed == 0 && self.trajectories_all > 0
    }
}

impl Means {
    fn of(run: &ComparedRun, trajectories: &[TrajectoryRepeats<'_>]) -> Self {
        let of = |metric| {
            let values: Vec<f64> = values(trajectories, metric).into_iter().flatten().collect();
            mean(&values)
        };
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let undo = |aggregate: &Aggregate| (aggregate.trajectories > 0).then_some(aggregate.undo_actions as f64);
        Self {
            uas: of(Metric::Uas),
            uas_pooled: pooled(run, |aggregate| aggregate.uas_pooled),
            ar: of(Metric::AcceptanceRate),
            ar_pooled: pooled(run, |aggregate| aggregate.ar_pooled),
            precision: of(Metric::Precision),
            pcov: of(Metric::Pcov),
            pcov_attempted: of(Metric::PcovAttempted),
            undo_actions: pooled(run, undo),
        }
    }

    /// The mean of a metric.
    pub fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Uas => self.uas,
            Metric::AcceptanceRate => self.ar,
            Metric::Precision => self.precision,
            Metric::Pcov => self.pcov,
            Metric::PcovAttempted => self.pcov_attempted,
        }
    }
}

/// Mean over repeats of a figure of the whole repeat.
fn pooled(run: &ComparedRun, figure: impl Fn(&Aggregate) -> Option<f64>) -> Option<f64> {
    let figures: Option<Vec<f64>> = run.repeats.iter().map(|units| figure(&Aggregate::of(units))).collect();
    mean(&figures?)
}

/// Whether a limit stopped the rollout that leaves it without a UAS.
fn is_without_uas(unit: &UnitResult) -> bool {
    unit.summary.limit.is_some_and(|limit| !limit.is_published())
}

/// What is known of a trajectory's actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trajectory<'a> {
    digest: Option<&'a str>,
    actions: u32,
}

impl Trajectory<'_> {
    /// Whether another run means the same trajectory by the same name.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self.digest, other.digest) {
            (Some(left), Some(right)) => left == right,
            _ => self.actions == other.actions,
        }
    }
}

/// The repeats of one trajectory.
#[derive(Clone, Debug)]
pub(super) struct TrajectoryRepeats<'a> {
    pub(super) name: &'a str,
    pub(super) trajectory: Trajectory<'a>,
    units: Vec<&'a UnitResult>,
    /// Repeats of the run.
    repeats: usize,
}

/// The trajectories of a run in corpus order.
pub(super) fn trajectories(run: &ComparedRun) -> Vec<TrajectoryRepeats<'_>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all: Vec<TrajectoryRepeats<'_>> = Vec::new();
    for unit in run.repeats.iter().flatten() {
        let name = unit.summary.name.as_str();
        let place = *places.entry(name).or_insert(all.len());
        match all.get_mut(place) {
            Some(trajectory) => trajectory.units.push(unit),
            None => all.push(TrajectoryRepeats {
                name,
                trajectory: Trajectory {
                    digest: run.digests.get(name).map(String::as_str),
                    actions: unit.summary.actions,
                },
                units: vec![unit],
                repeats: run.repeats.len(),
            }),
        }
    }
    all
}

/// The figure of each trajectory, mean over repeats; absent where a repeat is missing, was aborted or lacks it.
pub(super) fn values(trajectories: &[TrajectoryRepeats<'_>], metric: Metric) -> Vec<Option<f64>> {
    let has_prediction = |unit: &&UnitResult| unit.summary.precision.is_some();
    let any_prediction = trajectories.iter().any(|all| all.units.iter().any(has_prediction));
    let is_silent = metric == Metric::Precision && !any_prediction;
    let value = |trajectory: &TrajectoryRepeats<'_>| trajectory.value(metric).filter(|_| !is_silent);
    trajectories.iter().map(value).collect()
}

impl TrajectoryRepeats<'_> {
    /// Whether a unit is there for every repeat.
    pub(super) fn is_whole(&self) -> bool {
        self.units.len() == self.repeats
    }

    pub(super) fn has_failed(&self) -> bool {
        self.units.iter().any(|unit| unit.summary.outcome == Outcome::Failed)
    }

    pub(super) fn is_truncated(&self) -> bool {
        self.units.iter().any(|unit| unit.summary.limit.is_some())
    }

    pub(super) fn is_without_uas(&self) -> bool {
        self.units.iter().any(|unit| is_without_uas(unit))
    }

    fn value(&self, metric: Metric) -> Option<f64> {
        let figures = self.units.iter().map(|unit| metric.of(unit));
        let values: Vec<f64> = if metric == Metric::AcceptanceRate {
            // A repeat without predictions says nothing of how many are taken.
            figures.flatten().collect()
        } else {
            figures.collect::<Option<_>>()?
        };
        let is_known = self.is_whole() && !self.units.iter().any(|unit| unit.is_aborted());
        mean(&values).filter(|_| is_known)
    }
}

/// Over the trajectories that have the figure in every repeat.
fn spread(trajectories: &[TrajectoryRepeats<'_>], metric: Metric) -> Option<RepeatVariance> {
    let whole: Vec<Vec<f64>> = trajectories
        .iter()
        .filter(|trajectory| trajectory.is_whole() && trajectory.repeats > 1)
        .filter_map(|trajectory| trajectory.units.iter().map(|unit| metric.of(unit)).collect())
        .collect();
    let n_repeats = whole.first()?.len();
    let by_repeat: Vec<Vec<f64>> = (0..n_repeats)
        .map(|repeat| whole.iter().filter_map(|values| values.get(repeat)).copied().collect())
        .collect();
    repeat_variance(&by_repeat).ok()
}
