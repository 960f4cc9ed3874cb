//! The JSON reader: one pass, with the open lists and objects on a stack of its own.

use std::collections::HashMap;
use std::sync::Arc;

use super::SURROGATE_SHIFT;
use crate::Value;
use crate::number::{INT_DIGITS_MAX, integer_of_digits};

/// How many lists and objects may be open at once.
const DEPTH_MAX: usize = 990;

/// Why a text is not read as JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is not JSON.
    #[error("read JSON at byte {position}: {problem}")]
    Syntax {
        /// Where reading stopped, in bytes from the start.
        position: usize,
        /// What is wrong there.
        problem: &'static str,
    },
    /// An integer has more digits than the notation allows.
    #[error("read the integer at byte {position}: more than {INT_DIGITS_MAX} digits")]
    IntTooLong {
        /// Where the integer starts, in bytes from the start.
        position: usize,
    },
    /// Too many lists and objects lie within each other.
    #[error("read JSON at byte {position}: more than {DEPTH_MAX} lists and objects within each other")]
    TooDeep {
        /// Where the innermost one starts, in bytes from the start.
        position: usize,
    },
}

impl JsonError {
    /// The error code: `int_too_long` and `too_deep` of spec 12, or `bad_json`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "bad_json",
            Self::IntTooLong { .. } => "int_too_long",
            Self::TooDeep { .. } => "too_deep",
        }
    }

    /// Where in the text the failure is, in bytes from the start.
    pub fn position(&self) -> usize {
        match self {
            Self::Syntax { position, .. } | Self::IntTooLong { position } | Self::TooDeep { position } => *position,
        }
    }
}

/// Reads a whole text as one JSON value.
pub fn read(text: &str) -> Result<Value, JsonError> {
    let mut reader = Reader {
        text,
        position: 0,
        open: Vec::new(),
    };
    reader.skip_blanks();
    loop {
        let Some(mut value) = reader.begin_value()? else {
            continue;
        };
        loop {
            match reader.attach(value)? {
                Attached::Awaiting => break,
                Attached::Closed(container) => value = container,
                Attached::Outermost(document) => return reader.end(document),
            }
        }
    }
}

struct Reader<'text> {
    text: &'text str,
    position: usize,
    open: Vec<Container>,
}

/// A list or object whose closing bracket is still to come.
enum Container {
    List(Vec<Value>),
    Object(Members, Arc<str>),
}

/// What became of a finished value.
enum Attached {
    /// It went into a container that awaits another value.
    Awaiting,
    /// It went into a container that is now finished itself.
    Closed(Value),
    /// No container is open.
    Outermost(Value),
}

impl<'text> Reader<'text> {
    /// Reads a scalar or an empty container; opens any other container and returns nothing.
    fn begin_value(&mut self) -> Result<Option<Value>, JsonError> {
        match self.peek() {
            Some(b'"') => self.string().map(|text| Some(Value::Text(text))),
            Some(b'[') => self.begin_list(),
            Some(b'{') => self.begin_object(),
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            _ => self.literal().map(Some),
        }
    }

    fn begin_list(&mut self) -> Result<Option<Value>, JsonError> {
        self.open_bracket()?;
        if self.take(b']') {
            return Ok(Some(Value::list([])));
        }
        self.open.push(Container::List(Vec::new()));
        Ok(None)
    }

    fn begin_object(&mut self) -> Result<Option<Value>, JsonError> {
        self.open_bracket()?;
        if self.take(b'}') {
            return Ok(Some(Value::Object(Arc::from([]))));
        }
        let key = self.key()?;
        self.open.push(Container::Object(Members::default(), key));
        Ok(None)
    }

    fn open_bracket(&mut self) -> Result<(), JsonError> {
        if self.open.len() >= DEPTH_MAX {
            return Err(JsonError::TooDeep {
                position: self.position,
            });
        }
        self.position += 1;
        self.skip_blanks();
        Ok(())
    }

