//! Our evaluation holds to the library's. Needs XGBoost; without it the tests say that they were skipped, or fail where
//! `NAPSIM_REQUIRE_XGBOOST=1`.

#![expect(clippy::unwrap_used, reason = "a test that finds something else has failed")]

#[path = "agreement/made_up.rs"]
mod made_up;

use std::io::Write as _;
use std::ops::ControlFlow;

use made_up::{N_COLUMNS, dataset, parameters, rows};
use napsim_boosting::{BoostingError, Dataset, Ensemble, Objective, Parameters, TreeMethod, availability, train};
use xgboost_rs::parameters::learning::{LearningTaskParametersBuilder, Objective as LibraryObjective};
use xgboost_rs::parameters::tree::{TreeBoosterParametersBuilder, TreeMethod as LibraryTreeMethod};
use xgboost_rs::parameters::{BoosterParametersBuilder, BoosterType};
use xgboost_rs::{Booster, DMatrix};

const OBJECTIVES: [Objective; 3] = [
    Objective::Logistic,
    Objective::Softprob { n_classes: 5 },
    Objective::SquaredError,
];

const METHODS: [TreeMethod; 2] = [TreeMethod::Exact, TreeMethod::Hist { max_bins: 64 }];

/// Whether XGBoost is there. Says loudly where it is not.
fn xgboost() -> bool {
    let Err(reason) = availability() else { return true };
    let required = std::env::var_os("NAPSIM_REQUIRE_XGBOOST").is_some_and(|value| value == "1");
    assert!(!required, "NAPSIM_REQUIRE_XGBOOST=1 and {reason}");
    // Past the test harness, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
    false
}

fn go_on(_: napsim_boosting::Round) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn trained(parameters: &Parameters, rows: &Dataset, valid: Option<&Dataset>) -> Ensemble {
    train(parameters, rows, valid, &mut go_on).unwrap()
}

/// The model that the library itself has after as many rounds on one thread, by a way that shares no code.
fn library_model(parameters: &Parameters, rows: &Dataset) -> Booster {
    let mut trees = TreeBoosterParametersBuilder::default();
    trees
        .eta(parameters.learning_rate)
        .max_depth(parameters.depth_max)
        .min_child_weight(parameters.min_child_weight)
        .subsample(parameters.subsample)
        .colsample_bytree(parameters.column_sample)
        .lambda(parameters.lambda);
    match parameters.tree_method {
        TreeMethod::Exact => trees.tree_method(LibraryTreeMethod::Exact),
        TreeMethod::Hist { max_bins } => trees.tree_method(LibraryTreeMethod::Hist).max_bin(max_bins),
    };
    let objective = match parameters.objective {
        Objective::Logistic => LibraryObjective::BinaryLogistic,
        Objective::Softprob { n_classes } => LibraryObjective::MultiSoftprob(n_classes),
        Objective::SquaredError => LibraryObjective::RegSquaredError,
    };
    let learning = LearningTaskParametersBuilder::default()
        .objective(objective)
        .seed(u64::from(parameters.seed))
        .build()
        .unwrap();
    let library = BoosterParametersBuilder::default()
        .booster_type(BoosterType::Tree(trees.build().unwrap()))
        .learning_params(learning)
        .threads(Some(1))
        .build()
        .unwrap();
    let matrix = matrix(rows);
    let mut booster = Booster::new_with_cached_dmats(&library, &[&matrix]).unwrap();
    for round in 0..parameters.n_rounds {
        booster.update(&matrix, round as i32).unwrap();
    }
    // Read back, so that it forgets the matrix, which is about to go.
    Booster::load_buffer(booster.save_to_buffer("json".to_owned()).unwrap().as_bytes()).unwrap()
}

fn matrix(rows: &Dataset) -> DMatrix {
    let n_columns = rows.n_columns();
    let (values, n_rows) = (rows.values(), rows.n_rows());
    let mut matrix = DMatrix::from_col_major_f32(values, 4 * n_columns, 4, n_rows, n_columns, 1, f32::NAN).unwrap();
    matrix.set_labels(rows.labels()).unwrap();
    if let Some(weights) = rows.weights() {
        matrix.set_weights(weights).unwrap();
    }
    matrix
}

