//! Bootstrap intervals of a mean.

mod resamples;

use crate::descriptive::{all_equal, are_equal, mean, number, standard_error};
use crate::distribution::{normal_cdf, normal_quantile, rounded, student_quantile};
use crate::error::{StatisticsError, check};
use crate::interval::{Interval, Method};
use resamples::Resamples;

/// With fewer resamples than this an interval is refused.
pub const RESAMPLES_MIN: u32 = 200;

/// With fewer values besides the commonest one than this [`mean_interval`] does not resample.
///
/// Resamples of so few values often have next to no spread, and the interval is then hundreds of times as wide as
/// Student's t while it holds the mean hardly more often (docs/STATISTICS.md has the figures). Eleven values that all
/// differ are enough.
pub const OTHERS_MIN: usize = 10;

/// How an interval is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapSettings {
    /// Confidence level between 0.5 and 0.999.
    pub level: f64,
    /// Resamples, at least [`RESAMPLES_MIN`].
    pub resamples: u32,
    /// Seed of what is drawn.
    pub seed: u64,
}

impl Default for BootstrapSettings {
    /// 95 %, 10,000 resamples, seed 0.
    fn default() -> Self {
        Self {
            level: 0.95,
            resamples: 10_000,
            seed: 0,
        }
    }
}

impl BootstrapSettings {
    fn check(&self) -> Result<(), StatisticsError> {
        if !(0.5..=0.999).contains(&self.level) {
            return Err(StatisticsError::Level(self.level));
        }
        if self.resamples < RESAMPLES_MIN {
            return Err(StatisticsError::Resamples {
                found: self.resamples,
                needed: RESAMPLES_MIN,
            });
        }
        Ok(())
    }

    /// The share that is left out at either end.
    fn tail(&self) -> f64 {
        (1.0 - self.level) / 2.0
    }
}

/// The interval of the mean of what the values are a sample of.
///
/// It is the studentised bootstrap, or Student's t where that is undefined or fewer than [`OTHERS_MIN`] values differ
/// from the commonest one; all values equal give both ends the same.
///
/// # Errors
/// Fewer than two values, a value that is no finite number, settings out of bounds.
pub fn mean_interval(values: &[f64], settings: &BootstrapSettings) -> Result<Interval, StatisticsError> {
    let method = if n_others(values) < OTHERS_MIN {
        Method::StudentT
    } else {
        Method::Studentised
    };
    mean_interval_by(method, values, settings)
}

/// The interval made in a given way, for who wants to compare ways. Where it is undefined the next simple one is
/// taken; [`Interval::method`] says which one it is.
///
/// # Errors
/// As [`mean_interval`].
pub fn mean_interval_by(
    method: Method,
    values: &[f64],
    settings: &BootstrapSettings,
) -> Result<Interval, StatisticsError> {
    check(values, 2)?;
    settings.check()?;
    let sample = Sample::of(values);
    let found = match (sample, method) {
        (Some(sample), Method::Studentised) => studentised(values, &sample, settings),
        (Some(sample), Method::Bca) => Some(bca(values, &sample, settings)),
        (Some(_), Method::Percentile) => Some(percentile(&Resamples::means(values, settings), settings.tail())),
        (None, _) | (Some(_), Method::StudentT | Method::Degenerate) => None,
    };
    let ends = match (sample, found) {
        (_, Some((low, high))) => (low, high, method),
        (Some(sample), None) => student_t(&sample, settings.tail()),
        (None, None) => {
            let value = values.first().copied().unwrap_or_default();
            (value, value, Method::Degenerate)
        }
    };
    Ok(Interval {
        low: ends.0,
        high: ends.1,
        level: settings.level,
        method: ends.2,
        n: values.len(),
        n_others: n_others(values),
    })
}

/// How many values are not the commonest one.
fn n_others(values: &[f64]) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let runs = sorted.chunk_by(|left, right| are_equal(*left, *right));
    values.len() - runs.map(<[f64]>::len).max().unwrap_or_default()
}

