//! Dates and times: serial numbers and ISO texts as the texts that typing leaves.

use super::number_format::Shown;

const MS_PER_DAY: i64 = 86_400_000;

/// The text of a serial number that a format shows as a date or a time; none where it is no such thing.
///
/// Dates are `YYYY-MM-DD HH:MM:SS`, numbers below one are the time `HH:MM:SS`, lengths of time `H:MM:SS` with at least
/// two digits of hours. Milliseconds are kept where there are any. Serial number 60 of the 1900 system, the day that
/// never was, stays a number, as do days outside the years 1900 to 9999.
pub(crate) fn serial_text(serial: f64, shown: Shown, from_1904: bool) -> Option<String> {
    let days_max = 2_958_466.0;
    if shown == Shown::Number || !(0.0..days_max).contains(&serial) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    let ms = (serial * 86_400_000.0).round() as i64;
    let (days, ms_of_day) = (ms.div_euclid(MS_PER_DAY), ms.rem_euclid(MS_PER_DAY));
    if shown == Shown::Elapsed {
        return Some(format!("{:02}{}", ms / 3_600_000, minutes(ms)));
    }
    if days == 0 && (shown == Shown::Time || !from_1904) {
        return Some(format!("{:02}{}", ms_of_day / 3_600_000, minutes(ms_of_day)));
    }
    // Days since 1970-01-01; 1904 counts from 1904-01-01, 1900 from 1899-12-30 after the day that never was.
    let epoch_days = match (from_1904, days) {
        (true, _) => days - 24_107,
        (false, 60) => return None,
        (false, 1..60) => days - 25_568,
        (false, _) => days - 25_569,
    };
    let (year, month, day) = civil(epoch_days);
    if year > 9999 {
        return None;
    }
    let hours = ms_of_day / 3_600_000;
    Some(format!(
        "{year:04}-{month:02}-{day:02} {hours:02}{}",
        minutes(ms_of_day)
    ))
}

/// Minutes and seconds of a number of milliseconds, each with its colon before it.
fn minutes(ms: i64) -> String {
    let (minutes, seconds, rest) = (ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000);
    if rest == 0 {
        format!(":{minutes:02}:{seconds:02}")
    } else {
        format!(":{minutes:02}:{seconds:02}.{rest:03}000")
    }
}

/// Year, month and day of a number of days since 1970-01-01 in the Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years run from March here, which puts the leap day last.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
pub(crate) fn days_of_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The text of an ISO date or time as a workbook stores it: `2024-01-02`, `2024-01-02T03:04:05Z`, `12:30:00`.
///
/// Other texts come back as they are.
pub(crate) fn iso_text(text: &str) -> String {
    let trimmed = text.trim().trim_end_matches('Z');
    if trimmed.contains('-') {
        napsim_trajectories::rewrite_datetime(trimmed)
    } else {
        napsim_trajectories::rewrite_time(trimmed)
    }
    .unwrap_or_else(|| text.to_owned())
}

/// The text of an ISO length of time such as `PT30H05M00S`; other texts come back as they are.
pub(crate) fn iso_duration_text(text: &str) -> String {
    read_duration(text).map_or_else(|| text.to_owned(), |ms| format!("{:02}{}", ms / 3_600_000, minutes(ms)))
}

/// Milliseconds of an ISO length of time in days, hours, minutes and seconds.
fn read_duration(text: &str) -> Option<i64> {
    let mut ms = 0.0_f64;
    let mut number = String::new();
    for c in text.trim().strip_prefix('P')?.chars() {
        match c {
            '0'..='9' | '.' => number.push(c),
            ',' => number.push('.'),
            'T' => {}
            'D' | 'H' | 'M' | 'S' => {
                let unit = match c {
                    'D' => 86_400_000.0,
                    'H' => 3_600_000.0,
                    'M' => 60_000.0,
                    _ => 1_000.0,
                };
                ms += number.parse::<f64>().ok()? * unit;
                number.clear();
            }
            _ => return None,
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (number.is_empty() && (0.0..1e15).contains(&ms)).then(|| ms.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers_become_texts() {
        let check = |serial: f64, shown, from_1904, expect: Option<&str>| {
            assert_eq!(
                serial_text(serial, shown, from_1904).as_deref(),
                expect,
                "{serial} {shown:?} {from_1904}"
            );
        };
        check(1.0, Shown::Date, false, Some("1900-01-01 00:00:00"));
        check(59.0, Shown::Date, false, Some("1900-02-28 00:00:00"));
        check(60.0, Shown::Date, false, None);
        check(61.0, Shown::Date, false, Some("1900-03-01 00:00:00"));
        check(45_293.0, Shown::Date, false, Some("2024-01-02 00:00:00"));
        check(45_293.75, Shown::Time, false, Some("2024-01-02 18:00:00"));
        check(0.0, Shown::Date, true, Some("1904-01-01 00:00:00"));
        check(43_831.0, Shown::Date, true, Some("2024-01-02 00:00:00"));
        check(0.5, Shown::Date, false, Some("12:00:00"));
        check(0.302_083_333_333, Shown::Time, false, Some("07:15:00"));
        check(0.999_999_999_99, Shown::Time, false, Some("1900-01-01 00:00:00"));
        check(1.253_472_222_222, Shown::Elapsed, false, Some("30:05:00"));
        check(1.0 / 86_400.0 * 1.5, Shown::Time, false, Some("00:00:01.500000"));
        check(-1.0, Shown::Date, false, None);
        check(f64::NAN, Shown::Date, false, None);
        check(3e6, Shown::Date, false, None);
        check(45_293.0, Shown::Number, false, None);
    }

    #[test]
    fn days_count_both_ways() {
        for days in (-25_568..2_932_000).step_by(97) {
            let (year, month, day) = civil(days);
            assert_eq!(days_of_civil(year, month, day), days);
        }
    }

    #[test]
    fn iso_texts_become_texts() {
        assert_eq!(iso_text("2024-01-02"), "2024-01-02 00:00:00");
        assert_eq!(iso_text("2024-01-02T03:04:05.250Z"), "2024-01-02 03:04:05.250000");
        assert_eq!(iso_text("12:30"), "12:30:00");
        assert_eq!(iso_text("noon"), "noon");
        assert_eq!(iso_duration_text("PT30H05M00S"), "30:05:00");
        assert_eq!(iso_duration_text("P1DT0H0M0.5S"), "24:00:00.500000");
        assert_eq!(iso_duration_text("later"), "later");
    }
}
