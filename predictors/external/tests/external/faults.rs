//! Programs that go wrong in every way.

use std::time::{Duration, Instant};

use napsim_external::{ExternalSettings, OnCrash};

use crate::asking::{Place, SOON, ask, ask_well, begin, history, settings, unanswered};

/// When a fault is noticed.
#[derive(Clone, Copy, PartialEq)]
enum Noticed {
    /// At once.
    AtOnce,
    /// When the next question is asked.
    Later,
}
use Noticed::{AtOnce, Later};

/// A fault, when it is noticed, its kind, and what its message says.
const FAULTS: [(&str, Noticed, &str, &str); 29] = [
    ("hang", AtOnce, "timeout", "no answer came within 1 s"),
    ("deaf", AtOnce, "timeout", "no answer came within 1 s"),
    ("late", AtOnce, "timeout", "no answer came within 1 s"),
    (
        "exit",
        AtOnce,
        "crashed",
        "it ended with code 3; it last wrote to its standard error `Traceback: no more memory`",
    ),
    ("abort", AtOnce, "crashed", "it was ended by signal 6 (aborted)"),
    (
        "segfault",
        AtOnce,
        "crashed",
        "it was ended by signal 11 (segmentation fault)",
    ),
    (
        "half-line",
        AtOnce,
        "crashed",
        "it ended with code 0 within a line, `{\"type\":\"prediction\"",
    ),
    ("close-stdout", AtOnce, "crashed", "it closed its output"),
    ("grandchild", AtOnce, "crashed", "it ended with code 4"),
    (
        "garbage",
        AtOnce,
        "malformed",
        "`Loading weights \\u{1b}[32m100 %\\u{1b}[0m`",
    ),
    ("blank", AtOnce, "malformed", "``"),
    ("flood", AtOnce, "malformed", "`Epoch 1: loss 0.1`"),
    ("unknown-field", AtOnce, "malformed", "unknown field `confidense`"),
    ("wrong-type", AtOnce, "malformed", "expected `prediction`, got `ready`"),
    (
        "confidence",
        AtOnce,
        "malformed",
        "a `confidence` is 1.5; expected 0 to 1",
    ),
    ("not-a-number", AtOnce, "malformed", "\"confidence\":NaN"),
    ("not-utf8", AtOnce, "malformed", "it is no UTF-8 text"),
    ("nul", AtOnce, "malformed", "`\\u{0}\\u{0}{\"type\""),
    (
        "million",
        AtOnce,
        "too_many_actions",
        "it holds 1000000 actions; expected at most 10000",
    ),
    (
        "long-line",
        AtOnce,
        "too_long",
        "longer than 16 MiB and begins with `{\"type\":\"prediction\"",
    ),
    (
        "wrong-id",
        AtOnce,
        "out_of_turn",
        "expected an answer with id 4, got `prediction` with id 5",
    ),
    ("error", AtOnce, "reported/ideas", "it reports: out of ideas"),
    ("fatal-error", AtOnce, "reported/ideas", "it reports: out of ideas"),
    ("twice", Later, "out_of_turn", "got `prediction` with id 4"),
    ("flood-of-answers", Later, "out_of_turn", "got `prediction` with id 4"),
    ("flood-after-answer", Later, "malformed", "`Epoch 1: loss 0.1`"),
    ("babble", Later, "malformed", "`done`"),
    ("exit-after-answer", Later, "crashed", "it ended with code 5"),
    ("escape", AtOnce, "crashed", "it ended with code 4"),
];

fn settings_for(fault: &str, on_crash: OnCrash) -> ExternalSettings {
    let takes_time = ["hang", "deaf", "late"].contains(&fault);
    ExternalSettings {
        call_timeout: if takes_time { Duration::from_secs(1) } else { SOON },
        on_crash,
        ..settings()
    }
}

