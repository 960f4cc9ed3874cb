//! Editors and judges that give prepared replies: for tests, and to replay a recorded refinement.

use std::collections::VecDeque;

use super::log::{CallRole, LogEntry};
use super::reply::{EditReply, Usage, Verdict};
use super::{EditRequest, Editor, Judge, JudgeRequest, RefineError};

/// One prepared reply.
#[derive(Clone, Debug)]
struct Reply {
    text: String,
    penalty: Option<u32>,
    usage: Usage,
}

/// Replies that are given one after the other, whatever is asked.
#[derive(Clone, Debug, Default)]
struct Script {
    left: VecDeque<Reply>,
    n_given: usize,
}

impl Script {
    fn of_texts(texts: &[&str]) -> Self {
        let reply = |text: &&str| Reply {
            text: (*text).to_owned(),
            penalty: None,
            usage: Usage::default(),
        };
        Self {
            left: texts.iter().map(reply).collect(),
            n_given: 0,
        }
    }

    /// The replies of one role; calls that got none are left out, so the replay ends where the recording failed.
    fn of_log(entries: &[LogEntry], role: CallRole) -> Self {
        let given = entries
            .iter()
            .filter(|entry| entry.role == role && !entry.reply.is_empty());
        let reply = |entry: &LogEntry| Reply {
            text: entry.reply.clone(),
            penalty: entry.penalty,
            usage: entry.usage,
        };
        Self {
            left: given.map(reply).collect(),
            n_given: 0,
        }
    }

    fn next(&mut self) -> Result<Reply, RefineError> {
        let n_replies = self.n_given;
        self.n_given += 1;
        self.left.pop_front().ok_or(RefineError::Exhausted { n_replies })
    }
}

/// An editor with prepared replies.
#[derive(Clone, Debug, Default)]
pub struct ScriptedEditor(Script);

impl ScriptedEditor {
    /// An editor that gives these replies in order.
    pub fn new(replies: &[&str]) -> Self {
        Self(Script::of_texts(replies))
    }

    /// An editor that repeats a recorded one.
    pub fn from_log(entries: &[LogEntry]) -> Self {
        Self(Script::of_log(entries, CallRole::Editor))
    }
}

impl Editor for ScriptedEditor {
    fn edit(&mut self, _request: &EditRequest<'_>) -> Result<EditReply, RefineError> {
        let reply = self.0.next()?;
        Ok(EditReply::from_json(&reply.text, reply.usage)?)
    }
}

/// A judge with prepared verdicts.
#[derive(Clone, Debug, Default)]
pub struct ScriptedJudge(Script);

impl ScriptedJudge {
    /// A judge that gives these verdicts in order.
    pub fn new(verdicts: &[&str]) -> Self {
        Self(Script::of_texts(verdicts))
    }

    /// A judge that repeats a recorded one, with the weight that it gave to its reasons.
    pub fn from_log(entries: &[LogEntry]) -> Self {
        Self(Script::of_log(entries, CallRole::Judge))
    }
}

impl Judge for ScriptedJudge {
    fn judge(&mut self, _request: &JudgeRequest<'_>) -> Result<Verdict, RefineError> {
        let reply = self.0.next()?;
        let verdict = Verdict::from_json(&reply.text, reply.usage)?;
        Ok(Verdict {
            penalty: reply.penalty.unwrap_or(verdict.penalty),
            ..verdict
        })
    }
}
