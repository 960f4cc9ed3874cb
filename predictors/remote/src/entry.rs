//! A request with its answer: one line of JSON that proves itself.
//!
//! ```text
//! {"schema":"napsim-answer/1","key":"HEX","request":{…},"answer":{…},"sha256":"HEX"}
//! ```
//!
//! `key` is the SHA-256 of the request's bytes. `sha256` is that of three lines, each with its line feed: the schema, the
//! key in hex, and the answer's bytes; through the key it covers the request too, which is thus hashed once. A line has
//! exactly this spelling, so that no byte of it can change unnoticed.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

pub use key::{Key, KeyError};

mod key;

/// The name of the format, as each line states it.
pub const SCHEMA: &str = "napsim-answer/1";

/// Longest line that is read or made, in bytes without the line feed: 64 MiB.
pub const LINE_BYTES_MAX: usize = 64 << 20;

/// A request and its answer, both the bytes of one JSON object. Copies share them.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    key: Key,
    request: Arc<str>,
    answer: Arc<str>,
}

impl Entry {
    /// An entry of the exact bytes of a request and of its answer.
    ///
    /// # Errors
    /// [`EntryError::NotAnObject`] unless both are a JSON object on one line with no blanks around, and
    /// [`EntryError::TooLong`] where the line would be longer than [`LINE_BYTES_MAX`].
    pub fn new(request: impl Into<Arc<str>>, answer: impl Into<Arc<str>>) -> Result<Self, EntryError> {
        let (request, answer) = (request.into(), answer.into());
        check_object("request", &request)?;
        check_object("answer", &answer)?;
        let entry = Self {
            key: Key::of(&request),
            request,
            answer,
        };
        match entry.line_bytes() {
            bytes if bytes > LINE_BYTES_MAX => Err(EntryError::TooLong),
            _ => Ok(entry),
        }
    }

    /// The content address: the SHA-256 of the request's bytes.
    pub fn key(&self) -> Key {
        self.key
    }

    /// The request, byte for byte.
    pub fn request(&self) -> &str {
        &self.request
    }

    /// The answer, byte for byte.
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// The line, without a line feed.
    pub fn to_line(&self) -> String {
        let sum = self.checksum();
        let Self { key, request, answer } = self;
        format!(r#"{{"schema":"{SCHEMA}","key":"{key}","request":{request},"answer":{answer},"sha256":"{sum}"}}"#)
    }

    /// Length of the line in bytes, without a line feed.
    pub fn line_bytes(&self) -> usize {
        const AROUND: usize = r#"{"schema":"","key":"","request":,"answer":,"sha256":""}"#.len();
        AROUND + SCHEMA.len() + 2 * Key::HEX_LEN + self.request.len() + self.answer.len()
    }

    /// Reads a line, with or without its line feed, and checks all that it states.
    ///
    /// # Errors
    /// [`EntryError`], which says what failed.
    pub fn parse(line: &[u8]) -> Result<Self, EntryError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.len() > LINE_BYTES_MAX {
            return Err(EntryError::TooLong);
        }
        let text = std::str::from_utf8(line).map_err(|reason| EntryError::not_an_entry(&reason))?;
        let stated = match serde_json::from_str::<Stated<'_>>(text) {
            Ok(stated) if stated.schema == SCHEMA => stated,
            Ok(stated) => return Err(EntryError::schema(stated.schema)),
            Err(reason) => return Err(EntryError::of_foreign(text, &reason)),
        };
        let request = stated.request.get();
        let key = Key::of(request);
        if stated.key.parse() != Ok(key) {
            return Err(EntryError::Key { computed: key });
        }
        let entry = Self {
            key,
            request: request.into(),
            answer: stated.answer.get().into(),
        };
        if stated.sha256.parse() != Ok(entry.checksum()) {
            return Err(EntryError::Checksum);
        }
        // What is inside is whole; what is around must be as it was written, too.
        if entry.to_line() != text {
            return Err(EntryError::NotAnEntry {
                reason: "it is spelled otherwise than such lines are written".to_owned(),
            });
        }
        check_is_object("request", &entry.request)?;
        check_is_object("answer", &entry.answer)?;
        Ok(entry)
    }

    fn checksum(&self) -> Key {
        let mut sha256 = Sha256::new();
        sha256.update(SCHEMA);
        sha256.update(format!("\n{}\n", self.key));
        sha256.update(&*self.answer);
        sha256.update("\n");
        Key::from_bytes(sha256.finalize().into())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.key)
    }
}

/// What a line states, before any of it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stated<'a> {
    schema: &'a str,
    key: &'a str,
    #[serde(borrow)]
    request: &'a RawValue,
    #[serde(borrow)]
    answer: &'a RawValue,
    sha256: &'a str,
}

/// Why a line is no entry that could be used. Messages are fragments that fit after "it" or after a place and a colon.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The line is too long to be read or made.
    #[error("longer than {} MiB", LINE_BYTES_MAX >> 20)]
    TooLong,
    /// The line is not what it should be, or cut off.
    #[error("no whole entry: {reason}")]
    NotAnEntry {
        /// What was wrong.
        reason: String,
    },
    /// The line follows another schema.
    #[error("of the schema `{found}`; expected `{SCHEMA}`")]
    Schema {
        /// The schema that it names.
        found: String,
    },
    /// The stated key is not that of the request.
    #[error("damaged: its key is not that of its request, which is {computed}")]
    Key {
        /// The request's key.
        computed: Key,
    },
    /// The stated checksum is not that of the answer.
    #[error("damaged: its checksum is not that of its answer")]
    Checksum,
    /// Request or answer is no JSON object on one line.
    #[error("of no use: expected its {part} to be one JSON object on one line, found {found}")]
    NotAnObject {
        /// `request` or `answer`.
        part: &'static str,
        /// What it was.
        found: String,
    },
}

