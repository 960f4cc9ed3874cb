//! Records that several tests start from.

use napsim_reports::record::{RecordedTrajectory, SCHEMA, Seal, UnitHeader, UnitRecord};
use napsim_reports::{ContextLength, Mode, RunSetup, UnitResult};
use napsim_sim::event::{EmptyCall, Event, FailedCall, Metrics, Outcome, Prediction, Summary, UserStep};
use napsim_sim::predictor::{Fingerprint, Usage};

use super::UnitAnalysis;

pub(crate) fn setup() -> RunSetup {
    RunSetup {
        protocol: "nape-1".to_owned(),
        corpus: "trades".to_owned(),
        predictor: "online-ngram".to_owned(),
        fingerprint: Fingerprint("online-ngram/0".to_owned()),
        policy: "greedy".to_owned(),
        mode: Mode::Single,
        context: Some(ContextLength::ALL),
        settings: Mode::Single.settings(),
    }
}

/// A prediction to be refined by the methods of [`Proposed`].
#[derive(Clone, Debug)]
pub(crate) struct Proposed(pub(crate) Prediction);

pub(crate) fn accepted(actions: &str) -> Proposed {
    proposed(actions, true)
}

pub(crate) fn rejected(actions: &str) -> Proposed {
    proposed(actions, false)
}

/// Actions stand between semicolons.
fn proposed(actions: &str, accepted: bool) -> Proposed {
    Proposed(Prediction {
        predicted: actions.split("; ").map(str::to_owned).collect(),
        accepted,
        metrics: Metrics {
            tp: 1,
            precision: 1.0,
            ..Metrics::default()
        },
        future_before: 5,
        future_after: Some(4),
        ..Prediction::default()
    })
}

impl Proposed {
    pub(crate) fn with_undo(mut self, undo: &[&str]) -> Self {
        self.0.undo = undo.iter().map(|text| (*text).to_owned()).collect();
        self
    }

    pub(crate) fn with_removed(mut self, removed: &[&str]) -> Self {
        self.0.removed = removed.iter().map(|text| (*text).to_owned()).collect();
        self
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Prediction)) -> Self {
        change(&mut self.0);
        self
    }
}

impl From<Proposed> for Event {
    fn from(proposed: Proposed) -> Self {
        Self::Prediction(Box::new(proposed.0))
    }
}

pub(crate) fn step(action: &str) -> Event {
    Event::UserStep(UserStep {
        t: 0,
        user_steps: 0,
        action: action.to_owned(),
        future: 0,
    })
}

pub(crate) fn empty() -> Event {
    Event::Empty(EmptyCall {
        t: 0,
        user_steps: 0,
        rejected: Vec::new(),
        remarks: None,
        usage: Usage::default(),
    })
}

pub(crate) fn failed() -> Event {
    Event::Error(FailedCall {
        t: 0,
        user_steps: 0,
        message: "no answer".to_owned(),
        fatal: false,
        kind: None,
        raw: None,
        stderr: None,
        usage: Usage::default(),
    })
}

/// A whole record whose summary counts what its events say.
pub(crate) fn record(name: &str, actions: &[&str], events: &[Event]) -> UnitRecord {
    let count = |is: fn(&Event) -> bool| u32::try_from(events.iter().filter(|event| is(event)).count()).unwrap();
    let n_actions = u32::try_from(actions.len()).unwrap();
    let user_steps = count(|event| matches!(event, Event::UserStep(_)));
    let predictions = count(|event| matches!(event, Event::Prediction(_)));
    let accepted = count(|event| matches!(event, Event::Prediction(prediction) if prediction.accepted));
    let summary = Summary {
        outcome: Outcome::Complete,
        error: None,
        user_steps,
        uas: (n_actions > 0).then(|| 1.0 - f64::from(user_steps) / f64::from(n_actions)),
        predictions,
        accepted,
        rejected: predictions - accepted,
        empty: count(|event| matches!(event, Event::Empty(_))),
        errors: count(|event| matches!(event, Event::Error(_))),
        remaining: vec!["left".to_owned()],
        ..UnitResult::lost(name, n_actions, String::new()).summary
    };
    let mut events = events.to_vec();
    events.push(Event::End(Box::new(summary.clone())));
    UnitRecord {
        header: UnitHeader {
            schema: SCHEMA.to_owned(),
            napsim: "0".to_owned(),
            setup: setup(),
            trajectory: RecordedTrajectory {
                name: name.to_owned(),
                title: None,
                description: None,
                digest: String::new(),
                lines: actions.iter().map(|line| (*line).to_owned()).collect(),
                predictable: None,
            },
        },
        seal: Seal {
            events: 0,
            coverage: None,
            lost: false,
            sha256: String::new(),
        },
        events,
        summary,
        intact: true,
    }
}

/// What is kept of such a record.
pub(crate) fn unit(name: &str, actions: &[&str], events: &[Event]) -> UnitAnalysis {
    UnitAnalysis::of(&record(name, actions, events))
}
