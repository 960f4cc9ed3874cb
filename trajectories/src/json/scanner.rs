//! The tokens of JSON: words, numbers and strings.

use std::sync::Arc;

use super::SURROGATE_SHIFT;
use super::reader::JsonError;
use crate::Value;
use crate::number::{INT_DIGITS_MAX, integer_of_digits};

/// A place in a text, with the means to read the token there.
pub(super) struct Scanner<'text> {
    text: &'text str,
    position: usize,
}

impl<'text> Scanner<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        Self { text, position: 0 }
    }

    /// The place, in bytes from the start.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.position >= self.text.len()
    }

    /// Steps over one byte, which must be ASCII.
    pub(super) fn step(&mut self) {
        self.position += 1;
    }

    /// Reads one of the words that are values.
    pub(super) fn literal(&mut self) -> Result<Value, JsonError> {
        let literals = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
        ];
        let rest = self.rest();
        for (word, value) in literals {
            if rest.starts_with(word) {
                self.position += word.len();
                return Ok(value);
            }
        }
        Err(self.problem("expected a value"))
    }

    /// Reads the longest number here; what follows is for others to judge.
    pub(super) fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.position;
        let is_negative = self.take(b'-');
        if is_negative && self.rest().starts_with("Infinity") {
            self.position += "Infinity".len();
            return Ok(Value::Float(f64::NEG_INFINITY));
        }
        let n_digits = if self.take(b'0') { 1 } else { self.skip_digits() };
        if n_digits == 0 {
            self.position = start;
            return Err(self.problem("expected a value"));
        }
        let integer_end = self.position;
        if self.take(b'.') && self.skip_digits() == 0 {
            self.position = integer_end;
        }
        let mantissa_end = self.position;
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if self.skip_digits() == 0 {
                self.position = mantissa_end;
            }
        }
        let text = self.text.get(start..self.position).unwrap_or_default();
        if self.position > integer_end {
            let float = text.parse().map_err(|_| self.problem("expected a number"))?;
            return Ok(Value::Float(float));
        }
        if n_digits > INT_DIGITS_MAX {
            return Err(JsonError::IntTooLong { position: start });
        }
        integer_of_digits(text).ok_or_else(|| self.problem("expected a number"))
    }

    /// Reads a string from its opening quote to its closing one.
    pub(super) fn string(&mut self) -> Result<Arc<str>, JsonError> {
        self.position += 1;
        let mut decoded = String::new();
        loop {
            let rest = self.rest();
            let Some(n_plain) = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | 0..0x20)) else {
                return Err(self.problem("the string has no end"));
            };
            let plain = rest.get(..n_plain).unwrap_or_default();
            self.position += n_plain;
            if self.take(b'"') {
                return Ok(if decoded.is_empty() {
                    Arc::from(plain)
                } else {
                    Arc::from(decoded + plain)
                });
            }
            decoded.push_str(plain);
            if !self.take(b'\\') {
                return Err(self.problem("control characters in a string need escapes"));
            }
            let escaped = self.escape()?;
            decoded.push(escaped);
        }
    }

    /// Reads an escape from behind its backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let c = match self.peek() {
            Some(b'u') => return self.unicode_escape(),
            Some(b @ (b'"' | b'\\' | b'/')) => char::from(b),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.problem("unknown escape")),
        };
        self.position += 1;
        Ok(c)
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let problem = self.problem("expected four hexadecimal digits after `\\u`");
        let first = self.code_unit().ok_or(problem)?;
        if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            let back = self.position;
            self.position += 1;
            if let Some(second @ 0xDC00..0xE000) = self.code_unit() {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return char::from_u32(code).ok_or_else(|| self.problem("unknown escape"));
            }
            self.position = back;
        }
        char::from_u32(first)
            .or_else(|| char::from_u32(first + SURROGATE_SHIFT))
            .ok_or_else(|| self.problem("unknown escape"))
    }

    /// Reads `u` and four hexadecimal digits.
    fn code_unit(&mut self) -> Option<u32> {
        let digits = self
            .rest()
            .get(1..5)
            .filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.position += 5;
        Some(code)
    }

    fn rest(&self) -> &'text str {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    /// Steps over the next byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    fn skip_digits(&mut self) -> usize {
        let n_digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.position += n_digits;
        n_digits
    }

    /// Steps over the blanks that JSON allows between tokens.
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    /// A syntax error at this place.
    pub(super) fn problem(&self, problem: &'static str) -> JsonError {
        JsonError::Syntax {
            position: self.position,
            problem,
        }
    }
}
