//! Whole rollouts: every embedded trajectory, or the published ones where they are at hand, in single mode under greedy.
//!
//! `cargo bench --bench replay`; ratios within one run are what counts.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use napsim_acceptance::parse_policy;
use napsim_predictors::PredictorFactory;
use napsim_sim::engine::Engine;
use napsim_sim::event::{Event, EventSink};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Corpus, ReadOptions};

fn main() {
    divan::main();
}

/// Forgets every event.
struct Discard;

impl EventSink for Discard {
    fn event(&mut self, event: Event) {
        divan::black_box_drop(event);
    }
}

/// The published trajectories if `$NAPSIM_SHARED` or `../shared` has them, else the embedded ones.
fn corpus() -> Corpus {
    let shared = std::env::var("NAPSIM_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    Corpus::open(format!("{shared}/nape"), ReadOptions::default())
        .or_else(|_| Corpus::embedded())
        .expect("the embedded corpus is sound")
}

fn replay(bencher: divan::Bencher<'_, '_>, engine: Engine, predictor: &str) {
    let corpus = corpus();
    let factory = PredictorFactory::parse(predictor, None).expect("the predictor exists");
    let policy = parse_policy("greedy").expect("the policy exists");
    let settings = Settings::single();
    bencher.bench_local(|| {
        for trajectory in &corpus.trajectories {
            let task = Task {
                name: &trajectory.name,
                actions: &trajectory.actions,
                policy: &policy,
                protocol: &Protocol::NAPE_1,
                settings: &settings,
            };
            divan::black_box(rollout_with(engine, task, factory.build().as_mut(), &mut Discard));
        }
    });
}

#[divan::bench(sample_count = 3, sample_size = 1, args = ["none", "repeat-last", "online-ngram"])]
fn fast(bencher: divan::Bencher<'_, '_>, predictor: &str) {
    replay(bencher, Engine::Fast, predictor);
}

#[divan::bench(sample_count = 1, sample_size = 1, args = ["online-ngram"])]
fn plain(bencher: divan::Bencher<'_, '_>, predictor: &str) {
    replay(bencher, Engine::Plain, predictor);
}