impl EntryError {
    fn not_an_entry(reason: &impl ToString) -> Self {
        Self::NotAnEntry {
            reason: reason.to_string(),
        }
    }

    /// The error for an entry without the line feed that each has.
    pub(crate) fn cut_off() -> Self {
        Self::not_an_entry(&"it ends without a line feed")
    }

    /// The error for a line of a journal that does not begin and end as such lines do.
    pub(crate) fn not_kept(beginning: &str) -> Self {
        Self::not_an_entry(&format!(
            "it is no line that begins with `{beginning}` and ends in `}}`"
        ))
    }

    fn schema(found: &str) -> Self {
        Self::Schema {
            found: found.chars().take(80).collect(),
        }
    }

    /// The error for a line that has other fields: another schema may well have them.
    fn of_foreign(text: &str, reason: &serde_json::Error) -> Self {
        #[derive(Deserialize)]
        struct OfAny {
            schema: String,
        }
        match serde_json::from_str::<OfAny>(text) {
            Ok(line) if line.schema != SCHEMA => Self::schema(&line.schema),
            _ => Self::not_an_entry(reason),
        }
    }
}

fn check_object(part: &'static str, text: &str) -> Result<(), EntryError> {
    let found = match serde_json::from_str::<&RawValue>(text) {
        Ok(value) if value.get() == text => return check_is_object(part, text),
        Ok(_) => "blanks around it".to_owned(),
        Err(reason) => reason.to_string(),
    };
    Err(EntryError::NotAnObject { part, found })
}

/// Checks of a text that is JSON whether it is an object on one line.
fn check_is_object(part: &'static str, json: &str) -> Result<(), EntryError> {
    let found = match json {
        _ if !json.starts_with('{') => "another value",
        _ if json.contains(['\n', '\r']) => "a line break",
        _ => return Ok(()),
    };
    Err(EntryError::NotAnObject {
        part,
        found: found.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry::new(r#"{"model":"m","n": 1.50}"#, r#"{"text":"Zürich \n"}"#).unwrap()
    }

    #[test]
    fn a_line_comes_back_byte_for_byte() {
        let line = entry().to_line();
        assert_eq!(line.len(), entry().line_bytes());
        assert!(line.starts_with(r#"{"schema":"napsim-answer/1","key":""#), "{line}");
        assert_eq!(Entry::parse(line.as_bytes()).unwrap(), entry());
        assert_eq!(Entry::parse(format!("{line}\n").as_bytes()).unwrap(), entry());
        assert_eq!(entry().key(), Key::of(r#"{"model":"m","n": 1.50}"#));
    }

    #[test]
    fn every_byte_counts() {
        let line = entry().to_line().into_bytes();
        for position in 0..line.len() {
            assert!(Entry::parse(&line[..position]).is_err(), "cut at {position}");
            for bit in 0..8 {
                let mut flipped = line.clone();
                flipped[position] ^= 1 << bit;
                assert!(Entry::parse(&flipped).is_err(), "bit {bit} of byte {position}");
            }
            let mut longer = line.clone();
            longer.insert(position, b' ');
            assert!(Entry::parse(&longer).is_err(), "blank at {position}");
        }
    }

    #[test]
    fn errors_say_what_failed() {
        let line = entry().to_line();
        let parse = |from: &str, to: &str| Entry::parse(line.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!(
            parse(r#"{"model":"m""#, r#"{"model":"n""#).to_string()[..30],
            *"damaged: its key is not that o"
        );
        assert_eq!(parse("Zürich", "Zurich"), EntryError::Checksum);
        let schema = EntryError::Schema {
            found: "napsim-answer/2".to_owned(),
        };
        assert_eq!(parse("answer/1", "answer/2"), schema);
        assert_eq!(Entry::parse(br#"{"schema":"napsim-answer/2","more":1}"#), Err(schema));
        assert!(matches!(parse("sha256", "sha512"), EntryError::NotAnEntry { .. }));
        assert!(matches!(Entry::parse(b"\xff"), Err(EntryError::NotAnEntry { .. })));
        assert_eq!(Entry::parse(&vec![b' '; LINE_BYTES_MAX + 1]), Err(EntryError::TooLong));
    }

    #[test]
    fn only_objects_on_one_line_are_taken() {
        for text in ["", "1", "[]", "{", " {}", "{} ", "{}{}", "{\n}", "{\"a\":\r1}", "null"] {
            for result in [Entry::new(text, "{}"), Entry::new("{}", text)] {
                assert!(matches!(result, Err(EntryError::NotAnObject { .. })), "{text:?}");
            }
        }
        assert!(Entry::new("{}", r#"{"a":{"b":[1e5]}}"#).is_ok());
        let long = format!(r#"{{"a":"{}"}}"#, "x".repeat(LINE_BYTES_MAX));
        assert_eq!(Entry::new("{}", long), Err(EntryError::TooLong));
    }
}
