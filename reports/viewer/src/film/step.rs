//! The steps of a film, one for each event but divergences, which belong to the prediction after them.

use napsim_sim::predictor::{DroppedText, RejectedProposal, Remarks, Usage};
use serde::{Serialize, Serializer};

use super::change::Change;
use super::dictionary::cut;

/// One step. `k` tells which.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "k")]
pub(crate) enum Step {
    /// The user carries out the next action of the future.
    #[serde(rename = "u")]
    User(UserStep),
    /// A proposal and what became of it.
    #[serde(rename = "p")]
    Proposal(Box<ProposalStep>),
    /// The predictor suggested nothing.
    #[serde(rename = "e")]
    Empty(EmptyStep),
    /// The predictor failed to answer.
    #[serde(rename = "f")]
    Failed(Box<FailedStep>),
    /// The end.
    #[serde(rename = "x")]
    End,
}

impl Step {
    /// What the step changes, or would change.
    pub(crate) fn changes(&self) -> &[Change] {
        match self {
            Self::User(step) => &step.changes,
            Self::Proposal(step) => &step.changes,
            Self::Empty(_) | Self::Failed(_) | Self::End => &[],
        }
    }
}

/// The user carried out an action.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct UserStep {
    /// Number of the action, for those who do not follow the future.
    #[serde(skip)]
    pub(crate) action: u32,
    /// Why the action could not be carried out.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<Change>,
}

/// A proposal.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProposalStep {
    /// Numbers of the proposed actions.
    #[serde(rename = "p")]
    pub(crate) predicted: Vec<u32>,
    #[serde(rename = "a", serialize_with = "as_number", skip_serializing_if = "is_off")]
    pub(crate) accepted: bool,
    /// tp, fp, fn, mm, saved, removed, undo, exact matches, wrong range, wrong kind, matches further on.
    #[serde(rename = "m")]
    pub(crate) figures: [i64; 11],
    #[serde(rename = "q", skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<f64>,
    /// Number of the bound, value, and whether it holds.
    #[serde(rename = "h", skip_serializing_if = "Vec::is_empty")]
    pub(crate) checks: Vec<CheckedBound>,
    /// What the proposal changes, or would change.
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    pub(crate) changes: Vec<Change>,
    /// What it does, or would do, to the future; none where the rewriting failed.
    #[serde(rename = "e")]
    pub(crate) edits: Option<Vec<ShownEdit>>,
    /// Proposed actions that cannot be carried out, by index, with the reason.
    #[serde(rename = "n", skip_serializing_if = "Vec::is_empty")]
    pub(crate) failures: Vec<(usize, String)>,
    /// Why the acceptance was taken back.
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    pub(crate) divergence: Option<String>,
    /// The lines as proposed, where one of them is spelled otherwise.
    #[serde(rename = "o", skip_serializing_if = "Vec::is_empty")]
    pub(crate) spelled: Vec<String>,
    #[serde(flatten)]
    pub(crate) said: Said,
}

/// A bound of the policy held against a prediction: number of the bound, value, whether it holds.
pub(crate) type CheckedBound = (u32, f64, u8);

/// A call without a suggestion.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EmptyStep {
    #[serde(flatten)]
    pub(crate) said: Said,
}

/// A call that failed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FailedStep {
    #[serde(rename = "m")]
    pub(crate) message: String,
    #[serde(rename = "y", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    #[serde(rename = "b", serialize_with = "as_number", skip_serializing_if = "is_off")]
    pub(crate) fatal: bool,
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<String>,
    #[serde(rename = "z", skip_serializing_if = "Option::is_none")]
    pub(crate) stderr: Option<String>,
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<(u64, u64)>,
}

/// What came with an answer besides proposals.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Said {
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pub(crate) intent: Option<String>,
    /// Proposals that are no actions, each with the reason.
    #[serde(rename = "r", skip_serializing_if = "Vec::is_empty")]
    pub(crate) rejected: Vec<(String, String)>,
    /// Pieces that are no proposals, each with the reason.
    #[serde(rename = "g", skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped: Vec<(String, String)>,
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<String>,
    #[serde(rename = "b", serialize_with = "as_number", skip_serializing_if = "is_off")]
    pub(crate) truncated: bool,
    /// Failures after which the predictor was started anew.
    #[serde(rename = "s", skip_serializing_if = "Vec::is_empty")]
    pub(crate) restarts: Vec<String>,
    /// Tokens read and written.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<(u64, u64)>,
}

impl Said {
    pub(super) fn of(rejected: &[RejectedProposal], remarks: Option<&Remarks>, usage: Usage) -> Self {
        let rejected = rejected
            .iter()
            .map(|proposal| (cut(proposal.text.clone()), cut(proposal.reason.clone())));
        let dropped = |dropped: &DroppedText| (cut(dropped.text.clone()), cut(dropped.why.clone()));
        let of_remarks = remarks.map(|remarks| Self {
            intent: remarks.intent.clone().map(cut),
            dropped: remarks.dropped.iter().map(dropped).collect(),
            raw: remarks.raw.clone().map(cut),
            truncated: remarks.truncated,
            restarts: remarks.restarts.iter().cloned().map(cut).collect(),
            ..Self::default()
        });
        Self {
            rejected: rejected.collect(),
            tokens: tokens(usage),
            ..of_remarks.unwrap_or_default()
        }
    }
}

/// Tokens read and written, where there are any.
pub(super) fn tokens(usage: Usage) -> Option<(u64, u64)> {
    (!usage.is_none()).then_some((usage.input_tokens, usage.output_tokens))
}

/// One place where the future changes: actions before it, actions that go, actions that come (twice their number, plus one
/// for an undo action), and which of those that go are replaced rather than done, by index.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShownEdit {
    pub(crate) at: usize,
    pub(crate) n_removed: usize,
    pub(crate) inserted: Vec<u32>,
    pub(crate) replaced: Vec<usize>,
}

impl Serialize for ShownEdit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (at, n, inserted, replaced) = (self.at, self.n_removed, &self.inserted, &self.replaced);
        match (inserted.is_empty(), replaced.is_empty()) {
            (true, true) => [at, n].serialize(serializer),
            (false, true) => (at, n, inserted).serialize(serializer),
            _ => (at, n, inserted, replaced).serialize(serializer),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_off(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn as_number<S: Serializer>(flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(u8::from(*flag))
}
