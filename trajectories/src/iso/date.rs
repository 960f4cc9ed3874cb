//! Calendar dates, and dates by week and weekday (spec 8.5).

use std::fmt;

use super::Bytes;

/// A date from 0001-01-01 to 9999-12-31.
#[derive(Clone, Copy)]
pub(super) struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    /// Reads the date part at the head of a text; also how many bytes it takes.
    pub(super) fn read(bytes: Bytes<'_>) -> Option<(Self, usize)> {
        let length = part_length(bytes)?;
        let year = bytes.number(0, 4)?;
        let is_dashed = bytes.at(4) == b'-';
        let position = 4 + usize::from(is_dashed);
        let date = if bytes.at(position) == b'W' {
            let week = bytes.number(position + 1, 2)?;
            let weekday = if position + 3 < length {
                weekday(bytes, position + 3, is_dashed)?
            } else {
                1
            };
            Self::of_week(year, week, weekday)?
        } else {
            let month = bytes.number(position, 2)?;
            let day_start = after_dash(bytes, position + 2, is_dashed)?;
            let day = bytes.number(day_start, 2)?;
            if day_start + 2 != length {
                return None;
            }
            Self::of_month(year, month, day)?
        };
        Some((date, length))
    }

    fn of_month(year: u32, month: u32, day: u32) -> Option<Self> {
        let exists = (1..=9999).contains(&year) && day >= 1 && day <= month_days(year, month)?;
        exists.then_some(Self { year, month, day })
    }

    /// The date of an ISO week, numbered within its ISO year, and of a weekday, Monday being 1.
    fn of_week(year: u32, week: u32, weekday: u32) -> Option<Self> {
        if !(1..=9999).contains(&year) || !(1..=weeks(year)).contains(&week) || !(1..=7).contains(&weekday) {
            return None;
        }
        // Week 1 holds January 4: its Monday lies from three days before January 1 to three days after.
        let day_of_week_one = (week - 1) * 7 + weekday + 3;
        let first_weekday = first_weekday(year);
        let shift = if first_weekday > 3 { 7 } else { 0 };
        let day_of_year = (day_of_week_one + shift).checked_sub(first_weekday + 3);
        match day_of_year {
            Some(day @ 1..) if day <= year_days(year) => Self::of_year_day(year, day),
            Some(day @ 1..) => Self::of_year_day(year + 1, day - year_days(year)),
            _ => {
                let back = (first_weekday + 3) - (day_of_week_one + shift);
                let before = year - 1;
                Self::of_year_day(before, year_days(before) - back)
            }
        }
    }

    fn of_year_day(year: u32, day_of_year: u32) -> Option<Self> {
        let mut day = day_of_year;
        for month in 1..=12 {
            let n_days = month_days(year, month)?;
            if day <= n_days {
                return Self::of_month(year, month, day);
            }
            day -= n_days;
        }
        None
    }
}

/// How many bytes the date part takes, judged by the marks in the text alone.
fn part_length(bytes: Bytes<'_>) -> Option<usize> {
    let n_bytes = bytes.len();
    match (n_bytes, bytes.at(4), bytes.at(5)) {
        (..7, ..) => None,
        (7, ..) => Some(7),
        (_, b'-', b'W') if bytes.at(8) != b'-' => Some(8),
        (9, b'-', b'W') => None,
        (11.., b'-', b'W') if bytes.at(10).is_ascii_digit() => Some(8),
        (_, b'-', _) => Some(10),
        (_, b'W', _) => Some(match bytes.find(7, |b| !b.is_ascii_digit()) {
            digits_end @ ..9 => digits_end,
            digits_end => 7 + digits_end % 2,
        }),
        _ => Some(8),
    }
}

fn weekday(bytes: Bytes<'_>, position: usize, is_dashed: bool) -> Option<u32> {
    bytes.number(after_dash(bytes, position, is_dashed)?, 1)
}

/// The position behind a dash, which must be there in a dashed date and is not looked for in another.
fn after_dash(bytes: Bytes<'_>, position: usize, is_dashed: bool) -> Option<usize> {
    match (is_dashed, bytes.at(position)) {
        (false, _) => Some(position),
        (true, b'-') => Some(position + 1),
        (true, _) => None,
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

fn year_days(year: u32) -> u32 {
    365 + u32::from(is_leap(year))
}

fn month_days(year: u32, month: u32) -> Option<u32> {
    match month {
        2 => Some(28 + u32::from(is_leap(year))),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// The weekday of January 1, Monday being 0; January 1 of year 1 was a Monday.
fn first_weekday(year: u32) -> u32 {
    let before = year - 1;
    (before + before / 4 - before / 100 + before / 400) % 7
}

/// How many weeks an ISO year has: 53 if it starts on a Thursday, or in a leap year on a Wednesday.
fn weeks(year: u32) -> u32 {
    match first_weekday(year) {
        3 => 53,
        2 if is_leap(year) => 53,
        _ => 52,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}
