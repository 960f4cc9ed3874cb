//! Language models over HTTP on the command line, against a server on this machine.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use napsim_test_server::{Answer, Request, TestServer, openai_answer, prompt_text};
use serde_json::{Value, json};

use crate::command::{self, Folder, PLAN};

/// A model that copies the last action one row down.
fn next_row(request: &Request) -> Answer {
    openai_answer(request, &next_line(request))
}

fn next_line(request: &Request) -> String {
    let prompt = prompt_text(request);
    let last = prompt.trim_end().lines().last().unwrap_or_default().to_owned();
    let mut fields = last.splitn(3, " | ");
    let (name, range, value) = (fields.next(), fields.next(), fields.next());
    let (name, range, value) = (
        name.unwrap_or_default(),
        range.unwrap_or_default(),
        value.unwrap_or("true"),
    );
    let start = range.split(':').next().unwrap_or_default();
    let (letters, digits) = start.split_at(start.find(|c: char| c.is_ascii_digit()).unwrap_or(start.len()));
    let row: u32 = digits.parse().unwrap_or(1);
    format!("{name} | {letters}{} | {value}\n", row + 1)
}

/// A folder with three short trajectories in `plans`.
fn plans() -> Folder {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        // They differ, so that no question of one is a question of another.
        folder.write(
            &format!("plans/{name}.txt"),
            PLAN.replace("Week", &format!("Week {name}")),
        );
    }
    folder
}

fn run(server: &TestServer, rest: &str) -> String {
    format!(
        "run plans --quiet --predictor local/m --base-url {}/v1 {rest}",
        server.url()
    )
}

/// The records of a run, without what differs between two runs of the same question.
fn records(folder: &Folder, out: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = folder.files(out);
    files.retain(|(name, _)| name != "answers.jsonl");
    assert!(files.len() > 4, "{out} has records");
    files
}

/// How often each request body was asked.
fn asked(server: &TestServer) -> BTreeMap<String, usize> {
    let mut bodies = BTreeMap::new();
    for request in server.requests() {
        *bodies.entry(request.body.clone()).or_default() += 1;
    }
    bodies
}

#[test]
fn a_run_whose_answers_are_kept_asks_nobody_and_is_the_same() {
    let folder = plans();
    let server = TestServer::start(next_row);
    let command = run(&server, "--json --mode single --out");
    let first = command::timeless(&folder.napsim(&format!("{command} one")).output(0));
    assert_eq!(first["trajectories"], 3);
    assert!(first["accepted"].as_u64().unwrap() > 0, "{first}");
    let n_asked = server.n_requests();
    assert_eq!(first["cost"]["calls"], n_asked);
    assert_eq!(first["answers"]["calls"], n_asked);
    drop(server);
    let second = command::timeless(&folder.napsim(&format!("{command} two --jobs 1")).output(0));
    assert_eq!(second["cost"]["calls"], 0);
    assert_eq!(second["cost"]["cached_calls"], n_asked);
    assert_eq!(first["answers"], second["answers"]);
    assert_eq!(records(&folder, "one"), records(&folder, "two"));
    assert!(folder.napsim("replay two").output(0).contains("as recorded"));
}

