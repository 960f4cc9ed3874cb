//! Replay: every figure of a record derived again, without the predictor.
//!
//! The rollout is done anew with the recorded proposals, and what happens is held against what was recorded, event by
//! event.

mod recorded;

use napsim_sim::event::{Event, EventSink, Summary};
use napsim_sim::policy::AcceptancePolicy;
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_trajectories::{Action, ParseError, Trajectory};

use crate::aggregate::UnitResult;
use crate::coverage::Coverage;
use crate::difference::Difference;
use crate::record::UnitRecord;
use recorded::Recorded;

/// Why a record cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The header holds a line that is no action.
    #[error("read line {line_no} of the recorded trajectory: {reason}")]
    Line {
        /// The line among those of the trajectory, from 1.
        line_no: usize,
        /// What is wrong with it.
        reason: ParseError,
    },
    /// The actions are not those that were measured.
    #[error("find the measured trajectory: its digest is {recorded}, but that of the recorded lines is {derived}")]
    Digest {
        /// The digest in the header.
        recorded: String,
        /// The digest of the header's lines.
        derived: String,
    },
}

/// What a replay came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// What the rollout comes to when done anew.
    pub result: UnitResult,
    /// Events held against each other and found equal.
    pub n_equal: u64,
    /// The first thing that is not as recorded.
    pub mismatch: Option<Mismatch>,
}

/// The first thing in a record that is not as it comes out again.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// Index of the event, from 0; absent when all events are equal and what follows from them is not.
    pub event_idx: Option<u64>,
    /// Where in the event, what comes out (left), and what is recorded (right).
    pub difference: Difference,
}

/// Does a recorded rollout anew.
///
/// # Errors
/// [`ReplayError`] when the record does not hold the trajectory that was measured.
pub fn replay(record: &UnitRecord, policy: &dyn AcceptancePolicy, protocol: &Protocol) -> Result<Replay, ReplayError> {
    let recorded = &record.header.trajectory;
    let mut comparison = Comparison {
        expected: record.events.iter(),
        n_equal: 0,
        mismatch: None,
        coverage: recorded.predictable.as_ref().map(Coverage::new),
    };
    let summary = replay_into(record, policy, protocol, &mut comparison)?;
    comparison.finish();
    let coverage = comparison.coverage.map(|coverage| coverage.counts());
    let of_coverage = || {
        let difference = Difference::between(&coverage, &record.seal.coverage)?;
        Some(Mismatch {
            event_idx: None,
            difference,
        })
    };
    let mismatch = comparison.mismatch.or_else(of_coverage);
    Ok(Replay {
        result: UnitResult { summary, coverage },
        n_equal: comparison.n_equal,
        mismatch,
    })
}

/// Does a recorded rollout anew and tells a sink of it. Nothing is held against what was recorded.
///
/// # Errors
/// [`ReplayError`] when the record does not hold the trajectory that was measured.
pub fn replay_into(
    record: &UnitRecord,
    policy: &dyn AcceptancePolicy,
    protocol: &Protocol,
    sink: &mut dyn EventSink,
) -> Result<Summary, ReplayError> {
    let actions = measured_actions(record)?;
    let task = Task {
        name: &record.header.trajectory.name,
        actions: &actions,
        policy,
        protocol,
        settings: &record.header.setup.settings,
    };
    Ok(rollout(task, &mut Recorded::new(&record.events), sink))
}

/// The actions of the recorded trajectory, which must be those that were measured.
///
/// # Errors
/// [`ReplayError`] for a line that is no action, and where the digest is another one.
pub fn measured_actions(record: &UnitRecord) -> Result<Vec<Action>, ReplayError> {
    let recorded = &record.header.trajectory;
    let actions = recorded.actions().map_err(|(idx, reason)| ReplayError::Line {
        line_no: idx + 1,
        reason,
    })?;
    let trajectory = Trajectory {
        name: recorded.name.clone(),
        title: None,
        description: None,
        actions,
        lines: Vec::new(),
        predictable: None,
    };
    let derived = trajectory.digest();
    if derived != recorded.digest {
        return Err(ReplayError::Digest {
            recorded: recorded.digest.clone(),
            derived,
        });
    }
    Ok(trajectory.actions)
}

/// Holds what happens against what was recorded.
struct Comparison<'a> {
    expected: std::slice::Iter<'a, Event>,
    n_equal: u64,
    mismatch: Option<Mismatch>,
    coverage: Option<Coverage<'a>>,
}

impl Comparison<'_> {
    /// Looks whether more was recorded than happens.
    fn finish(&mut self) {
        if self.mismatch.is_none()
            && let Some(event) = self.expected.next()
        {
            self.differ(None, Some(event));
        }
    }

    fn differ(&mut self, derived: Option<&Event>, recorded: Option<&Event>) {
        let difference = match (derived, recorded) {
            (Some(derived), Some(recorded)) => Difference::between(derived, recorded),
            (derived, recorded) => {
                let json = |event: &Event| serde_json::to_string(event).unwrap_or_default();
                Some(Difference {
                    path: String::new(),
                    left: derived.map(json),
                    right: recorded.map(json),
                })
            }
        };
        match difference {
            None => self.n_equal += 1,
            Some(difference) => {
                self.mismatch = Some(Mismatch {
                    event_idx: Some(self.n_equal),
                    difference,
                });
            }
        }
    }
}

impl EventSink for Comparison<'_> {
    fn event(&mut self, event: Event) {
        if let Some(coverage) = &mut self.coverage {
            coverage.see(&event);
        }
        if self.mismatch.is_none() {
            let recorded = self.expected.next();
            self.differ(Some(&event), recorded);
        }
    }
}

#[cfg(test)]
mod tests;
