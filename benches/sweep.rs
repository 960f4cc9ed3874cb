//! A sweep: 200 variants of one predictor over a whole corpus, loaded once, on all cores.
//!
//! `cargo bench --bench sweep` prints each variant as it is done, then the time to the first result and in total;
//! `cargo bench --bench sweep -- 1` does the same on one thread. The corpus is the published trajectories if
//! `$NAPSIM_SHARED` or `../shared` has them, else the embedded ones.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]
#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use napsim_acceptance::{Policy, parse_policy};
use napsim_predictors::PredictorFactory;
use napsim_sim::event::{Event, EventSink, Summary};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Corpus, ReadOptions, Trajectory};

/// Modes with policies. Those that take what costs actions run into limits in single mode and are asked in multi mode.
const POLICIES: [(&str, &str); 5] = [
    ("single", "greedy"),
    ("single", "hybrid-1"),
    ("multi", "greedy"),
    ("multi", "p60"),
    ("multi", "always"),
];
const CONTEXTS: [&str; 5] = ["all", "8", "16", "32", "64"];
const STRIDES: [u32; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// Forgets every event.
struct Discard;

impl EventSink for Discard {
    fn event(&mut self, event: Event) {
        drop(event);
    }
}

/// One question asked of the whole corpus.
struct Variant {
    name: String,
    settings: Settings,
    policy: Policy,
    predictor: PredictorFactory,
    /// What has come in so far.
    sums: Mutex<Sums>,
}

#[derive(Default)]
struct Sums {
    n_done: usize,
    uas: f64,
    n_uas: u32,
    accepted: u32,
    predictions: u32,
    limited: u32,
}

impl Sums {
    fn add(&mut self, summary: &Summary) {
        self.n_done += 1;
        self.n_uas += u32::from(summary.uas.is_some());
        self.uas += summary.uas.unwrap_or(0.0);
        self.accepted += summary.accepted;
        self.predictions += summary.predictions;
        self.limited += u32::from(summary.limit.is_some());
    }
}

fn variants() -> Vec<Variant> {
    let mut variants = Vec::new();
    for (mode, policy) in POLICIES {
        for context in CONTEXTS {
            for stride in STRIDES {
                let settings = if mode == "single" {
                    Settings::single()
                } else {
                    Settings::multi()
                };
                let length = context.parse().expect("the context exists");
                variants.push(Variant {
                    name: format!("{mode:<6} {policy:<8} context {context:<3} stride {stride:>2}"),
                    settings: Settings { stride, ..settings },
                    policy: parse_policy(policy).expect("the policy exists"),
                    predictor: PredictorFactory::parse("online-ngram", Some(length)).expect("the predictor exists"),
                    sums: Mutex::default(),
                });
            }
        }
    }
    variants
}

fn measure(variant: &Variant, trajectory: &Trajectory) -> Summary {
    let task = Task {
        name: &trajectory.name,
        actions: &trajectory.actions,
        policy: &variant.policy,
        protocol: &Protocol::NAPE_1,
        settings: &variant.settings,
    };
    rollout(task, variant.predictor.build().as_mut(), &mut Discard)
}

/// Adds a result, and prints the variant if it was the last one missing. Says whether it was.
fn add(variant: &Variant, summary: &Summary, n_trajectories: usize, start: Instant) -> bool {
    let mut sums = variant.sums.lock().expect("no thread has panicked");
    sums.add(summary);
    let done = sums.n_done == n_trajectories;
    if done {
        println!(
            "{:>7.2} s  {}  UAS {:>5.1} %  AR {:>5.1} %  {:>6} predictions  {:>2} limited",
            start.elapsed().as_secs_f64(),
            variant.name,
            100.0 * sums.uas / f64::from(sums.n_uas.max(1)),
            100.0 * f64::from(sums.accepted) / f64::from(sums.predictions.max(1)),
            sums.predictions,
            sums.limited,
        );
    }
    done
}

/// Measures every variant on every trajectory, variant by variant; returns the time to the first result.
fn sweep(variants: &[Variant], trajectories: &[Trajectory], n_threads: usize, start: Instant) -> Duration {
    let next = AtomicUsize::new(0);
    let first = Mutex::new(None);
    let work = || {
        loop {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            let variant = variants.get(unit / trajectories.len());
            let (Some(variant), Some(trajectory)) = (variant, trajectories.get(unit % trajectories.len())) else {
                break;
            };
            let summary = measure(variant, trajectory);
            if add(variant, &summary, trajectories.len(), start) {
                let mut first = first.lock().expect("no thread has panicked");
                first.get_or_insert_with(|| start.elapsed());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(work);
        }
    });
    first.into_inner().ok().flatten().unwrap_or_default()
}

fn main() {
    let start = Instant::now();
    let shared = std::env::var("NAPSIM_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    let corpus = Corpus::open(format!("{shared}/nape"), ReadOptions::default())
        .or_else(|_| Corpus::embedded())
        .expect("the embedded corpus is sound");
    let mut trajectories = corpus.trajectories;
    // The longest first, so that no thread is left alone with one at the end.
    trajectories.sort_by_key(|trajectory| Reverse(trajectory.actions.len()));
    let n_actions: usize = trajectories.iter().map(|trajectory| trajectory.actions.len()).sum();
    let asked = std::env::args().skip(1).find_map(|text| text.parse().ok());
    let n_threads = asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get));
    let variants = variants();
    let first = sweep(&variants, &trajectories, n_threads, start);
    println!(
        "{} variants on {} trajectories ({n_actions} actions), {n_threads} threads: first result after {:.2} s, all after {:.2} s",
        variants.len(),
        trajectories.len(),
        first.as_secs_f64(),
        start.elapsed().as_secs_f64(),
    );
}
