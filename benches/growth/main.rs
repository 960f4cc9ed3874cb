//! What a prediction costs as trajectory and sheet grow.
//!
//! `cargo bench --bench growth` measures 1,000, 10,000 and 100,000 actions; `cargo bench --bench growth -- 1000 50000`
//! measures those lengths. The plain engine is measured up to [`PLAIN_MAX`] actions.
//!
//! A rollout mixes the cost of predictions with that of steps, so the predictor and the sink note the time between a
//! proposal and its event; what is left of the rollout's time is put down to the steps. A frame that times closures as
//! wholes could not tell them apart.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]
#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

mod ledger;
mod scripted;

use std::time::{Duration, Instant};

use napsim_acceptance::parse_policy;
use napsim_sim::engine::Engine;
use napsim_sim::event::{Event, EventSink, Summary};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::{Settings, StepLimit};
use napsim_trajectories::Action;
use scripted::Scripted;

/// Lengths measured where none is asked for.
const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];

/// The longest trajectory that the plain engine is given.
const PLAIN_MAX: usize = 1_000;

/// About how many predictions are asked for; longer trajectories are asked for one every so many actions.
const CALLS: usize = 2_000;

/// Notes how long each prediction took to judge.
#[derive(Default)]
struct Stopwatch {
    judged: Vec<Duration>,
}

impl EventSink for Stopwatch {
    fn event(&mut self, event: Event) {
        if matches!(event, Event::Prediction(_)) {
            self.judged
                .extend(scripted::answered().map(|answered| answered.elapsed()));
        }
    }
}

/// One line of the table.
struct Line {
    engine: &'static str,
    policy: &'static str,
    stride: usize,
    summary: Summary,
    /// Time of each prediction, the shortest first.
    judged: Vec<Duration>,
    total: Duration,
}

impl Line {
    fn print(&self) {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let n = self.judged.len();
        let sum: Duration = self.judged.iter().sum();
        let at = |rank: usize| self.judged.get(rank).map_or(0.0, |time| micros(*time));
        let mean = sum / u32::try_from(n).unwrap_or(1).max(1);
        let steps = self.total.saturating_sub(sum) / self.summary.user_steps.max(1);
        println!(
            "{:>8} {:<6} {:<7} {:>6} {:>7} {:>8} | {:>10.1} {:>10.1} {:>10.1} | {:>8.2} | {:>8.2}",
            self.summary.actions,
            self.engine,
            self.policy,
            self.stride,
            n,
            self.summary.accepted,
            micros(mean),
            at(n / 2),
            at(n.saturating_sub(1)),
            micros(steps),
            self.total.as_secs_f64(),
        );
    }
}

fn measure(engine: Engine, actions: &[Action], policy: &'static str) -> Line {
    let stride = (actions.len() / CALLS).max(1);
    let settings = Settings {
        stride: u32::try_from(stride).expect("a stride is small"),
        step_limit: StepLimit::NONE,
        ..Settings::multi()
    };
    let rule = parse_policy(policy).expect("the policy exists");
    let task = Task {
        name: "ledger",
        actions,
        policy: &rule,
        protocol: &Protocol::NAPE_1,
        settings: &settings,
    };
    let mut stopwatch = Stopwatch::default();
    let start = Instant::now();
    let summary = rollout_with(engine, task, &mut Scripted::new(actions), &mut stopwatch);
    let total = start.elapsed();
    assert!(
        summary.limit.is_none() && summary.error.is_none(),
        "the rollout ran to its end"
    );
    stopwatch.judged.sort();
    Line {
        engine: if engine == Engine::Plain { "plain" } else { "fast" },
        policy,
        stride,
        summary,
        judged: stopwatch.judged,
        total,
    }
}

fn main() {
    // Cargo adds `--bench`, which is no length.
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let lengths = if asked.is_empty() { LENGTHS.to_vec() } else { asked };
    println!("{:>55} | {:^32} | {:>8} |", "", "a prediction, µs", "a step,");
    println!(
        "{:>8} {:<6} {:<7} {:>6} {:>7} {:>8} | {:>10} {:>10} {:>10} | {:>8} | {:>8}",
        "actions", "engine", "policy", "stride", "asked", "accepted", "mean", "median", "longest", "µs", "total, s"
    );
    for length in lengths {
        let actions = ledger::ledger(length);
        for engine in [Engine::Fast, Engine::Plain] {
            if engine == Engine::Plain && length > PLAIN_MAX {
                continue;
            }
            for policy in ["never", "greedy"] {
                measure(engine, &actions, policy).print();
            }
        }
    }
}
