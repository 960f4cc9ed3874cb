//! The figures that runs can be compared by.

use std::fmt;
use std::str::FromStr;

use crate::aggregate::{Aggregate, UnitResult, acceptance_rate};
use crate::coverage::CoverageCounts;
use crate::nearest::{hint, nearest};

/// A figure that each trajectory has and runs can be compared by. More is better in all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// User actions saved.
    #[default]
    Uas,
    /// Accepted / predictions of a trajectory; undefined without predictions.
    AcceptanceRate,
    /// Mean precision of a trajectory's predictions; 0 without any, unless the whole run has none.
    Precision,
    /// Share of the predictable properties that accepted predictions produced.
    Pcov,
    /// The same over all predictions.
    PcovAttempted,
}

/// No figure has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("compare by `{name}`: there is no such metric{}; there are {}", hint(*nearest), Metric::NAMES)]
pub struct UnknownMetric {
    /// The word given.
    pub name: String,
    /// The metric that is spelled most like it.
    pub nearest: Option<&'static str>,
}

impl Metric {
    /// The names of all of them, for messages and help.
    pub const NAMES: &str = "uas, ar, precision, pcov, pcov_attempted";

    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Uas,
        Self::AcceptanceRate,
        Self::Precision,
        Self::Pcov,
        Self::PcovAttempted,
    ];

    /// The name that a user types and that exports have.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uas => "uas",
            Self::AcceptanceRate => "ar",
            Self::Precision => "precision",
            Self::Pcov => "pcov",
            Self::PcovAttempted => "pcov_attempted",
        }
    }

    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::Uas => "UAS",
            Self::AcceptanceRate => "AR",
            Self::Precision => "precision",
            Self::Pcov => "pCov",
            Self::PcovAttempted => "pCov, all attempts",
        }
    }

    /// Other names that are understood.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Uas => &["uas_mean", "user-actions-saved"],
            Self::AcceptanceRate => &["ar_mean", "acceptance-rate", "acceptance_rate"],
            Self::Precision => &["precision_mean"],
            Self::Pcov => &["pcov_accepted"],
            Self::PcovAttempted => &[],
        }
    }

    /// The metric of that name or alias, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let is_called = |metric: &Self| metric.name() == name || metric.aliases().contains(&name.as_str());
        Self::ALL.into_iter().find(is_called)
    }

    /// The values between which the figure must lie.
    pub(crate) fn bounds(self) -> (f64, f64) {
        match self {
            Self::Uas => (f64::NEG_INFINITY, 1.0),
            Self::AcceptanceRate | Self::Precision | Self::Pcov | Self::PcovAttempted => (0.0, 1.0),
        }
    }

    /// The figure of one rollout; absent where it is undefined or the rollout was aborted. Precision without predictions
    /// is 0 here.
    pub(super) fn of(self, unit: &UnitResult) -> Option<f64> {
        if unit.is_aborted() {
            return None;
        }
        let coverage = |share: fn(&CoverageCounts) -> Option<f64>| unit.coverage.as_ref().and_then(share);
        match self {
            Self::Uas => unit.summary.uas,
            Self::AcceptanceRate => acceptance_rate(&unit.summary),
            Self::Precision => Some(unit.summary.precision.unwrap_or(0.0)),
            Self::Pcov => coverage(CoverageCounts::share_accepted),
            Self::PcovAttempted => coverage(CoverageCounts::share_attempted),
        }
    }

    /// The figure over all trajectories pooled, where there is such a thing.
    pub(crate) fn pooled(self, aggregate: &Aggregate) -> Option<f64> {
        match self {
            Self::Uas => aggregate.uas_pooled,
            Self::AcceptanceRate => aggregate.ar_pooled,
            Self::Precision | Self::Pcov | Self::PcovAttempted => None,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, UnknownMetric> {
        let all = || Self::ALL.iter();
        let known = all()
            .map(|metric| metric.name())
            .chain(all().flat_map(|metric| metric.aliases().iter().copied()));
        Self::from_name(name).ok_or_else(|| UnknownMetric {
            name: name.to_owned(),
            nearest: nearest(name, known),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_and_understood() {
        assert_eq!(Metric::ALL.map(Metric::name).join(", "), Metric::NAMES);
        for metric in Metric::ALL {
            assert_eq!(metric.name().to_uppercase().parse(), Ok(metric));
            assert!(metric.aliases().iter().all(|alias| alias.parse() == Ok(metric)));
        }
        let message = |name: &str| name.parse::<Metric>().unwrap_err().to_string();
        assert_eq!(
            message("precison"),
            "compare by `precison`: there is no such metric (did you mean `precision`?); there are uas, ar, precision, \
             pcov, pcov_attempted"
        );
        assert!(message("weather").contains("no such metric; there are uas"));
    }
}
