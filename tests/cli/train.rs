//! `napsim train` and `napsim model`: what a person meets.

use std::fs;

use napsim_predictors::model::hex_sha256;
use serde_json::Value;

use crate::command::{Answer, Folder};

/// A folder with a small corpus, as a folder and as JSON lines.
fn with_corpus() -> Folder {
    let folder = Folder::new();
    let generate = "corpus generate --seed 3 --count 10 --split 0.6,0.2,0.2 --jsonl made.jsonl --quiet -o made";
    folder.napsim(generate).output(0);
    folder
}

/// The same with a model.
fn with_model() -> Folder {
    let folder = with_corpus();
    let train = "train ngram --corpus made --out ngram.model --date 2026-01-02 --quiet";
    folder.napsim(train).output(0);
    folder
}

#[expect(clippy::unwrap_used, reason = "a test that cannot read its files has failed")]
fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap()
}

#[expect(clippy::unwrap_used, reason = "a test that cannot read its files has failed")]
fn card(folder: &Folder, name: &str) -> Value {
    let json = folder.napsim(&format!("model show {name} --json")).output(0);
    serde_json::from_str(&json).unwrap()
}

#[test]
fn the_same_data_give_the_same_bytes() {
    let folder = with_model();
    for jobs in [1, 2] {
        let train = format!("train ngram --corpus made --out again.model --date 2026-01-02 --jobs {jobs} --quiet");
        folder.napsim(&train).output(0);
        assert_eq!(bytes(&folder, "again.model"), bytes(&folder, "ngram.model"), "{jobs}");
    }
    // Another day is another card of the same model; so is another form of the same data.
    let mut train = folder.command([
        "train",
        "ngram",
        "--corpus",
        "made.jsonl",
        "--out",
        "lines.model",
        "--quiet",
    ]);
    Answer::of(&train.env("SOURCE_DATE_EPOCH", "86400").output().unwrap()).output(0);
    let (first, second) = (card(&folder, "ngram.model"), card(&folder, "lines.model"));
    assert_eq!(
        (&first["date"], &second["date"]),
        (&"2026-01-02".into(), &"1970-01-02".into())
    );
    assert_eq!(first["fingerprint"], second["fingerprint"]);
    assert_eq!(first["metrics"], second["metrics"]);
    assert_ne!(first["data"], second["data"]);
}

