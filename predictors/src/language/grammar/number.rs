//! Numbers of values: sizes, angles, and those that are typed.

/// A font size or an angle as far as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SmallNumber {
    kind: Small,
    negative: bool,
    whole: Option<u16>,
    /// Digits behind the point, once there is one.
    fraction: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Small {
    Size,
    Degrees,
}

/// The largest font size of a spreadsheet program.
const SIZE_MAX: u16 = 409;

/// The most digits behind the point of a font size.
const SIZE_FRACTION_MAX: u8 = 2;

impl SmallNumber {
    /// A font size in points, from 1 to 409.
    pub(super) fn size() -> Self {
        Self::of(Small::Size)
    }

    /// A whole angle in degrees, from -90 to 90.
    pub(super) fn degrees() -> Self {
        Self::of(Small::Degrees)
    }

    fn of(kind: Small) -> Self {
        Self {
            kind,
            negative: false,
            whole: None,
            fraction: None,
        }
    }

    /// After one more byte.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        let size = self.kind == Small::Size;
        match (byte, self.whole, self.fraction) {
            (b'-', None, _) if !size && !self.negative => Some(Self { negative: true, ..self }),
            (b'.', Some(_), None) if size => Some(Self {
                fraction: Some(0),
                ..self
            }),
            (b'0'..=b'9', _, Some(n)) if n < SIZE_FRACTION_MAX => Some(Self {
                fraction: Some(n + 1),
                ..self
            }),
            (b'0'..=b'9', whole, None) => {
                let digit = u16::from(byte - b'0');
                let number = whole.map_or(digit, |whole| whole * 10 + digit);
                let max = if size { SIZE_MAX } else { 90 };
                let zero_is_meant = !size && !self.negative && whole.is_none();
                let good = number <= max && (number > 0 || zero_is_meant) && whole != Some(0);
                good.then_some(Self {
                    whole: Some(number),
                    ..self
                })
            }
            _ => None,
        }
    }

    /// Whether it may be a whole value.
    pub(super) fn may_end(self) -> bool {
        self.whole.is_some() && self.fraction != Some(0)
    }
}

/// A number of JSON as far as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum JsonNumber {
    /// Behind the minus.
    Minus,
    /// A zero before the point, which no digit follows.
    Zero,
    /// So many digits before the point.
    Whole(u8),
    /// So many digits behind it.
    Fraction(u8),
    /// Behind the `e`.
    Exponent,
    /// So many digits behind the `e` and, perhaps, a sign.
    ExponentDigits(u8),
}

/// The most digits before the point, so that integers fit 64 bits, and the most behind it.
const DIGITS_MAX: u8 = 18;

/// The most digits of an exponent.
const EXPONENT_DIGITS_MAX: u8 = 3;

impl JsonNumber {
    /// A number that begins with this byte.
    pub(super) fn start(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Whole(1)),
            _ => None,
        }
    }

    /// After one more byte.
    pub(super) fn push(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0'..=b'9') => Self::start(byte),
            (Self::Whole(n), b'0'..=b'9') if n < DIGITS_MAX => Some(Self::Whole(n + 1)),
            (Self::Zero | Self::Whole(_), b'.') => Some(Self::Fraction(0)),
            (Self::Fraction(n), b'0'..=b'9') if n < DIGITS_MAX => Some(Self::Fraction(n + 1)),
            (Self::Zero | Self::Whole(_) | Self::Fraction(1..), b'e' | b'E') => Some(Self::Exponent),
            (Self::Exponent, b'+' | b'-') => Some(Self::ExponentDigits(0)),
            (Self::Exponent, b'0'..=b'9') => Some(Self::ExponentDigits(1)),
            (Self::ExponentDigits(n), b'0'..=b'9') if n < EXPONENT_DIGITS_MAX => Some(Self::ExponentDigits(n + 1)),
            _ => None,
        }
    }

    /// Whether it may be a whole value.
    pub(super) fn may_end(self) -> bool {
        match self {
            Self::Minus | Self::Exponent | Self::Fraction(0) | Self::ExponentDigits(0) => false,
            Self::Zero | Self::Whole(_) | Self::Fraction(_) | Self::ExponentDigits(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(number: SmallNumber, text: &str, expect: bool) {
        let got = text.bytes().try_fold(number, SmallNumber::push);
        assert_eq!(got.is_some_and(SmallNumber::may_end), expect, "{text}");
    }

    #[test]
    fn sizes_and_angles_have_bounds() {
        for text in ["1", "11", "409", "10.5", "8.25"] {
            check(SmallNumber::size(), text, true);
        }
        for text in ["", "0", "410", "-1", "10.", "010", "1.125"] {
            check(SmallNumber::size(), text, false);
        }
        for text in ["0", "90", "-90", "-1"] {
            check(SmallNumber::degrees(), text, true);
        }
        for text in ["", "-", "-0", "91", "-91", "09", "4.5", "--1"] {
            check(SmallNumber::degrees(), text, false);
        }
    }

    proptest! {
        #[test]
        fn typed_numbers_are_those_of_json(text in r"-?[0-9]{1,3}(\.[0-9]{0,2})?([eE][-+]?[0-9]{0,2})?") {
            let mut bytes = text.bytes();
            let start = bytes.next().and_then(JsonNumber::start);
            let got = start.and_then(|start| bytes.try_fold(start, JsonNumber::push));
            let expect = napsim_trajectories::json::read(&text).is_ok();
            prop_assert_eq!(got.is_some_and(JsonNumber::may_end), expect);
        }
    }
}
