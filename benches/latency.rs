//! How long single predictions take over a corpus: median, 90th and 99th percentile, and the longest.
//!
//! `cargo bench --bench latency`: the published trajectories if `$NAPSIM_SHARED` or `../shared` has them, else the
//! embedded ones; single mode, greedy. *Judging* is trial, score and rewritten future, without the predictor; *all* adds
//! the verdict, the record and, if accepted, carrying it out.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]
#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::time::{Duration, Instant};

use napsim_acceptance::parse_policy;
use napsim_predictors::PredictorFactory;
use napsim_sim::event::{Event, EventSink, Stage};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Corpus, ReadOptions};

/// Notes how long each prediction took.
#[derive(Default)]
struct Stopwatch {
    since: Option<Instant>,
    judging: Vec<Duration>,
    all: Vec<Duration>,
}

impl EventSink for Stopwatch {
    fn event(&mut self, event: Event) {
        if matches!(event, Event::Prediction(_)) {
            self.all.extend(self.since.take().map(|since| since.elapsed()));
        }
    }

    fn stage(&mut self, stage: Stage) {
        match stage {
            Stage::Score => self.since = Some(Instant::now()),
            Stage::Rewrite => {}
            Stage::Rest => self.judging.extend(self.since.map(|since| since.elapsed())),
        }
    }
}

fn print(predictor: &str, what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let n = times.len();
    let at = |share: usize| {
        let time = times.get((n * share / 1_000).min(n.saturating_sub(1)));
        time.map_or(0.0, |time| time.as_secs_f64() * 1e6)
    };
    println!(
        "{predictor:<14} {what:<8} {n:>7} | {:>8.1} {:>8.1} {:>8.1} {:>8.1}",
        at(500),
        at(900),
        at(990),
        at(1_000)
    );
}

fn main() {
    let shared = std::env::var("NAPSIM_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let corpus = Corpus::open(format!("{shared}/nape"), ReadOptions::default())
        .or_else(|_| Corpus::embedded())
        .expect("the embedded corpus is sound");
    let policy = parse_policy("greedy").expect("the policy exists");
    let settings = Settings::single();
    println!("{:31} |  a prediction, µs", "");
    println!(
        "{:<14} {:<8} {:>7} | {:>8} {:>8} {:>8} {:>8}",
        "predictor", "part", "n", "median", "p90", "p99", "longest"
    );
    for name in ["online-ngram", "repeat-last"] {
        let factory = PredictorFactory::parse(name, None).expect("the predictor exists");
        let mut stopwatch = Stopwatch::default();
        for trajectory in &corpus.trajectories {
            let task = Task {
                name: &trajectory.name,
                actions: &trajectory.actions,
                policy: &policy,
                protocol: &Protocol::NAPE_1,
                settings: &settings,
            };
            rollout(task, factory.build().as_mut(), &mut stopwatch);
        }
        print(name, "judging", &mut stopwatch.judging);
        print(name, "all", &mut stopwatch.all);
    }
}
