//! Reading a format code.

use std::iter::Peekable;
use std::str::Chars;

use super::{Condition, Relation, Section};

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) enum Token {
    /// Text as it is.
    Literal(String),
    /// A gap as wide as some character.
    Space,
    /// A place for a digit: `0`, `#` or `?`.
    Digit(char),
    /// The decimal point.
    Point,
    /// A comma: between digits it groups, behind them it divides by a thousand.
    Comma,
    /// A percent sign, which multiplies by a hundred.
    Percent,
    /// `E+` (true) or `E-`.
    Exponent(bool),
    /// The line of a fraction.
    Slash,
    /// The number as without a format.
    General,
    /// The text of the cell.
    Text,
    /// A part of a date or time with the number of its letters: `y`, `m` (month), `n` (minute), `d`, `h`, `s`.
    Time(char, usize),
    /// Decimals of a second.
    Fraction(usize),
    /// Hours (`h`), minutes (`n`) or seconds (`s`) in all.
    Elapsed(char, usize),
    /// `AM/PM` (true) or `A/P`.
    HalfDay(bool),
}

impl Token {
    /// Whether it writes a part of a date or time.
    pub(super) fn is_time(&self) -> bool {
        matches!(self, Self::Time(..) | Self::Elapsed(..) | Self::HalfDay(_))
    }
}

/// The sections of a format code, at least one.
pub(super) fn sections(code: &str) -> Vec<Section> {
    let mut reader = Reader {
        rest: code.chars().peekable(),
        sections: vec![Section::default()],
    };
    while reader.piece() {}
    let mut sections = reader.sections;
    for section in &mut sections {
        tell_minutes(&mut section.tokens);
    }
    sections
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    sections: Vec<Section>,
}

impl Reader<'_> {
    fn push(&mut self, token: Token) {
        let Some(section) = self.sections.last_mut() else {
            return;
        };
        if let (Token::Literal(text), Some(Token::Literal(before))) = (&token, section.tokens.last_mut()) {
            before.push_str(text);
        } else {
            section.tokens.push(token);
        }
    }

    fn literal(&mut self, text: impl Into<String>) {
        self.push(Token::Literal(text.into()));
    }

    fn in_time(&self) -> bool {
        self.sections
            .last()
            .is_some_and(|section| section.tokens.iter().any(Token::is_time))
    }

    /// Takes over the letters that follow and are the same as `first`, and counts all.
    fn count(&mut self, first: char) -> usize {
        let mut n = 1;
        while self.rest.next_if(|c| c.eq_ignore_ascii_case(&first)).is_some() {
            n += 1;
        }
        n
    }

    /// Takes over a text that follows, in whatever case.
    fn take(&mut self, text: &str) -> bool {
        let mut ahead = self.rest.clone();
        let found = text
            .chars()
            .all(|c| ahead.next().is_some_and(|next| next.eq_ignore_ascii_case(&c)));
        if found {
            self.rest = ahead;
        }
        found
    }

    /// Reads one piece; false at the end.
    fn piece(&mut self) -> bool {
        let Some(c) = self.rest.next() else { return false };
        match c {
            ';' => self.sections.push(Section::default()),
            '"' => {
                let text: String = self.rest.by_ref().take_while(|c| *c != '"').collect();
                self.literal(text);
            }
            '\\' => {
                if let Some(escaped) = self.rest.next() {
                    self.literal(escaped);
                }
            }
            '_' => {
                self.rest.next();
                self.push(Token::Space);
            }
            // Repeating a character to fill the cell is left out, since the width is nobody's to know.
            '*' => {
                self.rest.next();
            }
            '[' => self.bracket(),
            '0' | '#' | '?' if c != '0' || !self.in_time() || !self.follows_seconds() => self.push(Token::Digit(c)),
            '0' => {
                let n = self.count('0');
                self.push(Token::Fraction(n));
            }
            '.' => self.push(Token::Point),
            ',' => self.push(Token::Comma),
            '%' => self.push(Token::Percent),
            '/' => self.push(Token::Slash),
            '@' => self.push(Token::Text),
            'E' | 'e' if matches!(self.rest.peek(), Some('+' | '-')) => {
                let plus = self.rest.next() == Some('+');
                self.push(Token::Exponent(plus));
            }
            'G' | 'g' if self.take("eneral") => self.push(Token::General),
            'A' | 'a' if self.take("M/PM") => self.push(Token::HalfDay(true)),
            'A' | 'a' if self.take("/P") => self.push(Token::HalfDay(false)),
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' => {
                let n = self.count(c);
                self.push(Token::Time(c.to_ascii_lowercase(), n));
            }
            other => self.literal(other),
        }
        true
    }

    /// Whether the last tokens are seconds and a point.
    fn follows_seconds(&self) -> bool {
        let tokens = self.sections.last().map(|section| section.tokens.as_slice());
        matches!(
            tokens,
            Some([.., Token::Time('s', _) | Token::Elapsed('s', _), Token::Point])
        )
    }

    /// What stands in square brackets: a colour, a condition, a currency, or time in all.
    fn bracket(&mut self) {
        let text: String = self.rest.by_ref().take_while(|c| *c != ']').collect();
        if let Some(currency) = text.strip_prefix('$') {
            let symbol = currency.split('-').next().unwrap_or_default();
            if !symbol.is_empty() {
                self.literal(symbol);
            }
        } else if let Some(condition) = condition(&text) {
            if let Some(section) = self.sections.last_mut() {
                section.condition = Some(condition);
            }
        } else if let Some(color) = color(&text) {
            if let Some(section) = self.sections.last_mut() {
                section.color = Some(color);
            }
        } else if let Some((unit, n)) = elapsed(&text) {
            self.push(Token::Elapsed(unit, n));
        }
    }
}

