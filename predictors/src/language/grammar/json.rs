//! One value of a cell as JSON.

use super::choice::{Choice, Step, Words};
use super::number::JsonNumber;
use super::text::Text;

/// How far a value has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum JsonState {
    /// A word without quotes, or any value before its first byte.
    Word(Choice),
    Number(JsonNumber),
    /// Between the quotes.
    Text(Text),
    /// Behind a backslash.
    Escape,
    /// Behind `\u`, with so many digits to come.
    CodeUnit(u8),
    /// Behind the second quote.
    Quoted,
}

/// What a byte does to a value.
pub(super) enum JsonStep {
    /// It is part of it.
    Within(JsonState),
    /// It follows the value, a word without quotes perhaps.
    Behind,
}

impl JsonState {
    /// The value of a range that is one and the same for all its cells; `clear` empties them.
    pub(super) fn scalar() -> Self {
        Self::Word(Choice::of(Words::Scalars))
    }

    /// The value of one cell of a grid; `null` empties it.
    pub(super) fn cell() -> Self {
        Self::Word(Choice::of(Words::Cells))
    }

    /// Whether nothing of the value is written yet.
    pub(super) fn is_at_start(self) -> bool {
        self == Self::scalar() || self == Self::cell()
    }

    /// Whether one more byte leaves the state as it is, because it is in the middle of a text.
    #[inline]
    pub(super) fn stays(&self, byte: u8) -> bool {
        matches!(self, Self::Text(text) if text.stays(byte))
    }

    /// After one more byte.
    pub(super) fn step(self, byte: u8) -> Option<JsonStep> {
        if self.is_at_start() {
            if byte == b'"' {
                return Some(JsonStep::Within(Self::Text(Text::empty())));
            }
            if let Some(number) = JsonNumber::start(byte) {
                return Some(JsonStep::Within(Self::Number(number)));
            }
        }
        let next = match self {
            Self::Word(choice) => match choice.step(byte)? {
                Step::Within(choice) => Self::Word(choice),
                Step::Behind(_) => return Some(JsonStep::Behind),
            },
            Self::Number(number) => match number.push(byte) {
                Some(number) => Self::Number(number),
                None if number.may_end() => return Some(JsonStep::Behind),
                None => return None,
            },
            Self::Text(text) => match byte {
                b'"' if text.is_whole() && !text.is_shortened() => Self::Quoted,
                b'\\' if text.is_whole() => Self::Escape,
                b'"' | b'\\' => return None,
                _ => Self::Text(text.push(byte)?),
            },
            Self::Escape => match byte {
                b'u' => Self::CodeUnit(4),
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Self::Text(Text::with_ink()),
                _ => return None,
            },
            Self::CodeUnit(n) if byte.is_ascii_hexdigit() => match n {
                0 | 1 => Self::Text(Text::with_ink()),
                n => Self::CodeUnit(n - 1),
            },
            Self::CodeUnit(_) => return None,
            Self::Quoted => return Some(JsonStep::Behind),
        };
        Some(JsonStep::Within(next))
    }
}
