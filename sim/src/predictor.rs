//! What a next-action predictor is to the simulator.
//!
//! A predictor is handed history, the sheet as it stands and a budget. Nothing it is handed leads to the
//! future: leakage is a compile error, not a matter of care.

use std::cell::{Ref, RefCell};
use std::fmt;

use napsim_trajectories::{Action, ParseError};
use serde::{Deserialize, Serialize};

use crate::state::Workbook;

/// Identity of a predictor for cache keys and reports: equal fingerprints imply equal outputs.
///
/// The text names code version, parameters and, where there are any, the hash of the weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint(pub String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The seed of everything random in one rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Seed(pub u64);

/// What is known of a trajectory before its first action.
#[derive(Clone, Copy, Debug)]
pub struct TrajectoryHead<'a> {
    /// Name of the trajectory.
    pub name: &'a str,
    /// Sheet of its first action.
    pub sheet: &'a str,
}

/// What a predictor sees when it is asked.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Everything executed so far, oldest first: user's actions, accepted predictions, undo actions.
    pub history: &'a [Action],
    /// The workbook after that history, for those who ask; see [`workbook`](Self::workbook).
    pub current: &'a CurrentWorkbook,
    /// Actions the user has carried out with her own hands.
    pub user_steps: u32,
    /// Index of this call in the rollout, from 0, empty answers and failures included.
    pub call_idx: u32,
}

impl<'a> View<'a> {
    /// The workbook after the history, brought up to date when asked for.
    pub fn workbook(&self) -> Ref<'a, Workbook> {
        self.current.after(self.history)
    }
}

/// A workbook that follows a growing history, as far as somebody asks.
#[derive(Debug, Default)]
pub struct CurrentWorkbook {
    known: RefCell<Known>,
}

/// The workbook after the first actions of the history.
#[derive(Debug, Default)]
struct Known {
    workbook: Workbook,
    n_actions: usize,
}

impl CurrentWorkbook {
    /// The workbook after a history, of which the one asked for before was a part.
    fn after(&self, history: &[Action]) -> Ref<'_, Workbook> {
        // Nobody can hold the workbook while history grows, so it is free where there is something to add.
        if let Ok(mut known) = self.known.try_borrow_mut() {
            let Known { workbook, n_actions } = &mut *known;
            workbook.apply_lenient(history.get(*n_actions..).unwrap_or_default());
            *n_actions = history.len();
        }
        Ref::map(self.known.borrow(), |known| &known.workbook)
    }
}

/// How much a predictor may propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// At most this many actions; none means as many as the predictor likes.
    pub actions_max: Option<u32>,
}

/// One proposed action.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The action.
    pub action: Action,
    /// The line that it was read from, where the predictor proposed a line.
    pub line: Option<String>,
    /// The predictor's probability that the action is right, between 0 and 1, if it gives one.
    pub confidence: Option<f64>,
}

/// A proposal that could not be read as an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedProposal {
    /// The text proposed.
    pub text: String,
    /// Why it is no action.
    pub reason: String,
}

/// A piece of an answer that became no proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedText {
    /// The piece.
    pub text: String,
    /// Why it became none.
    pub why: String,
}

/// What a predictor tells of an answer besides its proposals. It makes no difference to any figure but the counts of
/// what it tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remarks {
    /// What in the answer was not meant or not taken as a proposal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<DroppedText>,
    /// What the user is after in the predictor's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Whether the answer was cut off before its end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// The whole answer, where it does not follow from the proposals and what was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What the answer is kept under, where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The failures after which the predictor was started anew and asked again, before it answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restarts: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The answer of a predictor, in order of execution; no action at all means "no suggestion".
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    actions: Vec<Proposal>,
    rejected: Vec<RejectedProposal>,
    remarks: Option<Box<Remarks>>,
}

impl Proposals {
    /// Proposes an action.
    pub fn push(&mut self, action: Action, confidence: Option<f64>) {
        self.actions.push(Proposal {
            action,
            line: None,
            confidence,
        });
    }

