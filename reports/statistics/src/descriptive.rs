//! Means, spreads and quantiles.

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

/// Two values whose difference is at most this share of them are taken as equal: they came by different sums from
/// the same figures.
const EQUAL_SHARE: f64 = 1e-12;

/// Whether two values are the same up to what rounding in sums may do.
pub(crate) fn are_equal(left: f64, right: f64) -> bool {
    (left - right).abs() <= EQUAL_SHARE * left.abs().max(right.abs())
}

/// Whether all values are the same up to what rounding in sums may do; so they are where there is none.
pub(crate) fn all_equal(values: &[f64]) -> bool {
    values
        .split_first()
        .is_none_or(|(first, rest)| rest.iter().all(|value| are_equal(*first, *value)))
}

/// Arithmetic mean, summed in the order given; absent without values.
pub fn mean(values: &[f64]) -> Option<f64> {
    let sum = values.iter().fold(0.0, |sum, value| sum + value);
    (!values.is_empty()).then(|| sum / number(values.len()))
}

/// Variance with n − 1 in the denominator; absent below two values, exactly 0 where all are equal.
pub fn variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    if all_equal(values) {
        return Some(0.0);
    }
    let mean = mean(values)?;
    let squares = values
        .iter()
        .fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
    Some(squares / number(values.len() - 1))
}

/// Standard deviation with n − 1 in the denominator; absent below two values.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    variance(values).map(f64::sqrt)
}

/// Standard error of the mean, standard deviation / √n; absent below two values.
pub fn standard_error(values: &[f64]) -> Option<f64> {
    standard_deviation(values).map(|deviation| deviation / number(values.len()).sqrt())
}

/// The value in the middle, or the mean of the two there; absent without values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Quantile of type 7 of Hyndman and Fan (1996), the default of R and NumPy: linear between the order statistics, with
/// the smallest value at 0 and the largest at 1. Absent without values and for a share outside of 0 to 1.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    if values.is_empty() || !(0.0..=1.0).contains(&share) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * number(sorted.len() - 1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the place is between 0 and the number of values"
    )]
    let below = place.floor() as usize;
    let low = *sorted.get(below)?;
    let high = sorted.get(below + 1).copied().unwrap_or(low);
    Some(low + (place - place.floor()) * (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy 2 (`mean`, `var(ddof=1)`, `median`, `quantile`) gives these numbers.
    #[test]
    fn figures_agree_with_numpy() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        let close = |found: Option<f64>, expected: f64| {
            assert!(
                found.is_some_and(|found| (found - expected).abs() < 1e-14),
                "{found:?} {expected}"
            );
        };
        close(mean(&values), 3.875);
        close(variance(&values), 7.553_571_428_571_429);
        close(median(&values), 3.5);
        close(quantile(&values, 0.1), 1.0);
        close(quantile(&values, 0.9), 6.9);
        close(quantile(&values, 1.0), 9.0);
        close(standard_error(&values), 0.971_697_704_315_199_3);
    }

    #[test]
    fn undefined_is_absent() {
        assert_eq!((mean(&[]), median(&[]), variance(&[1.0])), (None, None, None));
        assert_eq!((quantile(&[1.0], 1.5), quantile(&[1.0], f64::NAN)), (None, None));
        assert_eq!(variance(&[0.1; 3]), Some(0.0));
    }
}
