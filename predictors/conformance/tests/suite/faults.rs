//! The suite finds a fault where it is, and none where there is none.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::toys::{Fault, Shared, Toy};
use napsim_conformance::{Clock, Finding, Outcome, Suite, Verdict};

/// The verdict on a toy. Its clock tells how much it pretends to have worked.
fn examine_with(suite: Suite, fault: Fault) -> Verdict {
    let shared = Arc::new(Shared::default());
    let worked = Arc::clone(&shared);
    let clock = Clock::new(move || Duration::from_nanos(worked.worked.load(Ordering::Relaxed)));
    let suite = Suite { clock, ..suite };
    suite.run(&mut || Box::new(Toy::new(fault, &shared)), &mut |_| {})
}

/// Long enough that the last history is longer than all others, and no longer, since there are many toys.
fn short_suite() -> Suite {
    Suite {
        long_history: 4_000,
        ..Suite::default()
    }
}

fn examine(fault: Fault) -> Verdict {
    examine_with(short_suite(), fault)
}

fn names(verdict: &Verdict, outcome: Outcome) -> Vec<&'static str> {
    let findings = verdict.findings.iter().filter(|finding| finding.outcome == outcome);
    findings.map(|finding| finding.check).collect()
}

/// Which checks fail and which warn.
fn check(fault: Fault, failed: &[&str], warned: &[&str]) {
    let verdict = examine(fault);
    assert_eq!(names(&verdict, Outcome::Failed), failed, "{fault:?}\n{verdict}");
    assert_eq!(names(&verdict, Outcome::Warned), warned, "{fault:?}\n{verdict}");
    assert_eq!(verdict.passed(), failed.is_empty());
    assert_eq!(verdict.findings.len(), Suite::checks().len());
}

#[test]
fn a_predictor_that_is_well_passes_with_every_seed() {
    for seed in [0, 1, 2, u64::MAX] {
        let verdict = examine_with(
            Suite {
                seed,
                ..Suite::default()
            },
            Fault::None,
        );
        assert_eq!(verdict.counts().passed, Suite::checks().len() - 1, "{seed}\n{verdict}");
        assert_eq!(names(&verdict, Outcome::Skipped), ["recovery"], "{seed}\n{verdict}");
    }
}

#[test]
fn a_predictor_that_never_proposes_is_one() {
    check(Fault::Silent, &[], &["proposals"]);
}

#[test]
fn without_any_answer_the_rest_is_left_out() {
    for fault in [Fault::Mute, Fault::PanicsWhenMade] {
        check(fault, &["answers"], &[]);
        assert_eq!(
            names(&examine(fault), Outcome::Skipped).len(),
            Suite::checks().len() - 1
        );
    }
}

#[test]
fn panics_while_dropped_are_found() {
    let verdict = examine(Fault::PanicsWhenDropped);
    let finding = verdict.finding("determinism").unwrap();
    assert_eq!(finding.outcome, Outcome::Failed);
    assert_eq!(
        finding.detail,
        "panicked when it was dropped: assertion `left != right` failed: double free\\n  left: PanicsWhenDropped\\n right: PanicsWhenDropped"
    );
}

#[test]
fn answers_that_differ_by_themselves_are_found() {
    check(Fault::RandomByInstance, &["determinism"], &[]);
}

#[test]
fn what_is_never_reset_is_found() {
    check(
        Fault::CountsForEver,
        &[
            "determinism",
            "seed",
            "observe",
            "rewind",
            "no-leaks",
            "side-by-side",
            "rollouts",
        ],
        &[],
    );
}

#[test]
fn seeds_are_examined() {
    check(Fault::CachesAcrossSeeds, &["seed"], &[]);
    check(Fault::RefusesLargeSeeds, &["seed"], &[]);
}

#[test]
fn telling_is_examined() {
    check(Fault::PanicsOnEmptyHistory, &["empty-history"], &[]);
    check(Fault::CountsPieces, &["observe"], &[]);
    check(Fault::LearnsFromQuestions, &[], &["observe"]);
}

#[test]
fn unusual_histories_are_examined() {
    check(Fault::KnowsNotEveryAction, &["every-action"], &[]);
    check(Fault::PanicsOnEmoji, &["unusual-texts"], &[]);
    check(Fault::PanicsOnApostrophesInSheets, &["unusual-sheets"], &[]);
    check(Fault::RowsInSixteenBits, &["large-ranges"], &[]);
}

