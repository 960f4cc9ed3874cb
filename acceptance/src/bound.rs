//! One bound on one metric.

use std::fmt;

use napsim_sim::policy::{Check, Comparison, Metric};

/// A comparison of a metric with a fixed number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// What is looked at.
    pub metric: Metric,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub limit: f64,
}

impl Bound {
    pub(crate) const fn at_least(metric: Metric, limit: f64) -> Self {
        Self {
            metric,
            comparison: Comparison::AtLeast,
            limit,
        }
    }

    /// The bound held against a value of its metric, compared as plain doubles.
    pub fn check(self, value: f64) -> Check {
        Check {
            metric: self.metric,
            value,
            comparison: self.comparison,
            bound: self.limit,
            passed: self.comparison.holds(value, self.limit),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.metric.name(), self.comparison.sign(), self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_meet_and_no_tolerance_is_given() {
        let bound = Bound::at_least(Metric::Precision, 0.9);
        assert!(bound.check(0.9).passed);
        assert!(!bound.check(0.9_f64.next_down()).passed);
        assert!(!bound.check(f64::NAN).passed);
        assert_eq!(bound.to_string(), "precision >= 0.9");
    }
}
