//! Whether a program speaks the protocol as it should, beyond what the simulator needs of it today.

mod wire;

use std::time::Duration;

use napsim_conformance::{Finding, Outcome};
use napsim_trajectories::Action;
use serde_json::{Value, json};

use crate::failure::{Failure, What};
use crate::message::{Answer, ProposedLine};
use crate::program::{BYE, BYE_TIMEOUT};
use crate::{ExternalError, ExternalSettings};
use wire::{Wire, predicts};

/// How long a program that was answered is listened to.
const SILENCE: Duration = Duration::from_millis(300);

/// What a check saw.
enum Seen {
    Passed(String),
    Warned(String),
    Failed(String),
    Skipped(String),
    /// Nobody waits any more.
    Interrupted,
}

impl From<Failure> for Seen {
    fn from(failure: Failure) -> Self {
        match failure.what {
            What::Interrupted => Self::Interrupted,
            _ => Self::Failed(failure.message),
        }
    }
}

/// A check; as an error it gives what it saw before its end.
type Check = fn(&mut Wire) -> Result<Seen, Seen>;

/// All checks: name, what it demands, and the check. Names are what users read.
const CHECKS: [(&str, &str, Check); 9] = [
    ("wire-hello", "The program starts and says who it is.", hello),
    (
        "wire-unknown-words",
        "Notices and fields that a predictor does not know are ignored.",
        unknown_words,
    ),
    (
        "wire-unknown-question",
        "A question that a predictor does not know is answered by `error`, and the conversation goes on.",
        unknown_question,
    ),
    ("wire-large-seed", "Seeds are whole numbers up to 2^64 - 1.", large_seed),
    (
        "wire-begin-again",
        "A trajectory may begin at any time, without a farewell to the one before.",
        begin_again,
    ),
    (
        "wire-max-actions",
        "No answer holds more actions than `max_actions`.",
        max_actions,
    ),
    (
        "wire-silence",
        "Nothing but answers is written to standard output.",
        silence,
    ),
    (
        "wire-bye",
        "After `bye` the program ends within two seconds, with code 0.",
        bye,
    ),
    (
        "wire-end-of-input",
        "The program ends when its input does, since napsim may be killed.",
        end_of_input,
    ),
];

/// The checks of [`check_program`]: name, and what is demanded.
pub fn program_checks() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHECKS.iter().map(|(name, about, _)| (*name, *about))
}

/// Checks how a program speaks the protocol. It is started twice where all goes well, and once more after each failure.
///
/// Once `settings.stop` says so, the findings so far are given.
///
/// # Errors
/// [`ExternalError::Command`] where the command cannot be read.
pub fn check_program(command: &str, settings: ExternalSettings) -> Result<Vec<Finding>, ExternalError> {
    let mut wire = Wire::new(command, settings)?;
    let mut findings = Vec::with_capacity(CHECKS.len());
    for (check, about, look) in CHECKS {
        let (outcome, detail) = match look(&mut wire).unwrap_or_else(|seen| seen) {
            Seen::Passed(detail) => (Outcome::Passed, detail),
            Seen::Warned(detail) => (Outcome::Warned, detail),
            Seen::Failed(detail) => (Outcome::Failed, detail),
            Seen::Skipped(detail) => (Outcome::Skipped, detail),
            Seen::Interrupted => break,
        };
        let has_failed = outcome == Outcome::Failed;
        findings.push(Finding {
            check,
            about,
            outcome,
            detail,
        });
        if has_failed && check == "wire-hello" {
            break;
        }
    }
    Ok(findings)
}

fn hello(wire: &mut Wire) -> Result<Seen, Seen> {
    let hello = wire.hello()?;
    Ok(Seen::Passed(match hello.fingerprint {
        Some(fingerprint) => format!("{}, fingerprint {fingerprint}", hello.name),
        None => format!("{}, without a fingerprint", hello.name),
    }))
}

