//! Numbers as text: floats written (spec 1.4), integers and floats read (spec 1.7).

use num_bigint::BigInt;

use crate::Value;
use crate::digit::to_ascii_digits;
use crate::text::is_blank;

/// The most digits an integer may have, here and in JSON.
pub(crate) const INT_DIGITS_MAX: usize = 4300;

/// Writes a float by the shortest digits that read back to the same double, the closest ones if there are several.
///
/// The exponents from -4 to 15 give positional notation with a decimal point (`5.0`), the others a mantissa and a
/// signed exponent of at least two digits (`1e+16`, `1.5e-07`). NaN is `nan`, the infinities are `inf` and `-inf`.
pub fn float_text(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    if float.is_infinite() {
        return if float > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = shortest(float);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        Ok(exponent @ -4..16) => positional(mantissa, exponent),
        Ok(exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
        }
        Err(_) => scientific,
    }
}

/// The shortest digits that read back, as `d.ddde-7`; of several the closest, of two as close the one that ends even.
fn shortest(float: f64) -> String {
    let shortest = format!("{float:e}");
    let n_digits = shortest
        .bytes()
        .take_while(|b| *b != b'e')
        .filter(u8::is_ascii_digit)
        .count();
    // The standard shortest digits are rounded up where two are as close: rounding the exact value finds the even one.
    let rounded = format!("{float:.*e}", n_digits.saturating_sub(1));
    let reads_back = rounded
        .parse::<f64>()
        .is_ok_and(|again| again.to_bits() == float.to_bits());
    if reads_back { rounded } else { shortest }
}

/// Moves the decimal point of a mantissa, and makes sure that there is one.
fn positional(mantissa: &str, exponent: i32) -> String {
    let (sign, unsigned) = mantissa.split_at(usize::from(mantissa.starts_with('-')));
    let digits = unsigned.replace('.', "");
    let Ok(exponent) = usize::try_from(exponent) else {
        let n_zeros = usize::try_from(-exponent).unwrap_or_default() - 1;
        return format!("{sign}0.{}{digits}", "0".repeat(n_zeros));
    };
    match digits.split_at_checked(exponent + 1) {
        Some((whole, fraction)) if !fraction.is_empty() => format!("{sign}{whole}.{fraction}"),
        _ => format!("{sign}{digits:0<width$}.0", width = exponent + 1),
    }
}

/// Reads a whole text as an integer: an optional sign, then digits of any script.
///
/// Single underscores may stand between digits. More than 4300 digits are refused, as in JSON.
pub fn read_integer(text: &str) -> Option<Value> {
    let digits = plain_digits(text)?;
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
    if unsigned.is_empty() || unsigned.len() > INT_DIGITS_MAX || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    integer_of_digits(&digits)
}

/// Reads a whole text as a float: a decimal number with an optional exponent, or `inf`, `infinity` or `nan` in any case.
///
/// Digits may be of any script, with single underscores between them; what is too large becomes infinite.
pub fn read_float(text: &str) -> Option<f64> {
    // The standard grammar is the spec's, once underscores and foreign digits are gone.
    plain_digits(text)?.parse().ok()
}

/// An integer from ASCII digits with an optional sign.
pub(crate) fn integer_of_digits(digits: &str) -> Option<Value> {
    match digits.parse::<i64>() {
        Ok(integer) => Some(Value::Int(integer)),
        Err(_) => digits.parse::<BigInt>().ok().map(Value::from_bigint),
    }
}

