//! What language models would be asked, and what that would take, worked out without asking.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use napsim_predictors::llm::{Estimate, Rehearsal};
use napsim_sim::event::Event;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::Trajectory;

use super::threads::{self, Queue};
use super::timed::TimedPredictor;
use super::variant::Variant;
use crate::exit::Failure;
use crate::signals::Interruption;

/// Goes through every trajectory with a user who takes nothing, and adds up the questions to each of the variant's models.
/// The settings are the variant's but for the seed.
/// Means nothing after an interruption.
pub(in crate::cli) fn estimates(
    variant: &Variant,
    settings: &Settings,
    trajectories: &[&Trajectory],
    jobs: Option<NonZeroU32>,
    interruption: &Interruption,
) -> Result<Vec<Estimate>, Failure> {
    let setups = variant.factory.remote_models();
    let estimates = Arc::new(Mutex::new(Vec::new()));
    let queue = Queue::new((0..trajectories.len()).collect());
    let threads = threads::for_rollouts(jobs, trajectories.len(), false)?;
    let failures = threads.broadcast(|_| {
        let rehearsal = Box::new(Rehearsal::new(&setups, &estimates));
        let mut predictor = TimedPredictor::around(rehearsal, interruption);
        let mut failure = None;
        while let Some(trajectory) = queue.take().and_then(|idx| trajectories.get(idx)) {
            let task = Task {
                name: &trajectory.name,
                actions: &trajectory.actions,
                policy: &variant.policy,
                protocol: &variant.protocol,
                settings,
            };
            let summary = rollout(task, &mut predictor, &mut Vec::<Event>::new());
            failure = failure.or(summary.error.map(|error| format!("{}: {error}", trajectory.name)));
        }
        failure
    });
    if interruption.signal().is_none()
        && let Some(failure) = failures.into_iter().flatten().next()
    {
        return Err(Failure::Input(anyhow::anyhow!("{failure}")));
    }
    let mut estimates = std::mem::take(&mut *estimates.lock().unwrap_or_else(PoisonError::into_inner));
    estimates.resize(setups.len(), Estimate::default());
    Ok(estimates)
}