    /// Puts a value where it belongs and reads the comma or bracket after it.
    fn attach(&mut self, value: Value) -> Result<Attached, JsonError> {
        let Some(mut container) = self.open.pop() else {
            return Ok(Attached::Outermost(value));
        };
        self.skip_blanks();
        let ends = match &mut container {
            Container::List(items) => {
                items.push(value);
                self.take(b']')
            }
            Container::Object(members, key) => {
                members.set(Arc::clone(key), value);
                self.take(b'}')
            }
        };
        if ends {
            return Ok(Attached::Closed(container.finish()));
        }
        if !self.take(b',') {
            return Err(self.problem("expected a comma or a closing bracket"));
        }
        self.skip_blanks();
        if let Container::Object(_, key) = &mut container {
            *key = self.key()?;
        }
        self.open.push(container);
        Ok(Attached::Awaiting)
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<Arc<str>, JsonError> {
        if self.peek() != Some(b'"') {
            return Err(self.problem("expected a key in double quotes"));
        }
        let key = self.string()?;
        self.skip_blanks();
        if !self.take(b':') {
            return Err(self.problem("expected a colon"));
        }
        self.skip_blanks();
        Ok(key)
    }

    fn end(&mut self, document: Value) -> Result<Value, JsonError> {
        self.skip_blanks();
        if self.position < self.text.len() {
            Err(self.problem("unexpected text after the value"))
        } else {
            Ok(document)
        }
    }

    fn literal(&mut self) -> Result<Value, JsonError> {
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
    fn number(&mut self) -> Result<Value, JsonError> {
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
    fn string(&mut self) -> Result<Arc<str>, JsonError> {
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

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    fn skip_digits(&mut self) -> usize {
        let n_digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.position += n_digits;
        n_digits
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn problem(&self, problem: &'static str) -> JsonError {
        JsonError::Syntax {
            position: self.position,
            problem,
        }
    }
}

impl Container {
    fn finish(self) -> Value {
        match self {
            Self::List(items) => Value::list(items),
            Self::Object(members, _) => Value::Object(members.entries.into()),
        }
    }
}

/// The members of an object under construction.
#[derive(Default)]
struct Members {
    entries: Vec<(Arc<str>, Value)>,
    /// Where each key is, kept once searching the entries would take long.
    places: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Up to how many entries are searched one by one.
    const SEARCHED_MAX: usize = 16;

    /// Adds a member; a key that is there already keeps its place and takes the new value.
    fn set(&mut self, key: Arc<str>, value: Value) {
        let place = if self.entries.len() <= Self::SEARCHED_MAX {
            self.entries.iter().position(|(known, _)| *known == key)
        } else {
            self.places.get(&key).copied()
        };
        if let Some((_, old)) = place.and_then(|place| self.entries.get_mut(place)) {
            *old = value;
            return;
        }
        self.entries.push((key, value));
        let n_placed = self.places.len();
        if self.entries.len() > Self::SEARCHED_MAX {
            let unplaced = self.entries.iter().enumerate().skip(n_placed);
            self.places
                .extend(unplaced.map(|(place, (key, _))| (Arc::clone(key), place)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write;

    fn check(text: &str, expect: Result<&str, &str>) {
        let got = read(text);
        let got = got.as_ref().map(write);
        assert_eq!(got.as_deref().map_err(|error| error.code()), expect, "{text:.60}");
    }

    fn check_same(text: &str) {
        check(text, Ok(text));
    }

    fn check_bad(texts: &[&str]) {
        for text in texts {
            check(text, Err("bad_json"));
        }
    }

    #[test]
    fn literals_are_case_sensitive() {
        for text in ["null", "true", "false", "NaN", "Infinity", "-Infinity"] {
            check_same(text);
        }
        check_bad(&[
            "True",
            "None",
            "nan",
            "inf",
            "-NaN",
            "nulll",
            "",
            " ",
            "\u{FEFF}1",
            "\u{A0}1",
        ]);
    }

    #[test]
    fn numbers_with_a_fraction_or_exponent_are_floats() {
        check("-0", Ok("0"));
        check_same("-0.0");
        check("1e5", Ok("100000.0"));
        check("1E+05", Ok("100000.0"));
        check("1e400", Ok("Infinity"));
        check("0.50", Ok("0.5"));
        check_same("123456789012345678901234567890");
        check_same("-9223372036854775808");
        check_bad(&[
            "+1", "01", "-01", ".5", "5.", "1.e5", "1e", "1e+", "-", "- 1", "0x1", "1_0", "٣", "1.5.5",
        ]);
    }

    #[test]
    fn long_integers_are_a_failure_of_their_own() {
        check_same(&format!("-{}", "9".repeat(4300)));
        check(&"9".repeat(4301), Err("int_too_long"));
        check(&format!("[{}, oops", "9".repeat(4301)), Err("int_too_long"));
        check(&format!("{}.0", "9".repeat(4301)), Ok("Infinity"));
    }

    #[test]
    fn strings_know_eight_escapes() {
        check(r#""\"\\\/\b\f\n\r\tAé\u00E9""#, Ok(r#""\"\\/\b\f\n\r\tA\u00e9\u00e9""#));
        check("\"\u{7F}\"", Ok(r#""\u007f""#));
        check_bad(&[
            "\"\n\"",
            "\"\t\"",
            "\"a",
            r#""\"#,
            r#""\x""#,
            r#""\u12""#,
            r#""\u+123""#,
            r#""\u12é""#,
            "'a'",
        ]);
    }

    #[test]
    fn the_last_of_equal_keys_wins_at_the_place_of_the_first() {
        check(r#"{"a":1,"b":2,"a":3}"#, Ok(r#"{"a": 3, "b": 2}"#));
        let members = |last: &str| {
            (0..40)
                .map(|i| format!(r#""k{i}":{i}"#))
                .chain([last.to_owned()])
                .collect::<Vec<_>>()
        };
        let value = read(&format!("{{{}}}", members(r#""k30": "new""#).join(","))).unwrap();
        let Value::Object(entries) = &value else {
            panic!("{value:?}")
        };
        assert_eq!((entries.len(), entries[30].1.as_text()), (40, Some("new")));
    }

    #[test]
    fn brackets_and_commas_must_match() {
        check(
            " [ 1 , [ ] , { } , { \"a\" : [ ] } ]\r\n",
            Ok(r#"[1, [], {}, {"a": []}]"#),
        );
        check_bad(&[
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1",
            "[",
            "{",
            "[1}",
            r#"{"a":1,}"#,
            r#"{"a"}"#,
            "{1:2}",
            "{,}",
            "1 2",
            "1]",
        ]);
    }

    #[test]
    fn nesting_has_a_limit() {
        check_same(&format!("{}{}", "[".repeat(990), "]".repeat(990)));
        check(&"[".repeat(990), Err("bad_json"));
        check(&"[".repeat(1_000_000), Err("too_deep"));
        check(&r#"{"a":"#.repeat(1_000_000), Err("too_deep"));
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(read("[1, x]").unwrap_err().position(), 4);
        assert_eq!(
            read("[1, x]").unwrap_err().to_string(),
            "read JSON at byte 4: expected a value"
        );
    }
}
