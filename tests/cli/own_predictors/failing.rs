//! Programs that do not behave: each costs its own trajectory and no other.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{events, plans, program, run};
use crate::command::{Answer, Folder};

/// What the program does at its third call, and how that is counted.
const FAULTS: [(&str, &str); 16] = [
    ("hang", "timeout"),
    ("deaf", "timeout"),
    ("late", "timeout"),
    ("exit", "crashed"),
    ("abort", "crashed"),
    ("close-stdout", "crashed"),
    ("grandchild", "crashed"),
    ("half-line", "crashed"),
    ("garbage", "malformed"),
    ("not-utf8", "malformed"),
    ("unknown-field", "malformed"),
    ("confidence", "malformed"),
    ("wrong-id", "out_of_turn"),
    ("million", "too_many_actions"),
    ("long-line", "too_long"),
    ("fatal-error", "reported/ideas"),
];

/// The trajectories of a run by name: outcome and UAS.
#[expect(clippy::unwrap_used, reason = "a test whose output is no report has failed")]
fn trajectories(report: &Value) -> Vec<(String, String, Value)> {
    let rows = report["per_trajectory"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| (text(&row["name"]), text(&row["outcome"]), row["uas"].clone()))
        .collect()
}

#[expect(clippy::unwrap_used, reason = "a test whose output is no report has failed")]
fn report(folder: &Folder, predictor: &str, more: &str, code: i32) -> (Value, String) {
    let answer = folder.napsim_with(run(predictor, &format!("{more} --json")));
    assert_eq!(answer.code, Some(code), "{predictor}: {}", answer.stderr);
    (serde_json::from_str(&answer.stdout).unwrap(), answer.stderr)
}

