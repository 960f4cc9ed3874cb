//! Intervals of rates whose predictions come in trajectories.
//!
//! Predictions of one trajectory are alike, so they are no independent sample. Where enough trajectories have predictions,
//! whole trajectories are drawn anew ("cluster bootstrap": Field and Welsh 2007) and the rate is the ratio of sums.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::number::count;

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;
/// Seed of what is drawn.
const SEED: u64 = 0;
/// The share of such intervals that hold the true rate.
const LEVEL: f64 = 0.95;
/// The value below which 97.5 % of the standard normal distribution lie.
const Z: f64 = 1.959_963_984_540_054;
/// With fewer trajectories there are so few different resamples that a bootstrap says nothing.
const CLUSTERS_MIN: usize = 5;

/// How the interval of a rate was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Quantiles of the rate over 2,000 draws of whole trajectories, seed 0.
    ClusterBootstrap,
    /// Wilson's score interval (1927), which takes every prediction as independent of the others and so is too narrow for
    /// many predictions of few trajectories. It stands where fewer than five trajectories have any, and where all or
    /// none are hits, so that draws would not differ.
    Wilson,
}

impl IntervalMethod {
    /// What a caption calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClusterBootstrap => "bootstrap over trajectories",
            Self::Wilson => "Wilson",
        }
    }
}

/// An interval around a rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RateInterval {
    /// The lower end, at least 0.
    pub low: f64,
    /// The upper end, at most 1.
    pub high: f64,
    /// The share of such intervals that hold the true rate: 0.95.
    pub level: f64,
    /// How it was made.
    pub method: IntervalMethod,
}

/// What one trajectory adds to a rate: a part of a whole, such as accepted of all predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Part {
    pub(crate) part: f64,
    pub(crate) whole: f64,
}

impl Part {
    fn add(&mut self, other: Self) {
        self.part += other.part;
        self.whole += other.whole;
    }
}

/// The intervals of `n_rates` rates. Each cluster has one part a rate, in the order of the rates; missing ones are
/// nothing. Absent for a rate without anything.
pub(crate) fn rate_intervals(clusters: &[Vec<Part>], n_rates: usize) -> Vec<Option<RateInterval>> {
    let mut sums = vec![Part::default(); n_rates];
    let mut n_present = vec![0_usize; n_rates];
    for cluster in clusters {
        for ((sum, n), part) in sums.iter_mut().zip(&mut n_present).zip(cluster) {
            sum.add(*part);
            *n += usize::from(part.whole > 0.0);
        }
    }
    let is_drawn = |sum: &Part, n: usize| n >= CLUSTERS_MIN && sum.part > 0.0 && sum.part < sum.whole;
    let mut resampled = if sums.iter().zip(&n_present).any(|(sum, n)| is_drawn(sum, *n)) {
        resample(clusters, n_rates)
    } else {
        vec![Vec::new(); n_rates]
    };
    let rates = sums.iter().zip(n_present).zip(&mut resampled);
    rates
        .map(|((sum, n), rates)| {
            if sum.whole <= 0.0 {
                None
            } else if is_drawn(sum, n) {
                quantiles(rates)
            } else {
                Some(wilson(*sum))
            }
        })
        .collect()
}

/// The rates of draws of whole clusters; a draw in which a rate has no whole is left out for that rate.
fn resample(clusters: &[Vec<Part>], n_rates: usize) -> Vec<Vec<f64>> {
    let n = u32::try_from(clusters.len()).unwrap_or(u32::MAX);
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut rates = vec![Vec::with_capacity(RESAMPLES); n_rates];
    let mut sums = vec![Part::default(); n_rates];
    for _ in 0..RESAMPLES {
        sums.fill(Part::default());
        for _ in 0..n {
            let scaled = (u64::from(random.next_u32()) * u64::from(n)) >> 32;
            let drawn = clusters.get(usize::try_from(scaled).unwrap_or_default());
            for (sum, part) in sums.iter_mut().zip(drawn.into_iter().flatten()) {
                sum.add(*part);
            }
        }
        for (rates, sum) in rates.iter_mut().zip(&sums).filter(|(_, sum)| sum.whole > 0.0) {
            rates.push(sum.part / sum.whole);
        }
    }
    rates
}

