//! The rewriting of texts that read as ISO dates and times (spec 8).
//!
//! The rules are those of Python 3.11. They work on the bytes of the text, and what lies past the end reads as zero;
//! only ASCII digits count.

mod date;
mod time;

use date::Date;
use time::Time;

/// What INPUT makes of a text: the DATETIME text if it matches DATETIME, else the TIME text if it matches TIME.
pub fn rewrite_clock_text(text: &str) -> Option<String> {
    rewrite_datetime(text).or_else(|| rewrite_time(text))
}

/// Rewrites a text that matches DATETIME (spec 8.5) as `YYYY-MM-DD HH:MM:SS` with what else the time has.
pub fn rewrite_datetime(text: &str) -> Option<String> {
    let bytes = Bytes(text.as_bytes());
    let (date, date_end) = Date::read(bytes)?;
    let time = match text.get(date_end..)?.chars().next() {
        Some(mark) => Time::read_body(bytes, date_end + mark.len_utf8())?,
        None => Time::MIDNIGHT,
    };
    Some(format!("{date} {time}"))
}

/// Rewrites a text that matches TIME (spec 8.4) as `HH:MM:SS` with what else the time has.
pub fn rewrite_time(text: &str) -> Option<String> {
    let start = usize::from(text.starts_with('T'));
    Time::read_body(Bytes(text.as_bytes()), start).map(|time| time.to_string())
}

/// The bytes of a text, with zeros past the end.
#[derive(Clone, Copy)]
struct Bytes<'text>(&'text [u8]);

impl Bytes<'_> {
    fn len(self) -> usize {
        self.0.len()
    }

    fn at(self, position: usize) -> u8 {
        self.0.get(position).copied().unwrap_or(0)
    }

    /// The first position from `start` on, before the end, whose byte satisfies `wanted`; else the end.
    fn find(self, start: usize, wanted: impl Fn(u8) -> bool) -> usize {
        (start..self.len())
            .find(|position| wanted(self.at(*position)))
            .unwrap_or(self.len())
    }

    /// The number that exactly `n_digits` digits write at `position`.
    fn number(self, position: usize, n_digits: usize) -> Option<u32> {
        let mut number = 0;
        for digit in (position..position + n_digits).map(|position| self.at(position)) {
            number = number * 10 + u32::from(digit.is_ascii_digit().then(|| digit - b'0')?);
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expect: &str) {
        let got = rewrite_clock_text(text);
        assert_eq!(got.as_deref().unwrap_or(text), expect, "{text}");
    }

    fn check_unchanged(texts: &[&str]) {
        for text in texts {
            assert_eq!(rewrite_clock_text(text), None, "{text}");
        }
    }

    #[test]
    fn ordinary_texts_read_as_times() {
        check("12", "12:00:00");
        check("2024", "20:24:00");
        check("14-18", "14:00:00-18:00");
        check("2021-22", "20:21:00-22:00");
        check("10,000", "10:00:00");
        check("12.5", "12:00:00.500000");
        check("23,456", "23:00:00.456000");
        check_unchanged(&["", "7:30", "24", "10-24", "99.5", "12345", "12:5", " 12", "٣٣", "T"]);
    }

    #[test]
    fn dates_come_before_times() {
        check("2024-01-05", "2024-01-05 00:00:00");
        check("20240131", "2024-01-31 00:00:00");
        check("2024-W05", "2024-01-29 00:00:00");
        check("2024-01-05T10:30Z", "2024-01-05 10:30:00+00:00");
        check_unchanged(&["2024-1-5", "2024/01/05", "2024-01-05T", "2023-02-29", "0000-01-01"]);
    }

    #[test]
    fn the_mark_between_date_and_time_is_any_character() {
        for mark in ["T", " ", "0", "é", "😀", "\0"] {
            check(&format!("2024-01-05{mark}10"), "2024-01-05 10:00:00");
        }
    }

    #[test]
    fn zero_bytes_end_a_clock() {
        check("12\0", "12:00:00");
        check("12Z\0", "12:00:00+00:00");
    }

    #[test]
    fn each_grammar_is_offered_alone() {
        assert_eq!(rewrite_time("20240131"), Some("20:24:01.310000".to_owned()));
        assert_eq!(rewrite_datetime("07:15"), None);
        assert_eq!(rewrite_datetime("2024-01"), None);
        assert_eq!(rewrite_time("2024-01"), Some("20:24:00-01:00".to_owned()));
    }

    proptest! {
        #[test]
        fn nothing_panics(text in any::<String>()) {
            let _ = rewrite_clock_text(&text);
        }

        #[test]
        fn rewriting_is_idempotent(text in "[0-9]{2,4}[-:TWZ+.,0-9é ]{0,24}") {
            if let Some(once) = rewrite_clock_text(&text) {
                prop_assert_eq!(rewrite_clock_text(&once), Some(once));
            }
        }
    }
}