/// The trimmed text with ASCII digits and without its underscores, each of which must stand between two digits.
fn plain_digits(text: &str) -> Option<String> {
    // Trimming differs from the notation's own: the four separators U+001C to U+001F stay, and fail.
    let trimmed = text.trim_matches(|c| is_blank(c) && !('\u{1C}'..='\u{1F}').contains(&c));
    let ascii = to_ascii_digits(trimmed);
    let mut plain = String::with_capacity(ascii.len());
    let mut chars = ascii.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '_' {
            plain.push(c);
        } else if !plain.ends_with(|c: char| c.is_ascii_digit()) || !chars.peek().is_some_and(char::is_ascii_digit) {
            return None;
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_text(float: f64, expect: &str) {
        assert_eq!(float_text(float), expect);
    }

    #[test]
    fn floats_are_positional_within_sixteen_digits() {
        check_text(5.0, "5.0");
        check_text(-0.0, "-0.0");
        check_text(0.0001, "0.0001");
        check_text(1e15, "1000000000000000.0");
        check_text(9_999_999_999_999_998.0, "9999999999999998.0");
        check_text(123_456_789.125, "123456789.125");
    }

    #[test]
    #[expect(
        clippy::excessive_precision,
        reason = "the last digit is what the two candidates differ in"
    )]
    fn digits_as_close_are_chosen_even() {
        check_text(1_336_820_164_392_352.25, "1336820164392352.2");
        check_text(-630_314_492_882_173.25, "-630314492882173.2");
        check_text(74_444_361_107_492.125, "74444361107492.12");
        check_text(1_336_820_164_392_352.75, "1336820164392352.8");
    }

    #[test]
    fn floats_have_an_exponent_otherwise() {
        check_text(1e16, "1e+16");
        check_text(1.5e-7, "1.5e-07");
        check_text(-1e-5, "-1e-05");
        check_text(5e-324, "5e-324");
        check_text(f64::MAX, "1.7976931348623157e+308");
    }

    #[test]
    fn special_floats_are_words() {
        check_text(f64::NAN, "nan");
        check_text(f64::INFINITY, "inf");
        check_text(f64::NEG_INFINITY, "-inf");
    }

    fn check_integer(text: &str, expect: Option<i64>) {
        match (read_integer(text), expect) {
            (Some(Value::Int(got)), Some(expect)) => assert_eq!(got, expect, "{text:?}"),
            (None, None) => {}
            (got, expect) => panic!("{text:?}: {got:?}, not {expect:?}"),
        }
    }

    #[test]
    fn integers_are_read_whole() {
        check_integer(" +5\u{A0}", Some(5));
        check_integer("-007", Some(-7));
        check_integer("1_000", Some(1000));
        check_integer("-９٣", Some(-93));
        for text in [
            "", "-", "+-5", "- 5", "5.0", "1e2", "0x1", "1__0", "_1", "1_", "-_1", "²", "\u{1C}5", "é",
        ] {
            check_integer(text, None);
        }
    }

    #[test]
    fn integers_have_a_greatest_length() {
        assert!(read_integer(&format!("-{}", "9".repeat(4300))).is_some());
        check_integer(&"0".repeat(4301), None);
    }

    fn check_float(text: &str, expect: Option<f64>) {
        assert_eq!(read_float(text).map(f64::to_bits), expect.map(f64::to_bits), "{text:?}");
    }

    #[test]
    fn floats_are_read_whole() {
        check_float("5.", Some(5.0));
        check_float(" .5 ", Some(0.5));
        check_float("-0", Some(-0.0));
        check_float("1_000.5_0e1_0", Some(1000.5e10));
        check_float("٣.٥", Some(3.5));
        check_float("1e400", Some(f64::INFINITY));
        check_float("-1e-400", Some(-0.0));
        check_float("-iNfInItY", Some(f64::NEG_INFINITY));
        assert!(read_float("-NaN").is_some_and(f64::is_nan));
        for text in [
            "", ".", "e5", "1e", "1_e5", "1._5", "1_.5", "0x1", "1f", "1,5", "in_f", "infin", "5 5", "+ 5",
        ] {
            check_float(text, None);
        }
    }

    proptest! {
        #[test]
        fn a_float_reads_back(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            let got = read_float(&float_text(float)).unwrap();
            prop_assert!(got.to_bits() == float.to_bits() || (got.is_nan() && float.is_nan()));
        }

        #[test]
        fn positional_text_is_as_short_as_the_standard_one(float in -1e16..1e16) {
            let (text, standard) = (float_text(float), format!("{float:?}"));
            prop_assert!(text.contains('e') || text.len() == standard.len(), "{text} against {standard}");
        }

        #[test]
        fn an_integer_reads_back(integer in any::<i64>()) {
            check_integer(&integer.to_string(), Some(integer));
        }
    }
}
