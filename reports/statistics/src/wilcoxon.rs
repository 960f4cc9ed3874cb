//! Wilcoxon's signed-rank test.

use crate::descriptive::number;
use crate::distribution::normal_cdf;
use crate::error::{StatisticsError, check};

/// Up to so many differences that are not 0 the distribution is exact.
const EXACT_MAX: usize = 100;

/// How the distribution under "no difference" was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TestMethod {
    /// All assignments of signs were counted.
    Exact,
    /// By the normal distribution, corrected for ties and continuity.
    Normal,
    /// So many assignments of signs were drawn at random.
    MonteCarlo(u32),
}

impl TestMethod {
    /// The name used in tables and exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Normal => "normal approximation",
            Self::MonteCarlo(_) => "Monte Carlo",
        }
    }
}

/// The outcome of a signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// Differences that are not 0; the others are left out, as Wilcoxon (1945) does.
    pub n: usize,
    /// Sum of the ranks of positive differences. Equal sizes share the mean of their ranks.
    pub positive: f64,
    /// Sum of the ranks of negative differences.
    pub negative: f64,
    /// Two-sided probability of so large a difference of the sums if signs are as good as tossed; 1 where all
    /// differences are 0.
    pub p: f64,
    /// How the distribution was found.
    pub method: TestMethod,
}

/// Wilcoxon's signed-rank test of whether differences are symmetric around 0, two-sided.
///
/// Exact up to 100 differences that are not 0, also with ties (the distribution of the shared ranks is counted).
///
/// # Errors
/// A value that is no finite number.
pub fn wilcoxon(differences: &[f64]) -> Result<Wilcoxon, StatisticsError> {
    check(differences, 0)?;
    let ranks = SignedRanks::of(differences);
    let (p, method) = if ranks.doubled.len() <= EXACT_MAX {
        (ranks.exact(), TestMethod::Exact)
    } else {
        (ranks.normal(), TestMethod::Normal)
    };
    Ok(Wilcoxon {
        n: ranks.doubled.len(),
        positive: number(ranks.positive) / 2.0,
        negative: number(ranks.negative) / 2.0,
        p,
        method,
    })
}

/// Ranks of the sizes of differences that are not 0. All are doubled, which makes shared ranks whole numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignedRanks {
    /// Ascending, twice the rank.
    doubled: Vec<usize>,
    /// How many share each rank.
    ties: Vec<usize>,
    positive: usize,
    negative: usize,
}

impl SignedRanks {
    pub(crate) fn of(differences: &[f64]) -> Self {
        let mut sizes: Vec<(f64, bool)> = differences
            .iter()
            .filter(|difference| **difference != 0.0)
            .map(|difference| (difference.abs(), *difference > 0.0))
            .collect();
        sizes.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut ranks = Self::default();
        for group in sizes.chunk_by(|left, right| share_a_rank(left.0, right.0)) {
            let before = ranks.doubled.len();
            // Ranks before + 1 to before + len have this mean.
            let doubled = 2 * before + group.len() + 1;
            let n_positive = group.iter().filter(|(_, is_positive)| *is_positive).count();
            ranks.positive += doubled * n_positive;
            ranks.negative += doubled * (group.len() - n_positive);
            ranks.doubled.extend(std::iter::repeat_n(doubled, group.len()));
            ranks.ties.push(group.len());
        }
        ranks
    }

    pub(crate) fn rank_biserial(&self) -> Option<f64> {
        let total = self.positive + self.negative;
        (total > 0).then(|| (number(self.positive) - number(self.negative)) / number(total))
    }

    /// 2 · P(sum of positive ranks ≥ the larger of the two sums), at most 1.
    fn exact(&self) -> f64 {
        let total = self.positive + self.negative;
        // How many assignments of signs give each sum; at most 2^100.
        let mut ways = vec![0_u128; total + 1];
        if let Some(none) = ways.first_mut() {
            *none = 1;
        }
        let mut reached = 0;
        for rank in &self.doubled {
            reached += rank;
            for sum in (*rank..=reached).rev() {
                let without = ways.get(sum - rank).copied().unwrap_or_default();
                if let Some(ways) = ways.get_mut(sum) {
                    *ways += without;
                }
            }
        }
        let extreme: u128 = ways.iter().skip(self.positive.max(self.negative)).sum();
        #[expect(clippy::cast_precision_loss, reason = "a ratio of counts needs no more precision")]
        let share = extreme as f64 / ways.iter().sum::<u128>() as f64;
        (2.0 * share).min(1.0)
    }

    fn normal(&self) -> f64 {
        let n = number(self.doubled.len());
        let tied: f64 = self.ties.iter().map(|t| number(t * t * t - t)).sum();
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - tied / 48.0;
        let distance = number(self.positive.abs_diff(self.negative)) / 4.0;
        // Half a step towards the middle makes up for the sums being discrete.
        let z = (distance - 0.5).max(0.0) / variance.sqrt();
        (2.0 * normal_cdf(-z)).min(1.0)
    }
}

/// Whether two sizes are the same up to what subtracting figures leaves of them.
fn share_a_rank(smaller: f64, larger: f64) -> bool {
    const SHARE: f64 = 1e-9;
    larger - smaller <= SHARE * larger
}
