//! The rollouts of a run, on several threads.

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use napsim_reports::calls::CallLog;
use napsim_reports::store::StoreError;
use napsim_reports::times::RolloutTime;
use napsim_reports::{Latencies, UnitResult};
use napsim_sim::event::Event;
use napsim_trajectories::Trajectory;

use super::args::RunArgs;
use super::keeper::Keeper;
use super::plan::Plan;
use crate::cli::measure::programs;
use crate::cli::measure::progress::{Progress, UnitProgress};
use crate::cli::measure::rollout::Rollout;
use crate::cli::measure::threads::{self, Queue};
use crate::cli::measure::timed::TimedPredictor;
use crate::exit::{Failure, panic_message};
use crate::signals::Interruption;

/// What one trajectory came to.
pub(super) struct Unit {
    pub(super) result: UnitResult,
    /// Where its time went, if known.
    pub(super) time: Option<RolloutTime>,
    /// How long the calls of the predictor took; empty where that is not known.
    pub(super) latencies: Latencies,
    /// The log of its calls, if asked for.
    pub(super) log: Option<String>,
}

/// What all trajectories came to.
pub(super) struct Rollouts {
    /// In corpus order; one that is missing was not done because of an interruption.
    pub(super) units: Vec<Option<Unit>>,
    /// How many threads there were.
    pub(super) n_threads: usize,
    /// Where the time of the rollouts went that were not kept from before.
    pub(super) time: RolloutTime,
}

/// Runs every trajectory that is not among the kept ones, the longest first.
pub(super) fn all(
    plan: &Plan,
    args: &RunArgs,
    keeper: Option<&Keeper>,
    mut kept: Vec<Option<Unit>>,
    interruption: &Interruption,
) -> Result<Rollouts, Failure> {
    let trajectories = &plan.corpus.trajectories;
    kept.resize_with(trajectories.len(), || None);
    let mut order: Vec<usize> = kept
        .iter()
        .enumerate()
        .filter(|(_, unit)| unit.is_none())
        .map(|(idx, _)| idx)
        .collect();
    let length = |idx: usize| trajectories.get(idx).map_or(0, |trajectory| trajectory.actions.len());
    order.sort_by_key(|idx| Reverse(length(*idx)));
    let n_actions = order.iter().map(|idx| length(*idx)).sum();
    let progress = Progress::new(
        order.len(),
        "trajectories",
        n_actions,
        args.quiet,
        plan.exchange.as_ref(),
    );
    let n_done = AtomicUsize::new(0);
    let runner = Runner {
        plan,
        args,
        keeper,
        interruption,
    };
    let threads = threads::for_rollouts(args.jobs, order.len(), plan.exchange.is_some())?;
    let queue = Queue::new(order);
    let work = || -> Result<Vec<(usize, Option<Unit>)>, StoreError> {
        let mut predictor = runner.predictor();
        let mut done = Vec::new();
        while let Some(idx) = queue.take() {
            let unit = runner
                .guarded(idx, &mut predictor, || progress.unit(length(idx)))
                .inspect_err(|_| queue.close())?;
            progress.done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
            done.push((idx, unit));
        }
        Ok(done)
    };
    let done = threads.broadcast(|_| work());
    progress.finish();
    let mut time = RolloutTime::default();
    for of_thread in done {
        for (idx, unit) in of_thread? {
            time += unit.as_ref().and_then(|unit| unit.time).unwrap_or_default();
            if let Some(place) = kept.get_mut(idx) {
                *place = unit;
            }
        }
    }
    Ok(Rollouts {
        units: kept,
        n_threads: threads.current_num_threads(),
        time,
    })
}

/// The log that a trajectory's calls go to, if one is asked for.
pub(super) fn call_log<'a>(args: &RunArgs, plan: &Plan, trajectory: &'a Trajectory) -> Option<CallLog<'a>> {
    let n_actions = u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX);
    let several = plan.corpus.trajectories.len() > 1;
    args.log_calls
        .is_some()
        .then(|| CallLog::new(&plan.variant.setup, &trajectory.name, n_actions, several))
}

/// Everything that the threads share.
#[derive(Clone, Copy)]
struct Runner<'a> {
    plan: &'a Plan,
    args: &'a RunArgs,
    keeper: Option<&'a Keeper>,
    interruption: &'a Interruption,
}

impl<'a> Runner<'a> {
    fn predictor(&self) -> TimedPredictor {
        TimedPredictor::new(&self.plan.variant.factory, self.interruption)
    }

    /// One rollout; a mistake in the program that shows in it costs no other. None when interrupted.
    fn guarded(
        &self,
        idx: usize,
        predictor: &mut TimedPredictor,
        progress: impl FnOnce() -> UnitProgress<'a>,
    ) -> Result<Option<Unit>, StoreError> {
        let Some(trajectory) = self.plan.corpus.trajectories.get(idx) else {
            return Ok(None);
        };
        if self.interruption.signal().is_some() || self.plan.halted().is_some() {
            return Ok(None);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| self.one(idx, trajectory, predictor, progress())));
        outcome.unwrap_or_else(|payload| {
            // Nothing is known of a predictor that was left in the middle of its work.
            *predictor = self.predictor();
            self.lost(idx, trajectory, &panic_message(&*payload)).map(Some)
        })
    }

    fn one(
        &self,
        idx: usize,
        trajectory: &'a Trajectory,
        predictor: &mut TimedPredictor,
        progress: UnitProgress<'a>,
    ) -> Result<Option<Unit>, StoreError> {
        let start = Instant::now();
        let writer = self
            .keeper
            .map(|keeper| keeper.write_unit(idx, self.plan))
            .transpose()?
            .flatten();
        let variant = &self.plan.variant;
        let rollout = Rollout {
            variant,
            settings: &variant.setup.settings,
            trajectory,
        };
        let log = call_log(self.args, self.plan, trajectory);
        // Where nobody can be asked any more, a rollout that broke off has not failed: it goes on another time.
        let measured = rollout.measure(predictor, start, writer, log, progress, |summary| {
            self.interruption.signal().is_some() || (self.plan.halted().is_some() && summary.error.is_some())
        });
        let stderr = programs::take_stderr(&variant.externals, &trajectory.name);
        if let Some((keeper, text)) = self.keeper.zip(stderr) {
            keeper.keep_stderr(idx, Some(text.as_str()).filter(|text| !text.is_empty()))?;
        }
        let Some(mut measured) = measured else { return Ok(None) };
        if let Some((keeper, writer)) = self.keeper.zip(measured.writer.take()) {
            keeper.finish_unit(idx, writer, measured.result.coverage, false)?;
        }
        Ok(Some(Unit {
            time: Some(measured.time()),
            latencies: measured.latencies,
            result: measured.result,
            log: measured.log,
        }))
    }

    /// What is left of a rollout in which the program made a mistake.
    fn lost(&self, idx: usize, trajectory: &Trajectory, message: &str) -> Result<Unit, StoreError> {
        let n_actions = u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX);
        let result = UnitResult::lost(&trajectory.name, n_actions, format!("a bug: {message}"));
        let end = Event::End(Box::new(result.summary.clone()));
        if let Some(keeper) = self.keeper
            && let Some(mut writer) = keeper.write_unit(idx, self.plan)?
        {
            writer.see(&end);
            keeper.finish_unit(idx, writer, None, true)?;
        }
        let log = call_log(self.args, self.plan, trajectory).map(|mut log| {
            log.see(&end);
            log.into_text()
        });
        Ok(Unit {
            result,
            time: None,
            latencies: Latencies::default(),
            log,
        })
    }
}

#[cfg(test)]
mod tests;
