//! The call log: one JSON line for each call, from which a refinement can be replayed.

use serde::{Deserialize, Serialize};

use super::reply::Usage;
use super::{EditRequest, JudgeRequest, RefineError, prompt};

/// Who was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallRole {
    /// The editor.
    Editor,
    /// The judge.
    Judge,
}

/// What was asked in a call, as a language model is told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// The task and the form of the reply, the same in every call of a role.
    pub system: String,
    /// What the call is about, with the notes on earlier replies.
    pub user: String,
}

impl Prompt {
    pub(super) fn of_edit(request: &EditRequest<'_>) -> Self {
        Self {
            system: prompt::editor_system(),
            user: prompt::editor_user(request),
        }
    }

    pub(super) fn of_judgement(request: &JudgeRequest<'_>) -> Self {
        Self {
            system: prompt::judge_system(),
            user: prompt::judge_user(request),
        }
    }
}

/// One call and what became of its reply.
///
/// Of a line that is read, `role` and `reply` must be there; replies that were put in by hand are replayed like others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// Name of the trajectory, where a log is about several; [`refine`](super::refine) leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<String>,
    /// Who was called.
    pub role: CallRole,
    /// The number of the candidate; 0 for the baseline.
    #[serde(default)]
    pub iteration: u32,
    /// The number of the call for this candidate, from 1.
    #[serde(default)]
    pub call: u32,
    /// What was asked, where [`RefineOptions::prompts`](super::RefineOptions::prompts) wants it noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// The reply: as it came where it was malformed, else in the form agreed on; empty when there was none.
    pub reply: String,
    /// How odd the judge found the sequence, see [`Verdict::penalty`](super::Verdict::penalty); none of other calls.
    #[serde(default)]
    pub penalty: Option<u32>,
    /// What became of it: `accepted`, `rejected`, `candidate`, `malformed`, `invalid`, `mismatch` or `failed`.
    #[serde(default)]
    pub outcome: String,
    /// The note that the editor got about it, or why the call failed.
    #[serde(default)]
    pub note: String,
    /// Tokens used.
    #[serde(default)]
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
