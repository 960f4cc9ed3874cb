//! Ratios of counts, and sums of ratios that do not depend on the order of summing.

/// A count as a number to calculate with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// A part of a whole; absent where there is no whole.
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| float(part) / float(whole))
}

/// A length as a count.
pub(crate) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The place of a value between 0 and 1 among `n` equal parts; 1 belongs to the last part.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is between 0 and 1, and what is no number becomes 0"
)]
pub(crate) fn part_of_one(value: f64, n: u16) -> u16 {
    let place = (value.clamp(0.0, 1.0) * f64::from(n)).floor() as u16;
    place.min(n.saturating_sub(1))
}

/// A sum of ratios between 0 and 1 in 2^-64ths. Whole numbers add up to the same in any order, which doubles do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RatioSum(u128);

impl RatioSum {
    const SCALE: f64 = 18_446_744_073_709_551_616.0;

    /// A sum of one ratio; what lies outside of 0 to 1 enters as the nearer end, and what is no number as 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the ratio is between 0 and 1"
    )]
    pub(crate) fn of(ratio: f64) -> Self {
        Self((ratio.clamp(0.0, 1.0) * Self::SCALE) as u128)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }

    /// The sum as a number.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean needs no more digits than a double has"
    )]
    pub(crate) fn value(self) -> f64 {
        self.0 as f64 / Self::SCALE
    }

    /// The mean of so many; absent without any.
    pub(crate) fn mean(self, n: u64) -> Option<f64> {
        (n > 0).then(|| self.value() / float(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_add_up_without_loss() {
        let mut sum = RatioSum::default();
        for ratio in [1.0 / 3.0, 1.0, 0.5, 1.0 / 3.0, 1.0 / 3.0] {
            sum.add(RatioSum::of(ratio));
        }
        assert_eq!(sum.mean(5), Some(0.5));
        assert_eq!(RatioSum::of(0.1).mean(1), Some(0.1));
        assert_eq!(RatioSum::of(f64::NAN).mean(1), Some(0.0));
        assert_eq!(RatioSum::default().mean(0), None);
    }

    #[test]
    fn parts_of_one_have_one_in_the_last() {
        let parts = [0.0, 0.0999, 0.1, 0.95, 1.0, 2.0, -1.0, f64::NAN].map(|value| part_of_one(value, 10));
        assert_eq!(parts, [0, 0, 1, 9, 9, 9, 0, 0]);
    }
}
