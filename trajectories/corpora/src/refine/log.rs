//! The call log: one JSON line for each call, from which a refinement can be replayed.

use serde::{Deserialize, Serialize};

use super::RefineError;
use super::reply::Usage;

/// Who was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallRole {
    /// The editor.
    Editor,
    /// The judge.
    Judge,
}

/// One call and what became of its reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// Who was called.
    pub role: CallRole,
    /// The number of the candidate; 0 for the baseline.
    pub iteration: u32,
    /// The number of the call for this candidate, from 1.
    pub call: u32,
    /// The reply: as it came where it was malformed, else in the form agreed on; empty when there was none.
    pub reply: String,
    /// How odd the judge found the sequence, see [`Verdict::penalty`](super::Verdict::penalty); none of other calls.
    pub penalty: Option<u32>,
    /// What became of it: `accepted`, `rejected`, `candidate`, `malformed`, `invalid`, `mismatch` or `failed`.
    pub outcome: String,
    /// The note that the editor got about it, or why the call failed.
    pub note: String,
    /// Tokens used.
    pub usage: Usage,
}

/// The log as JSON lines.
pub fn write_log(entries: &[LogEntry]) -> String {
    // Entries hold texts and numbers alone, which always can be written.
    let lines = entries.iter().filter_map(|entry| serde_json::to_string(entry).ok());
    lines.map(|line| line + "\n").collect()
}

/// The entries of a log of JSON lines; blank lines are skipped.
///
/// # Errors
/// [`RefineError::Log`] for a line that is no entry.
pub fn read_log(text: &str) -> Result<Vec<LogEntry>, RefineError> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(line_no, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| RefineError::Log {
            line_no,
            reason: error.to_string(),
        })
    };
    lines.map(read).collect()
}
