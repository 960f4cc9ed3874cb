//! A predictor for tests: it proposes the last action again, and goes wrong as it is told.
//!
//! ```text
//! napsim-test-predictor [--name N] [--fingerprint F | --no-fingerprint] [--all-history] [--workbook] [--feedback]
//!                       [--fault KIND@N]... [--once FILE] [--without MANNER]... [--log FILE] [--pids FILE] [--serve]
//! ```
//!
//! `KIND@N` goes wrong at the N-th question of the kind that it belongs to, from 1; `--once` only as long as the file is
//! not there, which is then made. `--log` adds every line read (after `> `) and answered (after `< `) to a file, `--pids`
//! the numbers of all processes. `--serve` serves the predictor of `recall.rs` by the library instead.

mod fault;
mod manners;
mod options;
mod recall;

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use napsim_external::message::PROTOCOL;
use napsim_external::{Served, serve};
use serde_json::{Value, json};

use fault::Place;
use manners::Manner;
use options::Options;

fn main() -> ExitCode {
    let result = Options::read(std::env::args().skip(1)).and_then(|options| {
        let result = if options.serves {
            serve_recall(&options)
        } else {
            echo(&options)
        };
        result.map_err(|error| error.to_string())
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Whoever cannot be told need not be told.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}

fn serve_recall(options: &Options) -> io::Result<()> {
    let served = Served {
        name: &options.name,
        fingerprint: options.fingerprint.as_deref(),
        wants_feedback: options.feedback,
    };
    let mut make = || -> Box<dyn napsim_sim::predictor::Predictor> { Box::new(recall::Recall::default()) };
    serve(served, &mut make, &mut io::stdin().lock(), &mut io::stdout().lock()).map_err(io::Error::other)
}

/// What has been told so far, and how often what was asked.
#[derive(Default)]
struct State {
    last: Option<String>,
    n_told: u64,
    n_begins: u64,
    n_predicts: u64,
}

fn echo(options: &Options) -> io::Result<()> {
    note(options.pids.as_deref(), &std::process::id().to_string())?;
    let mut state = State::default();
    let mut input = io::stdin().lock();
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return manners::end(options, false);
        }
        note(options.log.as_deref(), &format!("> {}", line.trim_end()))?;
        let message: Value = serde_json::from_str(&line)?;
        let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
        let id = message.get("id").and_then(Value::as_u64);
        if let Some(offence) = manners::offence(options, &message, state.n_begins) {
            return Err(io::Error::other(offence));
        }
        match (text("type"), id) {
            ("bye", _) => return manners::end(options, true),
            ("hello", Some(id)) => {
                let good = hello(options, id);
                answer(options, Place::Hello, 1, id, &good)?;
            }
            ("begin", Some(id)) => {
                state.n_begins += 1;
                (state.last, state.n_told) = (None, 0);
                answer(
                    options,
                    Place::Begin,
                    state.n_begins,
                    id,
                    &json!({"type": "ready", "id": id}),
                )?;
            }
            ("predict", Some(id)) => {
                state.n_predicts += 1;
                let mut good = predict(&mut state, &message, id);
                manners::exaggerate(options, &mut good);
                answer(options, Place::Predict, state.n_predicts, id, &good)?;
            }
            ("observe", None) => observe(&mut state, &message),
            (_, None) => {}
            (_, Some(_)) if options.lacks(Manner::AnswersQuestions) => {}
            (_, Some(id)) => {
                let good = json!({"type": "error", "id": id, "message": "no such question is known"});
                answer(options, Place::Predict, u64::MAX, id, &good)?;
            }
        }
    }
}

fn hello(options: &Options, id: u64) -> Value {
    let mut hello = json!({"type": "hello", "id": id, "protocol": PROTOCOL, "name": options.name});
    let mut wants = json!({});
    if let Some(fingerprint) = &options.fingerprint
        && let Some(hello) = hello.as_object_mut()
    {
        hello.insert("fingerprint".to_owned(), json!(fingerprint));
    }
    if let Some(wants) = wants.as_object_mut() {
        if options.all_history {
            wants.insert("history".to_owned(), json!("all"));
        }
        if options.workbook {
            wants.insert("workbook".to_owned(), json!(true));
        }
        if options.feedback {
            wants.insert("feedback".to_owned(), json!(true));
        }
    }
    if wants != json!({})
        && let Some(hello) = hello.as_object_mut()
    {
        hello.insert("wants".to_owned(), wants);
    }
    hello
}

fn observe(state: &mut State, message: &Value) {
    let lines = message.get("actions").and_then(Value::as_array);
    let lines = lines.map(Vec::as_slice).unwrap_or_default();
    // A gap is not to happen; the next answer says so.
    if message.get("from").and_then(Value::as_u64) == Some(state.n_told) {
        state.n_told += lines.len() as u64;
    }
    if let Some(last) = lines.last().and_then(Value::as_str) {
        state.last = Some(last.to_owned());
    }
}

fn predict(state: &mut State, message: &Value, id: u64) -> Value {
    if let Some(history) = message.get("history").and_then(Value::as_array) {
        state.n_told = history.len() as u64;
        state.last = history.last().and_then(Value::as_str).map(str::to_owned);
    }
    let n_history = message.get("n_history").and_then(Value::as_u64);
    if n_history != Some(state.n_told) {
        let what = format!("was told {} actions and asked after {n_history:?}", state.n_told);
        return json!({"type": "error", "id": id, "message": what, "kind": "gap", "fatal": true});
    }
    let actions: Vec<&String> = state.last.iter().collect();
    json!({"type": "prediction", "id": id, "actions": actions})
}

/// Gives a good answer, unless it is time to go wrong.
fn answer(options: &Options, place: Place, n: u64, id: u64, good: &Value) -> io::Result<()> {
    let due = options
        .faults
        .iter()
        .find(|fault| fault.kind.place() == place && fault.n == n);
    if let Some(fault) = due
        && is_first(options.once.as_deref())
    {
        return fault.kind.commit(options, id, good);
    }
    say(options, good.to_string().as_bytes())
}

/// Writes a line to standard output.
fn say(options: &Options, line: &[u8]) -> io::Result<()> {
    note(options.log.as_deref(), &format!("< {}", String::from_utf8_lossy(line)))?;
    let mut output = io::stdout().lock();
    output.write_all(line)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// Whether the file was not there; it is now.
fn is_first(path: Option<&Path>) -> bool {
    path.is_none_or(|path| OpenOptions::new().write(true).create_new(true).open(path).is_ok())
}

/// Adds a line to a file, if one is wanted.
fn note(path: Option<&Path>, line: &str) -> io::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())
}
