//! Checks of how programs speak.

use std::time::Duration;

use napsim_conformance::{Finding, Outcome};
use napsim_external::{ExternalSettings, check_program};
use napsim_remote::transport::Stop;

use crate::asking::{Place, settings};

fn findings(place: &Place, arguments: &str) -> Vec<Finding> {
    let settings = ExternalSettings {
        call_timeout: Duration::from_secs(1),
        ..settings()
    };
    check_program(&place.command(arguments), settings).unwrap()
}

#[test]
fn good_programs_pass() {
    for arguments in ["", "--all-history --workbook --feedback", "--serve", "--no-fingerprint"] {
        let place = Place::new();
        let findings = findings(&place, arguments);
        assert_eq!(findings.len(), 9);
        for finding in &findings {
            assert_eq!(finding.outcome, Outcome::Passed, "{arguments}: {finding:?}");
            assert!(
                finding.check.starts_with("wire-") && finding.about.ends_with('.'),
                "{finding:?}"
            );
        }
        Place::assert_none_runs(&place.pids());
    }
}

#[test]
fn programs_without_a_manner_are_found_out_by_name() {
    use Outcome::{Failed, Warned};
    for (arguments, check, outcome, says) in [
        (
            "--without ignores-notices",
            "wire-unknown-words",
            Failed,
            "an unknown notice",
        ),
        (
            "--without ignores-fields",
            "wire-unknown-words",
            Failed,
            "an unknown field",
        ),
        (
            "--without answers-questions",
            "wire-unknown-question",
            Failed,
            "no answer came within 1 s",
        ),
        (
            "--without reads-large-seeds",
            "wire-large-seed",
            Failed,
            "a number that is too large",
        ),
        (
            "--without keeps-to-max-actions",
            "wire-max-actions",
            Failed,
            "expected at most 2 actions after 1, got 3",
        ),
        ("--fault babble@55", "wire-silence", Failed, "`done`"),
        (
            "--without heeds-bye",
            "wire-bye",
            Failed,
            "expected an end with code 0 within 2 s, it was killed",
        ),
        (
            "--without heeds-end",
            "wire-end-of-input",
            Warned,
            "expected an end with code 0 within 2 s, it was killed",
        ),
    ] {
        let place = Place::new();
        for finding in findings(&place, arguments) {
            if finding.check == check {
                assert_eq!(finding.outcome, outcome, "{arguments}: {finding:?}");
                assert!(
                    finding.detail.contains(says),
                    "{arguments}: expected {says:?} in {finding:?}"
                );
            } else {
                assert_eq!(finding.outcome, Outcome::Passed, "{arguments}: {finding:?}");
            }
        }
        Place::assert_none_runs(&place.pids());
    }
    let place = Place::new();
    let failed = |arguments: &str| -> Vec<&'static str> {
        let findings = findings(&place, arguments);
        let bad = findings
            .iter()
            .filter(|finding| matches!(finding.outcome, Failed | Warned));
        bad.map(|finding| finding.check).collect()
    };
    // What cannot begin again has failed wherever it has to.
    assert!(failed("--without begins-again").contains(&"wire-begin-again"));
    assert_eq!(failed("--without ends-well"), ["wire-bye", "wire-end-of-input"]);
    assert_eq!(failed("--fault exit-hello"), ["wire-hello"]);
}

#[test]
fn checks_end_where_nobody_waits_and_where_nothing_can_be_read() {
    let place = Place::new();
    let settings = ExternalSettings {
        stop: Stop::new(|| true),
        ..settings()
    };
    // It stops at the first question that takes its time.
    let findings = check_program(&place.command("--fault hang@1"), settings.clone()).unwrap();
    assert!(findings.len() < 9, "{findings:?}");
    assert!(check_program("'", settings).is_err());
}
