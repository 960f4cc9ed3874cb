//! Number formats: codes such as `#,##0.00;[Red]-#,##0.00` applied to numbers, dates and texts.

mod number;
mod parse;
mod time;

use super::general;
use super::moment::Moment;
pub(super) use parse::Token;

/// A number format as its sections.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberFormat {
    sections: Vec<Section>,
}

/// One section of a number format.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    /// When the section applies, if it says so.
    condition: Option<Condition>,
    /// The colour of what it writes.
    color: Option<&'static str>,
    /// What it writes, in order.
    tokens: Vec<Token>,
}

/// A condition such as `[>=100]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    relation: Relation,
    bound: f64,
}

/// How a number is compared with the bound of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
}

impl Condition {
    fn holds(self, number: f64) -> bool {
        match self.relation {
            Relation::Less => number < self.bound,
            Relation::AtMost => number <= self.bound,
            Relation::More => number > self.bound,
            Relation::AtLeast => number >= self.bound,
            #[expect(clippy::float_cmp, reason = "the format asks for exactly that number")]
            Relation::Equal => number == self.bound,
            #[expect(clippy::float_cmp, reason = "the format asks for anything but exactly that number")]
            Relation::Unequal => number != self.bound,
        }
    }
}

/// What a cell too narrow for its number shows, and any cell with a date that there is not.
const NOT_SHOWN: &str = "########";

/// A text with the colour that it is shown in.
pub(super) type Colored = (String, Option<&'static str>);

impl NumberFormat {
    /// Reads a format code. Every code is one: what means nothing is written as it is.
    pub(super) fn parse(code: &str) -> Self {
        Self {
            sections: parse::sections(code),
        }
    }

    /// The section for texts: the fourth, or the last if it writes the text.
    fn text_section(&self) -> Option<&Section> {
        match self.sections.as_slice() {
            [_, _, _, section, ..] => Some(section),
            sections => sections.last().filter(|section| section.tokens.contains(&Token::Text)),
        }
    }

    /// The sections for numbers.
    fn number_sections(&self) -> &[Section] {
        let n = match self.sections.as_slice() {
            [.., last] if self.sections.len() > 1 && last.tokens.contains(&Token::Text) => self.sections.len() - 1,
            sections => sections.len(),
        };
        self.sections.get(..n.min(3)).unwrap_or_default()
    }

    /// The section for a number, and whether it writes the number without its sign.
    fn section_for(&self, number: f64) -> Option<(&Section, bool)> {
        let sections = self.number_sections();
        let two = sections.len() == 2;
        for (idx, section) in sections.iter().enumerate() {
            let is_last = idx + 1 == sections.len();
            let applies = match (section.condition, idx) {
                (Some(condition), _) => condition.holds(number),
                (None, 0) if is_last => true,
                (None, 0) if two => number >= 0.0,
                (None, 0) => number > 0.0,
                (None, 1) if !is_last => number < 0.0,
                (None, _) => is_last,
            };
            if applies {
                return Some((section, idx > 0));
            }
        }
        None
    }

    /// A number under this format.
    pub(super) fn of_number(&self, number: f64) -> Colored {
        let Some((section, unsigned)) = self.section_for(number) else {
            return (NOT_SHOWN.to_owned(), None);
        };
        let text = if section.writes_time() {
            Moment::from_serial(number).map_or_else(|| NOT_SHOWN.to_owned(), |moment| section.time(moment))
        } else if section.tokens.contains(&Token::Text) {
            section.around(&general::text(number))
        } else {
            let written = section.number(number.abs());
            // A negative number that rounds to zero has no sign.
            let shows_digit = written.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
            let signed = number < 0.0 && !unsigned && (shows_digit || !section.writes_digits());
            if signed { format!("-{written}") } else { written }
        };
        (text, section.color)
    }

    /// A date or time under this format; none where the format writes no dates and times.
    pub(super) fn of_moment(&self, moment: &Moment) -> Option<Colored> {
        let section = self.number_sections().first().filter(|section| section.writes_time())?;
        Some((section.time(*moment), section.color))
    }

    /// A text under this format.
    pub(super) fn of_text(&self, text: &str) -> Colored {
        match self.text_section() {
            Some(section) => (section.around(text), section.color),
            None => (text.to_owned(), None),
        }
    }
}

impl Section {
    /// Whether the section writes a date or a time.
    fn writes_time(&self) -> bool {
        self.tokens.iter().any(Token::is_time)
    }

    fn writes_digits(&self) -> bool {
        let is_digit = |token: &Token| matches!(token, Token::Digit(_) | Token::General);
        self.tokens.iter().any(is_digit)
    }

    /// Literals with a text where the section has its place.
    fn around(&self, text: &str) -> String {
        let mut written = String::new();
        for token in &self.tokens {
            match token {
                Token::Literal(literal) => written.push_str(literal),
                Token::Space => written.push(' '),
                Token::Text => written.push_str(text),
                _ => {}
            }
        }
        written
    }
}

#[cfg(test)]
mod tests;
