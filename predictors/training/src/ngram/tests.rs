//! Tests of the training.

use std::fs;

use rayon::ThreadPoolBuilder;

use super::*;

fn trained(jobs: usize, settings: &NgramSettings) -> Trained {
    let folder = tempfile::tempdir().unwrap();
    let lines = (0..400).map(|idx| {
        let (row, next) = (idx % 7 + 1, idx % 7 + 2);
        let part = if idx % 4 == 0 { "valid" } else { "train" };
        format!(
            r#"{{"id":"s{idx}","split":"{part}","actions":["INPUT | A{row} | 1","FONT_BOLD | A{row} | true","INPUT | A{next} | 2","FONT_BOLD | A{next} | true"]}}"#
        ) + "\n"
    });
    fs::write(folder.path().join("data.jsonl"), lines.collect::<String>()).unwrap();
    let job = Job {
        corpora: vec![folder.path().join("data.jsonl")],
        seed: 5,
        date: "2026-02-03".to_owned(),
        program: "0.0.0".to_owned(),
        positions_max: 60,
    };
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build().unwrap();
    pool.install(|| train(&job, settings, &|_| ())).unwrap()
}

#[test]
fn threads_make_no_difference() {
    let bytes = |jobs| trained(jobs, &NgramSettings::default()).model.to_bytes().unwrap();
    assert_eq!(bytes(1), bytes(4));
}

#[test]
fn the_card_says_what_was_done() {
    let settings = NgramSettings {
        ranking: None,
        range_mode: RangeMode::Absolute,
        max_n: 3,
        min_count: 2,
    };
    let Trained { model, report } = trained(2, &settings);
    let card = model.card();
    assert_eq!(
        Value::Object(card.settings.clone()),
        json!({"range_mode": "absolute", "max_n": 3, "min_count": 2, "ranking": null})
    );
    assert_eq!((card.split.train, card.split.valid, card.split.test), (300, 100, 0));
    assert_eq!(
        (card.seed, card.date.as_str(), card.program.as_str()),
        (5, "2026-02-03", "0.0.0")
    );
    assert_eq!(card.data, report.sources);
    assert_eq!((card.data[0].n_sequences, card.data[0].n_actions), (400, 1600));
    let all = &card.metrics["next_action"]["all"];
    assert_eq!(all["n_positions"], json!(60));
    assert_eq!(all["answered"], json!(60));
    // What follows is always the same in kind.
    assert_eq!(all["kind"], json!(60));
    assert!(NgramModel::from_model(&model).is_ok());
}