/// Ends what has left its group and so is nobody's to kill but ours.
fn end_escaped(place: &Place, fault: &str) {
    if fault == "escape" {
        for pid in place.pids() {
            let _ = std::process::Command::new("kill")
                .args(["-KILL", &pid.to_string()])
                .output();
        }
    }
}

/// Does the same for every fault, each on a thread of its own.
fn for_each(work: impl Fn(&str, Noticed, &str, &str) + Sync) {
    std::thread::scope(|scope| {
        for faults in FAULTS.chunks(8) {
            let work = &work;
            scope.spawn(move || {
                for (fault, noticed, kind, says) in faults {
                    let began = Instant::now();
                    work(fault, *noticed, kind, says);
                    let took = began.elapsed();
                    assert!(took < 2 * SOON, "{fault} took {took:?}");
                }
            });
        }
    });
}

#[test]
fn a_fault_costs_its_trajectory_and_no_other() {
    let history = history(200);
    for_each(|fault, noticed, kind, says| {
        let place = Place::new();
        let arguments = format!("--fault {fault}@2 --once FILE:once");
        let (setup, mut external) = place.external(&arguments, settings_for(fault, OnCrash::Fail));
        begin(&mut external, "first");
        ask_well(&mut external, &history[..1]);
        if noticed == Later {
            ask_well(&mut external, &history[..100]);
        }
        let failure = unanswered(ask(&mut external, &history));
        assert_eq!(failure.kind, kind, "{fault}: {failure:?}");
        assert!(
            failure.message.starts_with(&format!("ask {}: ", setup.id())),
            "{fault}: {failure:?}"
        );
        assert!(
            failure.message.contains(says),
            "{fault}: expected {says:?} in {failure:?}"
        );
        assert_eq!(failure.fatal, fault != "error", "{fault}");
        assert!(failure.raw.is_none_or(|raw| raw.len() <= 64 << 10), "{fault}");
        begin(&mut external, "second");
        ask_well(&mut external, &history[..1]);
        ask_well(&mut external, &history);
        let activity = setup.activity();
        assert_eq!(
            activity.failures.into_iter().collect::<Vec<_>>(),
            [(kind.to_owned(), 1)],
            "{fault}"
        );
        assert_eq!((activity.replaced, activity.restarts), (0, 0), "{fault}");
        assert_eq!(
            activity.starts,
            if kind.starts_with("reported") { 1 } else { 2 },
            "{fault}"
        );
        assert_eq!(activity.calls, if noticed == Later { 5 } else { 4 }, "{fault}");
        drop((setup, external));
        end_escaped(&place, fault);
        Place::assert_none_runs(&place.pids());
    });
}

#[test]
fn what_goes_wrong_once_can_be_resumed_from() {
    let history = history(200);
    for_each(|fault, noticed, kind, says| {
        if kind.starts_with("reported") {
            return;
        }
        let place = Place::new();
        let arguments = format!("--fault {fault}@2 --once FILE:once");
        let (setup, mut external) = place.external(&arguments, settings_for(fault, OnCrash::Resume));
        begin(&mut external, "first");
        ask_well(&mut external, &history[..1]);
        if noticed == Later {
            assert_eq!(ask_well(&mut external, &history[..100]).remarks(), None, "{fault}");
        }
        let proposals = ask_well(&mut external, &history);
        let restarts = &proposals.remarks().unwrap().restarts;
        assert_eq!(restarts.len(), 1, "{fault}: {restarts:?}");
        assert!(restarts[0].contains(says), "{fault}: {restarts:?}");
        assert_eq!(ask_well(&mut external, &history).remarks(), None, "{fault}");
        begin(&mut external, "second");
        ask_well(&mut external, &history);
        let activity = setup.activity();
        assert_eq!(
            (activity.starts, activity.replaced, activity.restarts),
            (2, 0, 1),
            "{fault}"
        );
        drop((setup, external));
        end_escaped(&place, fault);
        Place::assert_none_runs(&place.pids());
    });
}

