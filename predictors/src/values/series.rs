//! Series: numbers, dates, texts with numbers and names of the calendar, gone on by one.

use napsim_trajectories::Value;

use crate::candidates::ValueModel;

/// A value that may come next, with its model and how sure that is.
pub(super) type Guess = (Value, ValueModel, f32);

/// The next value after the last ones of a run, latest first.
///
/// One value alone goes on only where it holds a number within a text or names a month or weekday, and with little
/// confidence; a number alone is no series.
pub(super) fn next(latest: &[&Value]) -> Option<Guess> {
    let (last, before) = latest.split_first()?;
    match last {
        Value::Int(_) | Value::Float(_) => next_number(latest),
        Value::Text(text) => {
            let earlier: Vec<&str> = before.iter().map_while(|value| value.as_text()).collect();
            next_date(text, &earlier)
                .or_else(|| next_in_calendar(text, &earlier))
                .or_else(|| next_label(text, &earlier))
        }
        _ => None,
    }
}

fn confidence(n_steps: usize) -> f32 {
    match n_steps {
        0 => 0.2,
        1 => 0.4,
        2 => 0.75,
        _ => 0.9,
    }
}

fn next_number(latest: &[&Value]) -> Option<Guess> {
    let numbers: Vec<f64> = latest
        .iter()
        .map_while(|value| match value {
            Value::Int(_) | Value::Float(_) => value.as_number(),
            _ => None,
        })
        .take(5)
        .collect();
    let (last, before) = (numbers.first()?, numbers.get(1)?);
    let step = rounded(last - before);
    if step == 0.0 {
        return None;
    }
    let steps = numbers.iter().zip(numbers.iter().skip(1));
    let n_steps = steps.take_while(|(a, b)| (*a - *b - step).abs() < 1e-9).count();
    let next = rounded(last + step);
    let whole = latest.iter().take(2).all(|value| matches!(value, Value::Int(_)));
    let value = if whole { whole_number(next)? } else { Value::Float(next) };
    Some((value, ValueModel::Number, confidence(n_steps)))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the number was found to be whole and small"
)]
fn whole_number(number: f64) -> Option<Value> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(Value::Int(number as i64))
}

/// Without the dust that binary fractions leave.
fn rounded(number: f64) -> f64 {
    if number.abs() < 1e6 {
        (number * 1e9).round() / 1e9
    } else {
        number
    }
}

/// A date written `2024-03-01`, with or without a time after it, which stays.
fn next_date(text: &str, earlier: &[&str]) -> Option<Guess> {
    let (last, time) = read_date(text)?;
    let before: Vec<Date> = earlier
        .iter()
        .map_while(|text| read_date(text))
        .map(|(date, _)| date)
        .take(3)
        .collect();
    let Some(previous) = before.first() else {
        return Some((
            Value::text(format!("{}{time}", last.plus_days(1))),
            ValueModel::Date,
            confidence(0),
        ));
    };
    let months = last.months() - previous.months();
    let days = last.days() - previous.days();
    if days == 0 {
        return None;
    }
    let monthly = months != 0 && last.day == previous.day;
    let steps = std::iter::once(&last).chain(&before).zip(&before);
    let n_steps = steps
        .take_while(|(a, b)| {
            if monthly {
                a.months() - b.months() == months
            } else {
                a.days() - b.days() == days
            }
        })
        .count();
    let next = if monthly {
        last.plus_months(months)
    } else {
        last.plus_days(days)
    };
    Some((
        Value::text(format!("{next}{time}")),
        ValueModel::Date,
        confidence(n_steps),
    ))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Date {
    year: i64,
    month: i64,
    day: i64,
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn read_date(text: &str) -> Option<(Date, &str)> {
    let (date, time) = text.split_at_checked(10)?;
    let mut parts = date.splitn(3, '-');
    let mut number = |width: usize| {
        let part = parts.next()?;
        let digits = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| part.parse::<i64>().ok()).flatten()
    };
    let date = Date {
        year: number(4)?,
        month: number(2)?,
        day: number(2)?,
    };
    let valid = (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
    (valid && (time.is_empty() || time.starts_with([' ', 'T']))).then_some((date, time))
}

impl Date {
    fn months(self) -> i64 {
        self.year * 12 + self.month - 1
    }

    fn plus_months(self, months: i64) -> Self {
        let total = self.months() + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        let first = Self { year, month, day: 1 };
        let next = Self {
            year: (total + 1).div_euclid(12),
            month: (total + 1).rem_euclid(12) + 1,
            day: 1,
        };
        let day = self.day.min(next.days() - first.days());
        Self { day, ..first }
    }

    /// Days since the first of March of year 0, by the civil calendar.
    fn days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let month = (self.month + 9) % 12;
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + self.day
            - 1
    }

    fn plus_days(self, days: i64) -> Self {
        let total = self.days() + days;
        let era = total.div_euclid(146_097);
        let of_era = total.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day }
    }
}

const CALENDARS: [&[&str]; 4] = [
    &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ],
    &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ],
    &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ],
    &["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
];

