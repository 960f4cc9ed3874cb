//! The event stream: the engine's only output. Records, progress, tables and reports all consume it.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::compare::{Compared, Place};
use crate::counts::Counts;
use crate::plan::Planned;
use crate::policy::Check;
use crate::predictor::{RejectedProposal, Remarks, Usage};

/// One thing that happened in a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The user carried out an action.
    UserStep(UserStep),
    /// The predictor suggested nothing.
    Empty(EmptyCall),
    /// The predictor failed to answer.
    Error(FailedCall),
    /// The predictor proposed, and the policy decided.
    Prediction(Box<Prediction>),
    /// An accepted prediction could not be carried into the future; the acceptance was taken back (spec 02, 2.6).
    Divergence(Divergence),
    /// The rollout is over.
    End(Box<Summary>),
}

/// The user carried out an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserStep {
    /// Actions executed so far, this one included.
    pub t: u32,
    /// User actions so far, this one included.
    pub user_steps: u32,
    /// Canonical text of the action.
    pub action: String,
    /// Actions still to do.
    pub future: u32,
}

/// A call that brought no suggestion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmptyCall {
    /// Actions executed so far.
    pub t: u32,
    /// User actions so far.
    pub user_steps: u32,
    /// Proposals that were no actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedProposal>,
    /// What the predictor told of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Box<Remarks>>,
    /// What the call cost.
    pub usage: Usage,
}

/// A call that failed. It is neither an empty answer nor an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedCall {
    /// Actions executed so far.
    pub t: u32,
    /// User actions so far.
    pub user_steps: u32,
    /// The predictor's message.
    pub message: String,
    /// Whether the rollout had to end.
    pub fatal: bool,
    /// What kind of failure it is, where the predictor knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What came in place of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The end of what the predictor wrote to its standard error, if it is a program of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// What the call cost nevertheless.
    #[serde(default, skip_serializing_if = "Usage::is_none")]
    pub usage: Usage,
}

/// A non-empty proposal and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// 1-based index among non-empty proposals.
    pub prediction_idx: u32,
    /// Actions executed: after the jump if accepted, before it if not, as the published logs have it (Q8).
    pub t: u32,
    /// User actions so far.
    pub user_steps: u32,
    /// Canonical texts of the proposed actions, after truncation to the budget.
    pub predicted: Vec<String>,
    /// The same as proposed, where any of them was not in canonical spelling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed: Vec<String>,
    /// Proposals that were no actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedProposal>,
    /// What the predictor told of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Box<Remarks>>,
    /// The predictor's confidence between 0 and 1, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// How right the proposal is.
    pub metrics: Metrics,
    /// Whether the policy took it and it could be carried out.
    pub accepted: bool,
    /// Every check of the policy.
    pub checks: Vec<Check>,
    /// Length of history and future together before the decision.
    pub sequence_before: u32,
    /// Length of history, proposal and rewritten future together; none when the rewriting failed.
    pub sequence_after: Option<u32>,
    /// Actions to do before.
    pub future_before: u32,
    /// Actions to do if accepted; none when the rewriting failed.
    pub future_after: Option<u32>,
    /// Canonical texts of future actions that became unnecessary.
    pub removed: Vec<String>,
    /// Canonical texts of the undo actions that the user would have to make.
    pub undo: Vec<String>,
    /// First 16 hex digits of SHA-1 over the rewritten future's texts joined by line feeds, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub future_sha: Option<String>,
    /// The properties that the proposal got right, for coverage. Not part of the record: replay derives them again.
    #[serde(skip)]
    pub correct: Vec<PropertyKey>,
    /// What the call cost.
    pub usage: Usage,
}

/// One property of one cell, in the terms of the comparison (spec 02, 4).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyKey {
    /// Sheet name.
    pub sheet: std::sync::Arc<str>,
    /// The cell, or the range of a merge.
    pub place: Place,
    /// What was compared there; [`Compared::path`] is its name.
    pub compared: Compared,
}

impl Prediction {
    /// The proposed actions as the predictor spelled them.
    pub fn proposed(&self) -> &[String] {
        if self.proposed.is_empty() {
            &self.predicted
        } else {
            &self.proposed
        }
    }
}

/// The figures of one proposal (spec 02, 3 and 12). Field names follow the published logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Proposed actions that match the next actions exactly.
    pub exact_matches: u32,
    /// Proposed actions of the right family on another range.
    pub correct_op_wrong_range: u32,
    /// Proposed actions paired with an action of another family.
    pub wrong_op: u32,
    /// Properties by outcome.
    #[serde(rename = "tp")]
    pub tp: u32,
    /// Changed properties that are not wanted.
    pub fp: u32,
    /// Properties still missing.
    #[serde(rename = "fn")]
    pub missing: u32,
    /// Changed properties with a wrong value.
    pub mm: u32,
    /// tp / (tp + fp + mm).
    pub precision: f64,
    /// tp / (tp + fn + mm).
    pub recall: f64,
    /// User actions saved if accepted.
    pub ops_saved: i64,
    /// Proposed actions that strictly match some future action.
    pub lookahead_matches: u32,
    /// The same as a share of the proposed actions.
    pub lookahead_accuracy: f64,
    /// Always 0; kept because the published logs have it.
    pub undo_gain_from_final_state: i64,
    /// Future actions removed.
    pub undo_gain_from_dedup: u32,
    /// Undo actions.
    pub undo_inverse_ops: u32,
    /// Like `ops_saved`, with the proposed actions charged.
    pub undo_net_ops_saved: i64,
}

