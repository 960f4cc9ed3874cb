//! Amounts, days and times, worked out in whole numbers.

use napsim_trajectories::Value;

use super::draw::Draw;
use super::words::Language;

/// A number of hundredths: an integer where it is whole.
pub(super) fn hundredths(n: i64) -> Value {
    if n % 100 == 0 {
        Value::Int(n / 100)
    } else {
        Value::Float(fraction(n))
    }
}

/// A number of tenths: an integer where it is whole.
pub(super) fn tenths(n: i64) -> Value {
    hundredths(n * 10)
}

/// So many hundredths as a fraction.
pub(super) fn fraction(n: i64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "far below 2^53, and dividing rounds alike everywhere"
    )]
    let value = n as f64 / 100.0;
    value
}

/// An amount of money between two whole amounts: mostly round, else with cents where the currency has them.
pub(super) fn money(draw: &mut Draw, language: Language, low: i64, high: i64) -> Value {
    let whole = draw.between(low, high);
    if language == Language::Japanese {
        return Value::Int(whole * 100);
    }
    let cents = draw.weighted(0, &[(50, 0), (18, 50), (10, 99), (8, 90), (14, 37)]);
    hundredths(whole * 100 + cents)
}

/// The date value of a day, counted from 1 January 2021.
pub(super) fn date(day: i64) -> Value {
    let (mut year, mut left) = (2021, day);
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while left >= 365 + i64::from(is_leap(year)) {
        left -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let lengths = [
        31,
        28 + i64::from(is_leap(year)),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let mut month = 1;
    for length in lengths {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    Value::text(format!("{year:04}-{month:02}-{:02} 00:00:00", left + 1))
}

/// The time value of a minute of the day.
pub(super) fn clock(minute: i64) -> Value {
    Value::text(format!("{:02}:{:02}:00", minute / 60 % 24, minute % 60))
}

/// Some day of the years 2021 to 2027.
pub(super) fn some_day(draw: &mut Draw) -> i64 {
    draw.between(0, 2500)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted() {
        let check = |day: i64, expect: &str| assert_eq!(date(day).as_text(), Some(expect));
        check(0, "2021-01-01 00:00:00");
        check(364, "2021-12-31 00:00:00");
        check(365 * 3 + 59, "2024-02-29 00:00:00");
        check(365 * 4 + 1, "2025-01-01 00:00:00");
        assert_eq!(clock(445).as_text(), Some("07:25:00"));
        assert!(hundredths(1250).strictly_equals(&Value::Float(12.5)));
        assert!(tenths(40).strictly_equals(&Value::Int(4)));
    }
}
