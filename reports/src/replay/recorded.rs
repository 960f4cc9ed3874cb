//! The predictor that gives the answers of a record.

use napsim_sim::event::{Event, FailedCall, Prediction};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, RejectedProposal, Remarks, Seed, TrajectoryHead,
    Unanswered, Usage, View,
};
use napsim_trajectories::Action;

/// Answers the call of index `n` as the recorded one of that index was answered, and any later one with nothing.
pub(super) struct Recorded<'a> {
    answers: Vec<Answer<'a>>,
}

enum Answer<'a> {
    Empty {
        rejected: &'a [RejectedProposal],
        remarks: Option<&'a Remarks>,
        usage: Usage,
    },
    Proposed(&'a Prediction),
    Failed(&'a FailedCall),
}

impl<'a> Recorded<'a> {
    pub(super) fn new(events: &'a [Event]) -> Self {
        let answer = |event: &'a Event| match event {
            Event::Empty(call) => Some(Answer::Empty {
                rejected: &call.rejected,
                remarks: call.remarks.as_deref(),
                usage: call.usage,
            }),
            Event::Prediction(prediction) => Some(Answer::Proposed(prediction)),
            Event::Error(call) => Some(Answer::Failed(call)),
            Event::UserStep(_) | Event::Divergence(_) | Event::End(_) => None,
        };
        Self {
            answers: events.iter().filter_map(answer).collect(),
        }
    }
}

/// Repeats what was told of an answer besides its proposals.
fn tell(out: &mut Proposals, rejected: &[RejectedProposal], remarks: Option<&Remarks>) {
    for proposal in rejected {
        out.reject(&proposal.text, &proposal.reason);
    }
    if let Some(remarks) = remarks {
        out.remark(remarks.clone());
    }
}

/// The failure of a call, as it was.
fn failure(call: &FailedCall) -> PredictError {
    let (message, fatal) = (call.message.clone(), call.fatal);
    match &call.kind {
        Some(kind) => PredictError::Unanswered(Box::new(Unanswered {
            kind: kind.clone(),
            message,
            raw: call.raw.clone(),
            stderr: call.stderr.clone(),
            usage: call.usage,
            fatal,
        })),
        None if fatal => PredictError::Fatal(message),
        None => PredictError::Call(message),
    }
}

impl Predictor for Recorded<'_> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("recorded".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let answer = usize::try_from(view.call_idx)
            .ok()
            .and_then(|idx| self.answers.get(idx));
        match answer {
            None => Ok(Usage::default()),
            Some(Answer::Empty {
                rejected,
                remarks,
                usage,
            }) => {
                tell(out, rejected, *remarks);
                Ok(*usage)
            }
            Some(Answer::Proposed(prediction)) => {
                for text in prediction.proposed() {
                    // A text that is no action shows as a difference to the record.
                    let _ = out.push_text(text, prediction.confidence);
                }
                tell(out, &prediction.rejected, prediction.remarks.as_deref());
                Ok(prediction.usage)
            }
            Some(Answer::Failed(call)) => Err(failure(call)),
        }
    }
}