#[test]
fn whatever_a_program_does_costs_one_trajectory_and_is_named() {
    let folder = plans();
    let (healthy, _) = report(&folder, &program(""), "", 0);
    let healthy = trajectories(&healthy);
    for (fault, kind) in FAULTS {
        let once = folder.path(&format!("once-{fault}"));
        let predictor = program(&format!("--fault {fault}@3 --once '{}'", once.display()));
        let out = format!("run-{fault}");
        let (report, talk) = report(
            &folder,
            &predictor,
            &format!("--jobs 2 --timeout 2 --out {out} --quiet"),
            20,
        );
        let measured = trajectories(&report);
        let failed: Vec<_> = measured.iter().filter(|(_, outcome, _)| outcome == "failed").collect();
        assert_eq!(failed.len(), 1, "{fault}: {measured:?}");
        for (row, healthy) in measured.iter().zip(&healthy).filter(|(row, _)| row.1 != "failed") {
            assert_eq!(row, healthy, "{fault}");
        }
        assert_eq!(report["answers"]["failures"], json!({ kind: 1 }), "{fault}");
        assert!(
            talk.contains(&format!("failures: 1 {kind}")) && talk.contains("napsim-test-predictor"),
            "{fault}: {talk}"
        );
        let record = events(&folder, &out).join("\n");
        assert!(record.contains(&format!(r#""kind":"{kind}""#)), "{fault}: {record}");
        // What failed is done again, now that the program behaves; what was done stays.
        let (again, _) = self::report(&folder, &predictor, &format!("--out {out} --quiet"), 0);
        assert_eq!(trajectories(&again), healthy, "{fault}");
    }
}

#[test]
fn a_fresh_program_goes_on_where_one_crashed() {
    let folder = plans();
    let (healthy, _) = report(&folder, &program(""), "--out healthy", 0);
    for fault in ["exit", "hang", "garbage", "twice"] {
        let once = folder.path(&format!("once-{fault}"));
        let predictor = program(&format!("--fault {fault}@3 --once '{}'", once.display()));
        let out = format!("run-{fault}");
        let more = format!("--on-crash resume --timeout 2 --jobs 1 --out {out}");
        let (resumed, talk) = report(&folder, &predictor, &more, 0);
        assert_eq!(trajectories(&resumed), trajectories(&healthy), "{fault}");
        assert_eq!(resumed["answers"]["restarts"], json!(1), "{fault}");
        assert!(
            talk.contains("started 2 times") || talk.contains("started 3 times"),
            "{talk}"
        );
        // Nothing else differs from what was recorded without a crash.
        let of_crash = |line: &str| line.contains(r#""restarts""#);
        let healthy_lines: Vec<String> = events(&folder, "healthy");
        let resumed_lines: Vec<String> = events(&folder, &out);
        let mut n_marked = 0;
        for (healthy, resumed) in healthy_lines.iter().zip(&resumed_lines) {
            for (healthy, resumed) in healthy.lines().zip(resumed.lines()) {
                if of_crash(resumed) {
                    n_marked += 1;
                } else {
                    assert_eq!(healthy, resumed, "{fault}");
                }
            }
        }
        // The answer and the end of its trajectory.
        assert_eq!(n_marked, 2, "{fault}");
        folder.napsim(&format!("replay {out}")).output(0);
    }
    let predictor = program("--fault exit@3");
    let (report, _) = report(&folder, &predictor, "--on-crash resume --restarts 2", 20);
    assert_eq!(
        report["outcomes"]["failed"],
        json!(4),
        "a program that always crashes gives in"
    );
    assert_eq!(report["answers"]["failures"], json!({ "crashed": 4 }));
}

#[test]
fn errors_that_a_program_reports_are_failed_calls_and_the_trajectory_goes_on() {
    let folder = plans();
    let (report, talk) = report(&folder, &program("--fault error@2"), "--jobs 1", 20);
    assert_eq!(report["answers"]["failed"], json!(1));
    assert!(talk.contains("failures: 1 reported"), "{talk}");
    assert_eq!(
        report["outcomes"],
        json!({"complete": 3, "truncated": 0, "diverged": 0, "failed": 1, "missing": 0})
    );
}

#[test]
fn programs_that_cannot_be_asked_are_bad_input() {
    let folder = plans();
    for (predictor, expected) in [
        ("exec:".to_owned(), "write exec:COMMAND"),
        ("exec".to_owned(), "write exec:COMMAND"),
        ("http:".to_owned(), "write http:URL"),
        ("http:elsewhere".to_owned(), "elsewhere"),
        ("exec:no-such-program --x".to_owned(), "no-such-program"),
        ("exec:'unbalanced".to_owned(), "unbalanced"),
        ("exec:true".to_owned(), "exec:true"),
        ("exec:echo hello".to_owned(), "hello"),
        (program("--fault other-protocol"), "napsim-predictor/1"),
        (program("--fault exit-hello"), "exit"),
        (
            format!("best-of(online-ngram,{})", program("--fault error-hello")),
            "part `exec:",
        ),
    ] {
        let talk = folder.napsim_with(run(&predictor, "")).talk(2);
        assert!(talk.contains(expected), "{predictor}: {talk}");
    }
    let slow = program("--fault slow-hello");
    let talk = folder.napsim_with(run(&slow, "--start-timeout 1")).talk(2);
    assert!(talk.contains("within 1 s"), "{talk}");
    let talk = folder.napsim("run plans --on-crash resume").talk(2);
    assert!(talk.contains("--on-crash") && talk.contains("online-ngram"), "{talk}");
    let talk = folder.napsim_with(run(&program(""), "--values v2")).talk(2);
    assert!(talk.contains("values"), "{talk}");
}

#[cfg(unix)]
#[test]
fn an_interruption_while_a_program_starts_is_no_bad_input() {
    let folder = plans();
    folder.write("plan.txt", crate::command::PLAN);
    for (idx, arguments) in [
        "run plans --predictor",
        "suggest --history plan.txt --predictor",
        "check-predictor",
    ]
    .into_iter()
    .enumerate()
    {
        let pids = folder.path(&format!("pids-{idx}"));
        let predictor = program(&format!("--fault slow-hello --pids '{}'", pids.display()));
        let arguments = arguments.split(' ').chain([predictor.as_str()]);
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // By then napsim listens to signals and waits for the program.
        while !pids.exists() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .output()
            .unwrap();
        assert!(kill.status.success(), "{kill:?}");
        let talk = Answer::of(&child.wait_with_output().unwrap()).talk(130);
        assert!(talk.contains("interrupted"), "{talk}");
    }
}

#[test]
fn what_nobody_can_read_is_told() {
    let folder = plans();
    folder.write("babbler.sh", BABBLER);
    let predictor = "exec:sh babbler.sh";
    let answer = folder.napsim_with(run(predictor, "--quiet --out first"));
    let talk = answer.stderr.clone();
    assert!(
        talk.contains("proposals are no actions, the first one `type Hello`: unknown action"),
        "{talk}"
    );
    assert!(answer.output(0).contains("unreadable proposals"));
    let (report, talk) = report(&folder, predictor, "--out first", 0);
    assert_eq!(report["answers"]["unreadable"], report["answers"]["calls"]);
    assert!(
        talk.contains("4 of 4 trajectories are taken over") && talk.contains("has no fingerprint of its own"),
        "{talk}"
    );
    assert!(folder.napsim("show first").output(0).contains("unreadable proposals"));
}

/// A program without a fingerprint that proposes what is no action.
const BABBLER: &str = r#"
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
        *'"type":"hello"'*) echo '{"type":"hello","id":'"$id"',"protocol":"napsim-predictor/1","name":"babbler"}' ;;
        *'"type":"begin"'*) echo '{"type":"ready","id":'"$id"'}' ;;
        *'"type":"predict"'*) echo '{"type":"prediction","id":'"$id"',"actions":["type Hello"]}' ;;
    esac
done
"#;
