//! Adjustment for several tests at once.

use crate::descriptive::number;

/// Holm's step-down adjustment (Holm 1979), in the order given. A test is significant among all of them at a level if
/// its adjusted value is at most the level.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
    order.sort_by(|left, right| left.1.total_cmp(&right.1));
    let mut largest = 0.0_f64;
    let mut adjusted: Vec<(usize, f64)> = order
        .iter()
        .enumerate()
        .map(|(place, (idx, p))| {
            largest = largest.max((p * number(p_values.len() - place)).min(1.0));
            (*idx, largest)
        })
        .collect();
    adjusted.sort_by_key(|(idx, _)| *idx);
    adjusted.into_iter().map(|(_, p)| p).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// R: `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")` is 0.03 0.06 0.06 0.02.
    #[test]
    fn adjusted_as_r_does() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-15, "{adjusted:?}");
        }
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.8, 0.9]), [1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn never_smaller_and_in_the_same_order(p_values in prop::collection::vec(0.0..=1.0_f64, 0..40)) {
            let adjusted = holm(&p_values);
            prop_assert_eq!(adjusted.len(), p_values.len());
            for (raw, adjusted) in p_values.iter().zip(&adjusted) {
                prop_assert!(raw <= adjusted && *adjusted <= 1.0);
            }
            for (i, a) in p_values.iter().zip(&adjusted) {
                for (j, b) in p_values.iter().zip(&adjusted) {
                    prop_assert!(i > j || a <= b);
                }
            }
        }
    }
}
