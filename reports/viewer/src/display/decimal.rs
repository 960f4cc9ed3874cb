//! Decimal digits of a number, rounded as people do: half away from zero, on the digits that one would write.

/// The digits of a number without its sign: `0.d1d2d3… × 10^point`, without zeros at either end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    /// The shortest digits that read back as that number. Zero, infinities and NaN have none.
    pub(super) fn of(number: f64) -> Self {
        let text = format!("{:e}", number.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa
            .bytes()
            .filter(u8::is_ascii_digit)
            .map(|digit| digit - b'0')
            .collect();
        let point = exponent.parse::<i32>().unwrap_or(0) + 1;
        let mut decimal = Self { digits, point };
        decimal.trim();
        decimal
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let n_leading = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..n_leading);
        self.point -= i32::try_from(n_leading).unwrap_or(0);
        if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Whether the number is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The exponent with one digit before the point: 2 for 314.
    pub(super) fn exponent(&self) -> i32 {
        if self.is_zero() { 0 } else { self.point - 1 }
    }

    /// The number times a power of ten.
    pub(super) fn shifted(mut self, places: i32) -> Self {
        if !self.is_zero() {
            self.point += places;
        }
        self
    }

    /// Rounds to so many digits after the point.
    pub(super) fn rounded(mut self, n_decimals: i32) -> Self {
        let n_kept = self.point + n_decimals;
        if n_kept < 0 {
            self.digits.clear();
        } else if let Ok(n_kept) = usize::try_from(n_kept)
            && let Some(next) = self.digits.get(n_kept).copied()
        {
            self.digits.truncate(n_kept);
            if next >= 5 {
                self.increment();
            }
        }
        self.trim();
        self
    }

    /// Adds one in the last place.
    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// Digits before the point, none for a number below one, and digits after it, without zeros at the end.
    pub(super) fn parts(&self) -> (String, String) {
        let digit = |place: i32| {
            let digit = usize::try_from(place).ok().and_then(|idx| self.digits.get(idx));
            char::from(b'0' + digit.copied().unwrap_or(0))
        };
        let n_digits = i32::try_from(self.digits.len()).unwrap_or(i32::MAX);
        let whole = (0..self.point).map(digit).collect();
        let decimals = (self.point.min(0)..n_digits)
            .filter(|place| *place >= self.point)
            .map(digit)
            .collect();
        (whole, decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: f64, n_decimals: i32, whole: &str, decimals: &str) {
        let parts = Decimal::of(number).rounded(n_decimals).parts();
        assert_eq!(
            parts,
            (whole.to_owned(), decimals.to_owned()),
            "{number} to {n_decimals}"
        );
    }

    #[test]
    fn numbers_are_rounded_half_away_from_zero_on_their_digits() {
        check(1234.5678, 2, "1234", "57");
        check(2.5, 0, "3", "");
        check(1.005, 2, "1", "01");
        check(0.005, 2, "", "01");
        check(0.0049, 2, "", "");
        check(0.5, 0, "1", "");
        check(0.49, 0, "", "");
        check(99.995, 2, "100", "");
        check(9.5, 0, "10", "");
        check(0.0, 3, "", "");
        check(-1200.0, 1, "1200", "");
        check(1e21, 0, "1000000000000000000000", "");
        check(0.000_012, 6, "", "000012");
    }

    #[test]
    fn shifting_moves_the_point() {
        assert_eq!(Decimal::of(0.125).shifted(2).parts(), ("12".to_owned(), "5".to_owned()));
        assert_eq!(Decimal::of(5.0).shifted(-3).parts(), (String::new(), "005".to_owned()));
        assert_eq!(Decimal::of(314.0).exponent(), 2);
        assert_eq!(Decimal::of(0.05).exponent(), -2);
    }
}
