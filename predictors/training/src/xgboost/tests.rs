//! Tests of the training. Needs XGBoost; without it they say that they were skipped, or fail where
//! `NAPSIM_REQUIRE_XGBOOST=1`.

use std::fs;
use std::io::Write as _;

use napsim_predictors::xgboost::XgboostModel;
use rayon::ThreadPoolBuilder;

use super::*;

/// Whether XGBoost is there. Says loudly where it is not.
fn xgboost() -> bool {
    let Err(reason) = availability() else { return true };
    let required = std::env::var_os("NAPSIM_REQUIRE_XGBOOST").is_some_and(|value| value == "1");
    assert!(!required, "NAPSIM_REQUIRE_XGBOOST=1 and {reason}");
    // Past the test harness, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
    false
}

fn trained_on(lines: &str, jobs: usize, settings: XgboostSettings) -> Result<Trained, TrainingError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.jsonl"), lines).unwrap();
    let job = Job {
        corpora: vec![folder.path().join("data.jsonl")],
        seed: 5,
        date: "2026-02-03".to_owned(),
        program: "0.0.0".to_owned(),
        positions_max: 60,
    };
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build().unwrap();
    pool.install(|| train(&job, settings, &|_| ()))
}

/// Sequences in which a value is typed, made bold and then typed two rows further down.
fn lines(n_sequences: usize) -> String {
    let line = |idx: usize| {
        let part = if idx.is_multiple_of(4) { "valid" } else { "train" };
        let row = idx % 7 + 1;
        let actions = (0..4).flat_map(|n| {
            let row = row + 2 * n;
            [
                format!("\"INPUT | A{row} | 1\""),
                format!("\"FONT_BOLD | A{row} | true\""),
            ]
        });
        let actions = actions.collect::<Vec<_>>().join(",");
        format!("{{\"id\":\"s{idx}\",\"split\":\"{part}\",\"actions\":[{actions}]}}\n")
    };
    (0..n_sequences).map(line).collect()
}

#[test]
fn a_pattern_is_learnt_and_told_on_the_card() {
    if !xgboost() {
        return;
    }
    let Trained { model, report } = trained_on(&lines(200), 2, XgboostSettings::default()).unwrap();
    let card = model.card();
    assert_eq!(card.data, report.sources);
    let settings = Value::Object(card.settings.clone());
    let expect = json!({
        "features": "v1", "range_mode": "relative", "window": 10, "rounds": 60, "depth": 6, "learning_rate": "0.15",
        "patience": 5, "rows_max": 150_000, "max_sequences": 5_000, "unknown_as": "own-class",
    });
    assert_eq!(settings, expect);
    assert_eq!(
        (&card.metrics["n_sequences"], &card.metrics["n_rows"]),
        (&json!(150), &json!(150 * 7))
    );
    let all = &card.metrics["next_action"]["all"];
    assert_eq!(
        (&all["n_positions"], &all["kind"], &all["range"]),
        (&json!(60), &json!(60), &json!(60))
    );
    let XgboostModel::Five(five) = XgboostModel::from_model(&model).unwrap() else {
        panic!("another model");
    };
    assert_eq!(five.classes(), [13, 20]);
}

#[test]
fn threads_make_no_difference() {
    if !xgboost() {
        return;
    }
    let settings = XgboostSettings {
        rows_max: Some(100),
        n_rounds: 5,
        ..XgboostSettings::default()
    };
    let bytes = |jobs| {
        trained_on(&lines(60), jobs, settings)
            .unwrap()
            .model
            .to_bytes()
            .unwrap()
    };
    assert_eq!(bytes(1), bytes(4));
}

#[test]
fn the_published_settings_train_every_round() {
    if !xgboost() {
        return;
    }
    let settings = XgboostSettings {
        sequences_max: Some(10),
        ..XgboostSettings::published()
    };
    let Trained { model, .. } = trained_on(&lines(40), 2, settings).unwrap();
    assert_eq!(model.card().metrics["rounds"], json!([200, 200, 200, 200, 200]));
    assert_eq!(model.card().metrics["n_sequences"], json!(10));
    assert_eq!(model.card().settings["unknown_as"], json!("published"));
}

#[test]
fn nothing_held_out_means_no_early_stop() {
    if !xgboost() {
        return;
    }
    let lines = lines(30).replace("\"valid\"", "\"train\"");
    let Trained { model, .. } = trained_on(&lines, 2, XgboostSettings::default()).unwrap();
    assert_eq!(model.card().metrics["rounds"], json!([60, 60, 60, 60, 60]));
    assert_eq!(
        model.card().metrics["valid_loss"],
        json!([null, null, null, null, null])
    );
}

#[test]
fn data_that_teach_nothing_are_refused() {
    if !xgboost() {
        return;
    }
    let one_kind =
        "{\"id\":\"s\",\"split\":\"train\",\"actions\":[\"INPUT | A1 | 1\",\"INPUT | A2 | 1\",\"INPUT | A3 | 1\"]}\n";
    let error = trained_on(one_kind, 1, XgboostSettings::default()).unwrap_err();
    assert!(matches!(error, TrainingError::OneKind), "{error}");
    let short = "{\"id\":\"s\",\"split\":\"train\",\"actions\":[\"INPUT | A1 | 1\",\"MERGE | A2:A3 | true\"]}\n";
    let error = trained_on(short, 1, XgboostSettings::default()).unwrap_err();
    assert!(
        matches!(error, TrainingError::Boosted(BoostedError::Rows(_))),
        "{error}"
    );
}
