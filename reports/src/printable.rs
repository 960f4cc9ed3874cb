//! Text from files made safe to show on a terminal.

use std::borrow::Cow;

/// The text with control characters, and characters that change the direction of writing, as escapes such as
/// `\u{1b}`. Line feeds stay only if `line_feeds` says so.
pub fn printable(text: &str, line_feeds: bool) -> Cow<'_, str> {
    let is_harmless = |c: char| (c == '\n' && line_feeds) || !is_unprintable(c);
    if text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_harmless(c) {
            shown.push(c);
        } else {
            shown.extend(c.escape_unicode());
        }
    }
    Cow::Owned(shown)
}

fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_escapes() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{7f}\u{9b}", false),
            "a\\u{1b}[31mb\\u{7f}\\u{9b}"
        );
        assert_eq!(printable("x\u{202e}y", false), "x\\u{202e}y");
        assert_eq!(printable("one\ntwo\r", true), "one\ntwo\\u{d}");
        assert_eq!(printable("one\ntwo", false), "one\\u{a}two");
        assert!(matches!(printable("Grün 表", false), Cow::Borrowed(_)));
    }
}
