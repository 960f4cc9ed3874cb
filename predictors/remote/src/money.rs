//! Amounts of money, exact.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// An amount of money in millionths of a millionth of its currency, so that a price for a million tokens with up to six
/// decimals gives an exact price of a token. Sums stop at the greatest amount instead of beginning anew.
///
/// Printed and stored as a decimal number with at least two decimals and no more than it needs; `{:.4}` rounds to four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u128);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// How many decimals there are.
    const DECIMALS: usize = 12;

    /// One unit of the currency.
    const ONE: u128 = 10_u128.pow(Self::DECIMALS as u32);

    /// An amount in millionths of a millionth.
    pub const fn from_millionths_of_millionths(amount: u128) -> Self {
        Self(amount)
    }

    /// The amount in millionths of a millionth.
    pub const fn millionths_of_millionths(self) -> u128 {
        self.0
    }

    /// The amount less another one, or nothing where that is more.
    pub const fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Reads a decimal number with at most that many decimals.
    pub(crate) fn parse(text: &str, decimals_max: usize) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let significant = decimals.trim_end_matches('0');
        if !is_number(whole) || !is_number(decimals) || significant.len() > decimals_max.min(Self::DECIMALS) {
            return None;
        }
        let fraction = format!("{significant:0<width$}", width = Self::DECIMALS).parse::<u128>();
        let whole = whole.parse::<u128>().ok()?.checked_mul(Self::ONE)?;
        whole.checked_add(fraction.ok()?).map(Self)
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::add)
    }
}

impl Mul<u64> for Money {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(u128::from(times)))
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(Self::DECIMALS).min(Self::DECIMALS);
        let unit = (decimals..Self::DECIMALS).fold(1, |unit, _| unit * 10);
        let rounded = self.0 / unit + u128::from(self.0 % unit * 2 >= unit && unit > 1);
        let one = Self::ONE / unit;
        let (whole, fraction) = (rounded / one, rounded % one);
        if decimals == 0 {
            return f.pad_integral(true, "", &whole.to_string());
        }
        let mut fraction = format!("{fraction:0>decimals$}");
        if f.precision().is_none() {
            let needed = fraction.trim_end_matches('0').len().max(2);
            fraction.truncate(needed);
        }
        f.pad_integral(true, "", &format!("{whole}.{fraction}"))
    }
}

/// A text that is no amount of money.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("read the amount `{found}`: expected a plain decimal number of at least 0, such as 12.50")]
pub struct MoneyError {
    found: String,
}

impl FromStr for Money {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        Self::parse(text, Self::DECIMALS).ok_or_else(|| MoneyError { found: text.to_owned() })
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_are_decimal_numbers() {
        let show = |text: &str| text.parse::<Money>().unwrap().to_string();
        assert_eq!(show("0"), "0.00");
        assert_eq!(show("12.5"), "12.50");
        assert_eq!(show("0.000000000001"), "0.000000000001");
        assert_eq!(show("007.1230000000000000"), "7.123");
        for wrong in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "NaN",
            "inf",
            "1,5",
            " 1",
            "0.0000000000001",
            "1_000",
        ] {
            assert!(wrong.parse::<Money>().is_err(), "{wrong}");
        }
        let much = "9".repeat(40);
        assert!(much.parse::<Money>().is_err());
    }

    #[test]
    fn amounts_are_rounded_to_the_nearest() {
        let amount = "1.9995".parse::<Money>().unwrap();
        assert_eq!(
            format!("{amount:.4} {amount:.3} {amount:.1} {amount:.0}"),
            "1.9995 2.000 2.0 2"
        );
        assert_eq!(format!("{:.2}", "0.004".parse::<Money>().unwrap()), "0.00");
        assert_eq!(format!("{amount:>8}|"), "  1.9995|");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(amount in 0..=u128::MAX) {
            let amount = Money(amount);
            prop_assert_eq!(amount.to_string().parse::<Money>(), Ok(amount));
            let json = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), amount);
        }
    }
}
