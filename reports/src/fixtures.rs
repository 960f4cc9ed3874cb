//! Values that several tests start from.

use napsim_sim::event::{Outcome, Summary};

use crate::aggregate::UnitResult;

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
