//! Tests of the training.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use napsim_llama::Model;
use napsim_llama::train::{AdapterSettings, Halt, Progress as Step};
use napsim_predictors::language::CompletionTemplate;

use super::*;

/// The lines of a trajectory: a table with its own words, column and row.
fn lines(idx: usize) -> Vec<String> {
    let word = ["Apples", "Pears", "Plums", "Quinces", "Figs"][idx % 5];
    let column = ["A", "C", "F", "K"][idx % 4];
    let rows = idx + 1..idx + 5;
    rows.flat_map(|row| {
        [
            format!("INPUT | Plan!{column}{row} | \"{word}\""),
            format!("FONT_BOLD | Plan!{column}{row} | true"),
        ]
    })
    .collect()
}

/// A folder with twenty trajectories to learn and some of them again for validation.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: String, part: &str, idx| json!({"id": id, "split": part, "actions": lines(idx)}).to_string() + "\n";
    let train = (0..20).map(|idx| line(format!("t{idx}"), "train", idx));
    let valid = (0..20).step_by(6).map(|idx| line(format!("v{idx}"), "valid", idx));
    fs::write(folder.path().join("data.jsonl"), train.chain(valid).collect::<String>()).unwrap();
    folder
}

fn job(folder: &tempfile::TempDir) -> Job {
    Job {
        corpora: vec![folder.path().join("data.jsonl")],
        seed: 5,
        date: "2026-02-03".to_owned(),
        program: "0.0.0".to_owned(),
        positions_max: 0,
    }
}

fn settings(epochs: usize) -> SmollmSettings {
    SmollmSettings {
        data: DataSettings {
            window: 12,
            stride: 4,
            ..DataSettings::default()
        },
        network: Settings {
            epochs,
            batch: 4,
            micro_batch: 2,
            learning_rate: 5e-3,
            report_every: Some(10),
            ..Settings::default()
        },
        precision: Precision::Half,
    }
}

const SHAPE: Shape = Shape {
    layers: 2,
    width: 48,
    heads: 3,
    kv_heads: 1,
    feed_forward: 96,
    vocabulary: 290,
};

/// Trains until so many steps are done; with the last checkpoint.
fn trained(settings: &SmollmSettings, base: Base, start: Option<Vec<u8>>, steps: usize) -> (SmollmTrained, Vec<u8>) {
    let n_done = AtomicUsize::new(0);
    let mut last = Vec::new();
    let mut listener = |step: Step<'_>| match step {
        Step::Step { step, .. } => n_done.store(step, Ordering::SeqCst),
        Step::Report { snapshot, .. } | Step::Interrupted { snapshot } => last = snapshot.to_bytes().unwrap(),
        _ => {}
    };
    let mut watch = Watch {
        listener: &mut listener,
        halt: &|| (n_done.load(Ordering::SeqCst) >= steps).then_some(Halt::Interrupt),
    };
    let start = start.map(|bytes| Checkpoint::from_bytes(&bytes).unwrap());
    let outcome = train(
        &job(&data()),
        settings,
        base,
        &Place::processor(),
        start,
        &|_| (),
        &mut watch,
    )
    .unwrap();
    (outcome, last)
}

fn file<'a>(outcome: &'a SmollmTrained, name: &str) -> &'a [u8] {
    let files = outcome.files.as_ref().unwrap();
    &files.iter().find(|(found, _)| *found == name).unwrap().1
}

fn pretrained(outcome: &SmollmTrained) -> Pretrained {
    let config = String::from_utf8(file(outcome, "config.json").to_vec()).unwrap();
    let (tokenizer, weights) = (file(outcome, "tokenizer.json"), file(outcome, "model.safetensors"));
    Pretrained::from_bytes("trained", &config, tokenizer, weights).unwrap()
}

