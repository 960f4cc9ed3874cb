//! Whole rollouts: every embedded trajectory, and the published ones where they are at hand.
//!
//! `cargo bench --bench replay`; ratios within one run are what counts.

use napsim_acceptance::{Policy, parse_policy};
use napsim_predictors::PredictorFactory;
use napsim_sim::event::{Event, EventSink};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
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

fn corpora() -> Vec<Corpus> {
    let mut corpora = vec![Corpus::embedded().expect("the embedded corpus is sound")];
    let shared = std::env::var("NAPSIM_SHARED").unwrap_or_else(|_| "../shared".to_owned());
    if let Ok(published) = Corpus::open(format!("{shared}/nape"), ReadOptions::default()) {
        corpora.push(published);
    }
    corpora
}

fn replay(corpus: &Corpus, predictor: &PredictorFactory, policy: &Policy, settings: &Settings) -> u32 {
    let rolled = corpus.trajectories.iter().map(|trajectory| {
        let task = Task {
            name: &trajectory.name,
            actions: &trajectory.actions,
            policy,
            protocol: &Protocol::NAPE_1,
            settings,
        };
        rollout(task, predictor.build().as_mut(), &mut Discard).predictions
    });
    rolled.sum()
}

/// A corpus by the predictor that replays it.
#[divan::bench(sample_count = 3, sample_size = 1, args = ["none", "repeat-last", "online-ngram"])]
fn single_greedy(bencher: divan::Bencher<'_, '_>, predictor: &str) {
    let corpora = corpora();
    let corpus = corpora.last().expect("the embedded corpus is always there");
    let factory = PredictorFactory::parse(predictor, None).expect("the predictor exists");
    let policy = parse_policy("greedy").expect("the policy exists");
    let settings = Settings::single();
    bencher.bench_local(|| replay(corpus, &factory, &policy, &settings));
}