#[test]
fn every_api_takes_part() {
    let folder = plans();
    for predictor in [
        "local/m?api=completion",
        "openai/m?api=responses",
        "anthropic/m",
        "openrouter/v/m?structured=false",
        "ollama/m:1b",
        "best-of(online-ngram,local/m)",
    ] {
        let server = TestServer::start(next_row);
        let url = format!("{}/v1", server.url());
        let arguments = [
            "run",
            "plans",
            "--quiet",
            "--json",
            "--mode",
            "multi",
            "--predictor",
            predictor,
            "--base-url",
            &url,
        ];
        let report: Value = serde_json::from_str(&folder.napsim_with(arguments).output(0)).unwrap();
        assert_eq!(report["outcomes"]["complete"], 3, "{predictor}");
        assert!(report["predictions"].as_u64().unwrap() > 0, "{predictor}");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_asks_nothing_again_that_was_answered() {
    let folder = plans();
    let whole = TestServer::start(next_row);
    folder.napsim(&run(&whole, "--no-cache --out clean")).output(0);
    drop(whole);
    let server = TestServer::start(|request| next_row(request).late(Duration::from_millis(15)));
    let command = run(&server, "--no-cache --out killed");
    let mut n_in_flight = 0;
    for n_more in [1, 4, 9] {
        let n_before = server.n_requests();
        let mut child = folder
            .command(command.split_whitespace())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while server.n_requests() < n_before + n_more && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // At most one request of each trajectory was on its way.
        n_in_flight += 3;
    }
    folder.napsim(&command).output(0);
    let repeated: usize = asked(&server).values().map(|n| n - 1).sum();
    assert!(repeated <= n_in_flight, "{repeated} requests were asked again");
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let (clean, killed) = (records(&folder, "clean"), records(&folder, "killed"));
    assert_eq!(names(&clean), names(&killed));
    for ((name, clean), (_, killed)) in clean.iter().zip(&killed) {
        // The address of the server is part of every record.
        let with_port = |bytes: &[u8]| without_key(&without_port(&String::from_utf8_lossy(bytes)));
        if name.ends_with(".jsonl") {
            assert_eq!(with_port(clean), with_port(killed), "{name}");
        }
    }
}

/// The text with every port of this machine replaced.
fn without_port(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        replaced.push_str("127.0.0.1:PORT");
        replaced.push_str(rest);
    }
    replaced
}

/// A record without what is derived from addresses: keys of answers and the seal.
fn without_key(text: &str) -> String {
    let line = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(mut value) => {
            if let Some(remarks) = value.get_mut("remarks").and_then(Value::as_object_mut) {
                remarks.remove("source");
            }
            if let Some(seal) = value.get_mut("seal").and_then(Value::as_object_mut) {
                seal.remove("sha256");
            }
            format!("{value}\n")
        }
        Err(_) => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_budget_stops_a_run_that_goes_on_later() {
    let folder = plans();
    let server = TestServer::start(next_row);
    // A few questions fit; the bound is that of all sittings together.
    let talk = folder.napsim(&run(&server, "--budget-tokens 12000 --out r")).talk(30);
    assert!(
        talk.contains("stay within the budget") && talk.contains("with a larger budget"),
        "{talk}"
    );
    let n_asked = server.n_requests();
    assert!((1..12).contains(&n_asked), "{n_asked}");
    folder.napsim(&run(&server, "--budget-tokens 12000 --out r")).talk(30);
    assert_eq!(server.n_requests(), n_asked, "the budget holds for all sittings");
    folder
        .napsim(&run(&server, "--budget-tokens 10000000 --out r"))
        .output(0);
    assert!(asked(&server).values().all(|n| *n == 1), "nothing was paid twice");
}

#[test]
fn money_is_counted_and_bounded() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.write(
        "prices.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/*\"]\ninput = 1\noutput = 10\n",
    );
    let report: Value =
        serde_json::from_str(&folder.napsim(&run(&server, "--json --prices prices.toml")).output(0)).unwrap();
    let cost = &report["cost"];
    let tokens = |name: &str| cost[name].as_u64().unwrap();
    let expected = tokens("input_tokens") + 10 * tokens("output_tokens");
    let money: f64 = cost["money"].as_str().unwrap().parse().unwrap();
    assert!(
        (money * 1e6 - f64::from(u32::try_from(expected).unwrap())).abs() < 0.5,
        "{cost}"
    );
    let talk = folder
        .napsim(&run(&server, "--no-cache --prices prices.toml --budget-usd 0.05"))
        .talk(30);
    assert!(talk.contains("USD are used"), "{talk}");
    folder.write(
        "bad.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/*\"]\ninptu = 1\n",
    );
    let talk = folder.napsim(&run(&server, "--prices bad.toml")).talk(2);
    assert!(talk.contains("bad.toml:4") && talk.contains("input"), "{talk}");
}

#[test]
fn a_recording_replays_without_anybody() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder
        .napsim(&run(&server, "--no-cache --record shared.jsonl --out one"))
        .output(0);
    let n_asked = server.n_requests();
    assert!(!folder.path("shared.jsonl.partial").exists());
    folder
        .napsim(&run(&server, "--replay shared.jsonl --out two"))
        .output(0);
    assert_eq!(server.n_requests(), n_asked);
    assert_eq!(records(&folder, "one"), records(&folder, "two"));
    folder
        .napsim(&run(&server, "--no-cache --jobs 1 --record again.jsonl --replay-not"))
        .talk(2);
    folder
        .napsim(&run(&server, "--no-cache --jobs 1 --record again.jsonl"))
        .output(0);
    assert_eq!(folder.read("shared.jsonl"), folder.read("again.jsonl"));
    let talk = folder
        .napsim(&run(&server, "--replay shared.jsonl --context 3"))
        .talk(2);
    assert!(talk.contains("holds no answer to a question"), "{talk}");
    let talk = folder.napsim(&run(&server, "--replay missing.jsonl")).talk(2);
    assert!(talk.contains("missing.jsonl"), "{talk}");
}

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

