//! Bad input: a clear word, the nearest match and exit code 2; what the system refuses: 30.

use crate::command::{Folder, PLAN};

#[track_caller]
fn check(arguments: &[&str], expected: &str) {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let answer = folder.napsim_with(arguments);
    assert_eq!(answer.stdout, "");
    let talk = answer.talk(2);
    assert!(talk.contains(expected), "{talk}");
}

#[test]
fn unknown_names_bring_the_nearest() {
    check(&["run", "--predictor", "online-ngrm"], "did you mean `online-ngram`?");
    check(&["run", "--predictor", "online-ngram?maxn=3"], "did you mean `max_n`?");
    check(&["run", "--policy", "gredy"], "did you mean `greedy`?");
    check(&["run", "--policy", "precison >= 0.9"], "did you mean `precision`?");
    check(&["run", "--protocol", "nape1"], "did you mean `nape-1`?");
    check(&["run", "--trigger", "after:mrege"], "did you mean `merge`?");
    check(&["run", "--trigger", "kindchange"], "did you mean `kind-change`?");
    check(&["run", "--mode", "singel"], "'single'");
    check(&["run", "--polcy", "greedy"], "'--policy'");
    check(&["rnu"], "did you mean `run`?");
    check(&["corpus", "buld"], "did you mean `build`?); `napsim corpus --help`");
    check(&["trajectory", "stat"], "did you mean `stats`?");
    check(&["explain", "usa"], "did you mean `uas`?");
    check(&["list", "policy"], "'policies'");
}

#[test]
fn values_out_of_range_are_refused() {
    for arguments in [
        ["--stride", "0"],
        ["--max-actions", "0"],
        ["--jobs", "0"],
        ["--context", "0"],
        ["--step-limit", "ten"],
        ["--seed", "x"],
        ["--chain-max", "0"],
    ] {
        check(&["run", "plan.txt", arguments[0], arguments[1]], arguments[0]);
    }
    check(&["run", "--force"], "--out");
}

#[test]
fn what_cannot_be_read_is_named() {
    check(&["run", "nowhere"], "failed to find nowhere: no such file or folder");
    check(&["show", "nowhere"], "failed to open nowhere: it holds no run");
    check(&["replay", "."], "failed to open .: it holds no run");
    check(&["trajectory", "show", "nowhere"], "failed to find nowhere");
    check(&["run", "*.json"], "*.json");
}

#[test]
fn malformed_lines_are_reported_or_skipped() {
    let folder = Folder::new();
    folder.write("bad.txt", format!("{PLAN}WALK | A1\u{1b}[31m | 1\nINPUT | A9 | 9\n"));
    let talk = folder.napsim("run bad.txt").talk(2);
    assert!(
        talk.contains("bad.txt:13: ") && talk.contains("`WALK | A1\\u{1b}[31m | 1`"),
        "{talk}"
    );
    let answer = folder.napsim("run bad.txt --lenient --json");
    assert!(answer.stderr.contains("1 malformed line skipped"), "{}", answer.stderr);
    assert!(answer.output(0).contains("\"actions\":11"));
    let answer = folder.napsim("trajectory validate bad.txt");
    assert!(
        answer.stderr.contains("1 trajectory checked, 1 mistake found"),
        "{}",
        answer.stderr
    );
    assert!(answer.output(2).contains("bad.txt:13: "));
}

#[test]
fn odd_files_end_in_an_error_and_not_in_a_storm() {
    let folder = Folder::new();
    folder.write("latin.txt", b"INPUT | A1 | \"Stra\xdfe\"\n");
    assert!(
        folder
            .napsim("run latin.txt")
            .talk(2)
            .contains("latin.txt:1: not UTF-8")
    );
    folder.write("huge.txt", "FILL_COLOR | A1:XFD1048576 | FF00FF00\n");
    assert!(folder.napsim("run huge.txt").talk(2).contains("cells_per_action_max"));
    folder.write("long.txt", format!("INPUT | A1 | \"{}\"\n", "x".repeat(9 << 20)));
    assert!(folder.napsim("run long.txt").talk(2).contains("line_bytes_max"));
    folder.write("empty.txt", "# nothing\n");
    assert!(folder.napsim("run empty.txt").talk(2).contains("it holds no action"));
    folder.write("void/readme.md", "");
    assert!(
        folder
            .napsim("run void")
            .talk(2)
            .contains("there is no .json or .txt file")
    );
}

#[test]
fn names_from_files_cannot_steer_the_terminal_or_the_store() {
    let folder = Folder::new();
    let name = format!("../../\u{1b}[2J{}", "long".repeat(100));
    let json = serde_json::json!({"name": name, "operations": ["INPUT | A1 | 1", "INPUT | A2 | 1"]});
    folder.write("corpus/odd.json", json.to_string());
    let text = folder.napsim("run corpus --per-trajectory --out kept").output(0);
    assert!(!text.contains('\u{1b}'));
    assert_eq!(folder.files("kept").len(), 3);
    assert!(!folder.napsim("trajectory show corpus").output(0).contains('\u{1b}'));
    assert!(!folder.napsim("trajectory stats corpus").output(0).contains('\u{1b}'));
}

#[test]
fn what_the_system_refuses_is_code_30() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let talk = folder
        .napsim("run plan.txt --log-calls no/such/folder/calls.jsonl")
        .talk(30);
    assert!(talk.contains("failed to write"), "{talk}");
    let talk = folder.napsim("run plan.txt --out plan.txt/kept").talk(2);
    assert!(talk.contains("failed to make"), "{talk}");
}