fn next_in_calendar(text: &str, earlier: &[&str]) -> Option<Guess> {
    let lower = text.to_lowercase();
    let position = |calendar: &[&str], name: &str| calendar.iter().position(|known| *known == name);
    let before = earlier.first().map(|text| text.to_lowercase());
    // "May" is in two lists: the one that holds the name before it is meant.
    let mut found: Option<(&[&str], usize, bool)> = None;
    for calendar in CALENDARS {
        let Some(at) = position(calendar, &lower) else { continue };
        let follows = before
            .as_deref()
            .and_then(|before| position(calendar, before))
            .is_some();
        if found.is_none() || follows {
            found = Some((calendar, at, follows));
        }
    }
    let (calendar, at, follows) = found?;
    let name = calendar.get((at + 1) % calendar.len())?;
    let name = if text.chars().all(|c| !c.is_lowercase()) {
        name.to_uppercase()
    } else if text.starts_with(char::is_uppercase) {
        let mut letters = name.chars();
        letters.next()?.to_uppercase().chain(letters).collect()
    } else {
        (*name).to_owned()
    };
    Some((Value::text(name), ValueModel::Calendar, if follows { 0.9 } else { 0.4 }))
}

/// A text with numbers: the one that changed from text to text goes on, or the last one where there is one text alone.
fn next_label(text: &str, earlier: &[&str]) -> Option<Guess> {
    let last = pieces(text);
    let numbers = last.iter().filter(|piece| piece.is_number).count();
    if numbers == 0 {
        return None;
    }
    let changed = earlier.first().and_then(|before| only_change(&pieces(before), &last));
    let (idx, step, n_steps) = match changed {
        Some((idx, step)) => {
            let goes_on = earlier
                .get(1)
                .zip(earlier.first())
                .and_then(|(second, first)| only_change(&pieces(second), &pieces(first)));
            (idx, step, if goes_on == Some((idx, step)) { 2 } else { 1 })
        }
        None => (last.iter().rposition(|piece| piece.is_number)?, 1, 0),
    };
    let mut next = String::with_capacity(text.len() + 1);
    for (position, piece) in last.iter().enumerate() {
        if position == idx {
            let number = piece.number()?.checked_add(step).filter(|number| *number >= 0)?;
            let width = if piece.text.starts_with('0') {
                piece.text.len()
            } else {
                0
            };
            next.push_str(&format!("{number:0width$}"));
        } else {
            next.push_str(piece.text);
        }
    }
    Some((Value::text(next), ValueModel::Label, confidence(n_steps)))
}

struct Piece<'a> {
    text: &'a str,
    is_number: bool,
}

impl Piece<'_> {
    fn number(&self) -> Option<i64> {
        self.text.parse().ok()
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != is_number)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(Piece { text: piece, is_number });
        rest = after;
    }
    pieces
}

/// The one number that differs between two texts that are otherwise the same, and by how much.
fn only_change(before: &[Piece<'_>], after: &[Piece<'_>]) -> Option<(usize, i64)> {
    if before.len() != after.len() {
        return None;
    }
    let mut change = None;
    for (idx, (a, b)) in before.iter().zip(after).enumerate() {
        if a.text == b.text {
            continue;
        }
        if !(a.is_number && b.is_number) || change.is_some() {
            return None;
        }
        change = Some((idx, b.number()? - a.number()?));
    }
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(texts: &[&str]) -> Option<String> {
        let values: Vec<Value> = texts.iter().rev().map(|text| Value::text(*text)).collect();
        let (value, ..) = next(&values.iter().collect::<Vec<_>>())?;
        value.as_text().map(str::to_owned)
    }

    #[test]
    fn numbers_go_on_by_their_last_step() {
        let values = [Value::Int(30), Value::Int(20), Value::Int(10)];
        let (value, model, confidence) = next(&values.iter().collect::<Vec<_>>()).unwrap();
        assert!(matches!(value, Value::Int(40)));
        assert_eq!((model, confidence), (ValueModel::Number, 0.75));
        let values = [Value::Float(0.3), Value::Float(0.2)];
        let (value, ..) = next(&values.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(value.as_number(), Some(0.4));
        assert!(next(&[&Value::Int(7)]).is_none());
        assert!(next(&[&Value::Int(7), &Value::Int(7)]).is_none());
    }

    #[test]
    fn dates_go_on_by_days_or_months() {
        assert_eq!(text(&["2024-02-27", "2024-02-28"]).as_deref(), Some("2024-02-29"));
        assert_eq!(
            text(&["2023-12-25 00:00:00", "2024-01-01 00:00:00"]).as_deref(),
            Some("2024-01-08 00:00:00")
        );
        assert_eq!(text(&["2023-11-30", "2023-12-30"]).as_deref(), Some("2024-01-30"));
        assert_eq!(text(&["2023-12-31", "2024-01-31"]).as_deref(), Some("2024-02-29"));
        assert_eq!(text(&["2024-13-01"]).as_deref(), Some("2024-13-02"));
    }

    #[test]
    fn every_day_has_its_number() {
        let mut date = Date {
            year: 1999,
            month: 12,
            day: 30,
        };
        for _ in 0..2000 {
            let next = date.plus_days(1);
            assert_eq!(next.days(), date.days() + 1, "{date}");
            assert_eq!(next.plus_days(-1), date);
            date = next;
        }
        assert_eq!(date.to_string(), "2005-06-21");
    }

    #[test]
    fn labels_go_on_where_they_changed() {
        assert_eq!(text(&["Q1 2024", "Q2 2024"]).as_deref(), Some("Q3 2024"));
        assert_eq!(text(&["LN-009"]).as_deref(), Some("LN-010"));
        assert_eq!(text(&["Item 8", "Item 10"]).as_deref(), Some("Item 12"));
        assert_eq!(text(&["tea"]), None);
    }

    #[test]
    fn the_calendar_goes_on_in_the_same_case() {
        assert_eq!(text(&["Apr", "May"]).as_deref(), Some("Jun"));
        assert_eq!(text(&["April", "May"]).as_deref(), Some("June"));
        assert_eq!(text(&["SUN"]).as_deref(), Some("MON"));
    }
}
