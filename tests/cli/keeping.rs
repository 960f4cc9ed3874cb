//! Run folders: keeping, showing, replaying, going on.

use std::fs;
use std::path::Path;

use crate::command::{Folder, PLAN, timeless, without_times};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("corpus/plan.txt", PLAN);
    folder.write("corpus/Plan.txt", PLAN.replace("Week", "Day"));
    folder.write(
        "corpus/third.txt",
        "INPUT | A1 | 1\nINPUT | A2 | 2\nINPUT | A3 | 3\nINPUT | A4 | 4\n",
    );
    folder
}

/// What a predictor proposes is what its text says, or else a record would not tell what was measured.
#[test]
fn runs_of_every_predictor_come_out_as_recorded() {
    let folder = Folder::new();
    let predictors = [
        "online-ngram",
        "online-ngram?values=v2",
        "ngram",
        "ngram?values=v1",
        "xgboost",
        "lstm",
        "repeat-last",
        "best-of(online-ngram?values=v2,xgboost)",
    ];
    for (place, predictor) in predictors.iter().enumerate() {
        for mode in ["single", "multi"] {
            let out = format!("kept-{place}-{mode}");
            let line = [
                "run",
                "--predictor",
                predictor,
                "--mode",
                mode,
                "--quiet",
                "--out",
                &out,
            ];
            folder.napsim_with(line).output(0);
            let replay = folder.napsim(&format!("replay {out}"));
            assert_eq!(replay.code, Some(0), "{predictor}, {mode}: {}", replay.stdout);
        }
    }
}

#[test]
fn a_kept_run_is_shown_and_replayed() {
    let folder = folder();
    let run = folder.napsim("run corpus --out kept --per-trajectory").output(0);
    let shown = folder.napsim("show kept --per-trajectory").output(0);
    assert_eq!(shown, run);
    let json = folder.napsim("show kept --json").output(0);
    assert_eq!(timeless(&json), timeless(&folder.read("kept/summary.json")));
    assert!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["wall_s"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    let replayed = folder.napsim("replay kept").output(0);
    assert!(
        replayed.starts_with("3 trajectories, ") && replayed.ends_with("comes out as recorded\n"),
        "{replayed}"
    );
}

#[test]
fn what_is_kept_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.napsim("run --out one --jobs 1").output(0);
    folder.napsim("run --out two --jobs 2").output(0);
    assert!(folder.files("one").len() > 10);
    assert!(folder.files("one") == folder.files("two"));
    folder.napsim("replay one").output(0);
}

/// The shortest built-in trajectories, or all of them where `NAPSIM_ENGINES_ALL` is set.
#[test]
fn what_is_kept_does_not_depend_on_the_engine() {
    let folder = Folder::new();
    let corpus = if std::env::var_os("NAPSIM_ENGINES_ALL").is_some() {
        "napsim-52"
    } else {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("trajectories/data");
        for name in ["06-climbing-gym-inventory", "08-apiary-records", "34-pantry-pasted"] {
            let text = fs::read(data.join(name).with_extension("txt")).unwrap();
            folder.write(&format!("corpus/{name}.txt"), text);
        }
        "corpus"
    };
    for options in ["", " --mode multi --policy non-negative"] {
        folder
            .napsim(&format!("run {corpus} --force --out fast --engine fast{options}"))
            .output(0);
        folder
            .napsim(&format!("run {corpus} --force --out plain --engine plain{options}"))
            .output(0);
        assert!(folder.files("fast").len() > 3);
        assert!(folder.files("fast") == folder.files("plain"));
    }
    folder
        .napsim(&format!(
            "run {corpus} --out plain --mode multi --policy non-negative --engine fast"
        ))
        .output(0);
}

#[test]
fn a_run_goes_on_where_it_stopped() {
    let folder = folder();
    folder.napsim("run corpus --out kept").output(0);
    let whole = folder.files("kept");
    fs::remove_file(folder.path("kept/units/0002-plan.jsonl")).unwrap();
    fs::remove_file(folder.path("kept/summary.json")).unwrap();
    folder.write("kept/units/0003-third.jsonl.tmp", "half");
    let answer = folder.napsim("show kept");
    assert!(
        answer.stderr.contains("1 of 3 trajectories are not done"),
        "{}",
        answer.stderr
    );
    answer.output(20);
    let complaint = folder.napsim("replay kept").output(20);
    assert_eq!(complaint, "plan: there is no record\n");
    let untouched = fs::metadata(folder.path("kept/units/0001-Plan.jsonl"))
        .unwrap()
        .modified()
        .unwrap();
    folder.napsim("run corpus --out kept").output(0);
    assert!(folder.files("kept") == whole);
    assert_eq!(
        fs::metadata(folder.path("kept/units/0001-Plan.jsonl"))
            .unwrap()
            .modified()
            .unwrap(),
        untouched
    );
}

#[test]
fn the_log_of_calls_is_whole_after_going_on() {
    let folder = folder();
    folder.napsim("run corpus --out kept --log-calls first.jsonl").output(0);
    fs::remove_file(folder.path("kept/units/0002-plan.jsonl")).unwrap();
    folder
        .napsim("run corpus --out kept --log-calls second.jsonl")
        .output(0);
    assert_eq!(folder.read("first.jsonl"), folder.read("second.jsonl"));
}

#[test]
fn another_run_is_not_overwritten() {
    let folder = folder();
    folder.napsim("run corpus --out kept").output(0);
    let before = folder.files("kept");
    let talk = folder.napsim("run corpus --out kept --policy p90").talk(2);
    assert!(
        talk.contains("setup.policy: it has \"greedy\", asked is \"p90\""),
        "{talk}"
    );
    let changed = folder.read("corpus/plan.txt").replace("Week", "Month");
    folder.write("corpus/plan.txt", changed);
    let talk = folder.napsim("run corpus --out kept").talk(2);
    assert!(talk.contains("units[1].digest"), "{talk}");
    assert!(folder.files("kept") == before);
    folder.napsim("run corpus --out kept --policy p90 --force").output(0);
    folder.napsim("replay kept").output(0);
}