/// How the likeliest tokens go on after a prompt, up to the end of a line.
fn continuation(pretrained: Pretrained, lines: &[String]) -> String {
    let model = Arc::new(Model::new(pretrained.config, pretrained.tensors).unwrap());
    let mut session = model.session();
    let prompt = CompletionTemplate::default().prompt(lines);
    session.extend(&pretrained.tokenizer.encode(&prompt).unwrap()).unwrap();
    let mut bytes = Vec::new();
    for _ in 0..80 {
        let logits = session.logits().iter().zip(0_u32..);
        let (_, token) = logits.max_by(|left, right| left.0.total_cmp(right.0)).unwrap();
        bytes.extend_from_slice(pretrained.tokenizer.bytes(token));
        if bytes.len() > 1 && bytes.ends_with(b"\n") {
            break;
        }
        session.extend(&[token]).unwrap();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_toy_model_learns_twenty_trajectories_by_heart() {
    let (outcome, _) = trained(&settings(160), Base::Scratch(SHAPE), None, usize::MAX);
    assert_eq!(outcome.ending, Ending::Complete);
    let best = outcome.reports.iter().rfind(|report| report.best).unwrap();
    assert!(best.valid.unwrap() < 0.15, "{best:?}");
    for idx in [0, 7, 13] {
        let known: Vec<String> = lines(idx).iter().map(|line| line.replace("Plan!", "")).collect();
        for n_known in [3, 5, 7] {
            let next = continuation(pretrained(&outcome), &known[..n_known]);
            assert_eq!(next, format!("\n{}\n", known[n_known]), "{idx} {n_known}");
        }
    }
}

#[test]
fn the_card_tells_what_the_model_is() {
    let (outcome, _) = trained(&settings(1), Base::Scratch(SHAPE), None, usize::MAX);
    let card: Value = serde_json::from_slice(file(&outcome, CARD_NAME)).unwrap();
    assert_eq!(card, outcome.card);
    assert_eq!(card["schema"], CARD_SCHEMA);
    assert_eq!(card["base"]["scratch"]["width"], 48);
    assert_eq!(card["split"]["train"], 20);
    assert_eq!(card["ending"], "complete");
    assert_eq!(card["settings"]["training"]["seed"], 5);
    assert_eq!(card["settings"]["data"]["loss"], "targets");
    assert_eq!(card["windows"]["n_sequences"], 20);
    let config: Value = serde_json::from_slice(file(&outcome, "config.json")).unwrap();
    assert_eq!(
        (&config["model_type"], &config["torch_dtype"]),
        (&json!("llama"), &json!("float16"))
    );
    let n_parameters = card["n_parameters"].as_u64().unwrap();
    let n_bytes = file(&outcome, "model.safetensors").len() as u64;
    assert!((2 * n_parameters..2 * n_parameters + 10_000).contains(&n_bytes));
}

#[test]
fn interruption_and_threads_make_no_difference() {
    let scratch = || Base::Scratch(SHAPE);
    let (whole, _) = trained(&settings(2), scratch(), None, usize::MAX);
    let (broken_off, checkpoint) = trained(&settings(2), scratch(), None, 7);
    assert!(broken_off.files.is_none());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (resumed, _) = pool.install(|| trained(&settings(2), scratch(), Some(checkpoint), usize::MAX));
    assert!(resumed.files == whole.files);
}

#[test]
fn a_trained_model_is_tuned_on_by_adapters_or_as_a_whole() {
    let (outcome, _) = trained(&settings(6), Base::Scratch(SHAPE), None, usize::MAX);
    let loss = |outcome: &SmollmTrained| {
        outcome
            .reports
            .iter()
            .rfind(|report| report.best)
            .unwrap()
            .valid
            .unwrap()
    };
    for (adapters, bound) in [(None, 0.8), (Some(AdapterSettings::default()), 0.995)] {
        let mut settings = settings(12);
        settings.network.adapters = adapters;
        let base = Base::Pretrained("trained".to_owned(), Box::new(pretrained(&outcome)));
        let (tuned, _) = trained(&settings, base, None, usize::MAX);
        assert!(
            loss(&tuned) < bound * loss(&outcome),
            "{} {}",
            loss(&tuned),
            loss(&outcome)
        );
        assert_eq!(tuned.card["base"]["model"], "trained");
        assert_eq!(file(&tuned, "config.json"), file(&outcome, "config.json"));
    }
}

#[test]
fn settings_out_of_bounds_are_named() {
    type Change = fn(&mut DataSettings);
    let cases: [(&str, Change); 4] = [
        ("stride = 0", |data| data.stride = 0),
        ("stride = 13", |data| data.stride = 13),
        ("tokens_max = 3", |data| data.tokens_max = 3),
        ("length_percentile = 101", |data| data.length_percentile = 101),
    ];
    for (expected, change) in cases {
        let mut settings = settings(1);
        change(&mut settings.data);
        let mut watch = Watch {
            listener: &mut |_| {},
            halt: &|| None,
        };
        let error = train(
            &job(&data()),
            &settings,
            Base::Scratch(SHAPE),
            &Place::processor(),
            None,
            &|_| (),
            &mut watch,
        );
        let error = error.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
