//! Whether acceptances stand together more than chance would have it (Wald and Wolfowitz 1940).

use serde::Serialize;
use statrs::function::erf::erfc;

use super::counts::Order;
use crate::number::float;

/// How the p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunsMethod {
    /// From the distribution of the number of runs over all orders.
    Exact,
    /// From the normal distribution, with a correction of half a run for continuity.
    Normal,
}

/// The runs test over all trajectories that have both acceptances and rejections.
///
/// A run is a stretch of predictions with the same outcome. Given how many predictions of a trajectory were accepted, all
/// their orders are equally likely if outcomes do not depend on each other, and so the number of runs has a known
/// distribution. Rollouts are taken as independent, also those of one trajectory under several settings or seeds: numbers
/// of runs add up, and so do means and variances. Fewer runs than expected mean that acceptances come together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunsTest {
    /// Rollouts with both acceptances and rejections.
    pub units: u64,
    /// Predictions in them.
    pub predictions: u64,
    /// Runs in them.
    pub runs: u64,
    /// Runs to expect.
    pub expected: f64,
    /// (runs − expected) / standard deviation; absent where only one number of runs is possible.
    pub z: Option<f64>,
    /// Probability, if order were chance, of a number of runs at least as far off to either side: twice that of the
    /// smaller side.
    pub p: f64,
    /// How it was found.
    pub method: RunsMethod,
}

impl RunsTest {
    /// What the test says, in a sentence.
    pub fn verdict(&self) -> &'static str {
        if self.p >= 0.05 {
            "Acceptances come in an order that chance would give as well."
        } else if float(self.runs) < self.expected {
            "Acceptances stand together more than chance would have it."
        } else {
            "Acceptances and rejections take turns more than chance would have it."
        }
    }
}

/// With more different numbers of runs than this in all trajectories together, the normal distribution is used. Where there are
/// fewer, as with few rejections among many acceptances, it would be far off.
const EXACT_MAX: u64 = 400;

pub(super) fn of(orders: impl Iterator<Item = Order>) -> Option<RunsTest> {
    let mut orders: Vec<Order> = orders
        .filter(|order| order.accepted > 0 && order.rejected > 0)
        .collect();
    if orders.is_empty() {
        return None;
    }
    orders.sort_unstable();
    let (mut expected, mut variance) = (0.0, 0.0);
    for order in &orders {
        let (mean, spread) = moments(order);
        expected += mean;
        variance += spread;
    }
    let predictions: u64 = orders.iter().map(|order| order.accepted + order.rejected).sum();
    let runs: u64 = orders.iter().map(|order| order.runs).sum();
    let off = float(runs) - expected;
    let n_numbers: u64 = orders.iter().map(|order| 2 * order.accepted.min(order.rejected)).sum();
    let (p, method) = if n_numbers <= EXACT_MAX {
        (exact(&orders, runs), RunsMethod::Exact)
    } else if variance > 0.0 {
        let corrected = (off.abs() - 0.5).max(0.0) / variance.sqrt();
        let p = erfc(corrected / std::f64::consts::SQRT_2);
        (rounded(p).min(1.0), RunsMethod::Normal)
    } else {
        (1.0, RunsMethod::Normal)
    };
    Some(RunsTest {
        units: crate::number::count(orders.len()),
        predictions,
        runs,
        expected,
        z: (variance > 0.0).then(|| off / variance.sqrt()),
        p,
        method,
    })
}

/// Mean 2km/n + 1 and variance 2km(2km − n) / n²(n − 1) of the number of runs.
fn moments(order: &Order) -> (f64, f64) {
    let n = float(order.accepted + order.rejected);
    let twice = 2.0 * float(order.accepted) * float(order.rejected);
    (twice / n + 1.0, twice * (twice - n) / (n * n * (n - 1.0)))
}

fn exact(orders: &[Order], runs: u64) -> f64 {
    // Index: number of runs in the trajectories so far.
    let mut sums = vec![1.0];
    for order in orders {
        sums = convolved(&sums, &distribution(order));
    }
    let runs = usize::try_from(runs).unwrap_or(usize::MAX);
    let at_most: f64 = sums.iter().take(runs.saturating_add(1)).sum();
    let at_least: f64 = sums.iter().skip(runs).sum();
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// Probabilities of 0, 1, 2, … runs: 2j of them in 2·C(k−1, j−1)·C(m−1, j−1) orders of C(n, k), and 2j + 1 in
/// C(k−1, j)·C(m−1, j−1) + C(k−1, j−1)·C(m−1, j).
fn distribution(order: &Order) -> Vec<f64> {
    let (a, b) = (chosen(order.accepted - 1), chosen(order.rejected - 1));
    let at = |row: &[f64], j: usize| row.get(j).copied().unwrap_or(0.0);
    let mut weights = vec![0.0, 0.0];
    for j in 1..=a.len().min(b.len()) {
        let (a_before, b_before) = (at(&a, j - 1), at(&b, j - 1));
        weights.push(2.0 * a_before * b_before);
        weights.push(at(&a, j) * b_before + a_before * at(&b, j));
    }
    let all: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= all;
    }
    weights
}

