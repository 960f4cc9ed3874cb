//! Effect sizes of paired differences.

use crate::descriptive::{mean, standard_deviation};
use crate::wilcoxon::SignedRanks;

/// Cohen's d_z: mean of the differences / their standard deviation (Cohen 1988, section 2.3.5). Absent below two
/// differences and where all are equal.
pub fn cohens_dz(differences: &[f64]) -> Option<f64> {
    let deviation = standard_deviation(differences).filter(|deviation| *deviation > 0.0)?;
    Some(mean(differences)? / deviation)
}

/// Matched-pairs rank-biserial correlation: (sum of positive − sum of negative ranks) / sum of ranks, between −1 and 1
/// (Kerby 2014). Differences of 0 are left out; absent where no other is left.
pub fn rank_biserial(differences: &[f64]) -> Option<f64> {
    SignedRanks::of(differences).rank_biserial()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_of_a_worked_example() {
        // Ranks 1, 2, 3 and 4 of 2, 4, 6 and 8: positive 1 + 3 + 4, negative 2.
        let differences = [2.0, -4.0, 0.0, 6.0, 8.0];
        assert_eq!(rank_biserial(&differences), Some(0.6));
        // Mean 2.4, variance (0.16 + 40.96 + 5.76 + 12.96 + 31.36) / 4 = 22.8.
        let expected = 2.4 / 22.8_f64.sqrt();
        assert!(cohens_dz(&differences).is_some_and(|found| (found - expected).abs() < 1e-14));
        assert_eq!((rank_biserial(&[0.0, 0.0]), rank_biserial(&[])), (None, None));
        assert_eq!((cohens_dz(&[0.1; 7]), cohens_dz(&[1.0])), (None, None));
    }
}
