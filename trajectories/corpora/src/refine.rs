//! Refinement of a sequence by a judge and an editor (spec chapter 04, section 3).
//!
//! The *editor* rewrites a sequence with small edits so that it reads like a person building the sheet; the *judge*
//! says whether it does, and if not, what is odd. Both are traits, so that a language model, a person or the rules of
//! [`RuleJudge`] and [`RuleEditor`] can play them. [`refine`] runs the two against each other and lets nothing pass that
//! it has not replayed: a candidate must reach the target in every property of every cell and in every merge, apart
//! from what its editor declared under `ignore` and `corrections`, which is reported with the result.
//!
//! Whatever goes wrong with a reply goes back to the editor: malformed replies, unreadable actions, differences from
//! the target and the judge's reasons are all feedback, and feedback is kept from one iteration to the next.

mod declared;
mod difference;
mod log;
mod mechanical;
pub mod prompt;
mod refinement;
mod reply;
mod rules;
mod scripted;
mod verify;

pub use declared::{Correction, Declared, Ignore};
pub use difference::{StateDifference, differences};
pub use log::{CallRole, LogEntry, Prompt, read_log, write_log};
pub use refinement::{Refined, refine};
pub use reply::{EditReply, ReplyError, Usage, Verdict};
pub use rules::{Finding, RuleEditor, RuleJudge, Severity};
pub use scripted::{ScriptedEditor, ScriptedJudge};

use napsim_trajectories::Action;

/// Bounds of a refinement, and what its log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefineOptions {
    /// The most candidates that are judged.
    pub iterations_max: u32,
    /// The most calls of the editor for one candidate.
    pub calls_per_iteration_max: u32,
    /// The most notes that are handed to the editor; older ones are forgotten first.
    pub feedback_max: usize,
    /// The most differences and unreadable actions that one note lists; the rest is counted.
    pub problems_per_note_max: usize,
    /// The most corrections that one candidate may declare.
    pub corrections_max: usize,
    /// Whether the log holds what editor and judge were asked.
    pub prompts: bool,
}

impl Default for RefineOptions {
    fn default() -> Self {
        Self {
            iterations_max: 4,
            calls_per_iteration_max: 3,
            feedback_max: 6,
            problems_per_note_max: 40,
            corrections_max: 20,
            prompts: false,
        }
    }
}

/// What came back about an earlier reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The reply did not have the form agreed on.
    Malformed(String),
    /// Some actions could not be read or carried out, or a declaration was not allowed.
    Invalid(String),
    /// The actions led to another sheet.
    Mismatch(String),
    /// The judge found it odd.
    Judge(String),
}

impl Feedback {
    /// The note itself.
    pub fn text(&self) -> &str {
        match self {
            Self::Malformed(text) | Self::Invalid(text) | Self::Mismatch(text) | Self::Judge(text) => text,
        }
    }

    /// What the note is about, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::Invalid(_) => "invalid",
            Self::Mismatch(_) => "mismatch",
            Self::Judge(_) => "judge",
        }
    }
}

/// What an editor is asked.
#[derive(Clone, Copy, Debug)]
pub struct EditRequest<'a> {
    /// The sequence before any refinement.
    pub baseline: &'a [Action],
    /// The sequence to edit: the best so far.
    pub current: &'a [Action],
    /// Notes on earlier replies, oldest first.
    pub feedback: &'a [Feedback],
    /// The number of the candidate, from 1.
    pub iteration: u32,
    /// The number of the call for this candidate, from 1.
    pub call: u32,
}

/// What a judge is asked.
#[derive(Clone, Copy, Debug)]
pub struct JudgeRequest<'a> {
    /// The sequence before any refinement.
    pub baseline: &'a [Action],
    /// The sequence to judge; it has been replayed and leads to the target.
    pub candidate: &'a [Action],
    /// What the candidate does otherwise on purpose.
    pub declared: &'a Declared,
    /// The number of the candidate; 0 for the baseline.
    pub iteration: u32,
}

/// Rewrites sequences.
pub trait Editor {
    /// A whole new sequence in place of the current one.
    ///
    /// # Errors
    /// [`RefineError::Reply`] for a malformed reply, which becomes feedback; anything else ends the refinement.
    fn edit(&mut self, request: &EditRequest<'_>) -> Result<EditReply, RefineError>;
}

/// Judges sequences.
pub trait Judge {
    /// Whether a sequence reads like a person's.
    ///
    /// # Errors
    /// [`RefineError::Reply`] for a malformed reply, which counts as a verdict against the sequence; anything else ends
    /// the refinement.
    fn judge(&mut self, request: &JudgeRequest<'_>) -> Result<Verdict, RefineError>;
}

/// Why a refinement, or a call within it, failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefineError {
    /// A reply was not of the form agreed on.
    #[error("read the reply: {0}")]
    Reply(#[from] ReplyError),
    /// The editor or judge cannot be reached.
    #[error("get a reply: {reason}")]
    Unavailable {
        /// What its client says.
        reason: String,
    },
    /// A script or recording has no reply left.
    #[error("get a reply: the script has none left after {n_replies}")]
    Exhausted {
        /// Replies that it gave.
        n_replies: usize,
    },
    /// The sequence to refine does not lead to the target in the first place.
    #[error("refine a sequence that misses its target: {difference}")]
    Baseline {
        /// The first difference, or the first action that fails.
        difference: String,
    },
    /// A line of a call log cannot be read.
    #[error("read line {line_no} of the call log: {reason}")]
    Log {
        /// Number of the line, from 1.
        line_no: usize,
        /// What is wrong.
        reason: String,
    },
}

#[cfg(test)]
mod tests;
