//! `napsim train xgboost --features v1` and `best-of`: what a person meets. Training needs XGBoost; without it the tests say
//! that they were skipped, or fail where `NAPSIM_REQUIRE_XGBOOST=1`.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::command::{Answer, Folder};

const TRAIN: &str = "train xgboost --features v1 --corpus made.jsonl --rounds 3 --date 2026-01-02 --quiet";

/// A folder with a small corpus as JSON lines.
fn with_corpus() -> Folder {
    let folder = Folder::new();
    let generate = "corpus generate --seed 3 --count 10 --split 0.6,0.2,0.2 --jsonl made.jsonl --quiet -o made";
    folder.napsim(generate).output(0);
    folder
}

/// Whether XGBoost is there, by what the program says of it. Says loudly where it is not.
fn xgboost(folder: &Folder) -> bool {
    let answer = folder.napsim(&format!("{TRAIN} --out probe.model"));
    if answer.code == Some(0) {
        return true;
    }
    let reason = answer.stderr;
    assert_eq!(answer.code, Some(30), "{reason}");
    assert!(reason.contains("libxgboost-dev"), "it says what to install: {reason}");
    let required = std::env::var_os("NAPSIM_REQUIRE_XGBOOST").is_some_and(|value| value == "1");
    assert!(!required, "NAPSIM_REQUIRE_XGBOOST=1 and {reason}");
    // Past the test harness, which keeps what passing tests print to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
    false
}

#[test]
fn trees_are_trained_shown_and_measured() {
    let folder = with_corpus();
    if !xgboost(&folder) {
        return;
    }
    let trained = folder.napsim(&format!("{TRAIN} --out trees.model --json")).output(0);
    let card: Value = serde_json::from_str(&trained).unwrap();
    assert_eq!(
        (&card["kind"], &card["settings"]["features"]),
        (&json!("xgboost"), &json!("v1"))
    );
    assert_eq!(card["settings"]["rounds"], 3);
    assert!(card["metrics"]["next_action"]["all"]["n_positions"].as_u64().unwrap() > 0);
    let names: Vec<&Value> = card["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| &section["name"])
        .collect();
    assert_eq!(
        names,
        ["classes", "op-type", "range-0", "range-1", "range-2", "range-3"]
    );
    for jobs in [1, 2] {
        let again = format!("{TRAIN} --out again.model --jobs {jobs}");
        folder.napsim(&again).output(0);
        let read = |name| std::fs::read(folder.path(name)).unwrap();
        assert_eq!(read("again.model"), read("trees.model"), "{jobs}");
    }
    let run = "run made --quiet --json --predictor";
    let measured: Value =
        serde_json::from_str(&folder.napsim(&format!("{run} xgboost?model=trees.model")).output(0)).unwrap();
    assert_eq!(measured["predictor"], "xgboost?model=trees.model");
    let talk = |option: &str| {
        folder
            .napsim(&format!("{run} xgboost?model=trees.model&{option}"))
            .talk(2)
    };
    assert_eq!(
        talk("range_mode=absolute"),
        "napsim: failed to use `range_mode=absolute` of `xgboost`: its model was trained with `range_mode=relative`\n"
    );
    assert_eq!(
        talk("confidence=0.5"),
        "napsim: failed to use `confidence` of `xgboost`: it means nothing to a model of features v1\n"
    );
}

#[test]
fn the_published_settings_turn_every_deviation_off() {
    let folder = with_corpus();
    if !xgboost(&folder) {
        return;
    }
    let train =
        "train xgboost --features v1 --published --corpus made.jsonl --out p.model --max-sequences 2 --quiet --json";
    let card: Value = serde_json::from_str(&folder.napsim(train).output(0)).unwrap();
    let expect = json!({
        "features": "v1", "range_mode": "relative", "window": 10, "rounds": 200, "depth": 6, "learning_rate": "0.1",
        "patience": null, "rows_max": null, "max_sequences": 2, "unknown_as": "published",
    });
    assert_eq!(card["settings"], expect);
    assert_eq!(card["metrics"]["n_sequences"], 2);
}

#[test]
fn options_of_other_features_are_refused() {
    let folder = with_corpus();
    let train = |options: &str| {
        let command = format!("train xgboost --corpus made.jsonl --out x.model --quiet {options}");
        folder.napsim(&command).talk(2)
    };
    assert_eq!(
        train("--published"),
        "napsim: failed to use --published: it is an option of --features v1\n"
    );
    assert_eq!(
        train("--features v1 --sequences 5"),
        "napsim: failed to use --sequences: it is an option of --features v2\n"
    );
    assert!(train("--features v1 --published --rounds 5").contains("--rounds"));
    assert!(train("--features v1 --window 0").contains("a whole number from 1 to 100"));
    assert!(train("--features v1 --learning-rate 0").contains("above 0 and at most 1"));
    assert!(!folder.path("x.model").exists());
}

#[test]
fn a_missing_library_is_told_with_what_to_install() {
    let folder = with_corpus();
    let arguments: Vec<String> = format!("{TRAIN} --out x.model").split(' ').map(str::to_owned).collect();
    let mut command = folder.command(arguments);
    let answer = Answer::of(&command.env("NAPSIM_XGBOOST", "no/libxgboost.so").output().unwrap());
    let talk = answer.talk(30);
    assert!(talk.starts_with("napsim: failed to train: "), "{talk}");
    assert!(talk.contains("libxgboost"), "{talk}");
    assert!(!folder.path("x.model").exists());
}

#[test]
fn several_predictors_are_asked_at_once() {
    let folder = with_corpus();
    let run = |predictor: &str| folder.napsim(&format!("run made --quiet --json --predictor {predictor}"));
    let both = "best-of(online-ngram,repeat-last)?confidence=0.05";
    let measured: Value = serde_json::from_str(&run(both).output(0)).unwrap();
    assert_eq!(measured["predictor"], both);
    // The same figures on any number of threads.
    let one: Value = serde_json::from_str(&run(&format!("{both} --jobs 1")).output(0)).unwrap();
    assert_eq!(one["per_trajectory"], measured["per_trajectory"]);
    // A refused action is not offered again, so fewer are refused than those of the online n-gram alone.
    let alone: Value = serde_json::from_str(&run("online-ngram").output(0)).unwrap();
    assert_ne!(alone["per_trajectory"], measured["per_trajectory"]);
    let talk = run("best-of(online-ngram,repaet-last)").talk(2);
    assert!(talk.contains("did you mean `repeat-last`?"), "{talk}");
    assert!(talk.ends_with("(part `repaet-last` of `best-of`)\n"), "{talk}");
    let listed = folder.napsim("list predictors").output(0);
    assert!(listed.contains("best-of(online-ngram,"), "{listed}");
}
