//! The rollouts of a run, on several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use napsim_reports::table::PredictionTime;
use napsim_reports::{Coverage, UnitResult};
use napsim_sim::event::{Event, EventSink};
use napsim_sim::rollout::{Task, rollout};
use napsim_trajectories::Trajectory;
use rayon::iter::{ParallelBridge, ParallelIterator};

use super::args::RunArgs;
use super::plan::Plan;
use super::progress::{Progress, UnitProgress};
use super::timed::TimedPredictor;
use crate::exit::{Failure, panic_message};
use crate::signals::Interruption;

/// What one trajectory came to.
pub(super) struct Unit {
    pub(super) result: UnitResult,
    pub(super) time: PredictionTime,
}

/// Runs every trajectory, the longest first, and returns the results in corpus order.
pub(super) fn all(plan: &Plan, args: &RunArgs, interruption: &Interruption) -> Result<Vec<Unit>, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(
            args.jobs
                .map_or(0, |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX)),
        )
        .build()
        .context("failed to start threads")
        .map_err(Failure::Environment)?;
    let trajectories = &plan.corpus.trajectories;
    let mut order: Vec<(usize, &Trajectory)> = trajectories.iter().enumerate().collect();
    order.sort_by_key(|(_, trajectory)| std::cmp::Reverse(trajectory.actions.len()));
    let n_actions = trajectories
        .iter()
        .map(|trajectory| u64::try_from(trajectory.actions.len()).unwrap_or(0))
        .sum();
    let progress = Progress::new(trajectories.len(), n_actions, args.quiet);
    let n_done = AtomicUsize::new(0);
    let mut done: Vec<(usize, Unit)> = pool.install(|| {
        let units = order.into_iter().par_bridge().map_init(
            || TimedPredictor::new(&plan.factory, interruption),
            |predictor, (idx, trajectory)| {
                if interruption.signal().is_some() {
                    return None;
                }
                let unit = guarded(
                    plan,
                    trajectory,
                    predictor,
                    progress.unit(trajectory.actions.len()),
                    interruption,
                );
                progress.trajectories_done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
                Some((idx, unit))
            },
        );
        units.flatten().collect()
    });
    progress.finish();
    done.sort_by_key(|(idx, _)| *idx);
    Ok(done.into_iter().map(|(_, unit)| unit).collect())
}

/// One rollout; a mistake in the program that shows in it costs no other.
fn guarded(
    plan: &Plan,
    trajectory: &Trajectory,
    predictor: &mut TimedPredictor,
    progress: UnitProgress<'_>,
    interruption: &Interruption,
) -> Unit {
    catch_unwind(AssertUnwindSafe(|| one(plan, trajectory, predictor, progress))).unwrap_or_else(|payload| {
        // Nothing is known of a predictor that was left in the middle of its work.
        *predictor = TimedPredictor::new(&plan.factory, interruption);
        let n_actions = u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX);
        let error = format!("a bug: {}", panic_message(&*payload));
        Unit {
            result: UnitResult::lost(&trajectory.name, n_actions, error),
            time: PredictionTime::default(),
        }
    })
}

fn one(plan: &Plan, trajectory: &Trajectory, predictor: &mut TimedPredictor, progress: UnitProgress<'_>) -> Unit {
    let mut sink = UnitSink {
        coverage: trajectory.predictable.as_ref().map(Coverage::new),
        progress,
    };
    let task = Task {
        name: &trajectory.name,
        actions: &trajectory.actions,
        policy: &plan.policy,
        protocol: &plan.protocol,
        settings: &plan.setup.settings,
    };
    let summary = rollout(task, predictor, &mut sink);
    sink.progress.finish();
    let coverage = sink.coverage.map(|coverage| coverage.counts());
    Unit {
        result: UnitResult { summary, coverage },
        time: predictor.time(),
    }
}

/// Everyone who takes note of a rollout's events.
struct UnitSink<'a> {
    coverage: Option<Coverage<'a>>,
    progress: UnitProgress<'a>,
}

impl EventSink for UnitSink<'_> {
    fn event(&mut self, event: Event) {
        if let Some(coverage) = &mut self.coverage {
            coverage.see(&event);
        }
        self.progress.see(&event);
    }
}
