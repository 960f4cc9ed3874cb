//! Counts of right, wrong, missing and mismatching properties, and the ratios made of them.

use serde::{Deserialize, Serialize};

/// Properties by how prediction and target agree. Sums over (sheet, cell, property) triples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Present and right.
    pub tp: u32,
    /// Present and not wanted.
    pub fp: u32,
    /// Wanted and not present.
    #[serde(rename = "fn")]
    pub missing: u32,
    /// Present with a wrong value.
    pub mm: u32,
}

/// `numerator / denominator`, 0 when there is nothing to divide by (spec 02, 1.6).
pub fn ratio(numerator: u64, denominator: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let quotient = |a: u64, b: u64| a as f64 / b as f64;
    if denominator == 0 {
        0.0
    } else {
        quotient(numerator, denominator)
    }
}

impl Counts {
    /// tp / (tp + fp + mm), as a ratio between 0 and 1.
    pub fn precision(&self) -> f64 {
        ratio(
            self.tp.into(),
            u64::from(self.tp) + u64::from(self.fp) + u64::from(self.mm),
        )
    }

    /// tp / (tp + fn + mm), as a ratio between 0 and 1.
    pub fn recall(&self) -> f64 {
        ratio(
            self.tp.into(),
            u64::from(self.tp) + u64::from(self.missing) + u64::from(self.mm),
        )
    }

    /// 2 tp / (2 tp + fp + fn + 2 mm), as a ratio between 0 and 1.
    pub fn f1(&self) -> f64 {
        let doubled = 2 * u64::from(self.tp);
        ratio(
            doubled,
            doubled + u64::from(self.fp) + u64::from(self.missing) + 2 * u64::from(self.mm),
        )
    }

    /// Adds the counts of another prediction.
    pub fn add(&mut self, other: Counts) {
        self.tp += other.tp;
        self.fp += other.fp;
        self.missing += other.missing;
        self.mm += other.mm;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_follow_their_definitions() {
        let counts = Counts {
            tp: 6,
            fp: 1,
            missing: 4,
            mm: 2,
        };
        assert!((counts.precision() - 6.0 / 9.0).abs() < 1e-15);
        assert!((counts.recall() - 6.0 / 12.0).abs() < 1e-15);
        assert!((counts.f1() - 12.0 / 21.0).abs() < 1e-15);
        assert_eq!(Counts::default().precision().to_bits(), 0.0_f64.to_bits());
    }
}