fn unknown_words(wire: &mut Wire) -> Result<Seen, Seen> {
    let later = json!({"of": ["a later version", 1, null]});
    let with_word = |message: &mut Value| {
        if let Some(object) = message.as_object_mut() {
            object.insert("a_later_word".to_owned(), later.clone());
        }
    };
    wire.begin_with(1, with_word)?;
    for n_history in [1, 3, 4] {
        let (mut messages, id) = wire.call(n_history, None)?;
        messages.iter_mut().for_each(with_word);
        messages.insert(0, json!({"type": "a_later_notice", "a_later_word": later}));
        predicts(wire.ask(&messages, id)?)?;
    }
    Ok(Seen::Passed("they are ignored".to_owned()))
}

fn unknown_question(wire: &mut Wire) -> Result<Seen, Seen> {
    wire.begin(1)?;
    let id = wire.next_id()?;
    let question = json!({"type": "a_later_question", "id": id});
    let answer = wire.ask(&[question], id)?;
    let Answer::Error(error) = answer else {
        let name = answer.type_name();
        return Ok(Seen::Failed(format!(
            "expected `error` to {{\"type\":\"a_later_question\"}}, got `{name}`"
        )));
    };
    predicts(wire.predict(2, None)?)?;
    Ok(Seen::Passed(format!("it is answered by an error: {}", error.message)))
}

fn large_seed(wire: &mut Wire) -> Result<Seen, Seen> {
    for seed in [u64::MAX, 1 << 63, (1 << 53) + 1, 0] {
        wire.begin(seed)?;
        predicts(wire.predict(2, None)?)?;
    }
    Ok(Seen::Passed(format!("up to {}", u64::MAX)))
}

fn begin_again(wire: &mut Wire) -> Result<Seen, Seen> {
    for n_history in [5, 0, 1, 9] {
        wire.begin(1)?;
        predicts(wire.predict(n_history, None)?)?;
    }
    // Also where nothing was asked in between.
    wire.begin(1)?;
    wire.begin(2)?;
    predicts(wire.predict(3, None)?)?;
    Ok(Seen::Passed("it may".to_owned()))
}

fn max_actions(wire: &mut Wire) -> Result<Seen, Seen> {
    wire.begin(1)?;
    let mut n_most = 0;
    for n_history in 0..=wire.n_actions() {
        let max = if n_history % 2 == 0 { 1 } else { 2 };
        let prediction = predicts(wire.predict(n_history, Some(max))?)?;
        let is_action = |line: &&ProposedLine| Action::parse(&line.action).is_ok();
        let n_actions = prediction.actions.iter().filter(is_action).count();
        if n_actions > max as usize {
            return Ok(Seen::Failed(format!(
                "expected at most {max} actions after {n_history}, got {n_actions}; the rest is cut off in a run"
            )));
        }
        n_most = n_most.max(n_actions);
    }
    Ok(match n_most {
        0 => Seen::Skipped(format!(
            "nothing was proposed after any of {} actions",
            wire.n_actions()
        )),
        _ => Seen::Passed(format!("asked for 1 or 2, at most {n_most} came")),
    })
}

fn silence(wire: &mut Wire) -> Result<Seen, Seen> {
    wire.begin(1)?;
    predicts(wire.predict(3, None)?)?;
    wire.listen(SILENCE)?;
    Ok(Seen::Passed("silence between answers".to_owned()))
}

fn bye(wire: &mut Wire) -> Result<Seen, Seen> {
    wire.begin(1)?;
    predicts(wire.predict(3, None)?)?;
    let ended = wire.leave(BYE, BYE_TIMEOUT)?;
    Ok(if ended.is_success() {
        Seen::Passed(format!("it {ended}"))
    } else {
        Seen::Failed(format!(
            "expected an end with code 0 within {} s, it {ended}",
            BYE_TIMEOUT.as_secs()
        ))
    })
}

fn end_of_input(wire: &mut Wire) -> Result<Seen, Seen> {
    wire.begin(1)?;
    predicts(wire.predict(3, None)?)?;
    let ended = wire.leave(b"", BYE_TIMEOUT)?;
    Ok(if ended.is_success() {
        Seen::Passed(format!("it {ended}"))
    } else {
        Seen::Warned(format!(
            "expected an end with code 0 within {} s, it {ended}",
            BYE_TIMEOUT.as_secs()
        ))
    })
}
