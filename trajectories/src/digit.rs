//! The notation's second meaning of "digit" (spec 1.3): any decimal number of Unicode 14.

/// The code points worth zero in each run of ten decimal digits (general category Nd, Unicode 14).
///
/// Every character of the category lies in one such run, and the runs do not overlap.
const ZEROS: [u32; 66] = [
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0,
    0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50,
    0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950,
    0x1FBF0,
];

/// The decimal value of a digit of any script; `²` and `Ⅷ` are not digits.
pub(crate) fn decimal_value(c: char) -> Option<u32> {
    let code = u32::from(c);
    if code < 0x80 {
        return c.to_digit(10);
    }
    let n_not_above = ZEROS.partition_point(|&zero| zero <= code);
    let zero = ZEROS.get(n_not_above.checked_sub(1)?)?;
    Some(code - zero).filter(|value| *value < 10)
}

/// Splits off the longest run of digits of any script at the head of `text`.
pub(crate) fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .char_indices()
        .find(|(_, c)| decimal_value(*c).is_none())
        .map_or(text.len(), |(at, _)| at);
    text.split_at(end)
}

/// The same text with every digit written in ASCII.
pub(crate) fn to_ascii_digits(text: &str) -> String {
    text.chars()
        .map(|c| {
            decimal_value(c)
                .and_then(|value| char::from_digit(value, 10))
                .unwrap_or(c)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(c: char, expect: Option<u32>) {
        assert_eq!(decimal_value(c), expect, "{c:?}");
    }

    #[test]
    fn digits_of_every_script_count() {
        check('0', Some(0));
        check('9', Some(9));
        check('٣', Some(3));
        check('９', Some(9));
        check('𝟎', Some(0));
        check('𝟿', Some(9));
        check('\u{1FBF9}', Some(9));
    }

    #[test]
    fn other_numbers_do_not() {
        check('/', None);
        check(':', None);
        check('²', None);
        check('Ⅷ', None);
        check('½', None);
        check('\u{1FBFA}', None);
        check('\u{10FFFF}', None);
        // U+11F50 became a digit in Unicode 15.
        check('\u{11F50}', None);
    }

    #[test]
    fn the_table_is_ordered_and_complete() {
        assert!(ZEROS.is_sorted());
        let n_digits = (0..=0x0010_FFFF)
            .filter_map(char::from_u32)
            .filter(|c| decimal_value(*c).is_some())
            .count();
        assert_eq!(n_digits, 660);
    }

    #[test]
    fn runs_are_split_and_rewritten() {
        assert_eq!(split_digits("1٣x2"), ("1٣", "x2"));
        assert_eq!(split_digits("x"), ("", "x"));
        assert_eq!(to_ascii_digits("A１٣²"), "A13²");
    }
}
