//! What stands behind the second separator of a line.

use napsim_trajectories::Keyword;

use super::choice::{Choice, Step, Words};
use super::expected;
use super::json::{JsonState, JsonStep};
use super::number::SmallNumber;
use super::range::Area;
use super::text::BareText;

/// How far a value has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ValueState {
    /// One of several words, some of which begin something longer.
    Word(Words, Choice),
    /// The rest of what leads to a word.
    BeforeWord(&'static [u8], Words),
    /// A colour, with so many hexadecimal digits to come.
    Color(u8),
    Number(SmallNumber),
    Text(BareText),
    /// The rest of the separator before the mode of a paste.
    Mode(&'static [u8]),
    /// One typed value for the whole range.
    Scalar(JsonState),
    /// The value of one cell of a grid, counted from 0.
    Cell(u32, u32, JsonState),
    /// The rest of what leads to a cell.
    BeforeCell(&'static [u8], u32, u32),
    /// Behind the bracket that ends a row of a grid.
    RowEnd(u32),
    /// Behind the bracket that ends a grid.
    GridEnd,
}

/// What a byte does to a value.
pub(super) enum ValueStep {
    /// It is part of it.
    Within(ValueState),
    /// It ends it, and the line.
    Ended,
}

impl ValueState {
    /// The value of an action before its first byte, for all but fills and pastes.
    pub(super) fn of(keyword: Keyword) -> Self {
        match keyword {
            Keyword::NumberFormat | Keyword::FontName => Self::Text(BareText::empty()),
            Keyword::FontSize => Self::Number(SmallNumber::size()),
            Keyword::TextOrientation => Self::Number(SmallNumber::degrees()),
            Keyword::FillColor => Self::word(Words::ColorOrClear),
            Keyword::FontColor => Self::word(Words::Color),
            Keyword::FontUnderline => Self::word(Words::Underlines),
            Keyword::AlignHorizontal => Self::word(Words::Horizontal),
            Keyword::AlignVertical => Self::word(Words::Vertical),
            Keyword::FontBold | Keyword::FontItalic | Keyword::WrapText | Keyword::Merge => Self::word(Words::Booleans),
            Keyword::Unmerge => Self::word(Words::No),
            other if other.border_side().is_some() => Self::word(Words::WeightsOrClear),
            _ => Self::Scalar(JsonState::scalar()),
        }
    }

    fn word(words: Words) -> Self {
        Self::Word(words, Choice::of(words))
    }

    /// Whether one more byte leaves the state as it is, because it is in the middle of a text.
    #[inline]
    pub(super) fn stays(&self, byte: u8) -> bool {
        match self {
            Self::Scalar(value) | Self::Cell(_, _, value) => value.stays(byte),
            Self::Text(text) => text.stays(byte),
            _ => false,
        }
    }

    /// After one more byte of the value for this range.
    pub(super) fn step(self, area: Area, byte: u8) -> Option<ValueStep> {
        let next = match self {
            Self::Word(words, choice) => match choice.step(byte)? {
                Step::Within(choice) => Self::Word(words, choice),
                Step::Behind(word) => return behind_word(words, word, byte),
            },
            Self::BeforeWord(rest, words) => match expected(rest, byte)? {
                [] => Self::word(words),
                rest => Self::BeforeWord(rest, words),
            },
            Self::Mode(rest) => match expected(rest, byte)? {
                [] => Self::word(Words::Modes),
                rest => Self::Mode(rest),
            },
            Self::Color(0) | Self::GridEnd => return ended(byte),
            Self::Color(n) if byte.is_ascii_hexdigit() => Self::Color(n - 1),
            Self::Color(_) => return None,
            Self::Number(number) if byte == b'\n' && number.may_end() => return ended(byte),
            Self::Number(number) => Self::Number(number.push(byte)?),
            Self::Text(text) if byte == b'\n' && text.may_end() => return ended(byte),
            Self::Text(text) => Self::Text(text.push(byte)?),
            Self::Scalar(value) if value.is_at_start() && byte == b'[' => {
                let several_cells = area.width() > 1 || area.height() > 1;
                several_cells.then_some(Self::BeforeCell(b"[", 0, 0))?
            }
            Self::Scalar(value) => match value.step(byte)? {
                JsonStep::Within(value) => Self::Scalar(value),
                JsonStep::Behind => return ended(byte),
            },
            Self::BeforeCell(rest, row, col) => match expected(rest, byte)? {
                [] => Self::Cell(row, col, JsonState::cell()),
                rest => Self::BeforeCell(rest, row, col),
            },
            Self::Cell(row, col, value) => match value.step(byte)? {
                JsonStep::Within(value) => Self::Cell(row, col, value),
                JsonStep::Behind => behind_cell(area, row, col, byte)?,
            },
            Self::RowEnd(row) => match byte {
                b',' if row + 1 < area.height() => Self::BeforeCell(b" [", row + 1, 0),
                b']' if row + 1 == area.height() => Self::GridEnd,
                _ => return None,
            },
        };
        Some(ValueStep::Within(next))
    }
}

fn ended(byte: u8) -> Option<ValueStep> {
    (byte == b'\n').then_some(ValueStep::Ended)
}

/// What a byte behind a whole word does.
fn behind_word(words: Words, word: &str, byte: u8) -> Option<ValueStep> {
    let next = match (words, word, byte) {
        (_, "#", byte) if byte.is_ascii_hexdigit() => ValueState::Color(5),
        (_, "#", _) => return None,
        (Words::WeightsOrClear, "clear", _) => return ended(byte),
        (Words::WeightsOrClear, _, b',') => ValueState::BeforeWord(b" ", Words::Styles),
        (Words::WeightsOrClear, ..) => return None,
        (Words::Styles, _, b',') => ValueState::BeforeWord(b" ", Words::Color),
        _ => return ended(byte),
    };
    Some(ValueStep::Within(next))
}

/// What a byte behind the value of a cell does: a grid has the size of its range.
fn behind_cell(area: Area, row: u32, col: u32, byte: u8) -> Option<ValueState> {
    match byte {
        b',' if col + 1 < area.width() => Some(ValueState::BeforeCell(b" ", row, col + 1)),
        b']' if col + 1 == area.width() => Some(ValueState::RowEnd(row)),
        _ => None,
    }
}
