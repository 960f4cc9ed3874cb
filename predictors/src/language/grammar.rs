//! The grammar of a line, byte by byte, for choosing among tokens (spec chapter 03, 8.3 and 14.5).
//!
//! The lines are those that a prompt without sheet names shows: `NAME | RANGE | VALUE`, in the one spelling that the
//! notation writes. Every line that a [`LineState`] lets end is an action once its sheet is put back, and whatever it
//! lets begin can be ended. Values that were shortened are refused, since nobody types them.

mod choice;
mod fill;
mod json;
mod number;
mod range;
mod text;
mod value;

use napsim_trajectories::Keyword;

use choice::{Choice, Step, Words};
use range::{Area, Domain, RangeState, RangeStep};
use value::{ValueState, ValueStep};

/// How far a line has got. It is small and cheap to copy; equal states go on in the same ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineState {
    part: Part,
}

/// The part of a line that the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// The name of the action.
    Name(Choice),
    /// The rest of a separator, then the range.
    BeforeRange(&'static [u8], Keyword),
    /// The range that is acted on.
    Range(Keyword, RangeState),
    /// The rest of a separator, then the value.
    BeforeValue(&'static [u8], Keyword, Area),
    /// The range that a fill or a paste takes from.
    Source(Keyword, RangeState),
    /// Everything else behind the second separator.
    Value(Area, ValueState),
    /// The line break is behind.
    Ended,
}

/// What is left of a separator when its blank is gone.
const BAR: &[u8] = b"| ";

impl LineState {
    /// The beginning of a line.
    pub fn start() -> Self {
        Self {
            part: Part::Name(Choice::of(Words::Names)),
        }
    }

    /// The state after one more byte; nothing where no action goes on so.
    ///
    /// A line break ends the line. Nothing follows it.
    pub fn advance(&self, byte: u8) -> Option<Self> {
        if self.stays(byte) {
            return Some(*self);
        }
        self.go_on(byte)
    }

    /// Whether one more byte leaves the state as it is, which is so for most bytes of texts.
    #[inline]
    fn stays(&self, byte: u8) -> bool {
        matches!(&self.part, Part::Value(_, value) if value.stays(byte))
    }

    fn go_on(&self, byte: u8) -> Option<Self> {
        let part = match self.part {
            Part::Name(choice) => match choice.step(byte)? {
                Step::Within(choice) => Part::Name(choice),
                Step::Behind(name) if byte == b' ' => Part::BeforeRange(BAR, Keyword::from_text(name)?),
                Step::Behind(_) => return None,
            },
            Part::BeforeRange(rest, keyword) => match expected(rest, byte)? {
                [] => Part::Range(keyword, RangeState::new(target_domain(keyword))),
                rest => Part::BeforeRange(rest, keyword),
            },
            Part::Range(keyword, range) => match range.step(byte)? {
                RangeStep::Within(range) => Part::Range(keyword, range),
                RangeStep::Behind(area) if byte == b' ' => Part::BeforeValue(BAR, keyword, area),
                RangeStep::Behind(_) => return None,
            },
            Part::BeforeValue(rest, keyword, area) => match expected(rest, byte)? {
                [] => value_of(keyword, area),
                rest => Part::BeforeValue(rest, keyword, area),
            },
            Part::Source(keyword, range) => match (range.step(byte)?, keyword, byte) {
                (RangeStep::Within(range), ..) => Part::Source(keyword, range),
                (RangeStep::Behind(_), Keyword::Autofill, b'\n') => Part::Ended,
                (RangeStep::Behind(area), Keyword::PasteFrom, b' ') => Part::Value(area, ValueState::Mode(BAR)),
                (RangeStep::Behind(_), ..) => return None,
            },
            Part::Value(area, value) => match value.step(area, byte)? {
                ValueStep::Within(value) => Part::Value(area, value),
                ValueStep::Ended => Part::Ended,
            },
            Part::Ended => return None,
        };
        Some(Self { part })
    }

    /// The state after several more bytes, such as those of a token.
    pub fn advance_all(&self, bytes: &[u8]) -> Option<Self> {
        let mut state = *self;
        for byte in bytes {
            if !state.stays(*byte) {
                state = state.go_on(*byte)?;
            }
        }
        Some(state)
    }

    /// Whether a line may go on with all of these bytes.
    pub fn allows(&self, bytes: &[u8]) -> bool {
        self.advance_all(bytes).is_some()
    }

    /// Whether the line is a whole action, so that a line break or the end of the answer may follow.
    pub fn may_end(&self) -> bool {
        self.advance(b'\n').is_some()
    }

    /// Whether the line break is behind, so that nothing can follow.
    pub fn has_ended(&self) -> bool {
        self.part == Part::Ended
    }
}

/// What is left of expected bytes after the first one came.
fn expected(rest: &'static [u8], byte: u8) -> Option<&'static [u8]> {
    rest.split_first()
        .filter(|(first, _)| **first == byte)
        .map(|(_, rest)| rest)
}

/// The ranges that an action may act on: a fill needs more than its source.
fn target_domain(keyword: Keyword) -> Domain {
    Domain::Sheet {
        several_cells: keyword == Keyword::Autofill,
    }
}

/// What follows the range of an action.
fn value_of(keyword: Keyword, target: Area) -> Part {
    match keyword {
        Keyword::Autofill => Part::Source(keyword, RangeState::new(Domain::SourceWithin(target))),
        Keyword::PasteFrom => Part::Source(keyword, RangeState::new(Domain::Sheet { several_cells: false })),
        _ => Part::Value(target, ValueState::of(keyword)),
    }
}

#[cfg(test)]
mod tests;
