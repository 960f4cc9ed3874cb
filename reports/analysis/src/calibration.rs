//! Whether a predictor's confidence means what it says.

use serde::Serialize;

use crate::confidence::{Level, Levels, PARTS};
use crate::csv_rows::CsvRows;
use crate::interval::{Part, RateInterval, rate_intervals};
use crate::number::{float, ratio};
use crate::run::{Basis, RunAnalysis};

/// Reliability and risk–coverage of a run's confidences.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// What the figures are made of.
    pub basis: Basis,
    /// Predictions with a confidence.
    pub predictions: u64,
    /// Predictions without.
    pub without: u64,
    /// Predictions by confidence in tenths: all ten, also those without any.
    pub bins: Vec<ReliabilityBin>,
    /// Expected calibration error: the mean over predictions of how far their tenth's acceptance rate is from its mean
    /// confidence (Naeini and others 2015).
    pub calibration_error: f64,
    /// Brier score: the mean of (confidence − accepted)², 0 being perfect.
    pub brier: f64,
    /// What would happen if only the most confident predictions were shown, most confident first.
    pub curve: Vec<RiskPoint>,
    /// The mean over predictions of the risk at their place on the curve; lower is better (Geifman and others 2019).
    pub risk_mean: f64,
}

/// Predictions of about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// Smallest confidence of the bin.
    pub from: f64,
    /// Largest; it belongs to the next bin, except for 1.
    pub to: f64,
    /// Predictions.
    pub predictions: u64,
    /// Those accepted.
    pub accepted: u64,
    /// Mean confidence; absent without predictions, as are the next three.
    pub confidence_mean: Option<f64>,
    /// Accepted / predictions.
    pub rate: Option<f64>,
    /// An interval of the rate.
    pub interval: Option<RateInterval>,
    /// Mean precision.
    pub precision_mean: Option<f64>,
}

/// What happens if only predictions of at least some confidence are shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RiskPoint {
    /// The smallest confidence shown, in thousandths rounded down.
    pub confidence_min: f64,
    /// Predictions shown.
    pub predictions: u64,
    /// Their share of all predictions with a confidence.
    pub coverage: f64,
    /// Share of them that are rejected.
    pub risk: f64,
    /// Their mean precision.
    pub precision_mean: f64,
}

impl Calibration {
    /// The reliability diagram as a table.
    pub fn reliability_csv(&self) -> CsvRows {
        let header = [
            "from",
            "to",
            "predictions",
            "accepted",
            "confidence_mean",
            "rate",
            "low",
            "high",
            "precision_mean",
            "interval",
        ];
        let mut rows = CsvRows::new(&header);
        for bin in &self.bins {
            rows.push([
                bin.from.into(),
                bin.to.into(),
                bin.predictions.into(),
                bin.accepted.into(),
                bin.confidence_mean.into(),
                bin.rate.into(),
                bin.interval.map(|interval| interval.low).into(),
                bin.interval.map(|interval| interval.high).into(),
                bin.precision_mean.into(),
                bin.interval.map_or("", |interval| interval.method.name()).into(),
            ]);
        }
        rows
    }

    /// The risk–coverage curve as a table.
    pub fn curve_csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["confidence_min", "predictions", "coverage", "risk", "precision_mean"]);
        for point in &self.curve {
            rows.push([
                point.confidence_min.into(),
                point.predictions.into(),
                point.coverage.into(),
                point.risk.into(),
                point.precision_mean.into(),
            ]);
        }
        rows
    }
}

/// How many bins the reliability diagram has.
const BINS: u16 = 10;

pub(crate) fn of(run: &RunAnalysis) -> Option<Calibration> {
    let mut levels = Levels::new();
    for unit in run.counted() {
        for (thousandth, level) in &unit.levels {
            levels.entry(*thousandth).or_default().add(level);
        }
    }
    let all = sum(levels.values());
    if all.predictions == 0 {
        return None;
    }
    let basis = run.basis();
    let bins = bins(run, &levels);
    let error_of = |bin: &ReliabilityBin| {
        let error = bin
            .rate
            .zip(bin.confidence_mean)
            .map(|(rate, confidence)| (rate - confidence).abs());
        float(bin.predictions) * error.unwrap_or_default()
    };
    let curve = curve(&levels, all.predictions);
    let mut shown = 0;
    let mut risks = 0.0;
    for point in &curve {
        risks += float(point.predictions - shown) * point.risk;
        shown = point.predictions;
    }
    Some(Calibration {
        predictions: all.predictions,
        without: basis.predictions.saturating_sub(all.predictions),
        calibration_error: bins.iter().map(error_of).sum::<f64>() / float(all.predictions),
        brier: all.squares.mean(all.predictions).unwrap_or_default(),
        risk_mean: risks / float(all.predictions),
        basis,
        bins,
        curve,
    })
}

fn sum<'a>(levels: impl Iterator<Item = &'a Level>) -> Level {
    levels.fold(Level::default(), |mut sum, level| {
        sum.add(level);
        sum
    })
}

fn bin_of(levels: &Levels, bin: u16) -> Level {
    let width = PARTS / BINS;
    sum(levels.range(bin * width..(bin + 1) * width).map(|(_, level)| level))
}

fn bins(run: &RunAnalysis, levels: &Levels) -> Vec<ReliabilityBin> {
    let clusters = run.clusters(
        |sums: &mut Vec<Level>, unit| {
            sums.resize(usize::from(BINS), Level::default());
            for (bin, sum) in (0..BINS).zip(sums) {
                sum.add(&bin_of(&unit.levels, bin));
            }
        },
        |sums| {
            let part = |level: &Level| Part {
                part: float(level.accepted),
                whole: float(level.predictions),
            };
            sums.iter().map(part).collect()
        },
    );
    let intervals = rate_intervals(&clusters, usize::from(BINS));
    (0..BINS)
        .zip(intervals)
        .map(|(bin, interval)| {
            let level = bin_of(levels, bin);
            ReliabilityBin {
                from: f64::from(bin) / f64::from(BINS),
                to: f64::from(bin + 1) / f64::from(BINS),
                predictions: level.predictions,
                accepted: level.accepted,
                confidence_mean: level.confidence.mean(level.predictions),
                rate: ratio(level.accepted, level.predictions),
                interval,
                precision_mean: level.precision.mean(level.predictions),
            }
        })
        .collect()
}

/// One point a level that occurs, most confident first.
fn curve(levels: &Levels, n_all: u64) -> Vec<RiskPoint> {
    let mut shown = Level::default();
    levels
        .iter()
        .rev()
        .map(|(thousandth, level)| {
            shown.add(level);
            let n = float(shown.predictions);
            RiskPoint {
                confidence_min: f64::from(*thousandth) / f64::from(PARTS),
                predictions: shown.predictions,
                coverage: n / float(n_all),
                risk: float(shown.predictions - shown.accepted) / n,
                precision_mean: shown.precision.value() / n,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
