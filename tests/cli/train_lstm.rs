//! `napsim train lstm`: what a person meets.

use std::fs;

use serde_json::Value;

use crate::command::Folder;

/// Settings of a network that is trained in a moment.
const TINY: &str = "--hidden 8 --layers 1 --epochs 3 --window 8 --batch-size 4 --positions 50 --date 2026-01-02";

/// A folder with a small corpus.
fn with_corpus() -> Folder {
    let folder = Folder::new();
    let generate = "corpus generate --seed 3 --count 6 --split 0.5,0.5,0 --quiet -o made";
    folder.napsim(generate).output(0);
    folder
}

#[expect(clippy::unwrap_used, reason = "a test that cannot read its files has failed")]
fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap()
}

#[test]
fn a_network_is_trained_and_measured() {
    let folder = with_corpus();
    let train = format!("train lstm --corpus made --out lstm.model --curve loss.svg {TINY}");
    let answer = folder.napsim(&train);
    for part in [
        "napsim: epoch 1: loss ",
        "napsim: epoch 3: loss ",
        "napsim: measure it with `napsim run --predictor 'lstm?model=lstm.model'`",
    ] {
        assert!(answer.stderr.contains(part), "{part}: {}", answer.stderr);
    }
    let card = answer.output(0);
    for part in [
        "kind         lstm, version 1",
        "hidden       8",
        "next action",
        "░ training",
        "▲ kept: epoch ",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
    assert_eq!(folder.napsim("model show lstm.model").output(0), card);
    assert!(folder.read("loss.svg").matches("<polyline").count() == 2);
    assert!(!folder.path("lstm.model.checkpoint").exists());
    let again = format!("train lstm --corpus made --out again.model --quiet --jobs 1 {TINY}");
    let answer = folder.napsim(&again);
    assert_eq!(answer.stderr, "");
    answer.output(0);
    assert!(bytes(&folder, "again.model") == bytes(&folder, "lstm.model"));
    let run = |spec: &str, jobs: u32| -> Value {
        let json = folder.napsim(&format!("run made --predictor {spec} --quiet --json --jobs {jobs}"));
        serde_json::from_str(&json.output(0)).unwrap_or_default()
    };
    for spec in ["lstm?model=lstm.model&values=v1", "lstm?model=lstm.model"] {
        let (one, two) = (run(spec, 1), run(spec, 2));
        assert_eq!(one["predictor"], spec);
        assert!(one["per_trajectory"].is_array());
        assert_eq!(one["per_trajectory"], two["per_trajectory"]);
    }
}

#[test]
fn a_model_without_ranking_has_the_published_decoding_alone() {
    let folder = with_corpus();
    let train = format!("train lstm --corpus made --out lstm.model --quiet --sequences 0 --published {TINY}");
    folder.napsim(&train).output(0);
    folder
        .napsim("run made --predictor lstm?model=lstm.model&values=v1 --quiet")
        .output(0);
    let talk = folder.napsim("run made --predictor lstm?model=lstm.model").talk(2);
    assert_eq!(
        talk,
        "napsim: failed to use `values=v2` of `lstm`: its model was trained without ranking; give `values=v1`, or train \
         it anew\n"
    );
}

#[test]
fn mistakes_are_told_before_anything_is_read() {
    let folder = with_corpus();
    let train = |more: &str| {
        let line = format!("train lstm --corpus made --out lstm.model --quiet {TINY} {more}");
        folder.napsim(&line).talk(2)
    };
    assert_eq!(
        train("--resume"),
        "napsim: failed to resume: there is no lstm.model.checkpoint; leave --resume out to begin\n"
    );
    assert_eq!(
        train("--dropout 1.5"),
        "napsim: failed to use the settings: setting dropout is 1.5, must be 0 to 0.99\n"
    );
    folder.write("notes.txt", "mine");
    assert_eq!(
        train("--curve notes.txt"),
        "napsim: failed to write notes.txt: it is there and is no picture of a curve; give another file to --curve\n"
    );
    folder.write("lstm.model.checkpoint", "mine");
    assert_eq!(
        train(""),
        "napsim: failed to write lstm.model.checkpoint: it is there and is no checkpoint; give another file to --out\n"
    );
    assert!(train("--resume").starts_with("napsim: failed to resume from lstm.model.checkpoint: read the network: "));
    assert_eq!(folder.read("lstm.model.checkpoint"), "mine");
}

#[cfg(unix)]
#[test]
fn an_interrupted_training_goes_on_to_the_same_bytes() {
    use std::process::{Command, Stdio};

    use crate::command::Answer;

    let folder = with_corpus();
    let train = |out: &str| format!("train lstm --corpus made --out {out} --quiet --sequences 0 {TINY} --epochs 40");
    let train = |out: &str| train(out).replace("--epochs 3 ", "");
    folder.napsim(&train("whole.model")).output(0);
    let mut command = folder.command(train("broken.model").split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let checkpoint = folder.path("broken.model.checkpoint");
    while !checkpoint.exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .output()
        .unwrap();
    assert!(kill.status.success(), "{kill:?}");
    let answer = Answer::of(&child.wait_with_output().unwrap());
    // The training may have been faster than the signal.
    if answer.code != Some(0) {
        assert!(!folder.path("broken.model").exists());
        let talk = answer.talk(130);
        assert!(
            talk.contains("the same command with --resume goes on from broken.model.checkpoint"),
            "{talk}"
        );
        folder.napsim(&format!("{} --resume", train("broken.model"))).output(0);
    }
    assert!(bytes(&folder, "broken.model") == bytes(&folder, "whole.model"));
    assert!(!checkpoint.exists());
}
