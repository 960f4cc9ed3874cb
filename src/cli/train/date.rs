//! The day that a model's card names.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::anyhow;

use crate::exit::Failure;

/// A day of the Gregorian calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Date {
    year: u64,
    month: u64,
    day: u64,
}

const SECONDS_A_DAY: u64 = 86_400;

/// The day of `SOURCE_DATE_EPOCH`, or else today.
pub(super) fn default() -> Result<Date, Failure> {
    const VARIABLE: &str = "SOURCE_DATE_EPOCH";
    let seconds = match std::env::var(VARIABLE) {
        Ok(text) => text
            .parse()
            .map_err(|_| Failure::Input(anyhow!("failed to read {VARIABLE}: `{text}` is no number of seconds")))?,
        Err(_) => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs()),
    };
    Ok(Date::of_day(seconds / SECONDS_A_DAY))
}

impl Date {
    /// The day so many days after 1970-01-01.
    fn of_day(n_days: u64) -> Self {
        let mut date = Self {
            year: 1970,
            month: 1,
            day: 1,
        };
        // Whole cycles of 400 years first, so that the years are few.
        const DAYS_IN_400_YEARS: u64 = 146_097;
        date.year += 400 * (n_days / DAYS_IN_400_YEARS);
        let mut left = n_days % DAYS_IN_400_YEARS;
        while left >= days_in_year(date.year) {
            left -= days_in_year(date.year);
            date.year += 1;
        }
        while left >= days_in_month(date.year, date.month) {
            left -= days_in_month(date.year, date.month);
            date.month += 1;
        }
        date.day += left;
        date
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<u64> = text.split('-').filter_map(|part| part.parse().ok()).collect();
        let date = match numbers.as_slice() {
            [year, month, day] => Self {
                year: *year,
                month: *month,
                day: *day,
            },
            _ => return Err("give a day as YYYY-MM-DD".to_owned()),
        };
        let is_day = (1..=12).contains(&date.month) && (1..=days_in_month(date.year, date.month)).contains(&date.day);
        // Only the plain spelling: `2026-1-02` would be another name of the same day.
        if is_day && date.to_string() == text {
            Ok(date)
        } else {
            Err("give a day of the calendar as YYYY-MM-DD".to_owned())
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (n_days, expect) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_788, "2026-12-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (157_113, "2400-02-29"),
        ] {
            assert_eq!(Date::of_day(n_days).to_string(), expect, "{n_days}");
        }
    }

    #[test]
    fn only_days_of_the_calendar_are_read() {
        for text in ["1970-01-01", "2024-02-29"] {
            assert_eq!(text.parse::<Date>().map(|date| date.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-02-29",
            "2026-1-01",
            "2026-01-00",
            "01.02.2026",
            "2026-01-01-01",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
