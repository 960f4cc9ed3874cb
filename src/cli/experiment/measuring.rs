//! Measuring the units of an experiment that are still to be done, on several threads.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use napsim_remote::Exchange;
use napsim_reports::UnitResult;
use napsim_reports::store::{Finished, HostFacts, StoreError, UnitId, UnitStore, UnitTimes};
use napsim_sim::event::{Event, Outcome};
use napsim_trajectories::Trajectory;

use super::VERSION;
use super::planned::{Planned, State, Unit, VariantPlan};
use crate::cli::measure::programs;
use crate::cli::measure::progress::{Progress, UnitProgress};
use crate::cli::measure::rollout::{Measured, Rollout};
use crate::cli::measure::threads::{self, Queue};
use crate::cli::measure::timed::TimedPredictor;
use crate::exit::{Failure, panic_message};
use crate::signals::Interruption;

/// How units are measured.
pub(in crate::cli) struct Measuring<'a> {
    pub(in crate::cli) store: &'a UnitStore,
    pub(in crate::cli) interruption: &'a Interruption,
    pub(in crate::cli) exchange: Option<&'a Arc<Exchange>>,
    pub(in crate::cli) jobs: Option<NonZeroU32>,
    pub(in crate::cli) quiet: bool,
    /// Measure in an order drawn from this seed instead of the longest first.
    pub(in crate::cli) shuffle: Option<u64>,
}

/// What has become of the units that were to be measured.
#[derive(Debug, Default)]
pub(in crate::cli) struct Ended {
    /// Units measured here.
    pub(in crate::cli) n_measured: usize,
    /// Units that another process had finished by the time it was their turn.
    pub(in crate::cli) n_elsewhere: usize,
    /// Of the measured ones, those that failed.
    pub(in crate::cli) n_failed: usize,
}

/// What has become of one unit.
enum Done {
    Measured(Box<UnitResult>),
    Elsewhere(Box<UnitResult>),
}

impl Done {
    fn state(&self) -> State {
        match self {
            Self::Measured(result) | Self::Elsewhere(result) if result.summary.outcome == Outcome::Failed => {
                State::Failed(result.clone())
            }
            Self::Measured(result) | Self::Elsewhere(result) => State::Done(result.clone()),
        }
    }
}

impl Measuring<'_> {
    /// Measures the wanted units that are not done, each id once, and notes in the plan what has become of them.
    pub(in crate::cli) fn measure(&self, planned: &mut Planned, wanted: &[bool]) -> Result<Ended, Failure> {
        let order = self.order(planned, wanted);
        let n_actions = order
            .iter()
            .filter_map(|idx| planned.units.get(*idx))
            .map(n_actions)
            .sum();
        let progress = Progress::new(order.len(), "units", n_actions, self.quiet, self.exchange);
        let threads = threads::for_rollouts(self.jobs, order.len(), self.exchange.is_some())?;
        let worker = Worker {
            planned,
            measuring: self,
            host: host(threads.current_num_threads()),
            progress: &progress,
        };
        let n_done = AtomicUsize::new(0);
        let queue = Queue::new(order);
        let work = || -> Result<Vec<(usize, Done)>, StoreError> {
            let mut lane = Lane::default();
            let mut done = Vec::new();
            while let Some(idx) = queue.take() {
                let ended = worker.guarded(idx, &mut lane).inspect_err(|_| queue.close())?;
                progress.done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
                done.extend(ended.map(|ended| (idx, ended)));
            }
            Ok(done)
        };
        let of_threads = threads.broadcast(|_| work());
        progress.finish();
        let mut ended = Ended::default();
        let mut states: BTreeMap<UnitId, Done> = BTreeMap::new();
        for of_thread in of_threads {
            for (idx, done) in of_thread? {
                match &done {
                    Done::Measured(result) => {
                        ended.n_measured += 1;
                        ended.n_failed += usize::from(result.summary.outcome == Outcome::Failed);
                    }
                    Done::Elsewhere(_) => ended.n_elsewhere += 1,
                }
                if let Some(unit) = planned.units.get(idx) {
                    states.insert(unit.id.clone(), done);
                }
            }
        }
        for unit in &mut planned.units {
            if let Some(done) = states.get(&unit.id) {
                unit.state = done.state();
            }
        }
        Ok(ended)
    }

    /// The places of the units to measure, in order: variant by variant, so that each lane keeps its predictor, and the
    /// longest first, so that none is left for the end.
    fn order(&self, planned: &Planned, wanted: &[bool]) -> Vec<usize> {
        let mut places: BTreeMap<&UnitId, usize> = BTreeMap::new();
        for (idx, (unit, wanted)) in planned.units.iter().zip(wanted).enumerate() {
            if *wanted && !unit.state.is_done() {
                places.entry(&unit.id).or_insert(idx);
            }
        }
        let mut order: Vec<usize> = places.into_values().collect();
        let key = |idx: &usize| {
            let unit = planned.units.get(*idx);
            let number = unit.map_or(0, |unit| unit.id.number());
            match self.shuffle {
                // Ids are spread evenly, and so are they after this.
                Some(seed) => (number ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ number,
                None => 0,
            }
        };
        order.sort_by_key(|idx| {
            let unit = planned.units.get(*idx);
            let variant_idx = unit.filter(|_| self.shuffle.is_none()).map(|unit| unit.variant_idx);
            let length = unit.filter(|_| self.shuffle.is_none()).map(n_actions);
            (key(idx), variant_idx, Reverse(length), *idx)
        });
        order
    }
}

