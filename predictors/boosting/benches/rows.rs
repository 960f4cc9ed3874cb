//! What a prediction costs: 200 trees 6 deep over 117 columns, ours and, for the ratio, XGBoost's own.
//!
//! `cargo bench -p napsim-boosting`; a line is for one row or for 64. Trees are trained on made-up rows where XGBoost
//! is installed; without it ours are made up as well, and XGBoost's lines are left out.

use std::ops::ControlFlow;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use napsim_boosting::{Dataset, Ensemble, Node, Objective, Parameters, Tree, TreeMethod, availability, train};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use xgboost_rs::parameters::tree::{TreeBoosterParametersBuilder, TreeMethod as LibraryTreeMethod};
use xgboost_rs::parameters::{BoosterParametersBuilder, BoosterType};
use xgboost_rs::{Booster, DMatrix};

const N_COLUMNS: usize = 117;
const N_ROUNDS: u32 = 200;
const N_ROWS: usize = 4_000;

fn main() {
    divan::main();
}

/// Rows of which every tenth value is missing.
fn values(n_rows: usize) -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut value = || {
        if random.random_bool(0.1) {
            f32::NAN
        } else {
            random.random_range(0.0_f32..1.0)
        }
    };
    std::iter::repeat_with(&mut value).take(n_rows * N_COLUMNS).collect()
}

/// A number that many columns have a say in, so that trees grow to their full depth.
fn labels(values: &[f32]) -> Vec<f32> {
    let label = |row: &[f32]| {
        let known = row.iter().map(|value| if value.is_nan() { 0.3 } else { *value });
        known
            .enumerate()
            .map(|(column, value)| value * (1.0 + (column % 7) as f32))
            .sum::<f32>()
            .sin()
    };
    values.chunks(N_COLUMNS).map(label).collect()
}

fn parameters() -> Parameters {
    Parameters {
        n_rounds: N_ROUNDS,
        tree_method: TreeMethod::Hist { max_bins: 256 },
        ..Parameters::new(Objective::SquaredError)
    }
}

fn trained() -> Option<Ensemble> {
    availability().ok()?;
    let values = values(N_ROWS);
    let labels = labels(&values);
    let dataset = Dataset::new(N_COLUMNS, values, labels, None).ok()?;
    train(&parameters(), &dataset, None, &mut |_| ControlFlow::Continue(())).ok()
}

/// Full trees with random splits.
fn made_up() -> Option<Ensemble> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut node = |number: u32| match number {
        0..63 => Node::Split {
            column: random.random_range(0..N_COLUMNS as u32),
            threshold: random.random_range(0.0..1.0),
            missing_left: random.random_bool(0.5),
            left: 2 * number + 1,
            right: 2 * number + 2,
            gain: 1.0,
        },
        _ => Node::Leaf {
            value: random.random_range(-1.0..1.0),
        },
    };
    let mut tree = || Tree {
        nodes: (0..127).map(&mut node).collect(),
    };
    let trees: Vec<_> = std::iter::repeat_with(&mut tree).take(N_ROUNDS as usize).collect();
    Ensemble::from_trees(Objective::SquaredError, N_COLUMNS, 0.5, &trees).ok()
}

fn ours(bencher: Bencher, ensemble: Option<Ensemble>, n_rows: usize) {
    let Some(ensemble) = ensemble else { return };
    // Other rows each time, or the processor would learn the way of the one.
    let all = values(1_024);
    let mut blocks = all.chunks_exact(n_rows * N_COLUMNS).cycle();
    let mut out = vec![0.0; n_rows];
    bencher.counter(ItemsCount::new(n_rows)).bench_local(|| {
        let rows = blocks.next().unwrap_or_default();
        let _ = black_box(ensemble.margins_of_rows(black_box(rows), &mut out));
    });
}

#[divan::bench(args = [1, 64])]
fn trained_trees(bencher: Bencher, n_rows: usize) {
    ours(bencher, trained(), n_rows);
}

#[divan::bench(args = [1, 64])]
fn full_trees(bencher: Bencher, n_rows: usize) {
    ours(bencher, made_up(), n_rows);
}

fn matrix(values: &[f32]) -> Option<DMatrix> {
    let n_rows = values.len() / N_COLUMNS;
    DMatrix::from_col_major_f32(values, N_COLUMNS * 4, 4, n_rows, N_COLUMNS, 1, f32::NAN).ok()
}

/// The same training, but the library's model.
fn library_model() -> Option<Booster> {
    availability().ok()?;
    let trees = TreeBoosterParametersBuilder::default()
        .eta(0.1)
        .tree_method(LibraryTreeMethod::Hist)
        .build()
        .ok()?;
    let parameters = BoosterParametersBuilder::default()
        .booster_type(BoosterType::Tree(trees))
        .threads(Some(1))
        .build()
        .ok()?;
    let values = values(N_ROWS);
    let mut rows = matrix(&values)?;
    rows.set_labels(&labels(&values)).ok()?;
    let mut booster = Booster::new_with_cached_dmats(&parameters, &[&rows]).ok()?;
    for round in 0..N_ROUNDS {
        booster.update(&rows, round as i32).ok()?;
    }
    // Without what it remembers of the training rows, and again on one thread, which is not part of a saved model.
    let mut booster = Booster::load_buffer(booster.save_to_buffer("json".to_owned()).ok()?.as_bytes()).ok()?;
    booster.set_params(&parameters).ok()?;
    Some(booster)
}

/// What `xgboost-rs` takes for rows that it did not see before: a matrix is made of them first.
#[divan::bench(args = [1, 64])]
fn xgboost(bencher: Bencher, n_rows: usize) {
    let Some(booster) = library_model() else { return };
    let all = values(1_024);
    let mut blocks = all.chunks_exact(n_rows * N_COLUMNS).cycle();
    bencher.counter(ItemsCount::new(n_rows)).bench_local(|| {
        let rows = matrix(black_box(blocks.next().unwrap_or_default()));
        black_box(rows.map(|rows| booster.predict(&rows)))
    });
}