#[test]
fn proposals_are_examined() {
    check(Fault::NanConfidence, &["proposals"], &[]);
    check(Fault::PercentConfidence, &["proposals"], &[]);
    check(Fault::Unreadable, &["proposals"], &["rollouts"]);
    check(Fault::HalfUnreadable, &[], &["proposals", "rollouts"]);
    check(Fault::Unprintable, &["proposals"], &[]);
    check(Fault::AlwaysThree, &["budget"], &[]);
    check(Fault::TooManyIfFree, &["budget"], &[]);
}

#[test]
fn forgetting_is_examined() {
    check(Fault::GoesOnAfterRewind, &["rewind", "rollouts"], &[]);
    check(Fault::RemembersLong, &["no-leaks"], &[]);
    check(Fault::RemembersRefusals, &["no-leaks"], &[]);
    check(Fault::SharesItsHistory, &["side-by-side"], &[]);
}

#[test]
fn feedback_is_examined() {
    check(Fault::PanicsWhenNothingIsRefused, &["feedback"], &[]);
    check(Fault::WithdrawsAtRandom, &["feedback"], &[]);
}

#[test]
fn long_histories_are_examined() {
    check(Fault::ContextTooLong, &["long-history"], &[]);
    check(Fault::Quadratic, &[], &["long-history"]);
}

#[test]
fn rollouts_are_examined() {
    check(Fault::GivesUpAfterManyCalls, &["rollouts"], &[]);
    check(Fault::AccumulatesInRollouts, &["rollouts"], &[]);
}

#[test]
fn fingerprints_are_examined() {
    check(Fault::FingerprintByInstance, &["fingerprint"], &[]);
    check(Fault::FingerprintByUse, &["fingerprint"], &[]);
    check(Fault::NoFingerprint, &["fingerprint"], &[]);
}

#[test]
fn recovery_is_examined() {
    check(Fault::NeverRecovers, &["unusual-texts", "recovery"], &[]);
    let verdict = examine(Fault::ContextTooLong);
    let finding = verdict.finding("recovery").unwrap();
    assert_eq!(finding.outcome, Outcome::Passed, "{verdict}");
}

#[test]
fn single_checks_can_be_asked_for() {
    for info in Suite::checks() {
        let only = vec![info.name];
        let verdict = examine_with(Suite { only, ..short_suite() }, Fault::None);
        let outcomes: Vec<(&str, Outcome)> = verdict
            .findings
            .iter()
            .map(|finding| (finding.check, finding.outcome))
            .collect();
        let expect = if info.name == "recovery" {
            Outcome::Skipped
        } else {
            Outcome::Passed
        };
        assert_eq!(outcomes, [(info.name, expect)], "{verdict}");
    }
    let only = vec!["determinsm"];
    let verdict = examine_with(Suite { only, ..short_suite() }, Fault::None);
    assert!(!verdict.passed());
    assert!(
        verdict.to_string().contains("no check is called `determinsm`"),
        "{verdict}"
    );
}

#[test]
fn findings_are_shown_as_they_come_and_can_be_cut_short() {
    let shared = Arc::new(Shared::default());
    let mut seen: Vec<Finding> = Vec::new();
    let mut n_asked = 0;
    let mut stop = || {
        n_asked += 1;
        n_asked > 4
    };
    let verdict = Suite::default().run_until(
        &mut || Box::new(Toy::new(Fault::None, &shared)),
        &mut |finding| seen.push(finding.clone()),
        &mut stop,
    );
    assert_eq!(seen, verdict.findings);
    assert_eq!(verdict.counts().passed, 4);
    assert_eq!(verdict.counts().skipped, Suite::checks().len() - 4);
}

#[test]
fn what_fails_while_everything_stops_is_skipped() {
    let shared = Arc::new(Shared::default());
    let mut n_asked = 0;
    let mut stop = || {
        n_asked += 1;
        n_asked > 1
    };
    let mut make = || Box::new(Toy::new(Fault::Mute, &shared)) as Box<dyn napsim_sim::predictor::Predictor>;
    let verdict = Suite::default().run_until(&mut make, &mut |_| {}, &mut stop);
    assert_eq!(verdict.counts().skipped, Suite::checks().len());
    assert!(!verdict.passed());
}
