//! Reading answers, strictly and in bounds.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use thiserror::Error;

use super::answer::{Answer, ErrorAnswer, Hello, Prediction, ProposedLine, Ready, Tokens, Wants};
use super::{ANSWER_ACTIONS_MAX, FINGERPRINT_CHARS_MAX, KIND_CHARS_MAX, NAME_CHARS_MAX, PROTOCOL, is_kind};

/// Why a line is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// It is no UTF-8.
    #[error("it is no UTF-8 text")]
    NotUtf8,
    /// It is no JSON object with a `type` and an `id`.
    #[error("it is no JSON object with `type` and `id` ({reason})")]
    NoMessage {
        /// What is wrong with it.
        reason: String,
    },
    /// Its type is none of an answer.
    #[error("its `type` is `{type_name}`; expected `hello`, `ready`, `prediction` or `error`")]
    Type {
        /// Its type.
        type_name: String,
    },
    /// Its fields are not as they should be.
    #[error("{reason}")]
    Fields {
        /// What is wrong with them.
        reason: String,
    },
    /// It proposes too many actions.
    #[error("it holds {n_actions} actions; expected at most {ANSWER_ACTIONS_MAX}")]
    TooManyActions {
        /// How many.
        n_actions: usize,
    },
}

impl AnswerError {
    fn fields(reason: impl Into<String>) -> Self {
        Self::Fields { reason: reason.into() }
    }
}

/// What tells one answer from another.
#[derive(serde::Deserialize)]
struct Common {
    r#type: String,
    #[expect(dead_code, reason = "it has to be there")]
    id: u64,
}

impl Answer {
    /// Reads an answer from a line without its line feed.
    ///
    /// # Errors
    /// [`AnswerError`], where it is none.
    pub fn read(line: &[u8]) -> Result<Self, AnswerError> {
        let line = std::str::from_utf8(line).map_err(|_| AnswerError::NotUtf8)?;
        let common: Common = serde_json::from_str(line).map_err(|error| AnswerError::NoMessage {
            reason: error.to_string(),
        })?;
        match common.r#type.as_str() {
            "hello" => parse::<HelloLine>(line)?.checked().map(Self::Hello),
            "ready" => parse::<ReadyLine>(line).map(|ready| Self::Ready(Ready { id: ready.id })),
            "prediction" => parse::<PredictionLine>(line)?.checked().map(Self::Prediction),
            "error" => parse::<ErrorLine>(line)?.checked().map(Self::Error),
            _ => Err(AnswerError::Type {
                type_name: common.r#type,
            }),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, AnswerError> {
    serde_json::from_str(line).map_err(|error| AnswerError::fields(error.to_string()))
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct HelloLine {
    #[expect(dead_code, reason = "it is known already")]
    r#type: IgnoredAny,
    id: u64,
    protocol: String,
    name: String,
    fingerprint: Option<String>,
    #[serde(default)]
    wants: Wants,
}

impl HelloLine {
    fn checked(self) -> Result<Hello, AnswerError> {
        let Self {
            id,
            protocol,
            name,
            fingerprint,
            wants,
            ..
        } = self;
        if protocol != PROTOCOL {
            let reason = format!("its `protocol` is `{protocol}`; expected `{PROTOCOL}`");
            return Err(AnswerError::fields(reason));
        }
        in_bounds("name", &name, NAME_CHARS_MAX)?;
        if let Some(fingerprint) = &fingerprint {
            in_bounds("fingerprint", fingerprint, FINGERPRINT_CHARS_MAX)?;
        }
        Ok(Hello {
            id,
            protocol,
            name,
            fingerprint,
            wants,
        })
    }
}

fn in_bounds(field: &str, text: &str, chars_max: usize) -> Result<(), AnswerError> {
    let n_chars = text.chars().count();
    if (1..=chars_max).contains(&n_chars) {
        return Ok(());
    }
    let reason = format!("its `{field}` has {n_chars} characters; expected 1 to {chars_max}");
    Err(AnswerError::fields(reason))
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadyLine {
    #[expect(dead_code, reason = "it is known already")]
    r#type: IgnoredAny,
    id: u64,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PredictionLine {
    #[expect(dead_code, reason = "it is known already")]
    r#type: IgnoredAny,
    id: u64,
    actions: FirstLines,
    usage: Option<Tokens>,
    raw: Option<String>,
    intent: Option<String>,
    #[serde(default)]
    truncated: bool,
}

impl PredictionLine {
    fn checked(self) -> Result<Prediction, AnswerError> {
        let FirstLines { lines, n_lines } = self.actions;
        if n_lines > ANSWER_ACTIONS_MAX {
            return Err(AnswerError::TooManyActions { n_actions: n_lines });
        }
        Ok(Prediction {
            id: self.id,
            actions: lines,
            usage: self.usage,
            raw: self.raw,
            intent: self.intent,
            truncated: self.truncated,
        })
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorLine {
    #[expect(dead_code, reason = "it is known already")]
    r#type: IgnoredAny,
    id: u64,
    message: String,
    kind: Option<String>,
    #[serde(default)]
    fatal: bool,
    raw: Option<String>,
}

impl ErrorLine {
    fn checked(self) -> Result<ErrorAnswer, AnswerError> {
        let Self {
            id,
            message,
            kind,
            fatal,
            raw,
            ..
        } = self;
        if let Some(kind) = kind.as_deref().filter(|kind| !is_kind(kind)) {
            let reason =
                format!("its `kind` is {kind:?}; expected 1 to {KIND_CHARS_MAX} lower-case letters, digits and `_`");
            return Err(AnswerError::fields(reason));
        }
        Ok(ErrorAnswer {
            id,
            message,
            kind,
            fatal,
            raw,
        })
    }
}

/// As many lines as an answer may have, and how many there were.
struct FirstLines {
    lines: Vec<ProposedLine>,
    n_lines: usize,
}

impl<'de> Deserialize<'de> for FirstLines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lines;
        impl<'de> Visitor<'de> for Lines {
            type Value = FirstLines;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of actions")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<FirstLines, A::Error> {
                let mut lines = Vec::new();
                while lines.len() < ANSWER_ACTIONS_MAX {
                    match list.next_element()? {
                        Some(line) => lines.push(line),
                        None => break,
                    }
                }
                // What is too much is counted and not kept.
                let mut n_lines = lines.len();
                while list.next_element::<IgnoredAny>()?.is_some() {
                    n_lines += 1;
                }
                Ok(FirstLines { lines, n_lines })
            }
        }
        deserializer.deserialize_seq(Lines)
    }
}

impl<'de> Deserialize<'de> for ProposedLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct WithConfidence {
            action: String,
            confidence: Option<f64>,
        }

        struct Line;
        impl<'de> Visitor<'de> for Line {
            type Value = ProposedLine;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an action, or an object of `action` and `confidence`")
            }

            fn visit_str<E: de::Error>(self, action: &str) -> Result<ProposedLine, E> {
                self.visit_string(action.to_owned())
            }

            fn visit_string<E: de::Error>(self, action: String) -> Result<ProposedLine, E> {
                let confidence = None;
                Ok(ProposedLine { action, confidence })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProposedLine, A::Error> {
                let WithConfidence { action, confidence } =
                    WithConfidence::deserialize(MapAccessDeserializer::new(map))?;
                match confidence {
                    Some(confidence) if !(0.0..=1.0).contains(&confidence) => Err(de::Error::custom(format_args!(
                        "a `confidence` is {confidence}; expected 0 to 1"
                    ))),
                    _ => Ok(ProposedLine { action, confidence }),
                }
            }
        }
        deserializer.deserialize_any(Line)
    }
}
