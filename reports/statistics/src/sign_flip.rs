//! The sign-flip permutation test of a mean difference.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::descriptive::number;
use crate::error::{StatisticsError, check};
use crate::wilcoxon::TestMethod;

/// Up to so many differences that are not 0 all assignments of signs are counted: 2^40 of them, by halves.
const EXACT_MAX: usize = 40;

/// So many assignments of signs are drawn where there are too many to count, unless told otherwise.
pub const PERMUTATIONS: u32 = 99_999;

/// Sums that differ by less than this share of the sum of all sizes count as equal.
const EQUAL_SHARE: f64 = 1e-12;

/// The outcome of a sign-flip test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// Differences that are not 0. The others change nothing.
    pub n: usize,
    /// Two-sided probability of so large a mean difference if signs are as good as tossed; 1 where all are 0.
    pub p: f64,
    /// How the distribution was found.
    pub method: TestMethod,
}

/// Fisher's randomisation test of whether the mean difference is 0, two-sided: whether left and right can be exchanged
/// pair by pair (Fisher 1935, section 21).
///
/// Exact up to 40 differences that are not 0. Above, signs are drawn `permutations` times, and p is
/// (b + 1) / (permutations + 1) for b means that are as large (Phipson and Smyth 2010).
///
/// # Errors
/// A value that is no finite number.
pub fn sign_flip(differences: &[f64], permutations: u32, seed: u64) -> Result<SignFlip, StatisticsError> {
    check(differences, 0)?;
    let sum = differences.iter().fold(0.0, |sum, difference| sum + difference);
    // Sorted, so that the outcome does not depend on the order of the pairs.
    let mut sizes: Vec<f64> = differences.iter().map(|d| d.abs()).filter(|size| *size > 0.0).collect();
    sizes.sort_by(f64::total_cmp);
    let total = sizes.iter().fold(0.0, |sum, size| sum + size);
    // The sum of positive differences from which on the sum of all is as large as the one observed.
    let threshold = (total + f64::abs(sum)) / 2.0 - EQUAL_SHARE * total;
    let (p, method) = if sizes.len() <= EXACT_MAX {
        (exact(&sizes, threshold), TestMethod::Exact)
    } else {
        let p = monte_carlo(&sizes, total, threshold, permutations, seed);
        (p, TestMethod::MonteCarlo(permutations))
    };
    Ok(SignFlip {
        n: sizes.len(),
        p,
        method,
    })
}

fn exact(sizes: &[f64], threshold: f64) -> f64 {
    // Alternate sizes, so that both halves have large and small ones and none of them needs more memory.
    let half = |offset: usize| subset_sums(sizes.iter().skip(offset).step_by(2).copied());
    let (left, right) = (half(0), half(1));
    // As the sum on the left grows, less is needed on the right.
    let mut n_short = right.len();
    let mut extreme = 0_u64;
    for sum in &left {
        while n_short > 0 && right.get(n_short - 1).is_some_and(|other| sum + other >= threshold) {
            n_short -= 1;
        }
        extreme += u64::try_from(right.len() - n_short).unwrap_or_default();
    }
    #[expect(clippy::cast_precision_loss, reason = "counts are at most 2^40")]
    let share = extreme as f64 / (number(left.len()) * number(right.len()));
    (2.0 * share).min(1.0)
}

/// The sums of all subsets in ascending order.
fn subset_sums(sizes: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    for size in sizes {
        let mut merged = Vec::with_capacity(2 * sums.len());
        let mut with = sums.iter().map(|sum| sum + size).peekable();
        for without in &sums {
            while let Some(sum) = with.next_if(|sum| sum < without) {
                merged.push(sum);
            }
            merged.push(*without);
        }
        merged.extend(with);
        sums = merged;
    }
    sums
}

fn monte_carlo(sizes: &[f64], total: f64, threshold: f64, permutations: u32, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut extreme = 0_u32;
    for _ in 0..permutations {
        let mut positive = 0.0;
        for part in sizes.chunks(64) {
            let mut signs = random.next_u64();
            for size in part {
                positive += if signs & 1 == 1 { *size } else { 0.0 };
                signs >>= 1;
            }
        }
        if f64::max(positive, total - positive) >= threshold {
            extreme += 1;
        }
    }
    (f64::from(extreme) + 1.0) / (f64::from(permutations) + 1.0)
}
