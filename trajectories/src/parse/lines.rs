//! Many lines at once: what parsed and what failed.

use super::{ParseError, is_skipped};
use crate::action::Action;
use crate::text::trim;

/// A line that is not an action, with its reason.
#[derive(Clone, Debug)]
pub struct FailedLine {
    /// Index of the line in the input, from 0.
    pub line_idx: usize,
    /// The trimmed line.
    pub text: String,
    /// Why it failed.
    pub error: ParseError,
}

/// The outcome of reading many lines: what parsed and what failed, each in input order.
#[derive(Clone, Debug, Default)]
pub struct ParsedLines {
    /// Parsed actions.
    pub actions: Vec<Action>,
    /// The trimmed source line of each action.
    pub sources: Vec<String>,
    /// Lines that are neither actions nor skipped.
    pub failed: Vec<FailedLine>,
}

/// Reads lines, dropping blank lines and comments silently and collecting failures (spec 3.4).
pub fn parse_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> ParsedLines {
    let mut parsed = ParsedLines::default();
    for (line_idx, line) in lines.into_iter().enumerate() {
        if is_skipped(line) {
            continue;
        }
        let text = trim(line).to_owned();
        match Action::parse(&text) {
            Ok(action) => {
                parsed.actions.push(action);
                parsed.sources.push(text);
            }
            Err(error) => parsed.failed.push(FailedLine { line_idx, text, error }),
        }
    }
    parsed
}
