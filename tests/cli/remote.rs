//! Language models over HTTP on the command line, against a server on this machine.

mod asking;
mod failures;
mod keeping;

use std::collections::BTreeMap;

use napsim_test_server::{Answer, Request, TestServer, openai_answer, prompt_text};
use serde_json::Value;

use crate::command::{Folder, PLAN};

/// A model that copies the last action one row down.
pub(super) fn next_row(request: &Request) -> Answer {
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
pub(super) fn plans() -> Folder {
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

pub(super) fn run(server: &TestServer, rest: &str) -> String {
    format!(
        "run plans --quiet --predictor local/m --base-url {}/v1 {rest}",
        server.url()
    )
}

/// The records of a run, without what differs between two runs of the same question.
pub(super) fn records(folder: &Folder, out: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = folder.files(out);
    files.retain(|(name, _)| name != "answers.jsonl");
    assert!(files.len() > 4, "{out} has records");
    files
}

/// How often each request body was asked.
pub(super) fn asked(server: &TestServer) -> BTreeMap<String, usize> {
    let mut bodies = BTreeMap::new();
    for request in server.requests() {
        *bodies.entry(request.body.clone()).or_default() += 1;
    }
    bodies
}

/// The text with every port of this machine replaced.
pub(super) fn without_port(text: &str) -> String {
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
pub(super) fn without_key(text: &str) -> String {
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