/// Bits, so that even the sign of a zero counts.
fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn margins_are_the_librarys_to_the_bit_and_predictions_within_a_millionth() {
    if !xgboost() {
        return;
    }
    for objective in OBJECTIVES {
        for method in METHODS {
            let parameters = parameters(objective, method);
            let train_rows = dataset(objective, 600, 1);
            let ensemble = trained(&parameters, &train_rows, None);
            let library = library_model(&parameters, &train_rows);
            assert_eq!(ensemble.n_trees(), parameters.n_rounds as usize * objective.n_outputs());

            let others = dataset(objective, 301, 2);
            let matrix = matrix(&others);
            let mut margins = vec![0.0; others.n_rows() * objective.n_outputs()];
            ensemble.margins_of_rows(others.values(), &mut margins).unwrap();
            let expected = library.predict_margin(&matrix).unwrap();
            assert_eq!(bits(&margins), bits(&expected), "{objective:?} {method:?}");

            let expected = library.predict(&matrix).unwrap();
            let mut out = vec![0.0; objective.n_outputs()];
            for (row, expected) in others.values().chunks(N_COLUMNS).zip(expected.chunks(out.len())) {
                ensemble.predict(row, &mut out).unwrap();
                for (got, expected) in out.iter().zip(expected) {
                    assert!(
                        (got - expected).abs() < 1e-6,
                        "{objective:?} {method:?}: {got}, not {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_was_trained_comes_back_from_its_bytes_and_the_same_seed_gives_the_same() {
    if !xgboost() {
        return;
    }
    for objective in OBJECTIVES {
        for method in METHODS {
            let parameters = Parameters {
                subsample: 0.7,
                column_sample: 0.5,
                ..parameters(objective, method)
            };
            let rows = dataset(objective, 500, 3);
            let ensemble = trained(&parameters, &rows, None);
            let bytes = ensemble.to_bytes();
            assert_eq!(Ensemble::from_bytes(&bytes).as_ref(), Ok(&ensemble));
            assert_eq!(
                trained(&parameters, &rows, None).to_bytes(),
                bytes,
                "{objective:?} {method:?}"
            );
            let other_seed = Parameters { seed: 43, ..parameters };
            assert_ne!(
                trained(&other_seed, &rows, None).to_bytes(),
                bytes,
                "{objective:?} {method:?}"
            );
        }
    }
}

/// Trainings side by side do not disturb one another.
#[test]
fn threads_that_train_at_once_get_what_each_would_get_alone() {
    if !xgboost() {
        return;
    }
    let parameters = parameters(Objective::SquaredError, TreeMethod::Hist { max_bins: 64 });
    let all_rows: Vec<_> = (0..4).map(|seed| dataset(Objective::SquaredError, 400, seed)).collect();
    let alone: Vec<_> = all_rows.iter().map(|rows| trained(&parameters, rows, None)).collect();
    let at_once: Vec<_> = std::thread::scope(|scope| {
        let parameters = &parameters;
        let threads: Vec<_> = all_rows
            .iter()
            .map(|rows| scope.spawn(move || trained(parameters, rows, None)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(alone == at_once);
}

#[test]
fn the_best_round_is_kept_where_training_stops_early() {
    if !xgboost() {
        return;
    }
    for objective in OBJECTIVES {
        let parameters = Parameters {
            n_rounds: 300,
            learning_rate: 0.5,
            early_stopping_rounds: Some(5),
            ..parameters(objective, TreeMethod::Hist { max_bins: 64 })
        };
        let (train_rows, valid_rows) = (dataset(objective, 300, 4), dataset(objective, 200, 5));
        let mut losses = Vec::new();
        let mut watch = |round: napsim_boosting::Round| {
            assert_eq!((round.index as usize, round.of), (losses.len(), 300));
            losses.push(round.valid_loss.unwrap());
            ControlFlow::Continue(())
        };
        let ensemble = train(&parameters, &train_rows, Some(&valid_rows), &mut watch).unwrap();
        assert!(losses.len() < 300, "{objective:?} did not stop");
        let best = (0..losses.len())
            .min_by(|&one, &other| losses[one].total_cmp(&losses[other]))
            .unwrap();
        assert_eq!(losses.len(), best + 1 + 5);

        // The same as if no more rounds had been asked for.
        let fewer = Parameters {
            n_rounds: best as u32 + 1,
            early_stopping_rounds: None,
            ..parameters
        };
        assert!(trained(&fewer, &train_rows, None) == ensemble, "{objective:?}");
    }
}

#[test]
fn the_loss_that_is_told_is_that_of_the_predictions() {
    if !xgboost() {
        return;
    }
    for objective in OBJECTIVES {
        let parameters = parameters(objective, TreeMethod::Exact);
        let rows = dataset(objective, 300, 6);
        let mut last = f32::NAN;
        let mut watch = |round: napsim_boosting::Round| {
            last = round.train_loss;
            ControlFlow::Continue(())
        };
        let ensemble = train(&parameters, &rows, None, &mut watch).unwrap();
        let expected = made_up::loss(&ensemble, &rows);
        assert!(
            (f64::from(last) - expected).abs() < 1e-4,
            "{objective:?}: told {last}, is {expected}"
        );
    }
}

#[test]
fn the_column_that_decides_matters_most() {
    if !xgboost() {
        return;
    }
    let values = rows(400, 7);
    let labels = values.chunks(N_COLUMNS).map(|row| if row[3] > 0.2 { 1.0 } else { 0.0 });
    let dataset = Dataset::new(N_COLUMNS, values.clone(), labels.collect(), None).unwrap();
    let parameters = parameters(Objective::Logistic, TreeMethod::Exact);
    let importance = trained(&parameters, &dataset, None).importance();
    assert_eq!(importance.len(), N_COLUMNS);
    assert!((importance.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(importance[3] > 0.9, "{importance:?}");
}

#[test]
fn what_cannot_be_trained_is_refused_with_the_reason() {
    let rows = dataset(Objective::SquaredError, 10, 8);
    let check = |parameters: &Parameters, valid: Option<&Dataset>, expect: &str| {
        let error = train(parameters, &rows, valid, &mut go_on).unwrap_err();
        assert!(error.to_string().contains(expect), "{error}");
    };
    let logistic = Parameters::new(Objective::Logistic);
    check(&logistic, None, "as the label of row");
    let softprob = Parameters::new(Objective::Softprob { n_classes: 3 });
    check(&softprob, None, "the number of a class");
    let numbers = Parameters::new(Objective::SquaredError);
    let early = Parameters {
        early_stopping_rounds: Some(3),
        ..numbers.clone()
    };
    check(&early, None, "without validation rows");
    let narrow = Dataset::new(1, vec![1.0], vec![1.0], None).unwrap();
    check(&numbers, Some(&narrow), "validate with 1 columns");
    let deep = Parameters {
        depth_max: 99,
        ..numbers.clone()
    };
    check(&deep, None, "use 99 as depth_max");
    if xgboost() {
        let stopped = train(&numbers, &rows, None, &mut |_| ControlFlow::Break(()));
        assert!(matches!(stopped, Err(BoostingError::Stopped { index: 0 })));
    }
}
