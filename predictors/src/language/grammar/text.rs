//! Characters, byte by byte: whole ones alone, and what the last of them were.

use napsim_trajectories::text::is_blank;

/// A text as far as it matters for how it may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Text {
    /// Continuation bytes that are to come.
    pending: u8,
    /// What the next continuation byte may be.
    low: u8,
    high: u8,
    /// The bits of the character so far.
    bits: u32,
    /// What the last whole character was.
    last: Last,
}

/// The last character of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Last {
    /// There is none.
    Nothing,
    /// Something that the notation trims.
    Blank,
    /// So many dots in a row, three for more.
    Dots(u8),
    /// Anything else.
    Ink,
}

impl Text {
    pub(super) fn empty() -> Self {
        Self::after(Last::Nothing)
    }

    fn after(last: Last) -> Self {
        Self {
            pending: 0,
            low: 0,
            high: 0,
            bits: 0,
            last,
        }
    }

    /// The text with something else than a dot or a blank at its end.
    pub(super) fn with_ink() -> Self {
        Self::after(Last::Ink)
    }

    /// Whether one more byte leaves the text as it is for all that matters. Quotes and backslashes matter to some.
    #[inline]
    pub(super) fn stays(&self, byte: u8) -> bool {
        self.pending == 0 && self.last == Last::Ink && matches!(byte, b'!' | b'#'..=b'-' | b'/'..=b'[' | b']'..=b'~')
    }

    /// After one more byte; nothing where the bytes are no characters, or a control character.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        if self.pending > 0 {
            return self.push_continuation(byte);
        }
        let (pending, bits, low, high) = match byte {
            0x20..=0x7E => return Some(self.with(char::from(byte))),
            0xC2..=0xDF => (1, byte & 0x1F, 0x80, 0xBF),
            0xE0 => (2, 0, 0xA0, 0xBF),
            0xED => (2, 0x0D, 0x80, 0x9F),
            0xE1..=0xEF => (2, byte & 0x0F, 0x80, 0xBF),
            0xF0 => (3, 0, 0x90, 0xBF),
            0xF1..=0xF3 => (3, byte & 0x07, 0x80, 0xBF),
            0xF4 => (3, 4, 0x80, 0x8F),
            _ => return None,
        };
        Some(Self {
            pending,
            low,
            high,
            bits: bits.into(),
            ..self
        })
    }

    fn push_continuation(self, byte: u8) -> Option<Self> {
        if !(self.low..=self.high).contains(&byte) {
            return None;
        }
        let bits = self.bits << 6 | u32::from(byte & 0x3F);
        if self.pending == 1 {
            return char::from_u32(bits).map(|character| self.with(character));
        }
        Some(Self {
            pending: self.pending - 1,
            low: 0x80,
            high: 0xBF,
            bits,
            ..self
        })
    }

    fn with(self, character: char) -> Self {
        let last = match (character, self.last) {
            ('.', Last::Dots(n)) => Last::Dots(3.min(n + 1)),
            ('.', _) => Last::Dots(1),
            (blank, _) if is_blank(blank) => Last::Blank,
            _ => Last::Ink,
        };
        Self::after(last)
    }

    /// Whether no character is begun and not ended.
    pub(super) fn is_whole(self) -> bool {
        self.pending == 0
    }

    /// Whether the text ends like a shortened one.
    pub(super) fn is_shortened(self) -> bool {
        self.last == Last::Dots(3)
    }
}

/// A text without quotes, which neither begins nor ends with a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BareText(Text);

impl BareText {
    pub(super) fn empty() -> Self {
        Self(Text::empty())
    }

    /// Whether one more byte leaves the text as it is for all that matters.
    #[inline]
    pub(super) fn stays(&self, byte: u8) -> bool {
        self.0.stays(byte)
    }

    /// After one more byte.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        let next = self.0.push(byte)?;
        let begins_blank = self.0.last == Last::Nothing && next.last == Last::Blank;
        (!begins_blank).then_some(Self(next))
    }

    /// Whether it may be a whole value.
    pub(super) fn may_end(self) -> bool {
        self.0.is_whole() && !self.0.is_shortened() && !matches!(self.0.last, Last::Nothing | Last::Blank)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn push_all(bytes: &[u8]) -> Option<Text> {
        bytes.iter().try_fold(Text::empty(), |text, byte| text.push(*byte))
    }

    #[test]
    fn every_character_and_nothing_else_is_taken() {
        for character in (0..=0x0010_FFFF).filter_map(char::from_u32) {
            let whole = push_all(character.to_string().as_bytes()).is_some_and(Text::is_whole);
            assert_eq!(whole, !character.is_ascii_control(), "{character:?}");
        }
    }

    #[test]
    fn bare_texts_have_no_blank_at_either_end() {
        let check = |text: &str, expect: Option<bool>| {
            let got = text.bytes().try_fold(BareText::empty(), BareText::push);
            assert_eq!(got.map(BareText::may_end), expect, "{text:?}");
        };
        check("#,##0.00", Some(true));
        check("£0 \"half..\"", Some(true));
        check("A typeface...", Some(false));
        check("A typeface....", Some(false));
        check("A typeface... x", Some(true));
        check("a\u{A0}", Some(false));
        check("\u{A0}a", None);
        check(" a", None);
        check("", Some(false));
    }

    proptest! {
        #[test]
        fn bytes_are_taken_as_long_as_they_are_characters(bytes in prop::collection::vec(any::<u8>(), 0..6)) {
            let got = push_all(&bytes).is_some_and(Text::is_whole);
            let controls = bytes.iter().any(u8::is_ascii_control);
            prop_assert_eq!(got, std::str::from_utf8(&bytes).is_ok() && !controls);
        }
    }
}
