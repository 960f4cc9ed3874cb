//! Bounds that a run has to keep, for people who check predictors on every change: `uas >= 0.12`.

mod metric;
mod parse;

use std::fmt;
use std::str::FromStr;

use napsim_statistics::{BootstrapSettings, StatisticsError};

use crate::comparison::ComparedRun;
use crate::printable::printable;

pub use metric::GateMetric;
pub use parse::GateError;

/// A rule that a run passes or fails: bounds joined by `and` and `or`, of which `and` binds tighter.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    text: String,
    /// Passed if all bounds of one of the groups hold.
    any: Vec<Vec<Bound>>,
}

/// A metric and what it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The figure.
    pub metric: GateMetric,
    /// How it has to compare.
    pub sign: Sign,
    /// With what; a share as a ratio.
    pub limit: f64,
    /// Whether the limit was written in percent.
    pub in_percent: bool,
}

/// How a figure has to compare with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Sign {
    AtLeast,
    MoreThan,
    AtMost,
    LessThan,
    Equal,
}

/// What a gate found.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOutcome {
    /// The rule.
    pub rule: String,
    /// Name of the run.
    pub run: String,
    /// Whether the run passes.
    pub passed: bool,
    /// The value of each bound's metric, in the order of the rule; absent where it is undefined.
    pub found: Vec<(GateMetric, Option<f64>)>,
    /// Why the rule was not applied at all.
    pub refused: Option<String>,
}

impl Gate {
    /// Reads a rule such as `uas >= 12% and ar.low > 0.1`.
    ///
    /// # Errors
    /// A metric that there is none of, or anything else that is no rule.
    pub fn parse(text: &str) -> Result<Self, GateError> {
        Ok(Self {
            text: text.trim().to_owned(),
            any: parse::parse(text)?,
        })
    }

    /// Applies the rule to a run. An incomplete run and one without a figure that decides do not pass.
    ///
    /// # Errors
    /// Settings of the intervals out of bounds.
    pub fn check(&self, run: &ComparedRun, settings: &BootstrapSettings) -> Result<GateOutcome, StatisticsError> {
        let mut found = Vec::new();
        let mut passed = false;
        for group in &self.any {
            let mut holds = true;
            for bound in group {
                let value = bound.metric.of(run, settings)?;
                holds &= value.is_some_and(|value| bound.holds(value));
                found.push((bound.metric, value));
            }
            passed |= holds;
        }
        let refused = metric::incomplete(run);
        Ok(GateOutcome {
            rule: self.text.clone(),
            run: run.name.clone(),
            passed: passed && refused.is_none(),
            found,
            refused,
        })
    }
}

impl FromStr for Gate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        Self::parse(text)
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Bound {
    /// Whether a value keeps the bound. Values that differ by no more than what rounding in sums does are equal.
    pub fn holds(&self, value: f64) -> bool {
        const ROUNDING: f64 = 1e-12;
        let distance = value - self.limit;
        let is_equal = distance.abs() <= ROUNDING * self.limit.abs().max(1.0);
        match self.sign {
            Sign::AtLeast => is_equal || distance > 0.0,
            Sign::MoreThan => !is_equal && distance > 0.0,
            Sign::AtMost => is_equal || distance < 0.0,
            Sign::LessThan => !is_equal && distance < 0.0,
            Sign::Equal => is_equal,
        }
    }
}

impl fmt::Display for GateOutcome {
    /// The outcome in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.passed { "passed" } else { "failed" };
        let (rule, run) = (printable(&self.rule, false), printable(&self.run, false));
        write!(f, "gate {word}: {rule} ({run}: ")?;
        if let Some(reason) = &self.refused {
            return write!(f, "{reason})");
        }
        let mut told = Vec::new();
        for (metric, value) in &self.found {
            let value = value.map_or_else(|| "undefined".to_owned(), |value| metric.shown(value));
            let part = format!("{metric} {value}");
            if !told.contains(&part) {
                told.push(part);
            }
        }
        write!(f, "{})", told.join(", "))
    }
}

#[cfg(test)]
mod tests;
