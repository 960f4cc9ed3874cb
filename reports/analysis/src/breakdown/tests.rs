use napsim_reports::ContextLength;
use napsim_sim::predictor::Usage;

use super::*;
use crate::interval::IntervalMethod;
use crate::unit::fixtures::{accepted, rejected, step, unit};

const TYPED: &str = "INPUT | Sheet1!A1 | 1";
const BOLD: &str = "FONT_BOLD | Sheet1!A1 | true";

fn run() -> RunAnalysis {
    let events = [
        step(TYPED),
        accepted(TYPED)
            .with_undo(&[BOLD])
            .with(|prediction| {
                prediction.metrics.ops_saved = 2;
                prediction.metrics.precision = 0.5;
            })
            .into(),
        rejected(BOLD)
            .with(|prediction| {
                prediction.metrics.ops_saved = -7;
                prediction.metrics.precision = 0.0;
            })
            .into(),
        rejected(TYPED).into(),
    ];
    RunAnalysis::new(vec![
        unit("a", &[TYPED; 10], &events),
        unit("=b", &[TYPED; 10], &events[..2]),
    ])
}

fn row<'a>(breakdown: &'a Breakdown, label: &str) -> &'a BreakdownRow {
    let found = breakdown.rows.iter().find(|row| row.label == label);
    found.unwrap_or_else(|| panic!("a row `{label}`"))
}

#[test]
fn rows_tell_predictions_apart() {
    let by_kind = run().breakdown(By::Kind);
    let input = row(&by_kind, "input");
    assert_eq!((input.predictions, input.accepted, input.trajectories), (3, 2, 2));
    assert_eq!(input.precision_mean, Some(2.0 / 3.0));
    assert_eq!((input.ops_saved, input.undo_actions, input.removed_actions), (4, 2, 0));
    let font = row(&by_kind, "font");
    // What was rejected saves nothing.
    assert_eq!((font.predictions, font.rate, font.ops_saved), (1, Some(0.0), 0));
    assert_eq!(font.interval.unwrap().method, IntervalMethod::Wilson);
    let merge = row(&by_kind, "merge");
    assert_eq!((merge.predictions, merge.rate, merge.interval), (0, None, None));
    assert_eq!((by_kind.all.predictions, by_kind.rows.len()), (4, 9));
}

#[test]
fn what_has_no_place_has_a_row_only_where_there_is_some() {
    let by_confidence = run().breakdown(By::Confidence);
    assert_eq!(by_confidence.rows.len(), 11);
    assert_eq!(row(&by_confidence, "none").predictions, 4);
    assert!(
        run()
            .breakdown(By::Distance)
            .rows
            .iter()
            .all(|row| row.label != "unknown")
    );
}

#[test]
fn published_rates_stand_beside_their_rows() {
    let by_progress = run().breakdown(By::Progress);
    assert_eq!(
        by_progress.rows[0].published.map(|published| published.value),
        Some(0.125)
    );
    assert_eq!(by_progress.rows[1].published, None);
    let text = text(&by_progress, 100);
    for part in ["GPT-5*", "12.5 %", "* published", "all", "from beginning to end"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn numbers_are_sorted_as_numbers() {
    let with_stride = |stride| {
        let mut unit = unit("t", &[], &[accepted(TYPED).into()]);
        unit.setup.settings.stride = stride;
        unit.setup.context = (stride > 1).then_some(ContextLength::Last(stride));
        unit
    };
    let mut units: Vec<_> = [8, 1, 16, 2].map(with_stride).into();
    let mut whole = unit("t", &[], &[accepted(TYPED).into()]);
    whole.setup.settings.stride = 4;
    units.push(whole);
    let run = RunAnalysis::new(units);
    let labels = |by| {
        let rows = run.breakdown(by).rows;
        rows.iter().map(|row| row.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(labels(By::Stride), ["1", "2", "4", "8", "16"]);
    assert_eq!(labels(By::Context), ["2", "8", "16", "all", "none"]);
}

#[test]
fn profiles_are_ends_of_names() {
    let names = ["plan-tidy", "plan-formatter-last", "other-tidy", "alone"];
    let run = RunAnalysis::new(names.map(|name| unit(name, &[], &[accepted(TYPED).into()])).into());
    let rows = run.breakdown(By::Profile).rows;
    let found: Vec<_> = rows.iter().map(|row| (row.label.as_str(), row.predictions)).collect();
    assert_eq!(found, [("formatter-last", 1), ("none", 1), ("tidy", 2)]);
}

#[test]
fn aborted_rollouts_are_left_out_and_named() {
    let mut aborted = unit("gone", &[TYPED], &[accepted(TYPED).into()]);
    aborted.summary.error = Some("lost".to_owned());
    aborted.summary.usage = Usage::default();
    let mut run = run().with_missing(3);
    let before = run.breakdown(By::Kind);
    run.units.push(aborted);
    let after = run.breakdown(By::Kind);
    assert_eq!(before.rows, after.rows);
    assert_eq!(
        (after.basis.aborted.clone(), after.basis.missing),
        (vec!["gone".to_owned()], 3)
    );
    let text = text(&after, 100);
    assert!(text.contains("left out: 1") && text.contains("missing: 3"), "{text}");
}

#[test]
fn a_table_for_a_spreadsheet_holds_no_formula() {
    let csv = run().breakdown(By::Trajectory).csv();
    assert!(csv.rows.iter().all(|row| row.len() == csv.header.len()));
    let names: Vec<&str> = csv.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["'=b", "a"]);
}

#[test]
fn every_breakdown_can_be_shown() {
    for by in By::ALL {
        let breakdown = run().breakdown(by);
        assert_eq!(breakdown.by, by);
        assert!(text(&breakdown, 80).starts_with(by.question()));
        let json = serde_json::to_value(&breakdown).unwrap();
        assert_eq!(
            (json["schema"].as_str(), json["by"].as_str()),
            (Some(SCHEMA), Some(by.name()))
        );
    }
}
