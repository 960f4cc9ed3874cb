//! Values that several tests start from.

use std::collections::BTreeMap;

use napsim_sim::event::{Outcome, Summary};
use napsim_sim::predictor::Fingerprint;

use crate::aggregate::UnitResult;
use crate::comparison::ComparedRun;
use crate::setup::{ContextLength, Mode, RunSetup};

/// The end of a rollout without predictions.
pub(crate) fn summary(name: &str, actions: u32, user_steps: u32) -> Summary {
    Summary {
        outcome: Outcome::Complete,
        error: None,
        user_steps,
        uas: Some((f64::from(actions) - f64::from(user_steps)) / f64::from(actions)),
        ..UnitResult::lost(name, actions, String::new()).summary
    }
}

/// A run over trajectories `t1`, `t2`, … of 100 actions each, of which the user did so many. Half of ten predictions
/// were accepted.
pub(crate) fn run(name: &str, user_steps: &[u32]) -> ComparedRun {
    let unit = |(idx, user_steps): (usize, &u32)| UnitResult {
        summary: Summary {
            predictions: 10,
            accepted: 5,
            precision: Some(0.25),
            ..summary(&format!("t{}", idx + 1), 100, *user_steps)
        },
        coverage: None,
    };
    ComparedRun {
        name: name.to_owned(),
        setup: setup(),
        repeats: vec![user_steps.iter().enumerate().map(unit).collect()],
        digests: BTreeMap::new(),
        missing: 0,
    }
}

/// What a run in the published single-action setting is asked to measure.
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
