//! Confidence intervals.

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of such intervals that hold the true value, between 0 and 1.
    pub level: f64,
    /// How it was made.
    pub method: Method,
    /// The values that it was made of.
    pub n: usize,
    /// How many of them are not the commonest one. Where most values are the same, these say how much is known.
    pub n_others: usize,
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Studentised bootstrap, also called bootstrap-t: quantiles of (mean of a resample − mean) / its standard error
    /// (Efron and Tibshirani 1993, section 12.5).
    Studentised,
    /// Bias-corrected and accelerated bootstrap (Efron 1987) with the quantiles widened for small samples as by
    /// Hesterberg (2015, section 3.3).
    Bca,
    /// Quantiles of the resamples' means (Efron and Tibshirani 1993, section 13.3).
    Percentile,
    /// Mean ± t · standard error.
    StudentT,
    /// All values are equal: both ends are that value, and nothing is known of how far it may be off.
    Degenerate,
}

impl Method {
    /// The name used in tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Studentised => "studentised bootstrap",
            Self::Bca => "BCa bootstrap",
            Self::Percentile => "percentile bootstrap",
            Self::StudentT => "Student t",
            Self::Degenerate => "all values equal",
        }
    }
}

impl Interval {
    /// Whether the value lies between the ends or on one of them.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The part of the interval between two bounds, for figures that cannot lie outside of them. That never takes
    /// the true value away.
    #[must_use]
    pub fn within(self, lowest: f64, highest: f64) -> Self {
        Self {
            low: self.low.max(lowest),
            high: self.high.min(highest),
            ..self
        }
    }
}
