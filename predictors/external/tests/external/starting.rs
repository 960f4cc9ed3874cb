//! How programs start, and who they say they are.

use std::time::Duration;

use napsim_external::message::WantsHistory;
use napsim_external::{External, ExternalError, ExternalSettings, ExternalSetup, OnCrash};
use napsim_sim::predictor::Predictor as _;

use crate::asking::{Place, ask, ask_well, begin, history, settings, unanswered};

fn refusal(command: &str, settings: ExternalSettings) -> (String, String) {
    match ExternalSetup::program(command, settings) {
        Err(ExternalError::Start(failure)) => (failure.kind.clone(), failure.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn programs_that_do_not_start_are_refused_with_the_reason() {
    let place = Place::new();
    let short = ExternalSettings {
        start_timeout: Duration::from_secs(1),
        ..settings()
    };
    for (command, says) in [
        ("/no/such/program --x".to_owned(), "No such file"),
        (place.command("--fault exit-hello"), "it ended with code 3"),
        (
            place.command("--fault other-protocol"),
            "its `protocol` is `napsim-predictor/2`; expected `napsim-predictor/1`",
        ),
        (place.command("--fault error-hello"), "it reports: out of ideas"),
        (place.command("--fault slow-hello"), "no answer came within 1 s"),
        (
            place.command("--name ''"),
            "its `name` has 0 characters; expected 1 to 200",
        ),
        (place.command("--no-such-option"), "`--no-such-option` is not known"),
        ("echo hello".to_owned(), "`hello`"),
        ("true".to_owned(), "it ended with code 0"),
    ] {
        let settings = if says.contains("1 s") {
            short.clone()
        } else {
            settings()
        };
        let (kind, message) = refusal(&command, settings);
        assert_eq!(kind, "cannot_start");
        assert!(message.starts_with(&format!("start exec:{command}: ")), "{message}");
        assert!(message.contains(says), "expected {says:?} in {message}");
    }
    Place::assert_none_runs(&place.pids());
}

#[test]
fn commands_are_split_into_words_without_a_shell() {
    for (command, says) in [
        ("", "no program"),
        ("  ", "no program"),
        ("'' x", "no program"),
        ("python3 'x", "quotation"),
    ] {
        let error = ExternalSetup::program(command, settings()).unwrap_err();
        assert!(matches!(error, ExternalError::Command { .. }), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    let place = Place::new();
    let setup = place.setup("--name 'two words $HOME' --fingerprint \"a b\"", settings());
    assert_eq!(setup.name(), "two words $HOME");
    assert_eq!(setup.fingerprint().0, "external/1 two words $HOME a b");
    assert!(
        setup.id().starts_with("exec:") && setup.id().ends_with("\"a b\""),
        "{}",
        setup.id()
    );
    assert!(!setup.is_service());
}

#[test]
fn without_a_fingerprint_the_command_and_its_files_are_one() {
    let place = Place::new();
    let fingerprint = |arguments: &str| place.setup(arguments, settings()).fingerprint().0;
    let first = fingerprint("--no-fingerprint --log FILE:log");
    assert!(first.starts_with("external/1 echo command sha256:"), "{first}");
    // The log is one of the files that the command names, and has grown.
    assert_ne!(fingerprint("--no-fingerprint --log FILE:log"), first);
    // The list of processes grows as well.
    let plain = fingerprint("--no-fingerprint");
    assert_ne!(fingerprint("--no-fingerprint"), plain);
}

#[test]
fn the_first_lane_gets_the_program_that_said_hello() {
    let place = Place::new();
    let setup = place.setup("", settings());
    assert_eq!(place.pids().len(), 1);
    let history = history(2);
    let mut first = External::new(setup.clone());
    let mut second = External::new(setup.clone());
    assert_eq!(first.fingerprint().0, "external/1 echo 1");
    begin(&mut first, "a");
    ask_well(&mut first, &history);
    assert_eq!(place.pids().len(), 1);
    begin(&mut second, "b");
    ask_well(&mut second, &history);
    assert_eq!(place.pids().len(), 2);
    for trajectory in ["c", "d"] {
        begin(&mut first, trajectory);
        ask_well(&mut first, &history[..1]);
        begin(&mut second, trajectory);
        ask_well(&mut second, &history);
        ask_well(&mut first, &history);
    }
    assert_eq!(place.pids().len(), 2);
    assert_eq!(setup.activity().starts, 2);
    drop(first);
    drop(second);
    drop(setup);
    Place::assert_none_runs(&place.pids());
}

#[test]
fn a_program_that_changes_is_refused_for_good() {
    let place = Place::new();
    let settings = ExternalSettings {
        on_crash: OnCrash::Resume,
        ..settings()
    };
    let (setup, mut external) = place.external("--fault changing --fault exit@2", settings);
    let history = history(2);
    begin(&mut external, "a");
    ask_well(&mut external, &history[..1]);
    let failure = unanswered(ask(&mut external, &history));
    assert_eq!((failure.kind.as_str(), failure.fatal), ("changed", true));
    assert!(failure.message.contains("its fingerprint was `"), "{}", failure.message);
    assert_eq!(
        setup.activity().failures.keys().collect::<Vec<_>>(),
        ["changed", "crashed"]
    );
    Place::assert_none_runs(&place.pids());
}

#[test]
fn beginnings_go_wrong_like_calls() {
    let history = history(2);
    let short = ExternalSettings {
        start_timeout: Duration::from_secs(2),
        ..settings()
    };
    for (fault, kind, says) in [
        ("error-begin", "reported/ideas", "it reports: out of ideas"),
        ("exit-begin", "crashed", "it ended with code 3"),
        ("hang-begin", "timeout", "no answer came within 2 s"),
        ("babble-begin", "malformed", "`done with the last one`"),
    ] {
        // The very first program is replaced where it fails; the fresh one is not.
        let place = Place::new();
        let (setup, mut external) = place.external(&format!("--fault {fault}@1"), short.clone());
        begin(&mut external, "a");
        let failure = unanswered(ask(&mut external, &history));
        assert_eq!(
            (failure.kind.as_str(), failure.fatal),
            (kind, fault != "error-begin"),
            "{failure:?}"
        );
        assert!(failure.message.contains(says), "{failure:?}");
        assert_eq!(setup.activity().replaced, u64::from(fault != "error-begin"), "{fault}");
        if fault == "error-begin" {
            ask_well(&mut external, &history);
        }
        // What goes wrong between two trajectories costs neither of them.
        let place = Place::new();
        let (setup, mut external) = place.external(&format!("--fault {fault}@2 --once FILE:once"), short.clone());
        begin(&mut external, "a");
        ask_well(&mut external, &history);
        begin(&mut external, "b");
        if fault == "error-begin" {
            assert_eq!(unanswered(ask(&mut external, &history)).kind, kind);
        }
        ask_well(&mut external, &history);
        assert_eq!(setup.activity().replaced, u64::from(fault != "error-begin"), "{fault}");
    }
}

#[test]
fn wants_are_read() {
    let place = Place::new();
    let wants = place.setup("", settings()).wants();
    assert!(wants.history == WantsHistory::New && !wants.workbook && !wants.feedback);
    let wants = place.setup("--all-history --workbook --feedback", settings()).wants();
    assert!(wants.history == WantsHistory::All && wants.workbook && wants.feedback);
}
