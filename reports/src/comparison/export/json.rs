//! Everything about a comparison as one object.

use napsim_statistics::{Interval, RepeatVariance, TestMethod};
use serde::Serialize;

use super::ExportError;
use crate::comparison::intervals::reason;
use crate::comparison::{Comparison, PairedFigures, RunFigures};
use crate::setup::RunSetup;

/// Name and version of the object's schema.
pub const SCHEMA: &str = "napsim-comparison/1";

pub(super) fn json(comparison: &Comparison) -> Result<String, ExportError> {
    let settings = &comparison.settings;
    let object = ComparisonObject {
        schema: SCHEMA,
        protocol: &comparison.protocol,
        metric: settings.metric.name(),
        level: settings.level,
        resamples: settings.resamples,
        seed: settings.seed,
        baseline: comparison.baseline.as_deref(),
        runs: comparison.runs.iter().map(RunObject::of).collect(),
        differences: comparison.differences.iter().map(DifferenceObject::of).collect(),
        strangers: comparison
            .strangers
            .as_ref()
            .map(|(left, right)| [left.as_str(), right.as_str()]),
    };
    Ok(format!("{}\n", serde_json::to_string_pretty(&object)?))
}

#[derive(Serialize)]
struct ComparisonObject<'a> {
    schema: &'static str,
    protocol: &'a str,
    metric: &'static str,
    level: f64,
    resamples: u32,
    seed: u64,
    baseline: Option<&'a str>,
    runs: Vec<RunObject<'a>>,
    differences: Vec<DifferenceObject<'a>>,
    /// Two complete runs without a trajectory in common, which is why no run is ranked.
    strangers: Option<[&'a str; 2]>,
}

#[derive(Serialize)]
struct RunObject<'a> {
    name: &'a str,
    setup: &'a RunSetup,
    /// The corpus as tables call it.
    corpus: &'a str,
    complete: bool,
    rank: Option<usize>,
    trajectories: usize,
    trajectories_all: usize,
    repeats: usize,
    missing: usize,
    failed: usize,
    truncated: usize,
    diverged: usize,
    mean: Option<f64>,
    interval: Option<IntervalObject>,
    pooled: Option<f64>,
    uas: Option<f64>,
    uas_pooled: Option<f64>,
    ar: Option<f64>,
    ar_pooled: Option<f64>,
    precision: Option<f64>,
    pcov: Option<f64>,
    pcov_attempted: Option<f64>,
    undo_actions: Option<f64>,
    spread: Option<SpreadObject>,
}

#[derive(Serialize)]
struct IntervalObject {
    low: f64,
    high: f64,
    level: f64,
    method: &'static str,
    /// Why it is not the usual one.
    note: Option<String>,
}

#[derive(Serialize)]
struct SpreadObject {
    repeats: usize,
    trajectories: usize,
    standard_deviation: Option<f64>,
    lowest: f64,
    highest: f64,
    variance_within: Option<f64>,
    variance_between: Option<f64>,
    identical: bool,
}

#[derive(Serialize)]
struct DifferenceObject<'a> {
    run: &'a str,
    baseline: &'a str,
    pairs: usize,
    left_out: LeftOutObject,
    truncated: usize,
    mean: Option<f64>,
    standard_deviation: Option<f64>,
    interval: Option<IntervalObject>,
    wins: usize,
    ties: usize,
    losses: usize,
    sign_flip: TestObject,
    wilcoxon: TestObject,
    cohens_dz: Option<f64>,
    rank_biserial: Option<f64>,
    verdict: &'static str,
}

#[derive(Serialize)]
struct LeftOutObject {
    missing: usize,
    different: usize,
    failed: usize,
    truncated: usize,
    undefined: usize,
}

#[derive(Serialize)]
struct TestObject {
    /// Absent without pairs.
    p: Option<f64>,
    p_adjusted: Option<f64>,
    /// Pairs that differ.
    n: usize,
    method: &'static str,
    /// Assignments of signs that were drawn, if they were.
    drawn: Option<u32>,
}

impl<'a> RunObject<'a> {
    fn of(run: &'a RunFigures) -> Self {
        let means = run.means;
        Self {
            name: &run.name,
            setup: &run.setup,
            corpus: &run.corpus,
            complete: run.is_complete(),
            rank: run.rank,
            trajectories: run.trajectories,
            trajectories_all: run.trajectories_all,
            repeats: run.repeats,
            missing: run.missing,
            failed: run.failed,
            truncated: run.truncated,
            diverged: run.diverged,
            mean: run.mean,
            interval: run.interval.map(IntervalObject::of),
            pooled: run.pooled,
            uas: means.uas,
            uas_pooled: means.uas_pooled,
            ar: means.ar,
            ar_pooled: means.ar_pooled,
            precision: means.precision,
            pcov: means.pcov,
            pcov_attempted: means.pcov_attempted,
            undo_actions: means.undo_actions,
            spread: run.spread.map(SpreadObject::of),
        }
    }
}

impl IntervalObject {
    fn of(interval: Interval) -> Self {
        Self {
            low: interval.low,
            high: interval.high,
            level: interval.level,
            method: interval.method.name(),
            note: reason(&interval),
        }
    }
}

impl SpreadObject {
    fn of(spread: RepeatVariance) -> Self {
        Self {
            repeats: spread.repeats,
            trajectories: spread.trajectories,
            standard_deviation: spread.standard_deviation,
            lowest: spread.lowest,
            highest: spread.highest,
            variance_within: spread.within,
            variance_between: spread.between,
            identical: spread.identical,
        }
    }
}

impl<'a> DifferenceObject<'a> {
    fn of(figures: &'a PairedFigures) -> Self {
        let (difference, left_out) = (&figures.difference, figures.left_out);
        Self {
            run: &figures.run,
            baseline: &figures.baseline,
            pairs: difference.n,
            left_out: LeftOutObject {
                missing: left_out.missing,
                different: left_out.different,
                failed: left_out.failed,
                truncated: left_out.truncated,
                undefined: left_out.undefined,
            },
            truncated: figures.truncated,
            mean: difference.mean,
            standard_deviation: difference.standard_deviation,
            interval: difference.interval.map(IntervalObject::of),
            wins: difference.wins,
            ties: difference.ties,
            losses: difference.losses,
            sign_flip: TestObject {
                p: figures.p_sign_flip.and(Some(difference.sign_flip.p)),
                p_adjusted: figures.p_sign_flip,
                n: difference.sign_flip.n,
                method: difference.sign_flip.method.name(),
                drawn: drawn(difference.sign_flip.method),
            },
            wilcoxon: TestObject {
                p: figures.p_wilcoxon.and(Some(difference.wilcoxon.p)),
                p_adjusted: figures.p_wilcoxon,
                n: difference.wilcoxon.n,
                method: difference.wilcoxon.method.name(),
                drawn: None,
            },
            cohens_dz: difference.cohens_dz,
            rank_biserial: difference.rank_biserial,
            verdict: figures.verdict.words(),
        }
    }
}

fn drawn(method: TestMethod) -> Option<u32> {
    match method {
        TestMethod::MonteCarlo(drawn) => Some(drawn),
        _ => None,
    }
}
