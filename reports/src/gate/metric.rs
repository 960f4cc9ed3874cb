//! The figures of a run that a gate can ask for.

use std::fmt;

use napsim_sim::event::Outcome;
use napsim_statistics::{BootstrapSettings, StatisticsError};

use crate::comparison::{ComparedRun, Metric, RunFigures};
use crate::table::counted;

/// A figure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateMetric {
    /// Mean over trajectories.
    Mean(Metric),
    /// Lower end of the mean's confidence interval.
    Low(Metric),
    /// Upper end of it.
    High(Metric),
    /// Over all trajectories pooled; of UAS and AR alone.
    Pooled(Metric),
    /// Undo actions of all trajectories; mean over repeats.
    Undo,
    /// Units that a limit stopped.
    Truncated,
    /// Units in which an acceptance was taken back.
    Diverged,
}

/// Names that are not made of a metric's own.
const PLAIN: [(&str, GateMetric); 6] = [
    ("uas_pooled", GateMetric::Pooled(Metric::Uas)),
    ("ar_pooled", GateMetric::Pooled(Metric::AcceptanceRate)),
    ("undo", GateMetric::Undo),
    ("undo_actions", GateMetric::Undo),
    ("truncated", GateMetric::Truncated),
    ("diverged", GateMetric::Diverged),
];

impl GateMetric {
    /// The figure of that name: a metric, `METRIC.low`, `METRIC.high`, or one of a few others.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        if let Some((_, metric)) = PLAIN.iter().find(|(plain, _)| *plain == name) {
            return Some(*metric);
        }
        match name.rsplit_once('.') {
            None => Metric::from_name(&name).map(Self::Mean),
            Some((metric, "low")) => Metric::from_name(metric).map(Self::Low),
            Some((metric, "high")) => Metric::from_name(metric).map(Self::High),
            Some(_) => None,
        }
    }

    /// All names, for messages.
    pub(super) fn names() -> Vec<String> {
        let plain = PLAIN.iter().map(|(name, _)| (*name).to_owned());
        let of_metric = |metric: Metric| {
            [
                metric.name().to_owned(),
                format!("{metric}.low"),
                format!("{metric}.high"),
            ]
        };
        Metric::ALL.into_iter().flat_map(of_metric).chain(plain).collect()
    }

    /// The figure of a run; absent where it is undefined.
    pub(super) fn of(self, run: &ComparedRun, settings: &BootstrapSettings) -> Result<Option<f64>, StatisticsError> {
        let n_with = |is: fn(&crate::UnitResult) -> bool| {
            let n = run.repeats.iter().flatten().filter(|unit| is(unit)).count();
            u32::try_from(n).ok().map(f64::from)
        };
        Ok(match self {
            Self::Mean(metric) => RunFigures::of(run, metric, settings)?.mean,
            Self::Low(metric) => RunFigures::of(run, metric, settings)?
                .interval
                .map(|interval| interval.low),
            Self::High(metric) => RunFigures::of(run, metric, settings)?
                .interval
                .map(|interval| interval.high),
            Self::Pooled(metric) => RunFigures::of(run, metric, settings)?.pooled,
            Self::Undo => RunFigures::of(run, Metric::Uas, settings)?.means.undo_actions,
            Self::Truncated => n_with(|unit| unit.summary.limit.is_some()),
            Self::Diverged => n_with(|unit| unit.summary.outcome == Outcome::Diverged),
        })
    }

    /// Whether it is a share, which may be written in percent.
    pub(super) fn is_share(self) -> bool {
        self.bounds().is_some()
    }

    /// The values between which a share must lie; absent for a count.
    pub(super) fn bounds(self) -> Option<(f64, f64)> {
        match self {
            Self::Mean(metric) | Self::Low(metric) | Self::High(metric) | Self::Pooled(metric) => Some(metric.bounds()),
            Self::Undo | Self::Truncated | Self::Diverged => None,
        }
    }

    /// A value of the figure with the unit that people give it.
    pub(super) fn shown(self, value: f64) -> String {
        if self.is_share() {
            format!("{:.2} %", 100.0 * value)
        } else {
            value.to_string()
        }
    }
}

impl fmt::Display for GateMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean(metric) => metric.fmt(f),
            Self::Low(metric) => write!(f, "{metric}.low"),
            Self::High(metric) => write!(f, "{metric}.high"),
            Self::Pooled(metric) => write!(f, "{metric}_pooled"),
            Self::Undo => f.write_str("undo"),
            Self::Truncated => f.write_str("truncated"),
            Self::Diverged => f.write_str("diverged"),
        }
    }
}

/// Why a run is not measured against anything, if it is not.
pub(super) fn incomplete(run: &ComparedRun) -> Option<String> {
    let is_failed = |unit: &&crate::UnitResult| unit.summary.outcome == Outcome::Failed;
    let n_failed = run.repeats.iter().flatten().filter(is_failed).count();
    let is_empty = run.repeats.iter().all(Vec::is_empty);
    let many = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let missing = counted(many(run.missing), "unit is missing", "units are missing");
    let what = match (run.missing, n_failed) {
        (0, 0) => return is_empty.then(|| "the run has no unit".to_owned()),
        (_, 0) => missing,
        (0, failed) => format!("{} failed", counted(many(failed), "unit", "units")),
        (_, failed) => format!("{missing} and {failed} failed"),
    };
    Some(format!("the run is incomplete: {what}"))
}
