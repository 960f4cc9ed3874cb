use napsim_sim::event::Limit;
use napsim_sim::predictor::Fingerprint;

use super::*;
use crate::aggregate::UnitResult;
use crate::coverage::CoverageCounts;
use crate::fixtures::summary as end;
use crate::setup::{ContextLength, Mode, RunSetup};

fn report() -> RunReport {
    let setup = RunSetup {
        protocol: "nape-1".to_owned(),
        corpus: "trades\u{1b}".to_owned(),
        predictor: "online-ngram?max_n=4&min_match=3".to_owned(),
        fingerprint: Fingerprint("f".to_owned()),
        policy: "greedy".to_owned(),
        mode: Mode::Single,
        context: Some(ContextLength::ALL),
        settings: Mode::Single.settings(),
    };
    let mut first = end("a-rather-long-name-of-a-trajectory", 1000, 900);
    (first.predictions, first.accepted, first.precision) = (400, 100, Some(0.25));
    let mut second = end("b", 50, 60);
    (second.predictions, second.accepted, second.precision) = (50, 0, Some(0.0));
    (second.outcome, second.limit) = (Outcome::Truncated, Some(Limit::StepLimit));
    let mut third = end("c", 70, 7);
    (third.outcome, third.error, third.uas) = (Outcome::Failed, Some("no answer".to_owned()), None);
    let coverage = Some(CoverageCounts {
        predictable: 8,
        accepted: 1,
        attempted: 2,
    });
    let units = [
        UnitResult {
            summary: first,
            coverage,
        },
        UnitResult {
            summary: second,
            coverage: None,
        },
        UnitResult {
            summary: third,
            coverage: None,
        },
    ];
    RunReport::new(&setup, &units, None)
}

#[test]
fn the_summary_fits_eighty_columns() {
    let time = PredictionTime {
        seconds: 1.0,
        calls: 800,
    };
    insta::assert_snapshot!(summary(&report(), Some(time), 80), @"");
}

#[test]
fn one_line_a_trajectory_fits_eighty_columns() {
    let text = per_trajectory(&report(), 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text, @"");
}