#[test]
fn a_folder_of_other_things_is_left_alone() {
    let folder = folder();
    let talk = folder.napsim("run corpus --out corpus --force").talk(2);
    assert!(talk.contains("it is not empty and holds no run"), "{talk}");
    assert_eq!(folder.files("corpus").len(), 3);
}

/// What `replay` says after a text in a record was replaced.
fn replay_after(file: &str, from: &str, to: &str) -> String {
    let folder = folder();
    folder.napsim("run corpus --out kept --predictor repeat-last").output(0);
    let text = folder.read(file);
    assert!(text.contains(from), "{from} in {text}");
    folder.write(file, text.replacen(from, to, 1));
    folder.napsim("replay kept").output(20).replace('\\', "/")
}

#[test]
fn a_changed_record_does_not_replay() {
    let unit = "kept/units/0002-plan.jsonl";
    assert_eq!(
        replay_after(unit, "\"user_steps\":3,\"action\"", "\"user_steps\":2,\"action\""),
        "plan: event 4, line 6 of kept/units/0002-plan.jsonl: user_steps: derived 3, recorded 2\n"
    );
    let complaint = replay_after(unit, "\"precision\":0.0", "\"precision\":0.5");
    assert!(
        complaint.starts_with("plan: event 1, line 3 of kept/units/0002-plan.jsonl: metrics.precision: derived"),
        "{complaint}"
    );
    let complaint = replay_after(
        unit,
        "\"predicted\":[\"INPUT | Sheet1!A2",
        "\"predicted\":[\"INPUT | Sheet1!A9",
    );
    assert!(complaint.contains("derived"), "{complaint}");
    let complaint = replay_after(unit, "INPUT | A2 | 1", "INPUT | A2 | 7");
    assert!(complaint.contains("its digest is"), "{complaint}");
    let complaint = replay_after(unit, "\"setup\":{", "\"setup\": {");
    assert!(
        complaint.contains("the file was changed after it was written"),
        "{complaint}"
    );
    let complaint = replay_after("kept/summary.json", "\"accepted\":", "\"accepted\":1");
    assert!(complaint.starts_with("summary.json: accepted: derived"), "{complaint}");
    let complaint = replay_after("kept/run.json", "\"complete\"", "\"failed\"");
    assert!(complaint.contains("outcome in run.json"), "{complaint}");
}

#[test]
fn a_damaged_record_is_named_and_measured_again() {
    let folder = folder();
    folder.napsim("run corpus --out kept").output(0);
    let whole = folder.files("kept");
    let unit = "kept/units/0002-plan.jsonl";
    let text = folder.read(unit);
    folder.write(unit, &text[..text.len() / 2]);
    let talk = folder.napsim("show kept").talk(2).replace('\\', "/");
    assert!(
        talk.contains("failed to read kept/units/0002-plan.jsonl:") && talk.contains("is torn"),
        "{talk}"
    );
    let answer = folder.napsim("run corpus --out kept");
    assert!(
        answer.stderr.contains("its trajectory is measured again"),
        "{}",
        answer.stderr
    );
    answer.output(0);
    assert!(folder.files("kept") == whole);
}

#[test]
fn a_newer_record_is_refused() {
    let folder = folder();
    folder.napsim("run corpus --out kept").output(0);
    let text = folder
        .read("kept/run.json")
        .replace("napsim-run-folder/1", "napsim-run-folder/2");
    folder.write("kept/run.json", text);
    for command in ["show kept", "replay kept", "run corpus --out kept"] {
        let talk = folder.napsim(command).talk(2);
        assert!(
            talk.contains("its schema is `napsim-run-folder/2`"),
            "{command}: {talk}"
        );
    }
}

#[test]
fn failed_trajectories_are_done_again() {
    let folder = folder();
    folder.write("corpus/zz.txt", "INPUT | A1 | 1\nINPUT | $A$3 | 1\n");
    let first = folder.napsim("run corpus --out kept").output(20);
    let second = folder.napsim("run corpus --out kept").output(20);
    assert_eq!(without_times(&first), without_times(&second));
    let shown = folder.napsim("show kept");
    assert!(
        shown.stderr.contains("1 of 4 trajectories failed: zz"),
        "{}",
        shown.stderr
    );
    shown.output(20);
    folder.napsim("replay kept").output(0);
}

#[test]
fn a_folder_serves_one_process_at_a_time() {
    let folder = Folder::new();
    folder.write("corpus/plan.txt", "INPUT | A1 | 1\nINPUT | A2 | 2\n");
    folder.napsim("run corpus --out kept").output(0);
    let held = std::fs::File::open(folder.path("kept")).unwrap();
    held.lock().unwrap();
    let refused = folder.napsim("run corpus --out kept").talk(30);
    assert!(refused.contains("another napsim is at work there"), "{refused}");
    drop(held);
    folder.napsim("run corpus --out kept").output(0);
}

#[test]
fn a_log_of_calls_never_replaces_a_trajectory() {
    let folder = Folder::new();
    let text = "INPUT | A1 | 1\n";
    folder.write("corpus/plan.txt", text);
    let refused = folder.napsim("run corpus --log-calls corpus/plan.txt").talk(2);
    assert!(refused.contains("it is a file of the corpus"), "{refused}");
    assert_eq!(folder.read("corpus/plan.txt"), text);
}