fn elapsed(text: &str) -> Option<(char, usize)> {
    let lower = text.to_ascii_lowercase();
    let unit = lower.chars().next()?;
    let one_letter = matches!(unit, 'h' | 'm' | 's') && lower.chars().all(|c| c == unit);
    one_letter.then_some((if unit == 'm' { 'n' } else { unit }, lower.len()))
}

fn condition(text: &str) -> Option<Condition> {
    let relations = [
        ("<=", Relation::AtMost),
        ("<>", Relation::Unequal),
        (">=", Relation::AtLeast),
        ("<", Relation::Less),
        (">", Relation::More),
        ("=", Relation::Equal),
    ];
    let (bound, relation) = relations
        .into_iter()
        .find_map(|(sign, relation)| Some((text.strip_prefix(sign)?, relation)))?;
    let bound = bound.trim().parse().ok()?;
    Some(Condition { relation, bound })
}

/// The colours that formats know by name, dark enough to be read on white.
fn color(text: &str) -> Option<&'static str> {
    let colors = [
        ("black", "#000000"),
        ("blue", "#0000FF"),
        ("cyan", "#008B8B"),
        ("green", "#007A00"),
        ("magenta", "#C000C0"),
        ("red", "#FF0000"),
        ("white", "#FFFFFF"),
        ("yellow", "#B08000"),
    ];
    let found = colors.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
    found.map(|(_, color)| color)
}

/// An `m` behind hours or before seconds means minutes.
fn tell_minutes(tokens: &mut [Token]) {
    let parts: Vec<usize> = (0..tokens.len())
        .filter(|idx| matches!(tokens.get(*idx), Some(Token::Time(..) | Token::Elapsed(..))))
        .collect();
    let unit = |tokens: &[Token], part: Option<&usize>| match part.and_then(|idx| tokens.get(*idx)) {
        Some(Token::Time(unit, _) | Token::Elapsed(unit, _)) => Some(*unit),
        _ => None,
    };
    for (n, idx) in parts.iter().enumerate() {
        let before = n.checked_sub(1).and_then(|before| unit(tokens, parts.get(before)));
        let after = unit(tokens, parts.get(n + 1));
        if let Some(Token::Time(letter, length)) = tokens.get_mut(*idx)
            && *letter == 'm'
            && *length <= 2
            && (before == Some('h') || after == Some('s'))
        {
            *letter = 'n';
        }
    }
}
