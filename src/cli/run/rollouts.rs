//! The rollouts of a run, on several threads.

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use napsim_reports::calls::CallLog;
use napsim_reports::record::UnitWriter;
use napsim_reports::store::StoreError;
use napsim_reports::table::PredictionTime;
use napsim_reports::{Coverage, UnitResult};
use napsim_sim::event::{Event, EventSink};
use napsim_sim::rollout::{Task, rollout};
use napsim_trajectories::Trajectory;
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::args::RunArgs;
use super::keeper::Keeper;
use super::plan::Plan;
use super::progress::{Progress, UnitProgress};
use super::timed::TimedPredictor;
use crate::exit::{Failure, panic_message};
use crate::signals::Interruption;

/// What one trajectory came to.
pub(super) struct Unit {
    pub(super) result: UnitResult,
    /// Time spent in the predictor, if known.
    pub(super) time: Option<PredictionTime>,
    /// The log of its calls, if asked for.
    pub(super) log: Option<String>,
}

/// Runs every trajectory that is not among the kept ones, the longest first.
///
/// Returns the results in corpus order; one that is missing was not done because of an interruption.
pub(super) fn all(
    plan: &Plan,
    args: &RunArgs,
    keeper: Option<&Keeper>,
    mut kept: Vec<Option<Unit>>,
    interruption: &Interruption,
) -> Result<Vec<Option<Unit>>, Failure> {
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
    let progress = Progress::new(order.len(), order.iter().map(|idx| length(*idx)).sum(), args.quiet);
    let n_done = AtomicUsize::new(0);
    let runner = Runner {
        plan,
        args,
        keeper,
        interruption,
    };
    let done: Result<Vec<(usize, Option<Unit>)>, StoreError> = pool(args, order.len())?.install(|| {
        let units = order.into_iter().par_bridge().map_init(
            || runner.predictor(),
            |predictor, idx| {
                let unit = runner.guarded(idx, predictor, || progress.unit(length(idx)))?;
                progress.trajectories_done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
                Ok((idx, unit))
            },
        );
        units.collect()
    });
    progress.finish();
    for (idx, unit) in done? {
        if let Some(place) = kept.get_mut(idx) {
            *place = unit;
        }
    }
    Ok(kept)
}

fn pool(args: &RunArgs, n_units: usize) -> Result<rayon::ThreadPool, Failure> {
    // Zero threads stand for as many as there are cores.
    let n_asked = args
        .jobs
        .map_or(0, |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX));
    let n_threads = n_asked.min(n_units.max(1));
    rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .context("failed to start threads")
        .map_err(Failure::Environment)
}

/// The log that a trajectory's calls go to, if one is asked for.
pub(super) fn call_log<'a>(args: &RunArgs, plan: &Plan, trajectory: &'a Trajectory) -> Option<CallLog<'a>> {
    let n_actions = u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX);
    let several = plan.corpus.trajectories.len() > 1;
    args.log_calls
        .is_some()
        .then(|| CallLog::new(&plan.setup, &trajectory.name, n_actions, several))
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
        TimedPredictor::new(&self.plan.factory, self.interruption)
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
        if self.interruption.signal().is_some() {
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
        let writer = self
            .keeper
            .map(|keeper| keeper.write_unit(idx, self.plan))
            .transpose()?
            .flatten();
        let mut sink = UnitSink {
            writer,
            coverage: trajectory.predictable.as_ref().map(Coverage::new),
            log: call_log(self.args, self.plan, trajectory),
            progress,
        };
        let task = Task {
            name: &trajectory.name,
            actions: &trajectory.actions,
            policy: &self.plan.policy,
            protocol: &self.plan.protocol,
            settings: &self.plan.setup.settings,
        };
        let summary = rollout(task, predictor, &mut sink);
        if self.interruption.signal().is_some() {
            return Ok(None);
        }
        sink.progress.finish();
        let coverage = sink.coverage.map(|coverage| coverage.counts());
        if let Some((keeper, writer)) = self.keeper.zip(sink.writer) {
            keeper.finish_unit(idx, writer, coverage, false)?;
        }
        let time = Some(predictor.time());
        Ok(Some(Unit {
            result: UnitResult { summary, coverage },
            time,
            log: sink.log.map(CallLog::into_text),
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
            log,
        })
    }
}

/// Everyone who takes note of a rollout's events.
struct UnitSink<'a> {
    writer: Option<UnitWriter>,
    coverage: Option<Coverage<'a>>,
    log: Option<CallLog<'a>>,
    progress: UnitProgress<'a>,
}

impl EventSink for UnitSink<'_> {
    fn event(&mut self, event: Event) {
        if let Some(writer) = &mut self.writer {
            writer.see(&event);
        }
        if let Some(coverage) = &mut self.coverage {
            coverage.see(&event);
        }
        if let Some(log) = &mut self.log {
            log.see(&event);
        }
        self.progress.see(&event);
    }
}

#[cfg(test)]
mod tests;
