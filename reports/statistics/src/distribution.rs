//! The normal and Student's t distribution.

use std::f64::consts::SQRT_2;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};

/// The number with 40 bits of precision. Mathematics libraries of different systems agree on so many.
pub(crate) fn rounded(value: f64) -> f64 {
    const DROPPED: u64 = 12;
    if !value.is_finite() {
        return value;
    }
    let bits = value.to_bits() + (1 << (DROPPED - 1));
    f64::from_bits(bits >> DROPPED << DROPPED)
}

/// Probability of at most `z` under the standard normal distribution.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    rounded(0.5 * erfc(-z / SQRT_2))
}

/// The value below which that share of the standard normal distribution lies.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    rounded(-SQRT_2 * erfc_inv(2.0 * share))
}

/// The value below which that share of Student's t distribution lies; absent without degrees of freedom.
pub(crate) fn student_quantile(share: f64, degrees: f64) -> Option<f64> {
    let distribution = StudentsT::new(0.0, 1.0, degrees).ok()?;
    Some(rounded(distribution.inverse_cdf(share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the distributions: z of 97.5 %, t of 97.5 % with 2, 10 and 51 degrees of freedom (SciPy 1.16).
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        close(normal_quantile(0.975), 1.959_963_984_540_054);
        close(normal_cdf(1.959_963_984_540_054), 0.975);
        close(normal_cdf(-3.0), 0.001_349_898_031_630_094_6);
        close(student_quantile(0.975, 2.0).unwrap(), 4.302_652_729_749_464);
        close(student_quantile(0.975, 10.0).unwrap(), 2.228_138_851_986_274);
        close(student_quantile(0.025, 51.0).unwrap(), -2.007_583_770_315_835);
        assert_eq!(student_quantile(0.975, 0.0), None);
    }
}
