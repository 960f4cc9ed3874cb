//! Exact counts from which every figure is worked out at display.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// A part of a whole, kept as two counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// How many have the trait.
    pub part: u64,
    /// How many there are.
    pub whole: u64,
}

impl Share {
    /// Counts one more, which has the trait or has it not.
    pub fn count(&mut self, has: bool) {
        self.part += u64::from(has);
        self.whole += 1;
    }

    /// The share as a number from 0 to 1; 0 of nothing.
    pub fn value(self) -> f64 {
        ratio(self.part, self.whole)
    }
}

/// How often each number occurs: a distribution without loss.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histogram(pub BTreeMap<u64, u64>);

/// The figures by which a distribution is usually told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantiles {
    /// Smallest number.
    pub min: u64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Largest number.
    pub max: u64,
    /// Arithmetic mean.
    pub mean: f64,
}

impl Histogram {
    /// Counts one more of a number.
    pub fn add(&mut self, number: u64) {
        *self.0.entry(number).or_default() += 1;
    }

    /// How many numbers were counted.
    pub fn n(&self) -> u64 {
        self.0.values().sum()
    }

    /// The sum of all numbers counted.
    pub fn sum(&self) -> u64 {
        self.0.iter().map(|(number, n)| number * n).sum()
    }

    /// The quantile at a share from 0 to 1, interpolated linearly between the two nearest numbers (as numpy does).
    ///
    /// There is none of an empty distribution.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.n().checked_sub(1)?;
        let place = share.clamp(0.0, 1.0) * as_f64(last);
        let below = place.floor();
        let (low, high) = (self.at(below)?, self.at(below + 1.0).or(self.at(below))?);
        Some(low + (high - low) * (place - below))
    }

    /// The usual figures; none of an empty distribution.
    pub fn quantiles(&self) -> Option<Quantiles> {
        Some(Quantiles {
            min: *self.0.keys().next()?,
            q1: self.quantile(0.25)?,
            median: self.quantile(0.5)?,
            q3: self.quantile(0.75)?,
            p90: self.quantile(0.9)?,
            p95: self.quantile(0.95)?,
            max: *self.0.keys().next_back()?,
            mean: ratio(self.sum(), self.n()),
        })
    }

    /// The number at a place of the sorted sequence, counted from 0.
    fn at(&self, place: f64) -> Option<f64> {
        let mut seen = 0;
        self.0.iter().find_map(|(number, n)| {
            seen += n;
            (place < as_f64(seen)).then(|| as_f64(*number))
        })
    }

    /// The largest distance between the two distribution functions (Kolmogorov–Smirnov), from 0 to 1.
    ///
    /// An empty distribution is at 1 from any other, and at 0 from itself.
    pub fn ks(&self, other: &Histogram) -> f64 {
        let (n, m) = (self.n(), other.n());
        if n == 0 || m == 0 {
            return f64::from(u8::from(n != m));
        }
        let (mut mine, mut theirs, mut largest) = (0, 0, 0.0_f64);
        for number in self.numbers_with(other) {
            mine += self.0.get(&number).copied().unwrap_or(0);
            theirs += other.0.get(&number).copied().unwrap_or(0);
            largest = largest.max((ratio(mine, n) - ratio(theirs, m)).abs());
        }
        largest
    }

    /// The area between the two distribution functions over `scale(number)` (Wasserstein-1), in units of that scale.
    ///
    /// `scale` must not fall. Where one distribution is empty the distance is not defined.
    pub fn wasserstein(&self, other: &Histogram, scale: impl Fn(u64) -> f64) -> Option<f64> {
        let (n, m) = (self.n(), other.n());
        if n == 0 || m == 0 {
            return None;
        }
        let (mut mine, mut theirs, mut area) = (0, 0, 0.0);
        let mut before: Option<f64> = None;
        for number in self.numbers_with(other) {
            let at = scale(number);
            if let Some(before) = before {
                area += (ratio(mine, n) - ratio(theirs, m)).abs() * (at - before);
            }
            mine += self.0.get(&number).copied().unwrap_or(0);
            theirs += other.0.get(&number).copied().unwrap_or(0);
            before = Some(at);
        }
        Some(area)
    }

    /// The distribution over `1`, `2`, `3`, `4`, `5-8`, `9-16` and so on by powers of two.
    pub fn bucketed(&self) -> Tally {
        let mut tally = Tally::default();
        for (number, n) in &self.0 {
            if *number <= 4 {
                tally.add_many(&number.to_string(), *n);
            } else {
                let top = number.checked_next_power_of_two().unwrap_or(u64::MAX);
                tally.add_many(&format!("{}-{top}", top / 2 + 1), *n);
            }
        }
        tally
    }

    fn numbers_with(&self, other: &Histogram) -> impl Iterator<Item = u64> + use<> {
        let mut numbers: Vec<u64> = self.0.keys().chain(other.0.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter()
    }
}

/// The quotient of two counts, 0 where there is nothing to divide by.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { as_f64(part) / as_f64(whole) }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for number in numbers {
            histogram.add(*number);
        }
        histogram
    }

    fn tally(counts: &[(&str, u64)]) -> Tally {
        let mut tally = Tally::default();
        for (name, n) in counts {
            tally.add_many(name, *n);
        }
        tally
    }

    #[track_caller]
    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-12, "{got} is not {expected}");
    }

    #[test]
    fn quantiles_interpolate_as_numpy_does() {
        // numpy.quantile([1, 2, 4, 8], [0.25, 0.5, 0.75, 0.9]) gives 1.75, 3, 5 and 6.8.
        let figures = histogram(&[8, 1, 4, 2]).quantiles().unwrap();
        assert_eq!((figures.min, figures.max), (1, 8));
        near(figures.q1, 1.75);
        near(figures.median, 3.0);
        near(figures.q3, 5.0);
        near(figures.p90, 6.8);
        near(figures.mean, 3.75);
        assert_eq!(histogram(&[]).quantiles(), None);
        near(histogram(&[5, 5, 5]).quantile(0.9).unwrap(), 5.0);
    }

    #[test]
    fn distances_of_distributions_are_known_areas() {
        let (a, b) = (histogram(&[1, 1, 3, 3]), histogram(&[1, 3, 3, 3]));
        near(a.ks(&b), 0.25);
        near(
            a.wasserstein(&b, |number| f64::from(u32::try_from(number).unwrap()))
                .unwrap(),
            0.5,
        );
        near(a.ks(&a), 0.0);
        near(a.ks(&histogram(&[])), 1.0);
        assert_eq!(a.wasserstein(&histogram(&[]), |_| 0.0), None);
    }

    #[test]
    fn buckets_double() {
        let buckets = histogram(&[1, 4, 5, 8, 9, 16, 17, 100]).bucketed();
        let expected = tally(&[("1", 1), ("4", 1), ("5-8", 2), ("9-16", 2), ("17-32", 1), ("65-128", 1)]);
        assert_eq!(buckets, expected);
    }
}
