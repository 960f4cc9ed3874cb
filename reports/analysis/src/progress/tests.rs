use napsim_sim::event::{Divergence, UserStep};

use super::*;
use crate::unit::fixtures::{accepted, empty, failed, record, rejected};

const TYPED: &str = "INPUT | Sheet1!A1 | 1";

fn step(user_steps: u32, future: u32) -> Event {
    Event::UserStep(UserStep {
        t: 0,
        user_steps,
        action: TYPED.to_owned(),
        future,
    })
}

/// Ten actions: one by hand, five saved at once, one rejected, the rest by hand.
fn events() -> Vec<Event> {
    let answer = |answer: crate::unit::fixtures::Proposed, user_steps, after| -> Event {
        answer
            .with(|prediction| {
                prediction.user_steps = user_steps;
                prediction.future_after = Some(after);
            })
            .into()
    };
    let mut events = vec![step(1, 9), answer(accepted(TYPED), 1, 4), empty(), step(2, 3)];
    events.push(answer(rejected(TYPED), 2, 2));
    events.push(failed());
    events.push(Event::Divergence(Divergence {
        t: 0,
        prediction_idx: 3,
        description: String::new(),
    }));
    events.push(answer(rejected(TYPED), 2, 2));
    events.extend([step(3, 2), step(4, 1), step(5, 0)]);
    events
}

#[test]
fn the_curve_follows_the_user_and_what_is_accepted() {
    let progress = Progress::of(&record("t", &[TYPED; 10], &events()));
    let curve: Vec<_> = progress
        .curve
        .iter()
        .map(|point| (point.user_steps, point.left))
        .collect();
    assert_eq!(curve, [(0, 10), (1, 9), (1, 4), (2, 3), (3, 2), (4, 1), (5, 0)]);
    let answers: Vec<_> = progress.marks.iter().map(|mark| (mark.answer, mark.left)).collect();
    assert_eq!(
        answers,
        [
            (Answer::Accepted, 4),
            (Answer::Empty, 4),
            (Answer::Rejected, 3),
            (Answer::Failed, 3),
            (Answer::Diverged, 3),
        ]
    );
    assert_eq!((progress.actions, progress.user_steps), (10, 5));
}

#[test]
fn thinning_keeps_both_ends() {
    let progress = Progress::of(&record("t", &[TYPED; 10], &events()));
    let thinned = progress.clone().thinned(3);
    let curve: Vec<_> = thinned
        .curve
        .iter()
        .map(|point| (point.user_steps, point.left))
        .collect();
    assert_eq!(curve, [(0, 10), (2, 3), (5, 0)]);
    assert_eq!(thinned.marks, progress.marks);
    assert_eq!(progress.clone().thinned(100), progress);
    assert_eq!(progress.thinned(0).curve.len(), 2);
}

#[test]
fn shares_left_go_down_to_nothing() {
    let progress = Progress::of(&record("t", &[TYPED; 10], &events()));
    assert_eq!(progress.shares_left(5), [1.0, 0.3, 0.1, 0.0, 0.0, 0.0]);
    assert_eq!(progress.shares_saved(5), [0.0, 0.5, 0.5, 0.5, 0.5, 0.5]);
    let nothing = Progress::of(&record("t", &[], &[]));
    assert_eq!(nothing.shares_left(2), [0.0, 0.0, 0.0]);
}

#[test]
fn tables_have_a_cell_for_each_column() {
    let progress = Progress::of(&record("=t", &[TYPED; 10], &events()));
    for table in [progress.curve_csv(), progress.marks_csv()] {
        assert!(
            table
                .rows
                .iter()
                .all(|row| row.len() == table.header.len() && row[0] == "'=t")
        );
    }
}

#[test]
fn the_text_has_a_line_a_trajectory() {
    let courses = [
        Progress::of(&record("one", &[TYPED; 10], &events())),
        Progress::of(&record("two\u{1b}", &[TYPED; 3], &[])),
    ];
    let text = text(&courses, 80);
    assert!(text.contains("one") && text.contains("50.0 %"), "{text}");
    assert!(text.contains("two\\u{1b}"), "{text}");
    assert!(text.contains('█') && text.contains('▁'), "{text}");
    assert!(text.contains("a full block is 50.0 %"), "{text}");
}
