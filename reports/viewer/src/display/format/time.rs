//! Dates and times under a section of a format.

use super::super::moment::{Fields, Moment};
use super::{Section, Token};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

impl Section {
    /// A moment as this section writes it.
    pub(super) fn time(&self, moment: Moment) -> String {
        let n_decimals = self.tokens.iter().find_map(|token| match token {
            Token::Fraction(n) => u32::try_from(*n).ok(),
            _ => None,
        });
        let moment = moment.rounded(n_decimals.unwrap_or(0));
        let fields = moment.fields();
        let half_days = self.tokens.iter().any(|token| matches!(token, Token::HalfDay(_)));
        let mut text = String::new();
        for token in &self.tokens {
            match token {
                Token::Literal(literal) => text.push_str(literal),
                Token::Space => text.push(' '),
                Token::Point => text.push('.'),
                Token::Comma => text.push(','),
                Token::Slash => text.push('/'),
                Token::Percent => text.push('%'),
                Token::Digit(_) | Token::Exponent(_) | Token::General | Token::Text => {}
                Token::Time(unit, n) => text.push_str(&part(&fields, *unit, *n, half_days)),
                Token::Fraction(n) => {
                    let thousandths = format!("{:03}", fields.millisecond);
                    text.extend(thousandths.chars().chain(std::iter::repeat('0')).take(*n));
                }
                Token::Elapsed(unit, n) => {
                    let unit_ms = match unit {
                        'h' => 3_600_000,
                        'n' => 60_000,
                        _ => 1000,
                    };
                    let count = moment.total_ms() / unit_ms;
                    text.push_str(&format!("{count:0n$}"));
                }
                Token::HalfDay(long) => {
                    let letter = if fields.hour < 12 { 'A' } else { 'P' };
                    text.push(letter);
                    text.push_str(if *long { "M" } else { "" });
                }
            }
        }
        text
    }
}

/// One part of a date or time.
fn part(fields: &Fields, unit: char, n: usize, half_days: bool) -> String {
    let number = |value: i64| format!("{value:0width$}", width = n.min(2));
    let name = |names: &[&str], idx: i64| {
        let name = usize::try_from(idx).ok().and_then(|idx| names.get(idx));
        (*name.unwrap_or(&"")).to_owned()
    };
    match (unit, n) {
        ('y', 0..=2) => format!("{:02}", fields.year % 100),
        ('y', _) => format!("{:04}", fields.year),
        ('m', 1 | 2) => number(fields.month),
        ('m', 3) => name(&MONTHS, fields.month - 1).chars().take(3).collect(),
        ('m', 5) => name(&MONTHS, fields.month - 1).chars().take(1).collect(),
        ('m', _) => name(&MONTHS, fields.month - 1),
        ('d', 1 | 2) => number(fields.day),
        ('d', 3) => name(&DAYS, fields.weekday).chars().take(3).collect(),
        ('d', _) => name(&DAYS, fields.weekday),
        ('h', _) if half_days => number((fields.hour + 11) % 12 + 1),
        ('h', _) => number(fields.hour),
        ('n', _) => number(fields.minute),
        _ => number(fields.second),
    }
}
