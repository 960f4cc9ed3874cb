//! The predictor that gives the answers of a record.

use napsim_sim::event::{Event, Prediction};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, RejectedProposal, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

/// Answers the call of index `n` as the recorded one of that index was answered, and any later one with nothing.
pub(super) struct Recorded<'a> {
    answers: Vec<Answer<'a>>,
}

enum Answer<'a> {
    Empty {
        rejected: &'a [RejectedProposal],
        usage: Usage,
    },
    Proposed(&'a Prediction),
    Failed {
        message: &'a str,
        fatal: bool,
    },
}

impl<'a> Recorded<'a> {
    pub(super) fn new(events: &'a [Event]) -> Self {
        let answer = |event: &'a Event| match event {
            Event::Empty(call) => Some(Answer::Empty {
                rejected: &call.rejected,
                usage: call.usage,
            }),
            Event::Prediction(prediction) => Some(Answer::Proposed(prediction)),
            Event::Error(call) => Some(Answer::Failed {
                message: &call.message,
                fatal: call.fatal,
            }),
            Event::UserStep(_) | Event::Divergence(_) | Event::End(_) => None,
        };
        Self {
            answers: events.iter().filter_map(answer).collect(),
        }
    }
}

fn reject(out: &mut Proposals, rejected: &[RejectedProposal]) {
    for proposal in rejected {
        out.reject(&proposal.text, &proposal.reason);
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
            Some(Answer::Empty { rejected, usage }) => {
                reject(out, rejected);
                Ok(*usage)
            }
            Some(Answer::Proposed(prediction)) => {
                for text in prediction.proposed() {
                    // A text that is no action shows as a difference to the record.
                    let _ = out.push_text(text, prediction.confidence);
                }
                reject(out, &prediction.rejected);
                Ok(prediction.usage)
            }
            Some(Answer::Failed { message, fatal: true }) => Err(PredictError::Fatal((*message).to_owned())),
            Some(Answer::Failed { message, fatal: false }) => Err(PredictError::Call((*message).to_owned())),
        }
    }
}
