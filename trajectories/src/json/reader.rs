//! The JSON reader: one pass, with the open lists and objects on a stack of its own.

use std::sync::Arc;

use super::members::Members;
use super::scanner::Scanner;
use crate::Value;
use crate::number::INT_DIGITS_MAX;

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
        scanner: Scanner::new(text),
        open: Vec::new(),
    };
    reader.scanner.skip_blanks();
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
    scanner: Scanner<'text>,
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

impl Reader<'_> {
    /// Reads a scalar or an empty container; opens any other container and returns nothing.
    fn begin_value(&mut self) -> Result<Option<Value>, JsonError> {
        match self.scanner.peek() {
            Some(b'"') => self.scanner.string().map(|text| Some(Value::Text(text))),
            Some(b'[') => self.begin_list(),
            Some(b'{') => self.begin_object(),
            Some(b'-' | b'0'..=b'9') => self.scanner.number().map(Some),
            _ => self.scanner.literal().map(Some),
        }
    }

    fn begin_list(&mut self) -> Result<Option<Value>, JsonError> {
        self.open_bracket()?;
        if self.scanner.take(b']') {
            return Ok(Some(Value::list([])));
        }
        self.open.push(Container::List(Vec::new()));
        Ok(None)
    }

    fn begin_object(&mut self) -> Result<Option<Value>, JsonError> {
        self.open_bracket()?;
        if self.scanner.take(b'}') {
            return Ok(Some(Value::Object(Arc::from([]))));
        }
        let key = self.key()?;
        self.open.push(Container::Object(Members::default(), key));
        Ok(None)
    }

    fn open_bracket(&mut self) -> Result<(), JsonError> {
        if self.open.len() >= DEPTH_MAX {
            return Err(JsonError::TooDeep {
                position: self.scanner.position(),
            });
        }
        self.scanner.step();
        self.scanner.skip_blanks();
        Ok(())
    }

    /// Puts a value where it belongs and reads the comma or bracket after it.
    fn attach(&mut self, value: Value) -> Result<Attached, JsonError> {
        let Some(mut container) = self.open.pop() else {
            return Ok(Attached::Outermost(value));
        };
        self.scanner.skip_blanks();
        let ends = match &mut container {
            Container::List(items) => {
                items.push(value);
                self.scanner.take(b']')
            }
            Container::Object(members, key) => {
                members.set(Arc::clone(key), value);
                self.scanner.take(b'}')
            }
        };
        if ends {
            return Ok(Attached::Closed(container.finish()));
        }
        if !self.scanner.take(b',') {
            return Err(self.scanner.problem("expected a comma or a closing bracket"));
        }
        self.scanner.skip_blanks();
        if let Container::Object(_, key) = &mut container {
            *key = self.key()?;
        }
        self.open.push(container);
        Ok(Attached::Awaiting)
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<Arc<str>, JsonError> {
        if self.scanner.peek() != Some(b'"') {
            return Err(self.scanner.problem("expected a key in double quotes"));
        }
        let key = self.scanner.string()?;
        self.scanner.skip_blanks();
        if !self.scanner.take(b':') {
            return Err(self.scanner.problem("expected a colon"));
        }
        self.scanner.skip_blanks();
        Ok(key)
    }

    fn end(&mut self, document: Value) -> Result<Value, JsonError> {
        self.scanner.skip_blanks();
        if self.scanner.is_at_end() {
            Ok(document)
        } else {
            Err(self.scanner.problem("unexpected text after the value"))
        }
    }
}

impl Container {
    fn finish(self) -> Value {
        match self {
            Self::List(items) => Value::list(items),
            Self::Object(members, _) => members.finish(),
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
