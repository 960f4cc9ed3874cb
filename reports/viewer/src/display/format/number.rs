//! Numbers under a section of a format.

use super::super::decimal::Decimal;
use super::super::general;
use super::{Section, Token};

/// Digits after the point of a format that are still written.
const DECIMALS_MAX: usize = 30;
/// The denominators of fractions with so many digits are tried out.
const FRACTION_DIGITS_MAX: usize = 4;

impl Section {
    /// A number without its sign as this section writes it.
    pub(super) fn number(&self, number: f64) -> String {
        let tokens = self.tokens.as_slice();
        if let Some(slash) = tokens.iter().position(|token| *token == Token::Slash)
            && let Some(fraction) = fraction(tokens, slash, number)
        {
            return fraction;
        }
        let exponent_at = tokens.iter().position(|token| matches!(token, Token::Exponent(_)));
        let (mantissa, exponent) = tokens.split_at(exponent_at.unwrap_or(tokens.len()));
        let layout = Layout::of(mantissa);
        if let Some((Token::Exponent(plus), exponent)) = exponent.split_first() {
            return scientific(mantissa, &layout, exponent, *plus, number);
        }
        let decimal = Decimal::of(number)
            .shifted(layout.shift)
            .rounded(i32::try_from(layout.n_decimals).unwrap_or(0));
        write(mantissa, &layout, &decimal, number)
    }
}

/// What the places for digits amount to.
struct Layout {
    n_whole: usize,
    n_decimals: usize,
    groups: bool,
    /// Powers of ten by which percent signs and commas multiply.
    shift: i32,
}

impl Layout {
    fn of(tokens: &[Token]) -> Self {
        let is_digit = |token: &Token| matches!(token, Token::Digit(_));
        let point = tokens.iter().position(|token| *token == Token::Point);
        let (whole, decimals) = tokens.split_at(point.unwrap_or(tokens.len()));
        let first = whole.iter().position(is_digit);
        let last = whole.iter().rposition(is_digit);
        let last_of_all = tokens.iter().rposition(is_digit);
        let (mut groups, mut shift) = (false, 0);
        for (idx, token) in tokens.iter().enumerate() {
            match token {
                Token::Percent => shift += 2,
                Token::Comma if Some(idx) > last_of_all => shift -= 3,
                Token::Comma if Some(idx) > last && point.is_some_and(|point| idx < point) => shift -= 3,
                Token::Comma if Some(idx) > first && first.is_some() => groups = true,
                _ => {}
            }
        }
        // Without any place for a digit, commas are only commas.
        if last_of_all.is_none() {
            shift = shift.max(0);
        }
        Self {
            n_whole: whole.iter().filter(|token| is_digit(token)).count(),
            n_decimals: decimals
                .iter()
                .filter(|token| is_digit(token))
                .count()
                .min(DECIMALS_MAX),
            groups,
            shift,
        }
    }
}

/// What an empty place shows.
fn empty_place(place: char) -> Option<char> {
    match place {
        '0' => Some('0'),
        '?' => Some(' '),
        _ => None,
    }
}

/// Writes digits into their places.
fn write(tokens: &[Token], layout: &Layout, decimal: &Decimal, number: f64) -> String {
    let (whole, decimals) = decimal.parts();
    let mut whole_left = places(&whole, layout, tokens).into_iter();
    let mut decimals_left = decimals.chars();
    let mut text = String::new();
    let (mut behind_point, mut is_first) = (false, true);
    for token in tokens {
        match token {
            Token::Digit(place) if behind_point => {
                text.extend(decimals_left.next().or_else(|| empty_place(*place)));
            }
            Token::Digit(_) => {
                // Digits that have no place of their own stand before the first one.
                let n = if is_first {
                    whole_left.len().saturating_sub(layout.n_whole) + 1
                } else {
                    1
                };
                is_first = false;
                text.extend(whole_left.by_ref().take(n));
            }
            Token::Point if behind_point => text.push('.'),
            Token::Point => {
                if layout.n_whole == 0 {
                    text.extend(whole_left.by_ref());
                }
                behind_point = true;
                text.push('.');
            }
            Token::Percent => text.push('%'),
            Token::Slash => text.push('/'),
            Token::Literal(literal) => text.push_str(literal),
            Token::Space => text.push(' '),
            Token::General => text.push_str(&general::text(number)),
            _ => {}
        }
    }
    text
}

/// What the places before the point show, one piece for each place and each digit without one.
fn places(whole: &str, layout: &Layout, tokens: &[Token]) -> Vec<String> {
    let marks: Vec<char> = tokens
        .iter()
        .take_while(|token| **token != Token::Point)
        .filter_map(|token| match token {
            Token::Digit(mark) => Some(*mark),
            _ => None,
        })
        .collect();
    let n = whole.len().max(marks.len());
    let mut digits = whole.chars().rev();
    let mut marks = marks.into_iter().rev();
    let mut pieces = Vec::with_capacity(n);
    for place in 0..n {
        let mark = marks.next().unwrap_or('0');
        let shown = digits.next().or_else(|| empty_place(mark));
        let mut piece: String = shown.into_iter().collect();
        let separated = layout.groups && place > 0 && place % 3 == 0 && shown.is_some_and(|c| c != ' ');
        if separated {
            piece.push(',');
        }
        pieces.push(piece);
    }
    pieces.reverse();
    pieces
}

