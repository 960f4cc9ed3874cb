use napsim_sim::event::Limit;

use super::*;
use crate::aggregate::UnitResult;
use crate::coverage::CoverageCounts;
use crate::fixtures::{setup, summary as end};
use crate::setup::RunSetup;

fn report() -> RunReport {
    let setup = RunSetup {
        corpus: "trades\u{1b}".to_owned(),
        predictor: "online-ngram?max_n=4&min_match=3".to_owned(),
        ..setup()
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
    insta::assert_snapshot!(summary(&report(), Some(time), 80), @r#"
    protocol nape-1 · corpus trades\u{1b}
    predictor online-ngram?max_n=4&min_match=3 · policy greedy · mode single
    stride 1 · context all
    ─────────────────────────────────────
                            mean   pooled
    ─────────────────────────────────────
    trajectories          2 of 3
    actions                1,050
    predictions              450
    accepted                 100
    UAS                   -5.0 %    8.6 %
    AR                    12.5 %   22.2 %
    precision (macro)     12.5 %
    pCov                  12.5 %
    pCov, all attempts    25.0 %
    undo actions               0
    time a prediction    1.25 ms
    ─────────────────────────────────────
    truncated: 1 (step limit: what was left undone counts as saved)
    failed: 1, of which 1 have no figures and are left out
    "#);
}

#[test]
fn one_line_a_trajectory_fits_eighty_columns() {
    let text = per_trajectory(&report(), 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text, @r"
    ────────────────────────────────────────────────────────────────────────────────
    trajectory                         actions user pred. acc.     UAS  prec. undo
    ────────────────────────────────────────────────────────────────────────────────
    a-rather-long-name-of-a-trajectory   1,000  900   400  100  10.0 % 25.0 %    0
    b                                       50   60    50    0 -20.0 %  0.0 %    0 *
    c                                       70    7     0    0       -      -    0 !
    ────────────────────────────────────────────────────────────────────────────────
    * truncated: a limit stopped it; UAS counts what a step limit left as saved
    ! failed
    c: no answer
    ");
}
