//! What one step costs the published boosted trees, learning an action and answering, with as many trees as training
//! makes by default and as published; what reading a model costs.
//!
//! `cargo bench -p napsim-predictors --bench xgboost`. The trees are made up, full and six deep, so that XGBoost is not needed.

use std::sync::Arc;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box, black_box_drop};
use napsim_boosting::{Ensemble, Node, Objective, Tree};
use napsim_predictors::feature::RangeMode;
use napsim_predictors::gbm_vector;
use napsim_predictors::model::{Card, Model, ModelKind};
use napsim_predictors::xgboost::{FiveEnsembles, KIND_VERSION, Xgboost, XgboostConfig, XgboostModel, sections};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::{Action, Corpus};

/// Steps measured at a time.
const STEPS: usize = 500;

/// Actions of the window.
const WINDOW: usize = 10;

/// Kinds of actions.
const N_CLASSES: u8 = 25;

fn main() {
    divan::main();
}

/// A full tree six deep that looks at columns by turns.
fn tree(number: u32) -> Tree {
    const N_SPLITS: u32 = 63;
    let n_columns = u32::try_from(gbm_vector::length(WINDOW)).unwrap_or(1);
    let split = |node: u32| Node::Split {
        column: (node * 31 + number * 17) % n_columns,
        threshold: 0.5 + (node % 4) as f32,
        missing_left: true,
        left: 2 * node + 1,
        right: 2 * node + 2,
        gain: 1.0,
    };
    let leaf = |node: u32| Node::Leaf {
        value: ((node * 7 + number * 13) % 11) as f32 * 0.01 - 0.05,
    };
    let nodes = (0..N_SPLITS).map(split).chain((N_SPLITS..2 * N_SPLITS + 1).map(leaf));
    Tree { nodes: nodes.collect() }
}

fn ensemble(objective: Objective, n_rounds: u32) -> Option<Ensemble> {
    let n_trees = n_rounds * u32::try_from(objective.n_outputs()).ok()?;
    let trees: Vec<Tree> = (0..n_trees).map(tree).collect();
    Ensemble::from_trees(objective, gbm_vector::length(WINDOW), 0.5, &trees).ok()
}

fn five(n_rounds: u32) -> Option<FiveEnsembles> {
    let n_classes = u32::from(N_CLASSES);
    let op_type = ensemble(Objective::Softprob { n_classes }, n_rounds)?;
    let range = || ensemble(Objective::SquaredError, n_rounds);
    let ranges = [range()?, range()?, range()?, range()?];
    let classes = (0..N_CLASSES).collect();
    FiveEnsembles::new(
        RangeMode::Relative,
        WINDOW,
        classes,
        op_type,
        ranges,
        "bench".to_owned(),
    )
    .ok()
}

fn measure(bencher: Bencher, n_rounds: u32, config: XgboostConfig, actions_max: Option<u32>) {
    let Some(five) = five(n_rounds).map(Arc::new) else {
        return;
    };
    let corpus = Corpus::embedded().map_or_else(|_| Vec::new(), |corpus| corpus.trajectories);
    let actions = corpus.into_iter().flat_map(|trajectory| trajectory.actions);
    let actions: Vec<Action> = actions.take(STEPS).collect();
    let current = CurrentWorkbook::default();
    bencher
        .counter(ItemsCount::new(actions.len()))
        .with_inputs(|| {
            let mut predictor = Xgboost::new(Arc::clone(&five), config);
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

#[divan::bench(args = [60, 200], sample_count = 10, sample_size = 1)]
fn one_action(bencher: Bencher, n_rounds: u32) {
    let config = XgboostConfig {
        max_actions: 1,
        ..XgboostConfig::default()
    };
    measure(bencher, n_rounds, config, Some(1));
}

#[divan::bench(args = [60, 200], sample_count = 10, sample_size = 1)]
fn five_actions_of_any_keyword(bencher: Bencher, n_rounds: u32) {
    let config = XgboostConfig {
        stop_on_type_change: false,
        ..XgboostConfig::default()
    };
    measure(bencher, n_rounds, config, None);
}

#[divan::bench(args = [60, 200], sample_count = 10, sample_size = 1)]
fn read_a_model(bencher: Bencher, n_rounds: u32) {
    let mut card = Card::new(ModelKind::Xgboost, KIND_VERSION, "bench", "2026-01-01", 0);
    card.settings.insert("features".to_owned(), "v1".into());
    let sections = five(n_rounds).and_then(|five| sections(&five).ok()).unwrap_or_default();
    let bytes = Model::new(card, sections).to_bytes().unwrap_or_default();
    bencher.bench_local(|| {
        Model::read(&bytes)
            .ok()
            .and_then(|model| XgboostModel::from_model(&model).ok())
    });
}
