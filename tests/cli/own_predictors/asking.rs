//! Programs that behave, the other side of the protocol, `suggest` and `check-predictor`.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{events, plans, program, run, ten_trajectories};
use crate::command::{Answer, Folder, PLAN, timeless};

#[test]
fn records_do_not_depend_on_how_many_programs_there_are() {
    let folder = plans();
    let predictor = program("--fault stderr-line@1");
    for jobs in ["1", "3"] {
        let more = format!("--jobs {jobs} --out run-{jobs} --quiet");
        folder.napsim_with(run(&predictor, &more)).output(0);
    }
    assert_eq!(folder.files("run-1/units"), folder.files("run-3/units"));
    folder.napsim("replay run-3").output(0);
    let stderr = folder.files("run-1/stderr");
    assert!(!stderr.is_empty() && stderr.iter().all(|(_, bytes)| !bytes.is_empty()));
    // Another fingerprint is another predictor.
    let other = program("--fault stderr-line@1 --fingerprint 2");
    let talk = folder.napsim_with(run(&other, "--out run-1")).talk(2);
    assert!(talk.contains("it holds another run"), "{talk}");
}

#[test]
fn a_predictor_that_is_served_measures_as_it_does_within() {
    let folder = Folder::new();
    ten_trajectories(&folder);
    let binary = env!("CARGO_BIN_EXE_napsim");
    let inner = "best-of(online-ngram,xgboost)";
    let served = format!("exec:'{binary}' suggest --serve --predictor '{inner}'");
    for (name, predictor) in [("within", inner), ("served", &served)] {
        let arguments = [
            "run",
            "ten",
            "--quiet",
            "--mode",
            "multi",
            "--predictor",
            predictor,
            "--out",
            name,
        ];
        folder.napsim_with(arguments).output(0);
    }
    // Undo actions have spellings that reading changes (`General`), and whoever is served reads its history.
    let without_spelling = |run: &str| -> Vec<Value> {
        let records = events(&folder, run);
        let lines = records.iter().flat_map(|record| record.lines().skip(1));
        let mut events: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        for event in &mut events {
            event.as_object_mut().unwrap().remove("proposed");
        }
        events
    };
    let (within, served) = (without_spelling("within"), without_spelling("served"));
    assert!(within.len() > 1_000 && within.len() == served.len());
    for (within, served) in within.iter().zip(&served) {
        assert_eq!(within, served);
    }
}

#[test]
fn programs_are_members_of_best_of() {
    let folder = plans();
    let alone = folder.napsim_with(run("best-of(repeat-last,none)", "--json")).output(0);
    let predictor = format!("best-of({},none)", program("--name 'a, b'"));
    let together = folder.napsim_with(run(&predictor, "--json")).output(0);
    let figures = |text: &str| {
        let value: Value = timeless(text);
        (value["uas_mean"].clone(), value["predictions"].clone())
    };
    assert_eq!(
        figures(&alone),
        figures(&together),
        "the program repeats the last action, too"
    );
}

#[test]
fn a_history_gets_its_suggestions() {
    let folder = plans();
    folder.write("plan.txt", PLAN);
    let talk = |answer: Answer| (answer.stdout.clone(), answer.talk(0));
    let (stdout, stderr) = talk(folder.napsim("suggest --history plan.txt --step 7 --predictor repeat-last"));
    assert_eq!(stdout, "FILL_COLOR | Sheet1!A3 | FF00FF00\n");
    assert!(
        stderr.contains("what followed: FILL_COLOR | Sheet1!A4 | FF00FF00"),
        "{stderr}"
    );
    let (stdout, stderr) = talk(folder.napsim("suggest"));
    assert!(stdout.is_empty() && stderr.contains("no suggestion"), "{stderr}");
    let object: Value = serde_json::from_str(
        &folder
            .napsim("suggest --history plan.txt --step 8 --predictor xgboost --confidence 0 --max-actions 1 --json")
            .output(0),
    )
    .unwrap();
    assert_eq!(
        (&object["schema"], &object["n_history"]),
        (&json!("napsim-suggestion/1"), &json!(8))
    );
    assert_eq!(object["actions"].as_array().unwrap().len(), 1);
    assert!(object["actions"][0]["confidence"].is_f64(), "{object}");

    let mut child = folder
        .command(["suggest", "--history", "-", "--predictor", &program("")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(PLAN.as_bytes()).unwrap();
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!(answer.output(0), "MERGE | Sheet1!B1:C1 | true\n");

    // Names and fingerprints of several predictors are longer than a hello may be.
    let many = [
        "online-ngram",
        "xgboost",
        "ngram",
        "online-ngram?values=v2",
        "xgboost?confidence=0",
    ]
    .join(",");
    let served = format!(
        "exec:'{}' suggest --serve --predictor 'best-of({many},{many},{many})'",
        env!("CARGO_BIN_EXE_napsim")
    );
    folder
        .napsim_with(["suggest", "--history", "plan.txt", "--predictor", &served])
        .output(0);

    let failing = program("--fault exit@1");
    let talk = folder.napsim_with(["suggest", "--predictor", &failing]).talk(30);
    assert!(talk.contains("crashed"), "{talk}");
    let talk = folder.napsim("suggest --history plan.txt --step 99").talk(2);
    assert!(talk.contains("the first 99 actions: plan has 10"), "{talk}");
    folder.napsim("suggest --history nowhere.txt").talk(2);
    folder.napsim("suggest --step 3").talk(2);
}

#[test]
fn predictors_are_checked() {
    let folder = Folder::new();
    let list = folder.napsim("check-predictor --list").output(0);
    assert!(list.contains("determinism") && list.lines().count() > 10, "{list}");
    let verdict = folder.napsim("check-predictor online-ngram").output(0);
    assert!(verdict.contains("can be measured"), "{verdict}");
    let verdict = folder.napsim_with(["check-predictor", &program("")]).output(0);
    assert!(verdict.contains("can be measured"), "{verdict}");
    let answer = folder.napsim_with(["check-predictor", "--json", &program("--fault confidence@2")]);
    let object: Value = serde_json::from_str(&answer.output(10)).unwrap();
    assert_eq!(
        (&object["schema"], &object["passed"]),
        (&json!("napsim-conformance/1"), &json!(false))
    );
    let verdict = folder
        .napsim("check-predictor online-ngram --only budget --only seed")
        .output(0);
    assert!(verdict.contains("2 passed, 0 warned, 0 failed, 0 skipped"), "{verdict}");
    let talk = folder.napsim("check-predictor online-ngram --only bugdet").talk(2);
    assert!(talk.contains("did you mean `budget`?"), "{talk}");
    folder.napsim("check-predictor").talk(2);
    folder.napsim("check-predictor no-such-predictor").talk(2);
}
