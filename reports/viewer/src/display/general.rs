//! Numbers under the format `General`.

use super::decimal::Decimal;

/// Digits and point that a number may take before it is written with an exponent.
const WIDTH_MAX: i32 = 11;

/// The number as a wide enough cell without a number format shows it: at most eleven characters.
pub(super) fn text(number: f64) -> String {
    let decimal = Decimal::of(number);
    let exponent = decimal.exponent();
    let sign = if number < 0.0 && !decimal.is_zero() { "-" } else { "" };
    if !(-5..WIDTH_MAX).contains(&exponent) {
        return format!("{sign}{}", scientific(&decimal));
    }
    // One place is the point's, and a number below one has a zero before it.
    let n_whole = exponent.max(0) + 1;
    let (whole, decimals) = decimal.rounded((WIDTH_MAX - 1 - n_whole).max(0)).parts();
    let whole = if whole.is_empty() { "0" } else { &whole };
    if decimals.is_empty() {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{decimals}")
    }
}

/// The number with an exponent and up to five decimals.
fn scientific(decimal: &Decimal) -> String {
    let rounded = decimal.clone().shifted(-decimal.exponent()).rounded(5);
    // Rounding may have led to 10.
    let exponent = decimal.exponent() + rounded.exponent();
    let (whole, decimals) = rounded.clone().shifted(-rounded.exponent()).parts();
    let point = if decimals.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{whole}{point}{decimals}E{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_eleven_characters_at_most() {
        for (number, expect) in [
            (0.0, "0"),
            (-0.0, "0"),
            (12.0, "12"),
            (-3.5, "-3.5"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333333"),
            (100.0 / 3.0, "33.33333333"),
            (12_345_678_901.0, "12345678901"),
            (123_456_789_012.0, "1.23457E+11"),
            (1e100, "1E+100"),
            (0.000_012_345, "0.000012345"),
            (0.000_001_5, "1.5E-06"),
            (9_999_999_999.96, "10000000000"),
            (999_999_500_000.0, "1E+12"),
        ] {
            assert_eq!(text(number), expect);
        }
    }
}
