use napsim_sim::event::{Divergence, Event, Limit};

use super::*;
use crate::unit::UnitAnalysis;
use crate::unit::fixtures::{accepted, empty, failed, record, rejected, step, unit};

const TYPED: &str = "INPUT | Sheet1!A1 | 1";
const BOLD: &str = "FONT_BOLD | Sheet1!A1 | true";

/// Events from letters: `A` accepted, `R` rejected, `u` user action, `e` no suggestion, `f` failed call, `D` taken back.
fn events(letters: &str) -> Vec<Event> {
    let divergence = Event::Divergence(Divergence {
        t: 0,
        prediction_idx: 0,
        description: "gone".to_owned(),
    });
    letters
        .chars()
        .flat_map(|letter| match letter {
            'A' => vec![accepted(TYPED).into()],
            'R' => vec![rejected(BOLD).into()],
            'u' => vec![step(TYPED)],
            'e' => vec![empty()],
            'f' => vec![failed()],
            'D' => vec![divergence.clone(), rejected(TYPED).into()],
            other => panic!("no event `{other}`"),
        })
        .collect()
}

fn run(units: &[&str]) -> RunAnalysis {
    let units = units.iter().enumerate();
    RunAnalysis::new(
        units
            .map(|(idx, letters)| unit(&idx.to_string(), &[TYPED; 10], &events(letters)))
            .collect(),
    )
}

fn histogram(lengths: &Lengths) -> Vec<(u32, u64)> {
    lengths.histogram.iter().map(|count| (count.length, count.n)).collect()
}

#[test]
fn user_actions_and_empty_answers_do_not_end_a_streak() {
    let streaks = run(&["uAAueuARuAfuAuDuA"]).streaks();
    assert_eq!(histogram(&streaks.streaks), [(1, 3), (3, 1)]);
    assert_eq!(histogram(&streaks.chains), [(1, 4), (2, 1)]);
    let ends = Ends {
        rejected: 1,
        failed_call: 1,
        diverged: 1,
        end: 1,
        limit: 0,
    };
    assert_eq!(streaks.ends, ends);
    assert_eq!(
        streaks.ends.rows().map(|(_, n)| n).iter().sum::<u64>(),
        streaks.streaks.n
    );
}

#[test]
fn streaks_do_not_go_on_in_the_next_trajectory() {
    let streaks = run(&["uAA", "uAAA"]).streaks();
    assert_eq!(histogram(&streaks.streaks), [(2, 1), (3, 1)]);
    assert_eq!((streaks.streaks.mean, streaks.streaks.median), (Some(2.5), Some(2.5)));
    assert_eq!((streaks.streaks.share_long, streaks.streaks.longest), (Some(0.0), 3));
}

#[test]
fn a_limit_is_no_end_of_the_trajectory() {
    let mut record = record("t", &[TYPED], &events("uA"));
    record.summary.limit = Some(Limit::StepLimit);
    let streaks = RunAnalysis::new(vec![UnitAnalysis::of(&record)]).streaks();
    assert_eq!((streaks.ends.limit, streaks.ends.end), (1, 0));
    assert_eq!(streaks.basis.stopped, 1);
}

/// Streaks of 1, 1, 3 and 7 among twelve acceptances.
#[test]
fn figures_of_a_few_streaks() {
    let streaks = run(&["uARARAAAR", "uAAAAAAA"]).streaks();
    let lengths = &streaks.streaks;
    assert_eq!((lengths.n, lengths.mean, lengths.median), (4, Some(3.0), Some(2.0)));
    assert_eq!((lengths.share_long, lengths.longest), (Some(0.25), 7));
    let shares: Vec<f64> = streaks.survival.iter().map(|point| point.share).collect();
    assert_eq!(shares, [1.0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25]);
    // 12 of 15 are accepted.
    for (point, expected) in streaks.survival.iter().zip([1.0, 0.8, 0.64]) {
        assert!((point.expected_pooled - expected).abs() < 1e-12);
    }
    let letters = |after: AfterRate| (after.predictions, after.accepted);
    assert_eq!(letters(streaks.after.first), (2, 2));
    assert_eq!(letters(streaks.after.accepted), (11, 8));
    assert_eq!(letters(streaks.after.rejected), (2, 2));
}

#[test]
fn starts_and_ends_are_told_by_kind_and_trigger() {
    let streaks = run(&["uARuARR"]).streaks();
    let turn = |turns: &[Turn], name: &str| {
        let turn = turns.iter().find(|turn| turn.kind.name() == name).unwrap();
        (turn.starts, turn.ends)
    };
    assert_eq!(turn(&streaks.by_kind, "input"), (2, 0));
    assert_eq!(turn(&streaks.by_kind, "font"), (0, 2));
    assert_eq!(turn(&streaks.by_trigger, "input"), (2, 2));
    assert_eq!(streaks.by_kind.len(), 9, "`other` has no row where there is none");
}

#[test]
fn nothing_is_no_streak() {
    let streaks = run(&["uRe"]).streaks();
    assert_eq!(streaks.streaks, Lengths::default());
    assert_eq!((streaks.survival.len(), streaks.runs_test), (0, None));
    let text = text(&streaks, 80);
    assert!(text.contains("how many"), "{text}");
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn long_curves_are_sparse() {
    let streaks = run(&[&format!("u{}R{}", "A".repeat(70), "A".repeat(200))]).streaks();
    let lengths: Vec<u32> = streaks.survival.iter().map(|point| point.length).collect();
    let expected: Vec<u32> = (1..=50).chain([70, 200]).collect();
    assert_eq!(lengths, expected);
    let last = streaks.survival.last().unwrap();
    assert_eq!((last.n, last.share), (1, 0.5));
    assert!(last.expected_pooled > 0.0 && last.expected_pooled < 1.0);
}

#[test]
fn tables_have_a_cell_for_each_column() {
    let streaks = run(&["uAARuA", "uAAAR"]).streaks();
    for table in [streaks.survival_csv(), streaks.lengths_csv(), streaks.turns_csv()] {
        assert!(!table.rows.is_empty());
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        table.to_text().unwrap();
    }
}

#[test]
fn the_text_says_what_it_compares_with() {
    let text = text(&run(&["uAARuA", "uAAAR"]).streaks(), 80);
    for part in [
        "GPT-5*",
        "2.21",
        "* published",
        "by chance",
        "runs test",
        "ended by: a rejected proposal 2",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
}
