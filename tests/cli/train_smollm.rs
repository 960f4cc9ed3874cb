//! `napsim train smollm`: what a person meets.

use serde_json::Value;

use crate::command::Folder;

/// Settings of a model that is trained in a moment.
const TINY: &str = "--scratch --layers 1 --width 24 --heads 2 --kv-heads 1 --feed-forward 32 --vocabulary 300 --epochs 2 \
                    --max-sequences 2 --valid-windows 4 --max-steps 6 --report-every 2 --batch 4 --date 2026-01-02";

/// A folder with a small corpus.
fn with_corpus() -> Folder {
    let folder = Folder::new();
    let generate = "corpus generate --seed 3 --count 6 --split 0.5,0.5,0 --quiet -o made";
    folder.napsim(generate).output(0);
    folder
}

#[test]
fn a_model_is_trained_from_scratch_and_tuned() {
    let folder = with_corpus();
    let answer = folder.napsim(&format!(
        "train smollm --corpus made --out tiny/ --curve loss.svg {TINY}"
    ));
    for part in [
        "napsim: step 2, epoch 0.",
        "napsim: step 6, epoch 2.00: loss ",
        "napsim: measure it with `napsim run --predictor smollm:tiny/`",
    ] {
        assert!(answer.stderr.contains(part), "{part}: {}", answer.stderr);
    }
    let card = answer.output(0);
    for part in ["based on     nothing", "steps        6 (complete)", "▲ kept: step "] {
        assert!(card.contains(part), "{part}: {card}");
    }
    assert!(folder.read("loss.svg").contains("Loss by step"));
    assert!(!folder.path("tiny.checkpoint").exists());
    let files = folder.files("tiny");
    assert_eq!(files.len(), 5);

    let again = format!("train smollm --corpus made --out tiny --quiet --jobs 1 {TINY}");
    let answer = folder.napsim(&again);
    assert_eq!(answer.stderr, "");
    answer.output(0);
    assert!(folder.files("tiny") == files);

    let tune = "train smollm --base tiny --corpus made --out tuned --lora --rank 2 --epochs 1 --max-steps 2 --batch 2 \
                --max-sequences 2 --valid-windows 2 --quiet --json --dtype f16";
    let card: Value = serde_json::from_str(&folder.napsim(tune).output(0)).unwrap();
    assert_eq!(card["schema"], "napsim-llama-training/1");
    assert_eq!(card["base"]["model"], "tiny");
    assert_eq!(card["settings"]["training"]["adapters"]["rank"], 2);
    let config: Value = serde_json::from_str(&folder.read("tuned/config.json")).unwrap();
    assert_eq!(config["torch_dtype"], "float16");
}

#[test]
fn time_can_be_limited() {
    let folder = with_corpus();
    let answer = folder.napsim(&format!(
        "train smollm --corpus made --out tiny --max-minutes 0 --json {TINY}"
    ));
    assert!(
        answer.stderr.contains("napsim: the time is over after 0 steps"),
        "{}",
        answer.stderr
    );
    let card: Value = serde_json::from_str(&answer.output(0)).unwrap();
    assert_eq!((&card["ending"], &card["steps"]), (&"finished".into(), &0.into()));
}

#[test]
fn other_people_s_folders_are_left_alone() {
    let folder = with_corpus();
    folder.write("mine/config.json", "{}");
    folder.write("file.txt", "text");
    let cases = [
        ("--out mine", "mine: it is there and holds something else"),
        ("--out file.txt", "file.txt: it is there and is no folder"),
        ("--out none/tiny", "none/tiny: there is no folder to put it in"),
        ("--out tiny --resume", "there is no tiny.checkpoint"),
        (
            "--out tiny --learning-rate 7",
            "learning_rate = 7: expected a number above 0",
        ),
        (
            "--out tiny --stride 50",
            "stride = 50: expected no more than the window",
        ),
        ("--out tiny --lora", "cannot be used with"),
        ("--out tiny --vocabulary 40", "a vocabulary of 40 tokens: at least 257"),
        ("--out tiny --heads 5", "no multiple"),
        ("--out tiny --device cuda", "built without the feature `cuda`"),
    ];
    for (arguments, expected) in cases {
        let scratch = TINY.replace("--heads 2 ", "").replace("--vocabulary 300 ", "");
        let train = format!("train smollm --corpus made {arguments} {scratch}");
        let talk = folder.napsim(&train).talk(2);
        assert!(talk.contains(expected), "{arguments}: {talk}");
    }
    let talk = folder
        .napsim("train smollm --corpus made --base none --out tiny")
        .talk(2);
    assert!(talk.contains("none"), "{talk}");
    assert_eq!(folder.read("mine/config.json"), "{}");
    assert!(!folder.path("tiny").exists());
}
