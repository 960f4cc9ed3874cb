use napsim_sim::event::{Divergence, UserStep};
use napsim_sim::policy::{Comparison, Metric};

use super::*;
use crate::unit::fixtures::{accepted, empty, failed, record, rejected};

const TYPED: &str = "INPUT | Sheet1!A1 | \"a\u{1b}[31m\u{202e}b\"";

fn step(user_steps: u32) -> Event {
    Event::UserStep(UserStep {
        t: user_steps,
        user_steps,
        action: TYPED.to_owned(),
        future: 3 - user_steps,
    })
}

fn sample() -> UnitRecord {
    let refused = rejected("FONT_BOLD | Sheet1!A1 | true")
        .with_undo(&["FONT_BOLD | Sheet1!A1 | false"])
        .with(|prediction| {
            prediction.prediction_idx = 1;
            prediction.confidence = Some(0.25);
            prediction.checks = vec![Check {
                metric: Metric::Saved,
                value: -1.0,
                comparison: Comparison::AtLeast,
                bound: 1.0,
                passed: false,
            }];
            prediction.rejected = vec![RejectedProposal {
                text: "dance".to_owned(),
                reason: "no such action".to_owned(),
            }];
            prediction.future_before = 2;
            prediction.future_after = Some(3);
        });
    let taken = accepted("INPUT | Sheet1!A2 | 2").with_removed(&["INPUT | Sheet1!A2 | 2"]);
    let divergence = Event::Divergence(Divergence {
        t: 2,
        prediction_idx: 3,
        description: "no such range".to_owned(),
    });
    let events = [
        step(1),
        refused.into(),
        step(2),
        taken.into(),
        divergence,
        rejected(TYPED).with(|prediction| prediction.future_after = None).into(),
        empty(),
        failed(),
    ];
    record("t", &[TYPED; 3], &events)
}

#[test]
fn calls_belong_to_the_action_before() {
    let record = sample();
    let trace = Trace::of(&record, None).unwrap();
    let answers: Vec<Vec<Answer>> = trace
        .steps
        .iter()
        .map(|step| step.calls.iter().map(|call| call.answer).collect())
        .collect();
    assert_eq!(
        answers,
        [
            vec![Answer::Rejected],
            vec![Answer::Accepted, Answer::Diverged, Answer::Empty, Answer::Failed],
        ]
    );
    assert_eq!(trace.steps[1].calls[1].message, Some("no such range"));
    assert_eq!(trace.steps[1].calls[3].message, Some("no answer"));
    let json = serde_json::to_value(&trace).unwrap();
    assert_eq!(json["steps"][0]["calls"][0]["proposal"]["actions"][0]["kind"], "font");
}

#[test]
fn the_text_tells_why() {
    let text = text(&sample(), None, 80).unwrap();
    for part in [
        "step 1  INPUT",
        "proposal 1, confidence 0.25: rejected",
        "font      FONT_BOLD | Sheet1!A1 | true",
        "saved >= 1? no, it is -1",
        "would undo 1:",
        "left to do, if accepted 2 → 3",
        "not an action  dance",
        "removed 1:",
        "taken back",
        "because  no such range",
        "cannot be told",
        "no suggestion",
        "because  no answer",
        "complete: 1 of 3 predictions accepted",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    assert!(text.contains("\\u{1b}[31m\\u{202e}"), "{text}");
}

#[test]
fn one_step_can_be_shown_and_one_that_is_not_there_is_named() {
    let text_of_two = text(&sample(), Some(2), 80).unwrap();
    assert!(
        text_of_two.contains("step 2") && !text_of_two.contains("step 1"),
        "{text_of_two}"
    );
    assert!(!text_of_two.contains("complete:"), "{text_of_two}");
    let error = text(&sample(), Some(9), 80).unwrap_err();
    assert_eq!(
        error.to_string(),
        "show step 9 of `t`: its user carries out 2 actions, counted from 1"
    );
}

#[test]
fn long_texts_go_on_under_themselves() {
    let long = format!("INPUT | Sheet1!A1 | \"{}\"", "表".repeat(60));
    let record = record("t", &[&long], &[crate::unit::fixtures::step(&long)]);
    let text = text(&record, None, 60).unwrap();
    let width = |line: &str| line.chars().map(|c| if c == '表' { 2 } else { 1 }).sum::<usize>();
    assert!(text.lines().all(|line| width(line) <= 60), "{text}");
    assert_eq!(text.matches('表').count(), 60);
}