#[test]
fn settings_and_data_are_on_the_card() {
    let folder = with_corpus();
    let train = "train ngram --corpus made.jsonl made --range-mode absolute --max-n 3 --min-count 2 --seed 9 \
                 --date 2026-01-02 --positions 40 --sequences 0 --out small.model --json --quiet";
    let trained: Value = serde_json::from_str(&folder.napsim(train).output(0)).unwrap();
    assert_eq!(trained, card(&folder, "small.model"));
    assert_eq!(trained["schema"], "napsim-model-card/1");
    assert_eq!(
        trained["settings"],
        serde_json::json!({"range_mode": "absolute", "max_n": 3, "min_count": 2, "ranking": null})
    );
    assert_eq!(trained["metrics"]["next_action"]["all"]["n_positions"], 40);
    let names: Vec<&Value> = trained["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| &source["name"])
        .collect();
    assert_eq!(names, ["made.jsonl", "made"]);
    let split = &trained["split"];
    let n_all: u64 = ["train", "valid", "test"]
        .iter()
        .map(|part| split[part].as_u64().unwrap())
        .sum();
    assert_eq!(n_all, 20);
    let table = folder.napsim("model show small.model").output(0);
    for part in [
        "kind         ngram, version 1",
        "2026-01-02 by napsim ",
        "seed 9",
        "made.jsonl",
        "next action",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn a_model_can_be_measured() {
    let folder = with_model();
    let run = "run made --predictor ngram?model=ngram.model --quiet --json --jobs";
    let one: Value = serde_json::from_str(&folder.napsim(&format!("{run} 1 --out kept")).output(0)).unwrap();
    let two: Value = serde_json::from_str(&folder.napsim(&format!("{run} 2")).output(0)).unwrap();
    assert_eq!(one["predictor"], "ngram?model=ngram.model");
    assert_eq!(one["per_trajectory"], two["per_trajectory"]);
    // The record names the model by what it is, so that another one under the same name is noticed.
    let fingerprint = card(&folder, "ngram.model")["fingerprint"].as_str().unwrap().to_owned();
    let manifest = folder.read("kept/run.json");
    assert!(manifest.contains(&format!("ngram/{fingerprint}/")), "{manifest}");
    let contradiction = folder
        .napsim("run made --predictor ngram?model=ngram.model&range_mode=absolute")
        .talk(2);
    assert_eq!(
        contradiction,
        "napsim: failed to use `range_mode=absolute` of `ngram`: its model was trained with `range_mode=relative`\n"
    );
}

#[test]
fn models_come_along() {
    let folder = with_corpus();
    for kind in ["ngram", "xgboost", "lstm"] {
        let run = format!("run made --predictor {kind} --quiet --json");
        let run: Value = serde_json::from_str(&folder.napsim(&run).output(0)).unwrap();
        assert!(run["accepted"].as_u64().unwrap() > 0, "{kind}: {run}");
        let shown = folder.napsim(&format!("model show {kind} --calibrate")).output(0);
        assert!(shown.contains(&format!("kind         {kind}, version 1")), "{shown}");
        assert!(shown.contains("coverage"), "{shown}");
    }
    let talk = folder.napsim("model show no.model").talk(2);
    assert!(
        talk.starts_with("napsim: failed to read the model no.model: "),
        "{talk}"
    );
}

#[test]
fn confidence_and_values_are_options_of_a_run() {
    let folder = with_corpus();
    let n = |options: &str| -> u64 {
        let run = folder.napsim(&format!("run made --predictor ngram --quiet --json {options}"));
        let run: Value = serde_json::from_str(&run.output(0)).unwrap();
        run["predictions"].as_u64().unwrap()
    };
    assert!(n("--confidence 0.6") < n("--confidence 0"));
    assert!(n("--values v1") > 0);
    for (call, expect) in [
        ("run --predictor ngram --confidence 2", "give a number from 0 to 1"),
        ("run --predictor ngram --values v3", "give `v1` or `v2`"),
        (
            "run --predictor ngram --values v1 --confidence 0.5",
            "without `values=v2`",
        ),
        (
            "run --predictor none --confidence 0.5",
            "find an option `confidence` of `none`",
        ),
    ] {
        let talk = folder.napsim(call).talk(2);
        assert!(talk.contains(expect), "{call}: {talk}");
    }
}

#[test]
fn models_that_are_none_are_refused() {
    let folder = with_model();
    let good = bytes(&folder, "ngram.model");
    let check = |bytes: &[u8], expect: &str| {
        folder.write("bad.model", bytes);
        for call in ["model show bad.model", "run made --predictor ngram?model=bad.model"] {
            let talk = folder.napsim(call).talk(2);
            assert_eq!(
                talk,
                format!("napsim: failed to read the model bad.model: {expect}\n"),
                "{call}"
            );
        }
    };
    let (all, cut) = (good.len(), good.len() - 10);
    check(
        &good[..cut],
        &format!("it has {cut} bytes where its header expects {all}: the end is missing"),
    );
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 4;
    check(&flipped, "it is damaged: section `ranking` is not what was written");
    let mut flipped = good.clone();
    flipped[100] ^= 1;
    check(&flipped, "it is damaged: its header is not what was written");
    let newer = [b"napsim-model/2", &good[b"napsim-model/1".len()..]].concat();
    check(
        &newer,
        "it is a model file of version 2, and this program reads version 1",
    );
    check(
        b"INPUT | A1 | 1\n",
        "it is no model file (its first line does not begin with `napsim-model/`)",
    );
    let other = with_kind(&good, "\"kind\":\"ngram\"", "\"kind\":\"forest\"");
    check(
        &other,
        "it is a model of the unknown kind `forest`; this program knows ngram, xgboost, lstm",
    );
}

/// A model file with a changed header, whose first line is that of the changed one.
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test whose model has no header has failed"
)]
fn with_kind(good: &[u8], from: &str, to: &str) -> Vec<u8> {
    let line_end = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let line = String::from_utf8(good[..line_end].to_vec()).unwrap();
    let length: usize = line.split(' ').nth(1).unwrap().parse().unwrap();
    let (header, rest) = good[line_end..].split_at(length);
    let header = String::from_utf8(header.to_vec()).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replacen(from, to, 1);
    let line = format!("napsim-model/1 {} {}\n", header.len(), hex_sha256(header.as_bytes()));
    [line.as_bytes(), header.as_bytes(), rest].concat()
}

#[test]
fn nothing_but_a_model_is_overwritten() {
    let folder = with_corpus();
    folder.write("notes.txt", "mine");
    let train = |out: &str| folder.napsim(&format!("train ngram --corpus made.jsonl --quiet --out {out}"));
    let talk = train("notes.txt").talk(2);
    assert_eq!(
        talk,
        "napsim: failed to write notes.txt: it is there and is no model file; give another file to --out\n"
    );
    assert_eq!(folder.read("notes.txt"), "mine");
    assert!(train("made").talk(2).contains("it is a folder"));
    assert!(train("made.jsonl").talk(2).contains("is no model file"));
    assert!(train("no/where.model").talk(2).contains("there is no such folder"));
    train("my.model").output(0);
    train("my.model").output(0);
    let leftovers: Vec<_> = folder
        .files("")
        .into_iter()
        .filter(|(name, _)| name.contains("my.model"))
        .collect();
    assert_eq!(leftovers.len(), 1);
}

#[test]
fn bad_data_are_told_and_few_of_them_left_out() {
    let folder = with_corpus();
    let good = folder.read("made.jsonl");
    let mut lines: Vec<&str> = good.lines().collect();
    lines.insert(1, "{\"id\":\"x\",\"actions\":[\"INPUT | A1 | 1\",\"HOP | A1\"]}");
    folder.write("bad.jsonl", lines.join("\n"));
    let train = "train ngram --out my.model --quiet --corpus";
    let talk = folder.napsim(&format!("{train} bad.jsonl")).talk(2);
    assert!(
        talk.starts_with("napsim: failed to use the data: 1 of 11 lines are no sequences of actions, more than 1 %\n  bad.jsonl:2: action 2: "),
        "{talk}"
    );
    assert!(!folder.path("my.model").exists());
    folder.write("few.jsonl", format!("{}{}", good.repeat(20), lines[1]));
    let answer = folder.napsim(&format!("{train} few.jsonl"));
    assert!(
        answer.stderr.contains("napsim: note: 1 of 201 lines skipped\n"),
        "{}",
        answer.stderr
    );
    assert!(answer.output(0).contains("few.jsonl"));
    let talk = folder.napsim(&format!("{train} none.jsonl")).talk(2);
    assert!(
        talk.starts_with("napsim: failed to find none.jsonl: no such file or folder"),
        "{talk}"
    );
    assert!(
        folder
            .napsim(&format!("{train} made --date 2026-02-30"))
            .talk(2)
            .contains("a day of the calendar")
    );
    assert!(
        folder
            .napsim(&format!("{train} made --max-n 17"))
            .talk(2)
            .contains("a whole number from 1 to 16")
    );
}