    /// Proposes a line of the text notation; a line that does not parse is kept aside and counted.
    ///
    /// # Errors
    /// The [`ParseError`], after the line was noted, for callers that want to stop there.
    pub fn push_text(&mut self, text: &str, confidence: Option<f64>) -> Result<(), ParseError> {
        match Action::parse(text) {
            Ok(action) => {
                let line = Some(text.to_owned());
                self.actions.push(Proposal {
                    action,
                    line,
                    confidence,
                });
                Ok(())
            }
            Err(error) => {
                self.reject(text, error.to_string());
                Err(error)
            }
        }
    }

    /// Notes a proposal that is no action.
    pub fn reject(&mut self, text: impl Into<String>, reason: impl Into<String>) {
        self.rejected.push(RejectedProposal {
            text: text.into(),
            reason: reason.into(),
        });
    }

    /// Says something about the answer.
    pub fn remark(&mut self, remarks: Remarks) {
        self.remarks = Some(Box::new(remarks)).filter(|remarks| **remarks != Remarks::default());
    }

    /// What was said about the answer.
    pub fn remarks(&self) -> Option<&Remarks> {
        self.remarks.as_deref()
    }

    /// The proposed actions.
    pub fn actions(&self) -> &[Proposal] {
        &self.actions
    }

    /// Proposals that are no actions.
    pub fn rejected(&self) -> &[RejectedProposal] {
        &self.rejected
    }

    /// Whether nothing is suggested.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Keeps the first `n` actions.
    pub fn truncate(&mut self, n: usize) {
        self.actions.truncate(n);
    }

    /// Forgets everything, so that the value can be reused.
    pub fn clear(&mut self) {
        self.actions.clear();
        self.rejected.clear();
        self.remarks = None;
    }

    /// The smallest confidence among the actions, if every action has one.
    pub fn confidence(&self) -> Option<f64> {
        self.actions
            .iter()
            .map(|proposal| proposal.confidence)
            .try_fold(f64::INFINITY, |low, c| Some(low.min(c?)))
            .filter(|c| c.is_finite())
    }
}

/// What one prediction cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl Usage {
    /// Whether nothing was read or written.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// Why a predictor gave no answer. Never the same as an empty answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// This call failed; later calls may succeed. The rollout goes on and is marked as failed.
    #[error("{0}")]
    Call(String),
    /// The predictor cannot go on; the rollout ends here.
    #[error("{0}")]
    Fatal(String),
    /// There was an answer that is none, or an attempt at one.
    #[error("{}", .0.message)]
    Unanswered(Box<Unanswered>),
}

/// A call without an answer of which more is known than a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// What kind of failure it is, as counts and records name it, such as `refusal`.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// What came in place of an answer.
    pub raw: Option<String>,
    /// The end of what the predictor wrote to its standard error, if it is a program of its own.
    pub stderr: Option<String>,
    /// What it cost.
    pub usage: Usage,
    /// Whether the rollout ends here.
    pub fatal: bool,
}

impl PredictError {
    /// Whether the rollout ends here.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Call(_) => false,
            Self::Fatal(_) => true,
            Self::Unanswered(call) => call.fatal,
        }
    }
}

/// Proposes the user's next actions in one trajectory.
///
/// One value serves one rollout at a time: [`begin`](Predictor::begin), then any interleaving of
/// [`observe`](Predictor::observe) and [`predict`](Predictor::predict).
pub trait Predictor: Send {
    /// Identity for cache keys and reports.
    fn fingerprint(&self) -> Fingerprint;

    /// Starts a trajectory; everything learnt from an earlier one is forgotten.
    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed);

    /// Actions that just became history, oldest first, each exactly once, never windowed.
    ///
    /// A context window is a property of what a predictor does with its history, never of the feed.
    fn observe(&mut self, actions: &[Action]);

    /// At most `budget.actions_max` proposals in order of execution; none means "no suggestion".
    ///
    /// `out` is empty on entry.
    ///
    /// # Errors
    /// [`PredictError`] when there is no answer. It is recorded as a failed call, never as an empty answer.
    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError>;

    /// The last answer was not shown to the user, because another predictor's was preferred.
    fn withdrawn(&mut self) {}

    /// These actions were shown to the user, proposed by whomever, and refused. A rollout does not say so: a predictor
    /// that proposed alone learns it from what it observes next.
    fn refused(&mut self, _actions: &[Action]) {}
}
