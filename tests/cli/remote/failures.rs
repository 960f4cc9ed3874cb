//! What does not count as an answer, and keys that must not be told.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use napsim_test_server::{Answer, TestServer, openai_answer};
use serde_json::{Value, json};

use super::{asked, next_row, plans, run};
use crate::command::{self};

#[test]
fn a_trajectory_goes_on_where_its_server_failed() {
    let folder = plans();
    let is_well = Arc::new(AtomicBool::new(false));
    let server = {
        let is_well = Arc::clone(&is_well);
        TestServer::start(move |request| {
            let fails = request.body.contains("Week b") && request.body.contains("FONT_BOLD");
            if fails && !is_well.load(Ordering::SeqCst) {
                return Answer::json(500, &json!({ "error": { "message": "out of order" } }));
            }
            next_row(request)
        })
    };
    let command = run(&server, "--no-cache --retries 0 --json --out r");
    let answer = folder.napsim(&command);
    assert!(answer.stderr.contains("out of order"), "{}", answer.stderr);
    let report: Value = serde_json::from_str(&answer.output(20)).unwrap();
    assert_eq!(
        (&report["outcomes"]["complete"], &report["outcomes"]["failed"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(report["answers"]["failures"], json!({ "server_error": 1 }));
    let failed = folder
        .files("r")
        .into_iter()
        .find(|(name, _)| name.ends_with("b.jsonl"));
    let failed = String::from_utf8(failed.unwrap().1).unwrap();
    assert!(failed.contains("\"kind\":\"server_error\""), "{failed}");
    is_well.store(true, Ordering::SeqCst);
    folder.napsim(&command).output(0);
    let repeated: Vec<_> = asked(&server).into_values().filter(|n| *n > 1).collect();
    assert_eq!(repeated, [2], "only the question that failed is asked again");
    folder.napsim("replay r").output(0);
}

#[test]
fn refusals_are_never_empty_answers() {
    let folder = plans();
    let server = TestServer::start(|request| {
        if request.body.contains("Week a") {
            let message = json!({ "content": null, "refusal": "I would rather not." });
            return Answer::json(
                200,
                &json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }),
            );
        }
        next_row(request)
    });
    let answer = folder.napsim(&run(&server, "--json --out stops"));
    assert!(answer.stderr.contains("I would rather not."), "{}", answer.stderr);
    let report: Value = serde_json::from_str(&answer.output(20)).unwrap();
    assert_eq!(
        (&report["trajectories"], &report["answers"]["failures"]["refusal"]),
        (&json!(2), &json!(1))
    );
    let going_on = folder
        .napsim(&run(&server, "--json --on-failed-call go-on --out goes-on"))
        .output(20);
    let report: Value = serde_json::from_str(&going_on).unwrap();
    let answers = &report["answers"];
    assert!(answers["failures"]["refusal"].as_u64().unwrap() > 5, "{answers}");
    assert_eq!(report["trajectories"], 3);
    let record = folder
        .files("goes-on")
        .into_iter()
        .find(|(name, _)| name.ends_with("a.jsonl"));
    let record = String::from_utf8(record.unwrap().1).unwrap();
    assert!(
        record.contains("I would rather not.") && record.contains("\"kind\":\"refusal\""),
        "{record}"
    );
    folder.napsim("replay goes-on").output(0);
}

#[test]
fn what_stops_every_trajectory_stops_the_run() {
    let folder = plans();
    let denied = TestServer::start(|_| Answer::json(401, &json!({ "error": { "message": "bad key" } })));
    let answer = folder.napsim(&run(&denied, "--out r"));
    assert!(answer.talk(2).contains("the server does not accept the key"));
    assert!(denied.n_requests() <= 3);
    let gone = denied.url();
    drop(denied);
    let command = format!("run plans --quiet --retries 0 --predictor local/m --base-url {gone}");
    let talk = folder.napsim(&command).talk(30);
    assert!(talk.contains("failed to connect to"), "{talk}");
    let talk = folder.napsim("run plans --quiet --predictor openai/gpt-5").talk(2);
    assert!(talk.contains("set OPENAI_API_KEY"), "{talk}");
    let talk = folder.napsim("run plans --predictor opneai/gpt-5").talk(2);
    assert!(
        talk.contains("did you mean") && talk.contains("anthropic/MODEL"),
        "{talk}"
    );
    let talk = folder.napsim("run plans --predictor local/m").talk(2);
    assert!(talk.contains("--base-url"), "{talk}");
    let talk = folder.napsim("run plans --predictor openai").talk(2);
    assert!(talk.contains("openai/MODEL"), "{talk}");
    let talk = folder
        .napsim("run plans --predictor online-ngram --budget-tokens 5")
        .talk(2);
    assert!(talk.contains("asks no language model"), "{talk}");
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_asked() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.write("precious.txt", "precious");
    for (rest, code, expected) in [
        ("--log-calls no/such/x.jsonl", 30, "no/such/x.jsonl"),
        ("--log-calls plans", 2, "plans"),
        ("--record precious.txt", 2, "precious.txt:1"),
        ("--record plans", 2, "expected a file or nothing there"),
        ("--record /dev/null", 2, "/dev/null"),
        ("--cache precious.txt", 2, "precious.txt"),
    ] {
        let talk = folder.napsim(&run(&server, rest)).talk(code);
        assert!(talk.contains(expected), "{rest}: {talk}");
    }
    let mut command = folder.command(run(&server, "").split_whitespace());
    let answer = command::Answer::of(&command.env("NAPSIM_CACHE", "relative").output().unwrap());
    assert!(
        answer
            .talk(2)
            .contains("NAPSIM_CACHE holds `relative`; expected an absolute path")
    );
    assert_eq!(
        (server.n_requests(), folder.read("precious.txt").as_str()),
        (0, "precious")
    );
}

#[test]
fn it_is_said_where_answers_are_and_where_none_are() {
    let folder = plans();
    let server = TestServer::start(next_row);
    let kept = folder.napsim(&run(&server, "--budget-tokens 12000")).talk(30);
    assert!(
        kept.contains("the answers so far are kept in ") && kept.contains("answers-v1"),
        "{kept}"
    );
    let lost = folder
        .napsim(&run(&server, "--budget-tokens 12000 --no-cache"))
        .talk(30);
    assert!(lost.contains("no answers are kept"), "{lost}");
    let partial = folder
        .napsim(&run(&server, "--budget-tokens 12000 --no-cache --record r.jsonl"))
        .talk(30);
    assert!(
        partial.contains("kept in ") && partial.contains("r.jsonl.partial; the same command"),
        "{partial}"
    );
    let n_before = server.n_requests();
    folder.napsim(&run(&server, "--no-cache --record r.jsonl")).output(0);
    let n_all = server.n_requests() - n_before;
    assert!(n_all < 35, "{n_all}");
    // Another run of the same name adds to it, and the first still needs nobody.
    folder
        .napsim(&run(&server, "--no-cache --record r.jsonl --context 2"))
        .output(0);
    let n_before = server.n_requests();
    folder.napsim(&run(&server, "--replay r.jsonl")).output(0);
    folder.napsim(&run(&server, "--no-cache --record r.jsonl")).output(0);
    assert_eq!(server.n_requests(), n_before);
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_a_run_at_once() {
    let folder = plans();
    let server = TestServer::start(|request| next_row(request).late(Duration::from_secs(600)));
    let command = run(&server, "--out r");
    let child = folder
        .command(command.split_whitespace())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.n_requests() < 3 {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
    let answer = command::Answer::of(&child.wait_with_output().unwrap());
    assert!(answer.talk(130).contains("the same command goes on from there"));
}

#[test]
fn no_key_is_written_or_printed_anywhere() {
    let folder = plans();
    let n = AtomicUsize::new(0);
    // It repeats the key in answers, in errors and in what it calls itself.
    let server = TestServer::start(move |request| {
        let key = format!("{} {}", request.header("authorization"), request.path);
        match n.fetch_add(1, Ordering::SeqCst) {
            0..6 => openai_answer(request, &format!("INPUT | A9 | \"{key}\"\n{key}")),
            6 => Answer::json(
                200,
                &json!({ "choices": [{ "message": { "content": null, "refusal": key } }] }),
            ),
            _ => Answer::json(400, &json!({ "error": { "message": key } })),
        }
    });
    let url = format!("{}/v1?token=query-canary", server.url()).replace("http://", "http://user-canary:pass-canary@");
    let arguments = [
        "run",
        "plans",
        "--predictor",
        "local/m",
        "--base-url",
        &url,
        "--out",
        "r",
        "--record",
        "f.jsonl",
        "--log-calls",
        "calls.jsonl",
        "--on-failed-call",
        "go-on",
        "--timings",
    ];
    let mut command = folder.command(arguments);
    let output = command
        .env("NAPSIM_API_KEY", "key-canary")
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let answer = command::Answer::of(&output);
    let mut shown = format!("{}{}", answer.stdout, answer.stderr);
    assert!(shown.contains("***"), "{shown}");
    for show in [
        "prompt show plans --predictor local/m --base-url",
        "run plans --dry-run --predictor local/m --base-url",
    ] {
        let arguments: Vec<&str> = show.split(' ').chain([url.as_str()]).collect();
        let answer = folder.napsim_with(arguments);
        shown.push_str(&answer.stdout);
        shown.push_str(&answer.stderr);
    }
    for (name, bytes) in folder.files(".") {
        shown.push_str(&name);
        shown.push_str(&String::from_utf8_lossy(&bytes));
    }
    assert!(shown.contains("INPUT | A9"), "answers are kept");
    let leak = shown.lines().find(|line| line.contains("canary"));
    assert_eq!(leak, None);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.header("authorization") == "Bearer key-canary")
    );
}
