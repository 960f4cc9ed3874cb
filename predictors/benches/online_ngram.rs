//! What one step costs the online n-gram, learning an action and answering, as the history grows.
//!
//! `cargo bench -p napsim-predictors`; the lines of one group show whether the cost stays the same.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box, black_box_drop};
use napsim_predictors::PredictorFactory;
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::{Action, Corpus};

/// Actions known before the measured steps.
const HISTORY: [usize; 3] = [1_000, 10_000, 100_000];

/// Steps measured at a time.
const STEPS: usize = 1_000;

fn main() {
    divan::main();
}

/// The embedded trajectories one after the other, again and again.
fn actions(n_actions: usize) -> Vec<Action> {
    let trajectories = Corpus::embedded().map_or_else(|_| Vec::new(), |corpus| corpus.trajectories);
    let actions: Vec<_> = trajectories
        .into_iter()
        .flat_map(|trajectory| trajectory.actions)
        .collect();
    actions.iter().cycle().take(n_actions).cloned().collect()
}

/// One call of single mode after each action.
fn step_through(predictor: &mut dyn Predictor, actions: &[Action]) {
    let current = CurrentWorkbook::default();
    let budget = Budget { actions_max: Some(1) };
    for action in actions {
        predictor.observe(std::slice::from_ref(action));
        let view = View {
            history: &[],
            current: &current,
            user_steps: 0,
            call_idx: 0,
        };
        let mut out = Proposals::default();
        let _ = black_box(predictor.predict(view, budget, &mut out));
        black_box_drop(out);
    }
}

fn measure(bencher: Bencher, spec: &str, n_known: usize) {
    let actions = actions(n_known + STEPS);
    let (known, next) = actions.split_at(n_known.min(actions.len()));
    let begun = || {
        let mut predictor = PredictorFactory::parse(spec, None).ok()?.build();
        let (name, sheet) = ("bench", "Sheet1");
        predictor.begin(TrajectoryHead { name, sheet }, Seed(0));
        predictor.observe(known);
        Some(predictor)
    };
    bencher
        .counter(ItemsCount::new(STEPS))
        .with_inputs(begun)
        .bench_local_refs(|predictor| {
            if let Some(predictor) = predictor {
                step_through(predictor.as_mut(), next);
            }
        });
}

#[divan::bench(args = HISTORY, sample_count = 20, sample_size = 1)]
fn everything(bencher: Bencher, n_known: usize) {
    measure(bencher, "online-ngram", n_known);
}

#[divan::bench(args = HISTORY, sample_count = 20, sample_size = 1)]
fn last_32(bencher: Bencher, n_known: usize) {
    measure(bencher, "online-ngram?context=32", n_known);
}

#[divan::bench(args = HISTORY, sample_count = 20, sample_size = 1)]
fn last_256(bencher: Bencher, n_known: usize) {
    measure(bencher, "online-ngram?context=256", n_known);
}

#[divan::bench(args = HISTORY, sample_count = 20, sample_size = 1)]
fn repeat_last(bencher: Bencher, n_known: usize) {
    measure(bencher, "repeat-last", n_known);
}
