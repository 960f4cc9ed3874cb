//! How calls fail, before it is decided what comes of it.

use napsim_sim::predictor::{PredictError, Unanswered, Usage};

/// Most bytes of what came in place of an answer that are kept.
const RAW_BYTES_MAX: usize = 64 << 10;

/// Most characters of a line in a message.
const QUOTED_CHARS_MAX: usize = 200;

/// The kinds of failures, as docs/PREDICTOR-PROTOCOL.md lists them.
pub(crate) mod kind {
    pub(crate) const CANNOT_START: &str = "cannot_start";
    pub(crate) const CHANGED: &str = "changed";
    pub(crate) const CRASHED: &str = "crashed";
    pub(crate) const MALFORMED: &str = "malformed";
    pub(crate) const OUT_OF_TURN: &str = "out_of_turn";
    pub(crate) const REPORTED: &str = "reported";
    pub(crate) const TIMEOUT: &str = "timeout";
    pub(crate) const TOO_LONG: &str = "too_long";
    pub(crate) const TOO_MANY_ACTIONS: &str = "too_many_actions";
    pub(crate) const UNKNOWN_SESSION: &str = "unknown_session";
    pub(crate) const UNREACHABLE: &str = "unreachable";
}

/// A call without an answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) what: What,
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) raw: Option<String>,
    pub(crate) stderr: Option<String>,
}

/// Who is to blame, which decides what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The predictor said that it has no answer, and lives on.
    Reported { is_fatal: bool },
    /// Nothing more is to be expected of the program or session.
    Broken,
    /// Nobody waits any more.
    Interrupted,
}

impl Failure {
    /// Nothing more is to be expected.
    pub(crate) fn broken(kind: &str, message: String) -> Self {
        Self {
            what: What::Broken,
            kind: kind.to_owned(),
            message,
            raw: None,
            stderr: None,
        }
    }

    pub(crate) fn interrupted() -> Self {
        Self {
            what: What::Interrupted,
            ..Self::broken("interrupted", "interrupted".to_owned())
        }
    }

    /// With what came in place of an answer.
    pub(crate) fn with_raw(mut self, raw: &[u8]) -> Self {
        let start = raw.get(..RAW_BYTES_MAX).unwrap_or(raw);
        self.raw = Some(String::from_utf8_lossy(start).into_owned()).filter(|raw| !raw.is_empty());
        self
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.what == What::Broken
    }

    /// What the simulator is told.
    pub(crate) fn into_error(self) -> PredictError {
        let fatal = match self.what {
            What::Interrupted => return PredictError::Fatal(self.message),
            What::Reported { is_fatal } => is_fatal,
            What::Broken => true,
        };
        PredictError::Unanswered(Box::new(Unanswered {
            kind: self.kind,
            message: self.message,
            raw: self.raw,
            stderr: self.stderr,
            usage: Usage::default(),
            fatal,
        }))
    }
}

/// How a line begins, in backquotes, on one line, with what cannot be printed escaped.
pub(crate) fn quoted(line: &[u8]) -> String {
    // A character has at most four bytes.
    let start = line.get(..4 * QUOTED_CHARS_MAX).unwrap_or(line);
    let text = String::from_utf8_lossy(start);
    let mut quoted = String::from("`");
    for character in text.chars().take(QUOTED_CHARS_MAX) {
        if character.is_control() {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    let is_whole = start.len() == line.len() && text.chars().nth(QUOTED_CHARS_MAX).is_none();
    quoted.push_str(if is_whole { "`" } else { "…`" });
    quoted
}

/// Seconds, in a message.
pub(crate) fn seconds(duration: std::time::Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_quoted_on_one_line_and_in_bounds() {
        assert_eq!(quoted(b"loading\r\x1b[1m\xff"), "`loading\\r\\u{1b}[1m\u{fffd}`");
        assert_eq!(quoted("é".repeat(200).as_bytes()), format!("`{}`", "é".repeat(200)));
        for long in ["é".repeat(201), "x".repeat(10_000_000), "𝒳".repeat(201)] {
            let quoted = quoted(long.as_bytes());
            assert_eq!(quoted.chars().count(), 203, "{quoted}");
            assert!(quoted.ends_with("…`"), "{quoted}");
        }
    }
}