/// An acceptance that had to be taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    /// Actions executed so far.
    pub t: u32,
    /// 1-based index among non-empty proposals.
    pub prediction_idx: u32,
    /// What failed.
    pub description: String,
}

/// How a rollout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Everything was done and every call was answered.
    Complete,
    /// A limit stopped the rollout before everything was done.
    Truncated,
    /// An accepted prediction had to be taken back.
    Diverged,
    /// The predictor failed at least once, or the trajectory itself could not be carried out.
    Failed,
}

impl Outcome {
    /// The name used in records and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Truncated => "truncated",
            Self::Diverged => "diverged",
            Self::Failed => "failed",
        }
    }
}

/// The limit that stopped a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The number of user actions (`step_limit`).
    StepLimit,
    /// Accepted predictions in a row that did not shorten the future (`chain_max`).
    ChainMax,
    /// Actions left to do after an acceptance (`future_max`).
    FutureMax,
}

impl Limit {
    /// Whether the published system has the limit too; a rollout that another limit stopped has no UAS.
    pub fn is_published(self) -> bool {
        self == Self::StepLimit
    }
}

/// The end of a rollout (spec 02, 2.7). Ratios are between 0 and 1 and absent rather than 0 where undefined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Trajectory name.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The limit that stopped it, if one did.
    pub limit: Option<Limit>,
    /// The error that ended it early, if one did.
    pub error: Option<String>,
    /// Actions of the trajectory, the reference length of UAS.
    pub actions: u32,
    /// User actions carried out.
    pub user_steps: u32,
    /// (actions − user steps) / actions as the protocol reports it; absent where it has no meaning.
    pub uas: Option<f64>,
    /// Non-empty proposals.
    pub predictions: u32,
    /// Proposals accepted and carried out.
    pub accepted: u32,
    /// Proposals refused.
    pub rejected: u32,
    /// Calls without a suggestion.
    pub empty: u32,
    /// Calls that failed.
    pub errors: u32,
    /// Acceptances taken back.
    pub divergences: u32,
    /// Calls with at least one proposal that was no action.
    pub calls_with_rejected_proposals: u32,
    /// Proposals that were no actions.
    pub rejected_proposals: u32,
    /// Pieces of answers that were no proposals, such as prose.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_texts: u32,
    /// Answers that were cut off before their end.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub truncated_answers: u32,
    /// How often the predictor was started anew, after which it answered.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub restarts: u32,
    /// Failed calls by kind, where the predictor knows it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u32>,
    /// Sum over all proposals, refused ones included.
    pub counts: Counts,
    /// Mean precision over proposals; absent without any.
    pub precision: Option<f64>,
    /// Mean precision over the proposals that did not diverge (spec 02, 2.6); absent without any.
    pub precision_details: Option<f64>,
    /// Sum of actions saved over accepted proposals.
    pub ops_saved: i64,
    /// Undo actions added by accepted proposals.
    pub undo_actions: u32,
    /// Future actions that accepted proposals made unnecessary.
    pub removed_actions: u32,
    /// Actions executed and left at the end.
    pub final_length: u32,
    /// Formatting actions of the trajectory: all but INPUT, VALUE and FORMULA.
    pub formatting_actions: u32,
    /// Formatting actions carried out by the user.
    pub user_formatting_steps: u32,
    /// Whether a step limit was given and reached, also when it was reached exactly at the end (spec 02, 2.7).
    pub step_limit_reached: bool,
    /// Counts by property type over all proposals, of the comparison before restriction to changes (Q17).
    pub by_property: BTreeMap<String, Counts>,
    /// Tokens.
    pub usage: Usage,
    /// Canonical texts of the actions left undone.
    pub remaining: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What a rollout turns to, for those who want to know where its time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Carrying a proposal out on trial and scoring it.
    Score,
    /// Working out the rewritten future.
    Rewrite,
    /// Anything else.
    Rest,
}

/// A judged proposal in terms of actions, which an event tells in texts and numbers only.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The proposed actions, after truncation to the budget.
    pub predicted: &'a [Rc<Planned>],
    /// What the user has to do before the decision, the next action first.
    pub before: &'a [Rc<Planned>],
    /// What the user has to do if the proposal is taken; none where the rewriting failed. Actions that stay are the very
    /// ones of `before`.
    pub after: Option<&'a [Rc<Planned>]>,
}

/// Takes the events of one rollout, in order.
pub trait EventSink {
    /// Takes one event.
    fn event(&mut self, event: Event);

    /// Whether the sink wants to be told of actions, and of futures before and after proposals. That takes time, so
    /// nobody is told unasked. It changes no event.
    fn wants_actions(&self) -> bool {
        false
    }

    /// The user is about to carry out this action; its event comes next. Told only to those who want actions.
    fn user_action(&mut self, _action: &Rc<Planned>) {}

    /// A proposal was judged and not yet carried out; its events come next. Told only to those who want actions.
    fn judged(&mut self, _judged: Judged<'_>) {}

    /// The rollout turns to another kind of work.
    fn stage(&mut self, _stage: Stage) {}
}

impl EventSink for Vec<Event> {
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}