/// The figures of a sample whose values are not all equal.
#[derive(Clone, Copy, Debug)]
struct Sample {
    n: usize,
    mean: f64,
    standard_error: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Option<Self> {
        let standard_error = standard_error(values).filter(|_| !all_equal(values))?;
        Some(Self {
            n: values.len(),
            mean: mean(values)?,
            standard_error,
        })
    }
}

/// Absent where so many resamples have no spread that a quantile is infinite.
fn studentised(values: &[f64], sample: &Sample, settings: &BootstrapSettings) -> Option<(f64, f64)> {
    let ratios = Resamples::studentised(values, sample, settings);
    let (low, high) = percentile(&ratios, corrected_tail(values, sample, settings.tail()));
    let ends = (
        sample.mean - high * sample.standard_error,
        sample.mean - low * sample.standard_error,
    );
    (ends.0.is_finite() && ends.1.is_finite()).then_some(ends)
}

/// Below so many values skewness and kurtosis are not to be known, and no correction is made with them.
const CORRECTED_MIN: usize = 8;

/// The share to leave out at either end so that the studentised interval holds the mean as often as it says.
///
/// Leaving out `tail`, it holds it too often by (3/2 skewness² − excess kurtosis) · z (2z² + 1) φ(z) / 3n, z being the
/// normal quantile (Hall 1988, section 3): too often for distributions with light tails, too rarely for heavy ones.
fn corrected_tail(values: &[f64], sample: &Sample, tail: f64) -> f64 {
    if sample.n < CORRECTED_MIN {
        return tail;
    }
    let n = number(sample.n);
    let moment = |power: i32| {
        let powers = values.iter().map(|value| (value - sample.mean).powi(power));
        powers.fold(0.0, |sum, power| sum + power) / n
    };
    let variance = moment(2);
    let skewness = moment(3) / (variance * variance.sqrt());
    let raw_kurtosis = moment(4) / (variance * variance) - 3.0;
    // Without bias for normal samples.
    let kurtosis = (n - 1.0) / ((n - 2.0) * (n - 3.0)) * ((n + 1.0) * raw_kurtosis + 6.0);
    let z = normal_quantile(1.0 - tail);
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let excess = (1.5 * skewness * skewness - kurtosis) * z * (2.0 * z * z + 1.0) * density / (3.0 * n);
    rounded(tail + excess / 2.0).clamp(0.25 * tail, 1.4 * tail)
}

/// Means closer than this many standard errors are equal but for rounding.
const ROUNDING: f64 = 1e-9;

/// With the quantiles of Student's t in place of the normal ones and a spread of n in place of n − 1. The percentile
/// interval in the same manner where the correction is undefined.
fn bca(values: &[f64], sample: &Sample, settings: &BootstrapSettings) -> (f64, f64) {
    let means = Resamples::means(values, settings);
    let n = number(sample.n);
    let widened = student_quantile(1.0 - settings.tail(), n - 1.0).unwrap_or_default() * (n / (n - 1.0)).sqrt();
    let bias = normal_quantile(means.share_below(sample.mean, ROUNDING * sample.standard_error));
    let (squares, cubes) = values.iter().fold((0.0, 0.0), |(squares, cubes), value| {
        let deviation = value - sample.mean;
        (
            squares + deviation * deviation,
            cubes + deviation * deviation * deviation,
        )
    });
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    let corrected = |z: f64| {
        let shifted = bias + z;
        let denominator = 1.0 - acceleration * shifted;
        (denominator > 0.0 && bias.is_finite()).then(|| normal_cdf(bias + shifted / denominator))
    };
    let shares = corrected(-widened)
        .zip(corrected(widened))
        .unwrap_or_else(|| (normal_cdf(-widened), normal_cdf(widened)));
    (means.lower(shares.0), means.upper(1.0 - shares.1))
}

fn percentile(resamples: &Resamples, tail: f64) -> (f64, f64) {
    (resamples.lower(tail), resamples.upper(tail))
}

fn student_t(sample: &Sample, tail: f64) -> (f64, f64, Method) {
    let degrees = number(sample.n) - 1.0;
    let half = student_quantile(1.0 - tail, degrees).unwrap_or(f64::INFINITY) * sample.standard_error;
    (sample.mean - half, sample.mean + half, Method::StudentT)
}

#[cfg(test)]
mod tests;
