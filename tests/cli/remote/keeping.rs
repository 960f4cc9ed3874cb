//! What is kept of a run, and what need not be asked again.

use std::process::Stdio;
use std::time::{Duration, Instant};

use napsim_test_server::TestServer;
use serde_json::{Value, json};

use super::{asked, next_row, plans, records, run, without_key, without_port};
use crate::command::{self};

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