#[test]
fn what_goes_wrong_always_is_given_up() {
    let history = history(200);
    for_each(|fault, noticed, kind, says| {
        if kind.starts_with("reported") || noticed == Later {
            return;
        }
        let place = Place::new();
        let arguments = format!("--fault {fault}@1");
        let (setup, mut external) = place.external(&arguments, settings_for(fault, OnCrash::Resume));
        for trajectory in 1..3 {
            begin(&mut external, "a trajectory");
            let failure = unanswered(ask(&mut external, &history));
            assert_eq!((failure.kind.as_str(), failure.fatal), (kind, true), "{fault}");
            let says = says
                .replace("id 5", "id 4")
                .replace("id 4", "id 3")
                .replace("id 3, got `prediction` with id 3", "id 3, got `prediction` with id 4");
            assert!(failure.message.contains(&says), "{fault}: {failure:?}");
            assert!(
                failure.message.ends_with("(restarted 2 times before)"),
                "{fault}: {failure:?}"
            );
            assert_eq!(setup.activity().failures[kind], 3 * trajectory, "{fault}");
            assert_eq!(setup.activity().starts, 3 * trajectory, "{fault}");
        }
        assert_eq!(setup.activity().restarts, 0, "{fault}");
        drop((setup, external));
        end_escaped(&place, fault);
        Place::assert_none_runs(&place.pids());
    });
}

#[test]
fn what_is_said_after_the_last_answer_costs_nothing() {
    let history = history(3);
    for (fault, _, kind, _) in FAULTS.into_iter().filter(|fault| fault.1 == Later) {
        let place = Place::new();
        let arguments = format!("--fault {fault}@1 --once FILE:once");
        let (setup, mut external) = place.external(&arguments, settings());
        begin(&mut external, "first");
        ask_well(&mut external, &history);
        begin(&mut external, "second");
        let proposals = ask_well(&mut external, &history);
        assert_eq!(proposals.remarks(), None, "{fault}");
        let activity = setup.activity();
        assert_eq!(
            (activity.starts, activity.replaced, activity.restarts),
            (2, 1, 0),
            "{fault}"
        );
        assert_eq!(
            activity.failures.into_iter().collect::<Vec<_>>(),
            [(kind.to_owned(), 1)],
            "{fault}"
        );
    }
}

#[test]
fn errors_that_a_predictor_reports_are_handed_on() {
    let history = history(3);
    for (fault, is_fatal) in [("error", false), ("fatal-error", true)] {
        for on_crash in [OnCrash::Fail, OnCrash::Resume] {
            let place = Place::new();
            let (setup, mut external) = place.external(&format!("--fault {fault}@2"), settings_for(fault, on_crash));
            begin(&mut external, "first");
            ask_well(&mut external, &history[..1]);
            let failure = unanswered(ask(&mut external, &history[..2]));
            assert_eq!((failure.raw.as_deref(), failure.fatal), (Some("hm"), is_fatal));
            // The same program goes on, and was told what came before.
            ask_well(&mut external, &history);
            assert_eq!(setup.activity().starts, 1);
        }
    }
}

#[test]
fn a_program_may_take_a_lot_of_time_and_words_for_an_answer() {
    let history = history(3);
    // What is beyond the budget is handed on, as of any other predictor, and cut by the rollout.
    for (fault, n_actions) in [("stderr-flood", 1), ("ten-thousand", 10_000)] {
        let place = Place::new();
        let (setup, mut external) = place.external(&format!("--fault {fault}@1"), settings());
        begin(&mut external, "first");
        let proposals = ask(&mut external, &history).unwrap();
        assert_eq!(proposals.actions().len(), n_actions, "{fault}");
        if fault == "stderr-flood" {
            let text = setup.take_stderr("first").unwrap();
            assert!(text.n_bytes_left_out > 90_000_000, "{}", text.n_bytes_left_out);
            assert!(text.text.len() < 200_000);
        }
        ask_well(&mut external, &history);
        assert_eq!(setup.activity().starts, 1, "{fault}");
    }
}