/// C(n, 0), C(n, 1), …, C(n, n), divided by the largest of them so that products stay finite.
fn chosen(n: u64) -> Vec<f64> {
    let mut row = vec![1.0];
    let mut last = 1.0;
    let mut largest = 1.0_f64;
    for k in 1..=n {
        last *= float(n + 1 - k) / float(k);
        largest = largest.max(last);
        row.push(last);
    }
    for number in &mut row {
        *number /= largest;
    }
    row
}

fn convolved(left: &[f64], right: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; (left.len() + right.len()).saturating_sub(1)];
    for (shift, a) in left.iter().enumerate() {
        for (sum, b) in sums.iter_mut().skip(shift).zip(right) {
            *sum += a * b;
        }
    }
    sums
}

/// The number with 40 bits of precision, on which mathematics libraries of different systems agree.
fn rounded(value: f64) -> f64 {
    const DROPPED: u64 = 12;
    let bits = value.to_bits() + (1 << (DROPPED - 1));
    f64::from_bits(bits >> DROPPED << DROPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(accepted: u64, rejected: u64, runs: u64) -> Order {
        Order {
            accepted,
            rejected,
            runs,
        }
    }

    /// Of six orders of AARR two have two runs (AARR, RRAA), two three (ARRA, RAAR) and two four.
    #[test]
    fn four_predictions_are_counted_out() {
        let found = distribution(&order(2, 2, 0));
        for (found, expected) in found.iter().zip([0.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
        let test = of([order(2, 2, 2)].into_iter()).unwrap();
        assert_eq!((test.runs, test.method), (2, RunsMethod::Exact));
        assert!((test.expected - 3.0).abs() < 1e-12);
        // Variance 8 (8 − 4) / (16 · 3) = 2/3.
        assert!((test.z.unwrap() + 1.5_f64.sqrt()).abs() < 1e-12);
        assert!((test.p - 2.0 / 3.0).abs() < 1e-12);
    }

    /// Two such trajectories: sums of two to four and two to four; four runs in all with 1/9 to one side.
    #[test]
    fn trajectories_add_up() {
        let test = of([order(2, 2, 2), order(2, 2, 2)].into_iter()).unwrap();
        assert!((test.p - 2.0 / 9.0).abs() < 1e-12);
        assert_eq!(test.units, 2);
        let with_plain_ones = of([order(2, 2, 2), order(5, 0, 1), order(2, 2, 2), order(0, 9, 1)].into_iter());
        assert_eq!(with_plain_ones, Some(test));
        assert_eq!(of([order(5, 0, 1)].into_iter()), None);
    }

    /// One acceptance, one rejection: always two runs.
    #[test]
    fn what_cannot_be_otherwise_is_no_evidence() {
        let test = of([order(1, 1, 2)].into_iter()).unwrap();
        assert_eq!((test.z, test.p), (None, 1.0));
    }

    #[test]
    fn exact_and_normal_agree_where_one_takes_over() {
        let few = order(150, 250, 165);
        let exact_p = exact(&[few], few.runs);
        let (mean, variance) = moments(&few);
        let z = ((float(few.runs) - mean).abs() - 0.5) / variance.sqrt();
        let normal_p = erfc(z / std::f64::consts::SQRT_2);
        assert!((exact_p - normal_p).abs() < 2e-3, "{exact_p} {normal_p}");
        let many = of([order(150, 250, 165), order(100, 100, 90)].into_iter()).unwrap();
        assert_eq!(many.method, RunsMethod::Normal);
        // Few rejections leave few numbers of runs, however many acceptances there are.
        let lopsided = of([order(5000, 40, 79), order(3000, 8, 16)].into_iter()).unwrap();
        assert_eq!(lopsided.method, RunsMethod::Exact);
        assert!(lopsided.p > 0.1, "{}", lopsided.p);
    }

    #[test]
    fn long_trajectories_stay_finite() {
        let probabilities = distribution(&order(200, 200, 0));
        let all: f64 = probabilities.iter().sum();
        assert!((all - 1.0).abs() < 1e-12);
    }
}
