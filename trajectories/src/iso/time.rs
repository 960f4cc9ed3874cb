//! Times of day (spec 8.1 to 8.4).

use std::fmt;

use super::Bytes;

/// Seconds in a day.
const DAY_SECONDS: u32 = 24 * 3600;

/// A time of day, perhaps with its offset from UTC.
pub(super) struct Time {
    clock: Clock,
    offset: Option<Offset>,
}

/// A distance from UTC.
struct Offset {
    sign: char,
    seconds: u32,
    micros: u32,
}

#[derive(Clone, Copy)]
struct Clock {
    hour: u32,
    minute: u32,
    second: u32,
    micros: u32,
}

impl Time {
    pub(super) const MIDNIGHT: Self = Self {
        clock: Clock {
            hour: 0,
            minute: 0,
            second: 0,
            micros: 0,
        },
        offset: None,
    };

    /// Reads the TimeBody from `start` to the end of the text.
    pub(super) fn read_body(bytes: Bytes<'_>, start: usize) -> Option<Self> {
        let end = bytes.len();
        if start >= end {
            return None;
        }
        let offset_start = bytes.find(start, |b| matches!(b, b'+' | b'-' | b'Z'));
        let (clock, leftover) = Clock::read(bytes, start, offset_start)?;
        if offset_start == end && leftover {
            return None;
        }
        let offset = match bytes.at(offset_start) {
            _ if offset_start == end => None,
            b'Z' if bytes.at(offset_start + 1) != 0 => return None,
            b'Z' => Some(Offset::UTC),
            sign => Some(Offset::read(bytes, offset_start + 1, char::from(sign))?),
        };
        let is_on_the_dial = clock.hour <= 23 && clock.minute <= 59 && clock.second <= 59;
        is_on_the_dial.then_some(Self { clock, offset })
    }
}

impl Offset {
    const UTC: Self = Self {
        sign: '+',
        seconds: 0,
        micros: 0,
    };

    /// Reads the clock behind a sign; its fields have no range of their own.
    fn read(bytes: Bytes<'_>, start: usize, sign: char) -> Option<Self> {
        let (
            Clock {
                hour,
                minute,
                second,
                micros,
            },
            leftover,
        ) = Clock::read(bytes, start, bytes.len())?;
        if leftover {
            return None;
        }
        match hour * 3600 + minute * 60 + second {
            0 => Some(Self::UTC),
            seconds if seconds < DAY_SECONDS => Some(Self { sign, seconds, micros }),
            _ => None,
        }
    }
}

impl Clock {
    /// Reads Clock(start, end); also whether something is left over.
    fn read(bytes: Bytes<'_>, start: usize, end: usize) -> Option<(Self, bool)> {
        let mut fields = [0; 3];
        let mut position = start;
        let mut has_colons = false;
        let mut micros = None;
        for (field_idx, field) in fields.iter_mut().enumerate() {
            *field = bytes.number(position, 2)?;
            let mark = bytes.at(position + 2);
            position += 3;
            if field_idx == 0 {
                has_colons = mark == b':';
            }
            if position >= end {
                micros = Some((0, mark != 0));
                break;
            }
            match mark {
                b':' if has_colons => {}
                b'.' | b',' => break,
                _ if !has_colons => position -= 1,
                _ => return None,
            }
        }
        let (micros, leftover) = micros.or_else(|| fraction(bytes, position, end))?;
        let [hour, minute, second] = fields;
        Some((
            Self {
                hour,
                minute,
                second,
                micros,
            },
            leftover,
        ))
    }
}

/// Reads up to six digits as microseconds and skips the digits after them; also whether something is left over.
fn fraction(bytes: Bytes<'_>, start: usize, end: usize) -> Option<(u32, bool)> {
    let n_digits = end.saturating_sub(start).min(6);
    let number = bytes.number(start, n_digits)?;
    let scale = (n_digits..6).fold(1, |scale, _| scale * 10);
    let after = bytes.find(start + n_digits, |b| !b.is_ascii_digit());
    Some((number * scale, bytes.at(after) != 0))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clock {
            hour,
            minute,
            second,
            micros,
        } = self.clock;
        write!(f, "{hour:02}:{minute:02}:{second:02}")?;
        write_micros(f, micros)?;
        let Some(Offset { sign, seconds, micros }) = self.offset else {
            return Ok(());
        };
        write!(f, "{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60)?;
        if seconds % 60 != 0 || micros != 0 {
            write!(f, ":{:02}", seconds % 60)?;
        }
        write_micros(f, micros)
    }
}

fn write_micros(f: &mut fmt::Formatter<'_>, micros: u32) -> fmt::Result {
    if micros == 0 { Ok(()) } else { write!(f, ".{micros:06}") }
}

#[cfg(test)]
mod tests {
    use super::super::rewrite_time;

    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(rewrite_time(text).as_deref(), expect, "{text}");
    }

    #[test]
    fn clocks_are_with_or_without_colons() {
        check("T12:30", Some("12:30:00"));
        check("123015", Some("12:30:15"));
        check("12:3015", None);
        check("1230:15", None);
        check("TT12", None);
        check("12:", None);
    }

    #[test]
    fn fractions_may_follow_any_field() {
        check("12:30:15:25", Some("12:30:15.250000"));
        check("1234567890", Some("12:34:56.789000"));
        check("12:30,1234567", Some("12:30:00.123456"));
        check("12.5x", None);
        check("12.x", None);
    }

    #[test]
    fn offsets_have_no_range_but_a_day() {
        check("12+00:99", Some("12:00:00+01:39"));
        check("12-23:59:59.999999", Some("12:00:00-23:59:59.999999"));
        check("12+24", None);
        check("12-00:00:00.5", Some("12:00:00+00:00"));
        check("12-05:00:00.5", Some("12:00:00-05:00:00.500000"));
        check("12+05:", None);
        check("12:+05", Some("12:00:00+05:00"));
        check("12Z ", None);
        check("+05", None);
    }

    #[test]
    fn the_dial_has_no_leap_second() {
        check("23:59:59", Some("23:59:59"));
        check("24:00", None);
        check("23:60", None);
        check("23:59:60", None);
    }
}
