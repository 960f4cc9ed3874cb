//! Trimming (spec 1.2) and the helpers on lines of text (spec 11).

mod compress;
mod fields;

pub use compress::{CompressError, CompressOptions, compress, compress_inputs, uncompress_inputs};
pub use fields::{Fields, Place, join};

/// What separates the fields of a line.
pub(crate) const SEPARATOR: &str = " | ";

/// Whether the notation trims this character.
///
/// The set is Unicode's white space and also U+001C to U+001F, which `char::is_whitespace` lacks.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{D}'
            | '\u{1C}'..='\u{20}'
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}

/// Removes the notation's blanks from both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_those_of_unicode_and_four_separators() {
        for c in (0..=0x0010_FFFF).filter_map(char::from_u32) {
            let expect = c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c);
            assert_eq!(is_blank(c), expect, "{c:?}");
        }
    }

    #[test]
    fn both_ends_are_trimmed() {
        assert_eq!(trim("\u{1C} \u{A0}a b\u{3000}\n"), "a b");
        assert_eq!(trim("\u{FEFF}a\u{200B}"), "\u{FEFF}a\u{200B}");
        assert_eq!(trim(" \t"), "");
    }
}
