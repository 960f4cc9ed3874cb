//! One trajectory step by step: what the user did, what was proposed, and why it was accepted or not.

mod text;

use napsim_reports::record::UnitRecord;
use napsim_sim::event::{Event, Metrics, Prediction};
use napsim_sim::policy::Check;
use napsim_sim::predictor::RejectedProposal;
use serde::Serialize;

use crate::kind::Kind;
use crate::progress::Answer;

pub use text::text;

/// Name and version of the object's schema.
pub const SCHEMA: &str = "napsim-trace/1";

/// One trajectory step by step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Name of the trajectory.
    pub name: &'a str,
    /// The predictor.
    pub predictor: &'a str,
    /// The acceptance policy.
    pub policy: &'a str,
    /// Actions of the trajectory.
    pub actions: u32,
    /// Actions that the user carried out.
    pub user_steps: u32,
    /// The steps, or the one that was asked for.
    pub steps: Vec<TraceStep<'a>>,
}

/// An action of the user, and the calls of the predictor that followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TraceStep<'a> {
    /// Which action of the user it is, from 1.
    pub user_step: u32,
    /// The action.
    pub action: &'a str,
    /// Actions left to do afterwards.
    pub left: u32,
    /// The calls that followed, in order.
    pub calls: Vec<TraceCall<'a>>,
}

/// A call of the predictor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceCall<'a> {
    /// What became of it.
    pub answer: Answer,
    /// Why, where the predictor failed or an acceptance was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'a str>,
    /// Parts of the answer that were no actions.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub invalid: &'a [RejectedProposal],
    /// What was proposed; absent where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<TraceProposal<'a>>,
}

/// A proposal and what would come or came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceProposal<'a> {
    /// Which of the trajectory's predictions it is, from 1.
    pub prediction_idx: u32,
    /// The predictor's confidence between 0 and 1, if it gave one.
    pub confidence: Option<f64>,
    /// The proposed actions.
    pub actions: Vec<TraceAction<'a>>,
    /// Every check of the policy.
    pub checks: &'a [Check],
    /// How right it is.
    pub metrics: Metrics,
    /// Future actions that become unnecessary.
    pub removed: &'a [String],
    /// Undo actions that the user has to make.
    pub undo: &'a [String],
    /// Actions left to do before.
    pub left_before: u32,
    /// Actions left to do if accepted; absent when the future could not be rewritten.
    pub left_after: Option<u32>,
}

/// A proposed action.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TraceAction<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub action: &'a str,
}

/// A step that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("show step {step} of `{name}`: its user carries out {user_steps} actions, counted from 1")]
pub struct NoSuchStep {
    /// The step that was asked for.
    pub step: u32,
    /// The trajectory.
    pub name: String,
    /// How many there are.
    pub user_steps: u32,
}

impl<'a> Trace<'a> {
    /// The whole course of a record, or one step of it, counted from 1 by actions of the user.
    ///
    /// # Errors
    /// [`NoSuchStep`] where the user did not carry out so many actions.
    pub fn of(record: &'a UnitRecord, step: Option<u32>) -> Result<Self, NoSuchStep> {
        let mut steps = steps(&record.events);
        let n_steps = steps.last().map_or(0, |last| last.user_step);
        if let Some(wanted) = step {
            steps.retain(|step| step.user_step == wanted);
            if steps.is_empty() {
                return Err(NoSuchStep {
                    step: wanted,
                    name: record.summary.name.clone(),
                    user_steps: n_steps,
                });
            }
        }
        Ok(Self {
            schema: SCHEMA,
            name: &record.summary.name,
            predictor: &record.header.setup.predictor,
            policy: &record.header.setup.policy,
            actions: record.summary.actions,
            user_steps: record.summary.user_steps,
            steps,
        })
    }
}

fn steps(events: &[Event]) -> Vec<TraceStep<'_>> {
    let mut steps: Vec<TraceStep<'_>> = Vec::new();
    let mut taken_back = None;
    for event in events {
        let call = match event {
            Event::UserStep(step) => {
                steps.push(TraceStep {
                    user_step: step.user_steps,
                    action: &step.action,
                    left: step.future,
                    calls: Vec::new(),
                });
                continue;
            }
            Event::Divergence(divergence) => {
                taken_back = Some(divergence.description.as_str());
                continue;
            }
            Event::End(_) => continue,
            Event::Empty(call) => TraceCall {
                answer: Answer::Empty,
                message: None,
                invalid: &call.rejected,
                proposal: None,
            },
            Event::Error(call) => TraceCall {
                answer: Answer::Failed,
                message: Some(&call.message),
                invalid: &[],
                proposal: None,
            },
            Event::Prediction(prediction) => {
                let message = taken_back.take();
                TraceCall {
                    answer: match (prediction.accepted, message) {
                        (true, _) => Answer::Accepted,
                        (false, Some(_)) => Answer::Diverged,
                        (false, None) => Answer::Rejected,
                    },
                    message,
                    invalid: &prediction.rejected,
                    proposal: Some(proposal(prediction)),
                }
            }
        };
        // A call comes after an action of the user.
        if steps.is_empty() {
            steps.push(TraceStep::default());
        }
        if let Some(step) = steps.last_mut() {
            step.calls.push(call);
        }
    }
    steps
}

fn proposal(prediction: &Prediction) -> TraceProposal<'_> {
    let action = |action| TraceAction {
        kind: Kind::of_text(action),
        action,
    };
    TraceProposal {
        prediction_idx: prediction.prediction_idx,
        confidence: prediction.confidence,
        actions: prediction.predicted.iter().map(|text| action(text)).collect(),
        checks: &prediction.checks,
        metrics: prediction.metrics,
        removed: &prediction.removed,
        undo: &prediction.undo,
        left_before: prediction.future_before,
        left_after: prediction.future_after,
    }
}

#[cfg(test)]
mod tests;
