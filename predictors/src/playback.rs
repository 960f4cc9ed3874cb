//! The predictor that repeats recorded answers, for tests and for scoring a recorded run anew.

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;
use sha2::{Digest, Sha256};

/// What a recorded call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedCall {
    /// These lines were proposed; those that are no actions are rejected again. No line at all is "no suggestion".
    Lines(Vec<String>),
    /// The call failed with this message.
    Failed(String),
    /// The predictor gave up with this message.
    Fatal(String),
}

/// Answers the call of index `n` with the recorded call of that index, and every later call with nothing.
///
/// One value plays the same recording in every trajectory.
#[derive(Clone, Debug)]
pub struct Playback {
    calls: Vec<RecordedCall>,
    digest: String,
}

impl Playback {
    /// A player of recorded calls, the first one first.
    pub fn new(calls: Vec<RecordedCall>) -> Self {
        let digest = digest(&calls);
        Self { calls, digest }
    }
}

/// SHA-256 of the recording in hex, each text preceded by its kind and length.
fn digest(calls: &[RecordedCall]) -> String {
    let mut hash = Sha256::new();
    let mut add = |kind: &str, text: &str| hash.update(format!("{kind} {} {text}\n", text.len()));
    for call in calls {
        match call {
            RecordedCall::Lines(lines) => {
                add("lines", &lines.len().to_string());
                lines.iter().for_each(|line| add("line", line));
            }
            RecordedCall::Failed(message) => add("failed", message),
            RecordedCall::Fatal(message) => add("fatal", message),
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Predictor for Playback {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(format!("playback/{}?sha256={}", env!("CARGO_PKG_VERSION"), self.digest))
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let call = usize::try_from(view.call_idx).ok().and_then(|idx| self.calls.get(idx));
        match call {
            Some(RecordedCall::Lines(lines)) => {
                for line in lines {
                    // A line that is no action is kept among the rejected ones.
                    let _ = out.push_text(line, None);
                }
                Ok(Usage::default())
            }
            Some(RecordedCall::Failed(message)) => Err(PredictError::Call(message.clone())),
            Some(RecordedCall::Fatal(message)) => Err(PredictError::Fatal(message.clone())),
            None => Ok(Usage::default()),
        }
    }
}