fn n_actions(unit: &Unit) -> usize {
    usize::try_from(unit.n_actions).unwrap_or(usize::MAX)
}

/// A thread's predictor, kept from one unit of a variant to the next.
#[derive(Default)]
struct Lane {
    predictor: Option<(usize, TimedPredictor)>,
}

/// Everything that the threads share.
struct Worker<'a> {
    planned: &'a Planned,
    measuring: &'a Measuring<'a>,
    host: HostFacts,
    progress: &'a Progress,
}

impl Worker<'_> {
    /// One unit; a mistake in the program that shows in it costs no other. None when interrupted.
    fn guarded(&self, idx: usize, lane: &mut Lane) -> Result<Option<Done>, StoreError> {
        let Some(unit) = self.planned.units.get(idx) else {
            return Ok(None);
        };
        let Some((plan, trajectory)) = self.planned.of(unit) else {
            return Ok(None);
        };
        if self.measuring.interruption.signal().is_some() || self.is_halted() {
            return Ok(None);
        }
        if let Ok(Some(end)) = self.measuring.store.end(&unit.id)
            && plan.takes(&end.result())
        {
            self.progress.unit(n_actions(unit)).finish();
            return Ok(Some(Done::Elsewhere(Box::new(end.result()))));
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| self.one(unit, plan, trajectory, lane)));
        outcome.unwrap_or_else(|payload| {
            // Nothing is known of a predictor that was left in the middle of its work.
            lane.predictor = None;
            let lost = self.lost(unit, plan, trajectory, &panic_message(&*payload))?;
            Ok(Some(Done::Measured(Box::new(lost))))
        })
    }

    fn one(
        &self,
        unit: &Unit,
        plan: &VariantPlan,
        trajectory: &Trajectory,
        lane: &mut Lane,
    ) -> Result<Option<Done>, StoreError> {
        let start = Instant::now();
        let predictor = match &mut lane.predictor {
            Some((variant_idx, predictor)) if *variant_idx == unit.variant_idx => predictor,
            place => {
                // The one before ends first: programs may need what it holds.
                *place = None;
                let predictor = TimedPredictor::new(&plan.variant.factory, self.measuring.interruption);
                &mut place.insert((unit.variant_idx, predictor)).1
            }
        };
        let (store, setup) = (self.measuring.store, plan.setup(unit.seed));
        let writer = store.write_unit(&unit.id, &plan.header(unit.seed, trajectory))?;
        let rollout = Rollout {
            variant: &plan.variant,
            settings: &setup.settings,
            trajectory,
        };
        let progress: UnitProgress<'_> = self.progress.unit(n_actions(unit));
        let measured = rollout.measure(predictor, start, Some(writer), None, progress, |summary| {
            self.measuring.interruption.signal().is_some() || (self.is_halted() && summary.error.is_some())
        });
        let stderr = programs::take_stderr(&plan.variant.externals, &trajectory.name);
        let Some(measured) = measured else { return Ok(None) };
        self.keep(unit, measured, stderr.as_deref())
            .map(|result| Some(Done::Measured(Box::new(result))))
    }

    /// Keeps what a rollout came to.
    fn keep(&self, unit: &Unit, mut measured: Measured, stderr: Option<&str>) -> Result<UnitResult, StoreError> {
        let store = self.measuring.store;
        let failed = measured.result.summary.outcome == Outcome::Failed;
        if let Some(writer) = measured.writer.take() {
            let finished = if failed { Finished::Failed } else { Finished::Complete };
            store.finish_unit(&unit.id, writer, measured.result.coverage, finished)?;
        }
        if let Some(text) = stderr.filter(|text| failed && !text.is_empty()) {
            store.keep_stderr(&unit.id, text)?;
        }
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let (time, latencies) = (measured.time(), std::mem::take(&mut measured.latencies));
        store.keep_times(&unit.id, &UnitTimes::new(VERSION, time, latencies, now, &self.host))?;
        Ok(measured.result)
    }

    /// What is left of a unit in which the program made a mistake.
    fn lost(
        &self,
        unit: &Unit,
        plan: &VariantPlan,
        trajectory: &Trajectory,
        message: &str,
    ) -> Result<UnitResult, StoreError> {
        let result = UnitResult::lost(&trajectory.name, unit.n_actions, format!("a bug: {message}"));
        let store = self.measuring.store;
        let mut writer = store.write_unit(&unit.id, &plan.header(unit.seed, trajectory))?;
        writer.see(&Event::End(Box::new(result.summary.clone())));
        store.finish_unit(&unit.id, writer, None, Finished::Lost)?;
        Ok(result)
    }

    fn is_halted(&self) -> bool {
        self.measuring
            .exchange
            .is_some_and(|exchange| exchange.halted().is_some())
    }
}

/// This machine.
fn host(jobs: usize) -> HostFacts {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok());
    HostFacts {
        name: name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()),
        system: format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        jobs,
    }
}