/// A number with an exponent, which is a multiple of the places before the point.
fn scientific(mantissa: &[Token], layout: &Layout, exponent: &[Token], plus: bool, number: f64) -> String {
    let step = i32::try_from(layout.n_whole.max(1)).unwrap_or(1);
    let n_decimals = i32::try_from(layout.n_decimals).unwrap_or(0);
    let decimal = Decimal::of(number);
    let mut power = decimal.exponent().div_euclid(step) * step;
    let mut rounded = decimal.clone().shifted(-power).rounded(n_decimals);
    if rounded.exponent() >= step {
        power += step;
        rounded = decimal.shifted(-power).rounded(n_decimals);
    }
    let mut text = write(mantissa, layout, &rounded, number);
    text.push('E');
    if power < 0 {
        text.push('-');
    } else if plus {
        text.push('+');
    }
    let layout = Layout::of(exponent);
    let power = Decimal::of(f64::from(power.abs()));
    text.push_str(&write(exponent, &layout, &power, number));
    text
}

/// A number as a whole and a fraction; none where the places around the line are not those of one.
fn fraction(tokens: &[Token], slash: usize, number: f64) -> Option<String> {
    let (before, after) = (tokens.get(..slash)?, tokens.get(slash + 1..)?);
    let mark = |token: &Token| match token {
        Token::Digit(mark) => Some(*mark),
        _ => None,
    };
    let n_numerator = before.iter().rev().map_while(mark).count();
    let whole = before.get(..before.len() - n_numerator)?;
    let has_whole = whole.iter().any(|token| mark(token).is_some());
    let n_denominator = after.iter().map_while(mark).count();
    let (fixed, rest) = fixed_denominator(after, n_denominator);
    if n_numerator == 0 || (n_denominator == 0 && fixed.is_none()) || number >= 1e15 {
        return None;
    }
    let (int, part) = if has_whole {
        (number.trunc(), number.fract())
    } else {
        (0.0, number)
    };
    let (numerator, denominator) = match fixed {
        Some(denominator) => (rounded_product(part, denominator), denominator),
        None => best_fraction(part, n_denominator.min(FRACTION_DIGITS_MAX)),
    };
    // A fraction that rounds to one is a whole.
    let carry = has_whole && numerator == denominator;
    let int = if carry { int + 1.0 } else { int };
    let numerator = if carry { 0 } else { numerator };
    let layout = Layout::of(whole);
    let shows_whole = has_whole && (int > 0.0 || numerator == 0);
    let mut text = String::new();
    if shows_whole {
        text.push_str(&write(whole, &layout, &Decimal::of(int), int));
        if numerator == 0 && int.abs() < 0.5 && text.trim().is_empty() {
            text.insert(0, '0');
        }
    } else if !has_whole {
        text.push_str(&write(whole, &layout, &Decimal::of(0.0), 0.0));
    }
    if numerator > 0 || !has_whole {
        text.push_str(&format!("{numerator:>n_numerator$}/{denominator:<n_denominator$}"));
    } else {
        text.push_str(&" ".repeat(n_numerator + 1 + n_denominator.max(1)));
    }
    text.push_str(&write(rest, &Layout::of(rest), &Decimal::of(0.0), 0.0));
    Some(text.trim_end().to_owned())
}

/// A denominator that the format gives, and what follows it.
fn fixed_denominator(after: &[Token], n_places: usize) -> (Option<u64>, &[Token]) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if n_places == 0
        && let Some((Token::Literal(text), rest)) = after.split_first()
        && digits(text) > 0
    {
        return (text.get(..digits(text)).and_then(|text| text.parse().ok()), rest);
    }
    (None, after.get(n_places..).unwrap_or_default())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "denominators are small and the cast saturates"
)]
fn rounded_product(part: f64, denominator: u64) -> u64 {
    (part * denominator as f64).round() as u64
}

/// The fraction nearest to a number whose denominator has at most so many digits; of equals the smallest.
fn best_fraction(part: f64, n_digits: usize) -> (u64, u64) {
    let denominator_max = 10_u64.pow(u32::try_from(n_digits).unwrap_or(1)) - 1;
    let (mut best, mut error) = ((0, 1), f64::INFINITY);
    for denominator in 1..=denominator_max {
        let numerator = rounded_product(part, denominator);
        #[expect(clippy::cast_precision_loss, reason = "both are small")]
        let distance = (part - numerator as f64 / denominator as f64).abs();
        if distance + 1e-12 < error {
            (best, error) = ((numerator, denominator), distance);
        }
    }
    best
}