/// The k-th rate from below and from above for k = ⌊2.5 % · (n + 1)⌋.
fn quantiles(rates: &mut [f64]) -> Option<RateInterval> {
    rates.sort_by(f64::total_cmp);
    let place = ((rates.len() + 1) / 40).saturating_sub(1);
    Some(RateInterval {
        low: *rates.get(place)?,
        high: *rates.iter().rev().nth(place)?,
        level: LEVEL,
        method: IntervalMethod::ClusterBootstrap,
    })
}

fn wilson(sum: Part) -> RateInterval {
    let (n, rate) = (sum.whole, sum.part / sum.whole);
    let middle = rate + Z * Z / (2.0 * n);
    let half = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // The ends are exact where they are known.
    let low = if sum.part <= 0.0 { 0.0 } else { (middle - half) / scale };
    let high = if sum.part >= n { 1.0 } else { (middle + half) / scale };
    RateInterval {
        low: low.max(0.0),
        high: high.min(1.0),
        level: LEVEL,
        method: IntervalMethod::Wilson,
    }
}

/// How many clusters have something of a rate.
pub(crate) fn n_present(clusters: &[Vec<Part>], rate_idx: usize) -> u64 {
    let present = |cluster: &&Vec<Part>| cluster.get(rate_idx).is_some_and(|part| part.whole > 0.0);
    count(clusters.iter().filter(present).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: f64, whole: f64) -> Part {
        Part { part, whole }
    }

    fn one(clusters: &[(f64, f64)]) -> Option<RateInterval> {
        let clusters: Vec<_> = clusters.iter().map(|(a, b)| vec![part(*a, *b)]).collect();
        rate_intervals(&clusters, 1)[0]
    }

    /// 10 of 30, the formula worked out with 40 digits.
    #[test]
    fn wilson_is_that_of_the_formula() {
        let interval = one(&[(10.0, 30.0)]).unwrap();
        assert_eq!(interval.method, IntervalMethod::Wilson);
        assert!((interval.low - 0.192_304_980_836_761_37).abs() < 1e-14, "{interval:?}");
        assert!((interval.high - 0.512_199_483_554_561_6).abs() < 1e-14, "{interval:?}");
    }

    #[test]
    fn all_or_none_is_no_certainty() {
        let none = one(&[(0.0, 3.0); 9]).unwrap();
        assert_eq!((none.low, none.method), (0.0, IntervalMethod::Wilson));
        assert!(none.high > 0.1, "{none:?}");
        let all = one(&[(3.0, 3.0); 9]).unwrap();
        assert_eq!((all.high, all.method), (1.0, IntervalMethod::Wilson));
        assert!(all.low < 0.9);
        assert_eq!(one(&[(0.0, 0.0)]), None);
    }

    /// Of nine trajectories with ten predictions each, three have all accepted and six none: 3 of 9 clusters, not 30 of 90.
    #[test]
    fn trajectories_count_and_not_predictions() {
        let mut clusters = vec![(10.0, 10.0); 3];
        clusters.extend([(0.0, 10.0); 6]);
        let interval = one(&clusters).unwrap();
        assert_eq!(interval.method, IntervalMethod::ClusterBootstrap);
        // Binomial with n = 9 and p = 1/3: P(0) = 2.6 %, P(at most 0) over 2.5 %; P(at least 7) = 0.8 %, P(6) = 3.4 %.
        assert_eq!((interval.low, interval.high), (0.0, 6.0 / 9.0));
    }

    #[test]
    fn a_rate_that_few_have_is_left_to_wilson() {
        let mut clusters = vec![vec![part(1.0, 2.0)]; 8];
        clusters.push(vec![part(1.0, 3.0), part(1.0, 4.0)]);
        let intervals = rate_intervals(&clusters, 3);
        let methods: Vec<_> = intervals.iter().map(|interval| interval.map(|i| i.method)).collect();
        assert_eq!(
            methods,
            [
                Some(IntervalMethod::ClusterBootstrap),
                Some(IntervalMethod::Wilson),
                None
            ]
        );
        assert_eq!((n_present(&clusters, 0), n_present(&clusters, 1)), (9, 1));
    }
}
