//! What a conversion has to say.

use std::fmt;

use super::config::Value;
use crate::tree::shortened;

/// Something that could not be converted, or means something that one ought to know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The line of the configuration; none if it is about a key that is not there, and so has the published default.
    pub line: Option<u64>,
    /// The key, with dots: `solver.adapter`.
    pub key: String,
    /// Why it has no counterpart, or what is different here.
    pub why: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, `{}`: {}", self.key, self.why),
            None => write!(f, "`{}`, which is not given: {}", self.key, self.why),
        }
    }
}

/// Notes as they come.
#[derive(Default)]
pub(super) struct Notes {
    notes: Vec<Note>,
}

impl Notes {
    pub(super) fn add(&mut self, line: Option<u64>, key: &str, why: impl Into<String>) {
        let note = Note {
            line,
            key: shortened(key),
            why: why.into(),
        };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// A note about a value, or about the default that stands for it.
    pub(super) fn about(&mut self, key: &str, value: Option<&Value>, why: impl Into<String>) {
        self.add(value.and_then(|value| value.at.line()), key, why);
    }

    /// By lines, what is about no line first.
    pub(super) fn in_order(mut self) -> Vec<Note> {
        self.notes.sort_by_key(|note| note.line);
        self.notes
    }
}
