//! Dates and times as spreadsheets count them: days since the end of 1899, with a 29 February 1900 that never was.

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;
/// The serial of the day after 31 December 9999.
const DAYS_MAX: i64 = 2_958_466;

/// A day and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Milliseconds since the serial 0, which spreadsheets call 0 January 1900.
    total_ms: i64,
}

/// What a date format writes of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// Year, four digits.
    pub(super) year: i64,
    /// Month from 1.
    pub(super) month: i64,
    /// Day from 1; 0 for the serial 0.
    pub(super) day: i64,
    /// Day of the week from 0 for Sunday.
    pub(super) weekday: i64,
    /// Hour from 0.
    pub(super) hour: i64,
    /// Minute.
    pub(super) minute: i64,
    /// Second.
    pub(super) second: i64,
    /// Millisecond.
    pub(super) millisecond: i64,
}

impl Moment {
    /// The moment of a serial number; none outside of the years that spreadsheets know.
    pub(super) fn from_serial(serial: f64) -> Option<Self> {
        #[expect(clippy::cast_precision_loss, reason = "both are far below 2^53")]
        let (days_max, day_ms) = (DAYS_MAX as f64, DAY_MS as f64);
        if !(0.0..days_max).contains(&serial) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 2^53 as just made sure")]
        let total_ms = (serial * day_ms).round() as i64;
        Some(Self { total_ms })
    }

    /// The moment that an ISO text names: a day from 1900 on, a time of day, or both. None for any other text.
    pub(super) fn from_iso(text: &str) -> Option<Self> {
        if let Some(time_ms) = time(text) {
            return Some(Self { total_ms: time_ms });
        }
        let (day, rest) = text.split_at_checked(10)?;
        let serial = day_serial(day)?;
        let time_ms = match rest.strip_prefix([' ', 'T']) {
            Some(rest) => time(rest)?,
            None if rest.is_empty() => 0,
            None => return None,
        };
        Some(Self {
            total_ms: serial * DAY_MS + time_ms,
        })
    }

    /// The moment rounded to so many decimals of a second, at most three.
    pub(super) fn rounded(self, n_decimals: u32) -> Self {
        let unit = 10_i64.pow(3_u32.saturating_sub(n_decimals));
        Self {
            total_ms: (self.total_ms + unit / 2).div_euclid(unit) * unit,
        }
    }

    /// Milliseconds since the serial 0.
    pub(super) fn total_ms(self) -> i64 {
        self.total_ms
    }

    /// Year to millisecond.
    pub(super) fn fields(self) -> Fields {
        let serial = self.total_ms.div_euclid(DAY_MS);
        let of_day = self.total_ms.rem_euclid(DAY_MS);
        let (year, month, day) = match serial {
            0 => (1900, 1, 0),
            60 => (1900, 2, 29),
            1..60 => civil(serial + 1),
            _ => civil(serial),
        };
        Fields {
            year,
            month,
            day,
            weekday: (serial + 6).rem_euclid(7),
            hour: of_day / 3_600_000,
            minute: of_day / 60_000 % 60,
            second: of_day / 1000 % 60,
            millisecond: of_day % 1000,
        }
    }
}

/// Reads so many digits.
fn number(text: &str, n_digits: usize) -> Option<i64> {
    let plain = text.len() == n_digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Milliseconds of `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`.
fn time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = match parts.next() {
        Some(second) => number(second, 2).filter(|second| *second < 60)?,
        None if fraction.is_empty() => 0,
        None => return None,
    };
    let is_fraction = fraction.len() <= 6 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !is_fraction || text.ends_with('.') {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(((hour * 60 + minute) * 60 + second) * 1000 + number(&thousandths, 3)?)
}

/// The serial of `YYYY-MM-DD`.
fn day_serial(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let year = number(parts.next()?, 4).filter(|year| *year >= 1900)?;
    let month = number(parts.next()?, 2).filter(|month| (1..=12).contains(month))?;
    let day = number(parts.next()?, 2).filter(|day| *day >= 1)?;
    if parts.next().is_some() {
        return None;
    }
    let days = days_since_1899(year, month, day);
    // A day that the month does not have is another day's number.
    if civil(days) != (year, month, day) {
        return None;
    }
    Some(if days <= 60 { days - 1 } else { days })
}

/// Days from 30 December 1899 to a day of the Gregorian calendar.
///
/// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, eras have 400 years.
fn days_since_1899(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

/// Days from 1 March of the year 0 to 30 December 1899.
const EPOCH: i64 = 693_899;

/// Year, month and day of the day so many days after 30 December 1899.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(serial: f64) -> (i64, i64, i64, i64) {
        let fields = Moment::from_serial(serial).unwrap().fields();
        (fields.year, fields.month, fields.day, fields.weekday)
    }

    #[test]
    fn serials_are_days_as_spreadsheets_count_them() {
        assert_eq!(date(0.0), (1900, 1, 0, 6));
        assert_eq!(date(1.0), (1900, 1, 1, 0));
        assert_eq!(date(59.0), (1900, 2, 28, 2));
        assert_eq!(date(60.0), (1900, 2, 29, 3));
        assert_eq!(date(61.0), (1900, 3, 1, 4));
        // A Monday.
        assert_eq!(date(45_292.0), (2024, 1, 1, 1));
        assert_eq!(date(2_958_465.0), (9999, 12, 31, 5));
        assert_eq!(Moment::from_serial(-1.0), None);
        assert_eq!(Moment::from_serial(2_958_466.0), None);
        assert_eq!(Moment::from_serial(f64::NAN), None);
    }

    #[test]
    fn iso_texts_are_moments() {
        for (text, serial) in [
            ("2024-01-01", 45_292.0),
            ("1900-01-01", 1.0),
            ("1900-02-28", 59.0),
            ("1900-03-01", 61.0),
            ("2024-02-29 12:00:00", 45_351.5),
            ("2024-02-29T06:00", 45_351.25),
            ("18:00:00", 0.75),
        ] {
            assert_eq!(Moment::from_iso(text), Moment::from_serial(serial), "{text}");
        }
        for text in [
            "2023-02-29",
            "2024-13-01",
            "1899-12-31",
            "2024-1-1",
            "2024-01-01 25:00:00",
            "2024-01-01x",
            "12",
            "é024-01-01",
            "12:00:00.",
            "2024-01-01 10:00:00+00:00",
        ] {
            assert_eq!(Moment::from_iso(text), None, "{text}");
        }
    }

    #[test]
    fn times_have_fields_and_are_rounded() {
        let fields = Moment::from_iso("23:59:59.6").unwrap().rounded(0).fields();
        assert_eq!((fields.year, fields.day, fields.hour, fields.second), (1900, 1, 0, 0));
        let fields = Moment::from_iso("2024-02-29 07:08:09.25").unwrap().rounded(2).fields();
        assert_eq!(
            (fields.hour, fields.minute, fields.second, fields.millisecond),
            (7, 8, 9, 250)
        );
    }
}
