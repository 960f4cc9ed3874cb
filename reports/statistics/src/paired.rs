//! Everything about the differences of pairs at once.

use crate::bootstrap::{BootstrapSettings, mean_interval};
use crate::descriptive::{are_equal, mean, standard_deviation};
use crate::effect::{cohens_dz, rank_biserial};
use crate::error::{StatisticsError, check};
use crate::interval::Interval;
use crate::sign_flip::{PERMUTATIONS, SignFlip, sign_flip};
use crate::wilcoxon::{Wilcoxon, wilcoxon};

/// The figures of left − right over pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedDifference {
    /// Pairs.
    pub n: usize,
    /// Pairs whose left value is larger.
    pub wins: usize,
    /// Pairs of equal values.
    pub ties: usize,
    /// Pairs whose left value is smaller.
    pub losses: usize,
    /// Mean of left − right; absent without pairs.
    pub mean: Option<f64>,
    /// Standard deviation of the differences; absent below two pairs.
    pub standard_deviation: Option<f64>,
    /// Interval of the mean difference; absent below two pairs.
    pub interval: Option<Interval>,
    /// Wilcoxon's signed-rank test.
    pub wilcoxon: Wilcoxon,
    /// The sign-flip test of the mean.
    pub sign_flip: SignFlip,
    /// Cohen's d_z; absent where the differences have no spread.
    pub cohens_dz: Option<f64>,
    /// Matched-pairs rank-biserial correlation; absent where all pairs tie.
    pub rank_biserial: Option<f64>,
}

/// left − right, pair by pair: exactly 0 where both are the same up to what rounding in sums may do.
///
/// # Errors
/// Lists of different lengths, or a value that is no finite number.
pub fn differences(left: &[f64], right: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    if left.len() != right.len() {
        return Err(StatisticsError::Unpaired {
            left: left.len(),
            right: right.len(),
        });
    }
    check(left, 0)?;
    check(right, 0)?;
    let difference = |(left, right): (&f64, &f64)| if are_equal(*left, *right) { 0.0 } else { left - right };
    Ok(left.iter().zip(right).map(difference).collect())
}

/// The figures of left − right over pairs.
///
/// # Errors
/// As [`differences`], and settings out of bounds.
pub fn paired_difference(
    left: &[f64],
    right: &[f64],
    settings: &BootstrapSettings,
) -> Result<PairedDifference, StatisticsError> {
    let differences = differences(left, right)?;
    let n_with = |is: fn(f64) -> bool| differences.iter().filter(|difference| is(**difference)).count();
    let interval = match mean_interval(&differences, settings) {
        Err(StatisticsError::TooFew { .. }) => None,
        interval => Some(interval?),
    };
    Ok(PairedDifference {
        n: differences.len(),
        wins: n_with(|difference| difference > 0.0),
        ties: n_with(|difference| difference == 0.0),
        losses: n_with(|difference| difference < 0.0),
        mean: mean(&differences),
        standard_deviation: standard_deviation(&differences),
        interval,
        wilcoxon: wilcoxon(&differences)?,
        sign_flip: sign_flip(&differences, PERMUTATIONS, settings.seed)?,
        cohens_dz: cohens_dz(&differences),
        rank_biserial: rank_biserial(&differences),
    })
}
