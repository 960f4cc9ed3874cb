//! What one step costs the trained n-gram, learning an action and answering; what training and reading a model cost.
//!
//! `cargo bench -p napsim-predictors --bench ngram`

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box, black_box_drop};
use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::model::{Card, Model, ModelKind};
use napsim_predictors::ngram::{KIND_VERSION, NgramConfig, NgramModel, Tables, Trainer, TrainerOptions, sections};
use napsim_predictors::{Context, Ngram};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::{Action, Corpus};

/// Steps measured at a time.
const STEPS: usize = 1_000;

fn main() {
    divan::main();
}

/// The embedded trajectories.
fn trajectories() -> Vec<Vec<Action>> {
    let corpus = Corpus::embedded().map_or_else(|_| Vec::new(), |corpus| corpus.trajectories);
    corpus.into_iter().map(|trajectory| trajectory.actions).collect()
}

fn features(actions: &[Action]) -> Vec<Feature> {
    let mut features: Vec<Feature> = Vec::new();
    for action in actions {
        let feature = Feature::of_next(&action.to_string(), features.last());
        features.push(feature);
    }
    features
}

/// Tables of the embedded trajectories.
fn tables() -> Tables {
    let mut trainer = Trainer::new(TrainerOptions {
        range_mode: RangeMode::Relative,
        max_n: 5,
    });
    for actions in trajectories() {
        trainer.push(&features(&actions));
    }
    trainer.finish(1)
}

fn model_bytes() -> Vec<u8> {
    let card = Card::new(ModelKind::Ngram, KIND_VERSION, "bench", "2026-01-01", 0);
    let sections = sections(&tables()).unwrap_or_default();
    Model::new(card, sections).to_bytes().unwrap_or_default()
}

fn measure(bencher: Bencher, config: NgramConfig, actions_max: Option<u32>) {
    let model = Arc::new(NgramModel::new(tables(), "bench".to_owned()));
    let actions: Vec<Action> = trajectories().into_iter().flatten().take(STEPS).collect();
    let current = CurrentWorkbook::default();
    bencher
        .counter(ItemsCount::new(actions.len()))
        .with_inputs(|| {
            let mut predictor = Ngram::new(Arc::clone(&model), config);
            let (name, sheet) = ("bench", "Sheet1");
            predictor.begin(TrajectoryHead { name, sheet }, Seed(0));
            predictor
        })
        .bench_local_refs(|predictor| {
            for action in &actions {
                predictor.observe(std::slice::from_ref(action));
                let view = View {
                    history: &[],
                    current: &current,
                    user_steps: 0,
                    call_idx: 0,
                };
                let mut out = Proposals::default();
                let _ = black_box(predictor.predict(view, Budget { actions_max }, &mut out));
                black_box_drop(out);
            }
        });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn one_action(bencher: Bencher) {
    measure(bencher, NgramConfig::default(), Some(1));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn five_actions_of_any_keyword(bencher: Bencher) {
    let config = NgramConfig {
        stop_on_type_change: false,
        ..NgramConfig::default()
    };
    measure(bencher, config, None);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn last_32(bencher: Bencher) {
    let context: Context = "32".parse().unwrap_or_default();
    let config = NgramConfig {
        context,
        ..NgramConfig::default()
    };
    measure(bencher, config, Some(1));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn train_on_12808_actions(bencher: Bencher) {
    bencher.bench_local(tables);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn read_a_model(bencher: Bencher) {
    let bytes = model_bytes();
    bencher.bench_local(|| {
        Model::read(&bytes)
            .ok()
            .and_then(|model| NgramModel::from_model(&model).ok())
    });
}
