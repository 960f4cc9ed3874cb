//! The words, numbers and signs of an expression.

use std::ops::Range;

use napsim_sim::policy::Comparison;

use crate::expression::error::{ExpressionError, Problem};

/// One token and the bytes it takes up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) bytes: Range<usize>,
}

/// What a token is. A word is a metric's name, or meant as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(f64),
    Sign(Comparison),
    And,
    Or,
    Not,
    Open,
    Close,
    End,
}

const SIGNS: &[(&str, Comparison)] = &[
    (">=", Comparison::AtLeast),
    ("≥", Comparison::AtLeast),
    (">", Comparison::MoreThan),
    ("<=", Comparison::AtMost),
    ("≤", Comparison::AtMost),
    ("<", Comparison::LessThan),
    ("==", Comparison::Equal),
];

/// Signs of other languages and what to write for them; a longer one stands before its own beginning.
const FOREIGN_SIGNS: &[(&str, &str)] = &[
    ("=>", "`>=`"),
    ("=<", "`<=`"),
    ("=", "`==`"),
    ("!=", "`not` before a bound with `==`"),
    ("≠", "`not` before a bound with `==`"),
    ("!", "`not`"),
    ("&&", "`and`"),
    ("&", "`and`"),
    ("||", "`or`"),
    ("|", "`or`"),
];

/// Whether a character may stand in a word after its first letter.
pub(crate) fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// The tokens of a text, the last of which is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    loop {
        let ahead = text.get(start..).unwrap_or_default();
        let rest = ahead.trim_start();
        start += ahead.len() - rest.len();
        let (kind, length) = first(rest).map_err(|problem| ExpressionError::new(text, start, problem))?;
        let bytes = start..start + length;
        start = bytes.end;
        tokens.push(Token { kind, bytes });
        if kind == Kind::End {
            return Ok(tokens);
        }
    }
}

/// The token at the start of `rest` and its length in bytes.
fn first(rest: &str) -> Result<(Kind, usize), Problem> {
    let Some(character) = rest.chars().next() else {
        return Ok((Kind::End, 0));
    };
    match character {
        '(' => Ok((Kind::Open, 1)),
        ')' => Ok((Kind::Close, 1)),
        '-' | '.' | '0'..='9' => number(rest),
        _ if character.is_ascii_alphabetic() => Ok(word(rest)),
        _ => sign(rest, character),
    }
}

fn word(rest: &str) -> (Kind, usize) {
    let word = leading(rest, is_word_character);
    let kind = match word.to_ascii_lowercase().as_str() {
        "and" => Kind::And,
        "or" => Kind::Or,
        "not" => Kind::Not,
        _ => Kind::Word,
    };
    (kind, word.len())
}

fn number(rest: &str) -> Result<(Kind, usize), Problem> {
    let unsigned = rest.strip_prefix('-').unwrap_or(rest);
    let digits = leading(unsigned, |character| matches!(character, '.' | '0'..='9'));
    let length = rest.len() - unsigned.len() + digits.len();
    let written = rest.get(..length).unwrap_or_default();
    let is_percent = rest.get(length..).is_some_and(|after| after.starts_with('%'));
    // The exponent, unlike a division, gives the double nearest to the percentage as written.
    let read = if is_percent {
        format!("{written}e-2").parse::<f64>()
    } else {
        written.parse::<f64>()
    };
    match read {
        // Adding zero turns -0 into 0, which compares alike and has one text.
        Ok(value) if value.is_finite() => Ok((Kind::Number(value + 0.0), length + usize::from(is_percent))),
        _ => Err(Problem::NotANumber {
            found: written.to_owned(),
        }),
    }
}

fn sign(rest: &str, character: char) -> Result<(Kind, usize), Problem> {
    if let Some((sign, comparison)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((Kind::Sign(*comparison), sign.len()));
    }
    let foreign = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
    Err(match foreign {
        Some((found, instead)) => Problem::ForeignSign { found, instead },
        None => Problem::UnexpectedCharacter { found: character },
    })
}

/// The longest start of `text` whose characters all belong.
fn leading(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    text.split(|character| !belongs(character)).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn tokens_need_no_space_between_them() {
        let expect = [
            Kind::Not,
            Kind::Open,
            Kind::Word,
            Kind::Sign(Comparison::AtMost),
            Kind::Number(-0.5),
            Kind::Close,
            Kind::End,
        ];
        assert_eq!(kinds("not(greedy-2<=-.5)"), expect);
        assert_eq!(kinds("\tNOT (x ≤\n-50%) "), expect);
    }

    #[test]
    fn percentages_are_as_exact_as_decimals() {
        for hundredths in 0..=10_000_u32 {
            let (whole, part) = (hundredths / 100, hundredths % 100);
            let decimal: f64 = format!("0.{hundredths:04}").parse().unwrap();
            let expect = if hundredths == 10_000 { 1.0 } else { decimal };
            assert_eq!(kinds(&format!("{whole}.{part:02}%")), [Kind::Number(expect), Kind::End]);
        }
    }

    #[test]
    fn characters_that_make_no_token_are_named() {
        let problem = |text: &str| tokens(text).unwrap_err().problem().to_string();
        assert_eq!(problem("fp = 1"), "`=` is not a sign; write `==`");
        assert_eq!(problem("a && b"), "`&&` is not a sign; write `and`");
        assert_eq!(problem("a # b"), "unexpected character '#'");
        assert_eq!(problem("1.2.3"), "`1.2.3` is not a number");
        assert_eq!(problem("fp > -"), "`-` is not a number");
        assert!(tokens(&"9".repeat(400)).is_err());
    }
}
