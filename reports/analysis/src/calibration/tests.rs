use super::*;
use crate::unit::fixtures::{accepted, rejected, unit};

const TYPED: &str = "INPUT | Sheet1!A1 | 1";

fn run(confidences: &[(f64, bool)]) -> RunAnalysis {
    let events: Vec<_> = confidences
        .iter()
        .map(|(confidence, is_accepted)| {
            let proposal = if *is_accepted { accepted(TYPED) } else { rejected(TYPED) };
            proposal
                .with(|prediction| {
                    prediction.confidence = Some(*confidence);
                    prediction.metrics.precision = if *is_accepted { 1.0 } else { 0.5 };
                })
                .into()
        })
        .collect();
    RunAnalysis::new(vec![unit("t", &[], &events)])
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

/// Two of 0.9, of which one is accepted, two of 0.2, of which none is.
#[test]
fn figures_of_four_predictions() {
    let mut run = run(&[(0.9, true), (0.2, false), (0.9, false), (0.25, false)]);
    run.units.push(unit("without", &[], &[accepted(TYPED).into()]));
    let calibration = run.calibration().unwrap();
    assert_eq!((calibration.predictions, calibration.without), (4, 1));
    let bin = calibration.bins[9];
    assert_eq!((bin.predictions, bin.accepted, bin.rate), (2, 1, Some(0.5)));
    close(bin.confidence_mean.unwrap(), 0.9);
    assert_eq!(bin.precision_mean, Some(0.75));
    assert_eq!(calibration.bins[2].predictions, 2);
    assert_eq!(calibration.bins[0].rate, None);
    // |0.5 − 0.9| for half of them, |0 − 0.225| for the others.
    close(calibration.calibration_error, 0.4 / 2.0 + 0.225 / 2.0);
    close(calibration.brier, (0.01 + 0.81 + 0.04 + 0.0625) / 4.0);
    let curve: Vec<_> = calibration
        .curve
        .iter()
        .map(|point| (point.confidence_min, point.coverage, point.risk))
        .collect();
    assert_eq!(curve, [(0.9, 0.5, 0.5), (0.25, 0.75, 2.0 / 3.0), (0.2, 1.0, 0.75)]);
    close(calibration.risk_mean, (0.5 + 0.5 + 2.0 / 3.0 + 0.75) / 4.0);
    assert!(calibration.reliability_csv().rows.iter().all(|row| row.len() == 10));
    assert_eq!(calibration.curve_csv().rows.len(), 3);
}

#[test]
fn certainty_belongs_to_the_last_bin() {
    let calibration = run(&[(1.0, true), (0.0, false)]).calibration().unwrap();
    assert_eq!(
        (calibration.bins[9].predictions, calibration.bins[0].predictions),
        (1, 1)
    );
    close(calibration.calibration_error, 0.0);
    close(calibration.brier, 0.0);
}

#[test]
fn without_confidences_there_is_nothing_to_calibrate() {
    let run = RunAnalysis::new(vec![unit("t", &[], &[accepted(TYPED).into()])]);
    assert_eq!(run.calibration(), None);
}