#[test]
fn a_dry_run_asks_nobody() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.write(
        "prices.toml",
        "currency = \"USD\"\ndate = 2026-11-30\n[models.\"local/m\"]\ninput = 1\noutput = 10\n",
    );
    let command = run(&server, "--dry-run --json --prices prices.toml");
    let estimate: Value = serde_json::from_str(&folder.napsim(&command).output(0)).unwrap();
    assert_eq!(
        (server.n_requests(), &estimate["schema"]),
        (0, &json!("napsim-dry-run/1"))
    );
    let model = &estimate["models"][0];
    // One question after each action, the last one included.
    assert_eq!((&model["calls"], &model["known_calls"]), (&json!(30), &json!(0)));
    assert!(
        model["money"].as_str().unwrap().parse::<f64>().unwrap() > 0.0,
        "{model}"
    );
    folder.napsim(&run(&server, "")).output(0);
    let known: Value = serde_json::from_str(&folder.napsim(&command).output(0)).unwrap();
    assert!(known["models"][0]["known_calls"].as_u64().unwrap() > 0);
    let table = folder.napsim(&run(&server, "--dry-run")).output(0);
    assert!(table.contains("local/m") && table.contains("calls"), "{table}");
}

#[test]
fn prompts_are_shown_as_they_would_be_sent() {
    let folder = plans();
    let server = TestServer::start(next_row);
    let base = format!("--base-url {}/v1", server.url());
    let shown = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --trajectory b --step 4 {base}"
        ))
        .output(0);
    assert!(
        shown.contains("== system") && shown.ends_with("FONT_BOLD | A1 | true\n"),
        "{shown}"
    );
    let body: Value = serde_json::from_str(
        &folder
            .napsim(&format!(
                "prompt show plans --predictor local/m --trajectory b --step 4 --json {base}"
            ))
            .output(0),
    )
    .unwrap();
    folder.napsim(&run(&server, "--jobs 1")).output(0);
    let bodies: Vec<Value> = server.requests().iter().map(|request| request.json()).collect();
    assert!(bodies.contains(&body), "{body}");
    folder.write("system.jinja", "Only this for {{ n_actions }} {{ nothing }}.\n");
    let own = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --step 4 --system-prompt system.jinja {base}"
        ))
        .output(0);
    assert!(own.contains("== system\nOnly this for 4 .\n== user\n"), "{own}");
    folder.write("broken.jinja", "fine\n{% if %}");
    let talk = folder
        .napsim(&format!(
            "prompt show plans --predictor local/m --system-prompt broken.jinja {base}"
        ))
        .talk(2);
    assert!(talk.contains("broken.jinja, line 2"), "{talk}");
    assert_eq!(
        folder.napsim("prompt template user").output(0),
        include_str!("../../predictors/src/language/prompts/user.jinja")
    );
    assert!(folder.napsim("prompt template").output(0).contains("sheet_view"));
    folder.napsim("prompt show --predictor online-ngram").talk(2);
    folder
        .napsim(&format!("prompt show plans --predictor local/m --step 99 {base}"))
        .talk(2);
    folder
        .napsim(&format!("prompt show plans --predictor local/m --trajectory x {base}"))
        .talk(2);
}

#[test]
fn the_cache_is_counted_checked_moved_and_pruned() {
    let folder = plans();
    let server = TestServer::start(next_row);
    folder.napsim(&run(&server, "")).output(0);
    let n = server.n_requests();
    let stat: Value = serde_json::from_str(&folder.napsim("cache stat --json").output(0)).unwrap();
    assert_eq!(
        (&stat["entries"], &stat["models"]["local/m"]["entries"]),
        (&json!(n), &json!(n))
    );
    assert!(folder.napsim("cache stat").output(0).contains("local/m"));
    folder.napsim("cache verify").output(0);
    folder.napsim("cache export --output all.jsonl").output(0);
    assert_eq!(folder.napsim("cache export").output(0), folder.read("all.jsonl"));
    folder.napsim("cache import all.jsonl --cache other").output(0);
    assert_eq!(
        folder.napsim("cache export --cache other").output(0),
        folder.read("all.jsonl")
    );
    // What was exported replays.
    folder.napsim(&run(&server, "--replay all.jsonl")).output(0);
    let (name, _) = folder
        .files("answers")
        .into_iter()
        .find(|(name, _)| name.ends_with(".json"))
        .unwrap();
    folder.write(&format!("answers/{name}"), "garbage");
    assert!(folder.napsim("cache verify").output(20).contains(&name));
    folder.napsim("cache verify --fix").output(0);
    folder.napsim("cache prune").talk(2);
    assert!(
        folder
            .napsim("cache prune --all --dry-run")
            .talk(0)
            .contains("would be removed")
    );
    folder.napsim("cache prune --all --model local/other").output(0);
    let left: Value = serde_json::from_str(&folder.napsim("cache stat --json").output(0)).unwrap();
    assert_eq!(left["entries"], n - 1);
    folder.napsim("cache prune --all").output(0);
    let left: Value = serde_json::from_str(&folder.napsim("cache stat --json").output(0)).unwrap();
    assert_eq!(left["entries"], 0);
    folder.write("broken.jsonl", "{}\n");
    assert!(
        folder
            .napsim("cache import broken.jsonl")
            .talk(20)
            .contains("broken.jsonl:1")
    );
}
