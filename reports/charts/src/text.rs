//! How wide a text comes out, roughly, and texts that are shortened to fit.
//!
//! Which font a reader has is not known, so widths are those of a common sans-serif font with some room to spare.

use std::borrow::Cow;

use crate::svg::is_unprintable;

/// Widths of the characters from the blank to the tilde, in thousandths of the font's size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Room for fonts that run wider than the one measured.
const ROOM: f64 = 1.18;

/// The width of a text in the units of the font's size.
pub fn width(text: &str, font_size: f64) -> f64 {
    let thousandths: u32 = text.chars().map(|c| u32::from(thousandths(c))).sum();
    f64::from(thousandths) / 1000.0 * font_size * ROOM
}

fn thousandths(c: char) -> u16 {
    match u32::from(c) {
        code @ 0x20..=0x7e => usize::try_from(code - 0x20)
            .ok()
            .and_then(|place| WIDTHS.get(place))
            .copied()
            .unwrap_or(600),
        // Shown as an escape (see `svg::escape`), a line feed as a blank.
        _ if c != '\n' && is_unprintable(c) => 4600,
        0xa0 => 278,
        // Marks that are put on other characters.
        0x300..=0x36f => 0,
        // Scripts and signs that fill a square.
        0x1100..=0x11ff
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f
        | 0xff00..=0xff60
        | 0x20000..=0x3ffff => 1000,
        0x1f000..=0x1faff => 1300,
        _ => 650,
    }
}

/// The text, or as much of it from both ends as fits, with an ellipsis between.
pub fn shortened(text: &str, font_size: f64, width_max: f64) -> Cow<'_, str> {
    if width(text, font_size) <= width_max {
        return Cow::Borrowed(text);
    }
    let characters: Vec<char> = text.chars().collect();
    // Names of variants differ at their ends more often than at their beginnings, so both are kept.
    let (mut kept, mut dropped_from) = (characters.len(), 0);
    while kept > 1 {
        kept -= 1;
        dropped_from = kept.div_ceil(2);
        let shown = ends(&characters, dropped_from, kept);
        if width(&shown, font_size) <= width_max {
            return Cow::Owned(shown);
        }
    }
    Cow::Owned(ends(&characters, dropped_from.min(kept), kept))
}

/// The first so many characters, an ellipsis, and what is left of `kept` from the end.
fn ends(characters: &[char], first: usize, kept: usize) -> String {
    let last = kept.saturating_sub(first);
    let head = characters.iter().take(first);
    let tail = characters.iter().skip(characters.len().saturating_sub(last));
    head.chain(std::iter::once(&'…')).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_with_text_and_size() {
        assert!((width("00", 10.0) - 2.0 * 5.56 * ROOM).abs() < 1e-9);
        assert!(width("WW", 10.0) > width("ii", 10.0));
        assert!(width("表計算", 10.0) >= 30.0);
        assert!(width("", 10.0) < 1e-12);
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(shortened("short", 10.0, 100.0), "short");
        let text = shortened("predictor=online-ngram,stride=4", 10.0, 100.0);
        assert!(
            text.starts_with("predict") && text.ends_with("=4") && text.contains('…'),
            "{text}"
        );
        assert!(width(&text, 10.0) <= 100.0);
        assert_eq!(shortened("abc", 10.0, 0.0), "a…");
        assert_eq!(shortened("", 10.0, 0.0), "");
    }
}
