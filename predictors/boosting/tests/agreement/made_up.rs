//! Made-up rows, some values missing, and labels that depend on them.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that finds something else has failed"
)]

use napsim_boosting::{Dataset, Ensemble, Objective, Parameters, TreeMethod};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) const N_COLUMNS: usize = 12;

/// Few rounds, so that the tests are quick.
pub(crate) fn parameters(objective: Objective, tree_method: TreeMethod) -> Parameters {
    Parameters {
        n_rounds: 30,
        learning_rate: 0.3,
        tree_method,
        ..Parameters::new(objective)
    }
}

/// Values, `[n_rows, N_COLUMNS]`: even columns hold small integers, odd ones any numbers; every eighth is missing.
pub(crate) fn rows(n_rows: usize, seed: u64) -> Vec<f32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut values = Vec::with_capacity(n_rows * N_COLUMNS);
    for position in 0..n_rows * N_COLUMNS {
        values.push(match position % N_COLUMNS {
            _ if random.random_bool(0.125) => f32::NAN,
            column if column % 2 == 0 => random.random_range(-3_i8..=3).into(),
            _ => random.random_range(-1.0_f32..1.0),
        });
    }
    values
}

/// Rows whose labels some columns decide and some chance, every other time with weights.
pub(crate) fn dataset(objective: Objective, n_rows: usize, seed: u64) -> Dataset {
    let values = rows(n_rows, seed);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1_000);
    let mut label = |row: &[f32]| {
        let known = |column: usize| if row[column].is_nan() { 0.4 } else { row[column] };
        let number = known(0) * known(1) + 2.0 * known(5) + random.random_range(-1.0_f32..1.0);
        match objective {
            Objective::SquaredError => 10.0 * number,
            Objective::Logistic => f32::from(u8::from(number > 0.3)),
            Objective::Softprob { n_classes } => number.round().rem_euclid(n_classes as f32),
        }
    };
    let labels: Vec<f32> = values.chunks(N_COLUMNS).map(&mut label).collect();
    let weights = (seed % 2 == 1).then(|| labels.iter().map(|_| random.random_range(0.1_f32..2.0)).collect());
    Dataset::new(N_COLUMNS, values, labels, weights).unwrap()
}

/// The loss of `ensemble` on `rows`, by its definition.
pub(crate) fn loss(ensemble: &Ensemble, rows: &Dataset) -> f64 {
    let mut out = vec![0.0; ensemble.n_outputs()];
    let (mut sum, mut weights) = (0.0, 0.0);
    for (idx, (row, &label)) in rows.values().chunks(N_COLUMNS).zip(rows.labels()).enumerate() {
        let weight = rows.weights().map_or(1.0, |weights| f64::from(weights[idx]));
        ensemble.predict(row, &mut out).unwrap();
        let loss = match ensemble.objective() {
            Objective::SquaredError => f64::from(out[0] - label).powi(2),
            Objective::Logistic => -f64::from(if label > 0.5 { out[0] } else { 1.0 - out[0] }).ln(),
            Objective::Softprob { .. } => -f64::from(out[label as usize]).ln(),
        };
        sum += weight * loss;
        weights += weight;
    }
    let mean = sum / weights;
    if ensemble.objective() == Objective::SquaredError {
        mean.sqrt()
    } else {
        mean
    }
}
