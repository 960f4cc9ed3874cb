//! Which actions of a trajectory change nothing.

use napsim_sim::apply::StrictError;
use napsim_trajectories::Action;

use crate::stats::replay::Replay;

/// The indices of actions after which every value, format and merge is as it was before.
///
/// Empty containers and empty texts do not show; a zero and a false do.
///
/// # Errors
/// [`StrictError`] for the first action that cannot be carried out.
pub fn actions_without_effect(actions: &[Action]) -> Result<Vec<usize>, StrictError> {
    let mut replay = Replay::default();
    let mut idle = Vec::new();
    for (action_idx, action) in actions.iter().enumerate() {
        let step = replay.step(action).map_err(|error| StrictError { action_idx, error })?;
        if !step.changed {
            idle.push(action_idx);
        }
    }
    Ok(idle)
}
