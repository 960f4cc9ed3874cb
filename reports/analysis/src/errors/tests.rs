use napsim_sim::predictor::RejectedProposal;

use super::*;
use crate::unit::fixtures::{Proposed, accepted, rejected, step, unit};

const TRAJECTORY: [&str; 4] = [
    "INPUT | Sheet1!A1 | 1",
    "INPUT | Sheet1!A2 | 2",
    "FONT_BOLD | Sheet1!A1:A2 | true",
    "FILL_COLOR | Sheet1!A1 | #FF0000",
];

fn rows(events: &[napsim_sim::event::Event]) -> Vec<(ErrorKind, u64, u64)> {
    let errors = RunAnalysis::new(vec![unit("t", &TRAJECTORY, events)]).errors();
    let rows = errors.rows.iter().filter(|row| row.rejected + row.accepted > 0);
    rows.map(|row| (row.kind, row.rejected, row.accepted)).collect()
}

fn check(proposal: &Proposed, expect: &[(ErrorKind, u64, u64)]) {
    assert_eq!(
        rows(&[step(TRAJECTORY[0]), proposal.clone().into()]),
        expect,
        "{proposal:?}"
    );
}

#[test]
fn one_action_is_told_by_what_is_left_to_do() {
    use ErrorKind::*;
    let found = |next: u32, anywhere: u32| {
        move |prediction: &mut Prediction| {
            prediction.metrics.exact_matches = next;
            prediction.metrics.lookahead_matches = anywhere;
        }
    };
    check(&rejected(TRAJECTORY[1]).with(found(1, 1)), &[(RightNext, 1, 0)]);
    check(&accepted(TRAJECTORY[1]).with(found(1, 1)), &[(RightNext, 0, 1)]);
    check(&rejected(TRAJECTORY[3]).with(found(0, 1)), &[(RightLater, 1, 0)]);
    check(&rejected("INPUT | Sheet1!A2 | 3"), &[(WrongValue, 1, 0)]);
    check(&rejected("FONT_BOLD | Sheet1!B1:B2 | true"), &[(WrongPlace, 1, 0)]);
    check(&rejected("MERGE | Sheet1!A1:A2 | true"), &[(NotNeeded, 1, 0)]);
    // It has been done already, and nothing like it is left.
    check(&rejected("INPUT | Sheet1!C1 | 1"), &[(NotNeeded, 1, 0)]);
    let without_effect = |prediction: &mut Prediction| prediction.metrics.tp = 0;
    check(
        &rejected("INPUT | Sheet1!A1 | 1").with(without_effect),
        &[(NoEffect, 1, 0)],
    );
    let at_the_end = |prediction: &mut Prediction| prediction.future_before = 0;
    check(
        &rejected("INPUT | Sheet1!A9 | 9").with(at_the_end),
        &[(NothingLeft, 1, 0)],
    );
}

#[test]
fn of_several_actions_those_that_come_nearest_are_the_right_ones() {
    use ErrorKind::*;
    let proposal = rejected(
        "MERGE | Sheet1!A1 | true; INPUT | Sheet1!A2 | 2; FONT_BOLD | Sheet1!C1 | true; FILL_COLOR | Sheet1!A1 | #0000FF",
    );
    let proposal = proposal.with(|prediction| {
        prediction.metrics.exact_matches = 1;
        prediction.metrics.lookahead_matches = 1;
        prediction.rejected = vec![RejectedProposal {
            text: "dance".to_owned(),
            reason: "no action".to_owned(),
        }];
    });
    check(
        &proposal,
        &[
            (RightNext, 1, 0),
            (WrongValue, 1, 0),
            (WrongPlace, 1, 0),
            (NotNeeded, 1, 0),
            (Invalid, 1, 0),
        ],
    );
}

#[test]
fn what_was_saved_is_not_left_to_do_and_what_was_charged_is() {
    use ErrorKind::*;
    let costly = accepted(TRAJECTORY[2])
        .with_removed(&[TRAJECTORY[2]])
        .with_undo(&["FILL_COLOR | Sheet1!B1 | clear"])
        .with(|prediction| {
            prediction.metrics.exact_matches = 1;
            prediction.metrics.lookahead_matches = 1;
        });
    let events = [
        step(TRAJECTORY[0]),
        costly.into(),
        rejected("FONT_BOLD | Sheet1!C1 | true").into(),
        rejected("FILL_COLOR | Sheet1!B1 | #00FF00").into(),
    ];
    assert_eq!(
        rows(&events),
        [(RightNext, 0, 1), (WrongValue, 1, 0), (NotNeeded, 1, 0)]
    );
}

#[test]
fn shares_are_of_rejected_and_of_accepted_actions() {
    let events = [
        rejected("MERGE | Sheet1!A1 | true").into(),
        rejected("INPUT | Sheet1!A2 | 3").into(),
    ];
    let errors = RunAnalysis::new(vec![unit("t", &TRAJECTORY, &events)]).errors();
    let of = |kind: ErrorKind| errors.rows.iter().find(|row| row.kind == kind).unwrap();
    assert_eq!(of(ErrorKind::WrongValue).rejected_share, Some(0.5));
    assert_eq!(of(ErrorKind::WrongValue).accepted_share, None);
    assert_eq!(errors.rows.len(), ErrorKind::ALL.len());
    assert!(errors.csv().rows.iter().all(|row| row.len() == 5));
    let text = text(&errors, 80);
    assert!(
        text.contains("right place, wrong value") && text.contains("50.0 %"),
        "{text}"
    );
}
