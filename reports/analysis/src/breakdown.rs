//! Predictions told apart by kind, trigger, length, progress, confidence, distance, or by what was measured.

mod text;

use std::collections::BTreeMap;

use napsim_reports::ContextLength;
use serde::Serialize;

use crate::by::{By, profile_of};
use crate::csv_rows::CsvRows;
use crate::interval::{Part, RateInterval, n_present, rate_intervals};
use crate::number::{float, ratio};
use crate::published::{self, Published};
use crate::run::{Basis, RunAnalysis, clusters};
use crate::tally::Tally;
use crate::unit::UnitAnalysis;

pub use text::text;

/// Name and version of the object's schema.
pub const SCHEMA: &str = "napsim-breakdown/1";

/// Predictions told apart. Every prediction is in exactly one row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Breakdown {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// By what.
    pub by: By,
    /// What the figures are made of.
    pub basis: Basis,
    /// All predictions together.
    pub all: BreakdownRow,
    /// The rows in the order of their scale, or of their names. Rows of a scale stand there even without predictions.
    pub rows: Vec<BreakdownRow>,
}

/// A group of predictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreakdownRow {
    /// What the group has in common. It may be a text of anybody's making, such as the name of a trajectory.
    pub label: String,
    /// Trajectories with a prediction in the group.
    pub trajectories: u64,
    /// Non-empty proposals.
    pub predictions: u64,
    /// Those accepted and carried out.
    pub accepted: u64,
    /// Accepted / predictions; absent without predictions.
    pub rate: Option<f64>,
    /// An interval of the rate.
    pub interval: Option<RateInterval>,
    /// Mean precision over the predictions.
    pub precision_mean: Option<f64>,
    /// Proposed actions.
    pub proposed_actions: u64,
    /// User actions saved by accepted predictions; below zero where they cost some.
    pub ops_saved: i64,
    /// Undo actions that accepted predictions added.
    pub undo_actions: u64,
    /// Future actions that accepted predictions made unnecessary.
    pub removed_actions: u64,
    /// What the paper reports of GPT-5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
}

impl Breakdown {
    /// The rows as a table.
    pub fn csv(&self) -> CsvRows {
        let header = [
            self.by.name(),
            "trajectories",
            "predictions",
            "accepted",
            "rate",
            "low",
            "high",
            "precision_mean",
            "proposed_actions",
            "ops_saved",
            "undo_actions",
            "removed_actions",
            "interval",
            "published",
        ];
        let mut rows = CsvRows::new(&header);
        for row in &self.rows {
            rows.push([
                row.label.as_str().into(),
                row.trajectories.into(),
                row.predictions.into(),
                row.accepted.into(),
                row.rate.into(),
                row.interval.map(|interval| interval.low).into(),
                row.interval.map(|interval| interval.high).into(),
                row.precision_mean.into(),
                row.proposed_actions.into(),
                row.ops_saved.into(),
                row.undo_actions.into(),
                row.removed_actions.into(),
                row.interval.map_or("", |interval| interval.method.name()).into(),
                row.published.map(|published| published.value).into(),
            ]);
        }
        rows
    }
}

pub(crate) fn of(run: &RunAnalysis, by: By) -> Breakdown {
    let rows = if by.is_within_trajectories() {
        on_scale(run, by)
    } else {
        by_unit(run, by)
    };
    let all: Vec<&UnitAnalysis> = run.counted().collect();
    Breakdown {
        schema: SCHEMA,
        by,
        basis: run.basis(),
        all: row_of(by, "all", &all),
        rows,
    }
}

/// One row a place on the scale.
fn on_scale(run: &RunAnalysis, by: By) -> Vec<BreakdownRow> {
    let labels = by.labels();
    let add = |sums: &mut Vec<Tally>, unit: &UnitAnalysis| {
        sums.resize(labels.len(), Tally::default());
        for (place, sum) in sums.iter_mut().enumerate() {
            sum.add(&unit.tally(by, place));
        }
    };
    let mut sums = Vec::new();
    for unit in run.counted() {
        add(&mut sums, unit);
    }
    sums.resize(labels.len(), Tally::default());
    let clusters = run.clusters(add, |sums| sums.iter().map(part).collect());
    let intervals = rate_intervals(&clusters, labels.len());
    let mut rows: Vec<BreakdownRow> = labels
        .iter()
        .zip(&sums)
        .zip(intervals)
        .enumerate()
        .map(|(place, ((label, sum), interval))| row(by, label, sum, n_present(&clusters, place), interval))
        .collect();
    if by.has_rest() && rows.last().is_some_and(|rest| rest.predictions == 0) {
        rows.pop();
    }
    rows
}

/// One row a group of units.
fn by_unit(run: &RunAnalysis, by: By) -> Vec<BreakdownRow> {
    let mut groups: BTreeMap<(u64, String), Vec<&UnitAnalysis>> = BTreeMap::new();
    for unit in run.counted() {
        groups.entry(group_of(by, unit)).or_default().push(unit);
    }
    groups
        .iter()
        .map(|((_, label), units)| row_of(by, label, units))
        .collect()
}

/// The group that a unit belongs to: its place among groups that are numbers, and its name.
fn group_of(by: By, unit: &UnitAnalysis) -> (u64, String) {
    let named = |name: &str| (0, name.to_owned());
    let number = |n: Option<u32>, absent: &str| {
        n.map_or_else(|| (u64::MAX, absent.to_owned()), |n| (u64::from(n), n.to_string()))
    };
    let setup = &unit.setup;
    match by {
        By::Predictor => named(&setup.predictor),
        By::Policy => named(&setup.policy),
        By::Mode => named(setup.mode.name()),
        By::Stride => number(Some(setup.settings.stride), ""),
        By::Context => match setup.context {
            Some(ContextLength::Last(n)) => number(Some(n), ""),
            Some(ContextLength::All(_)) => (u64::MAX - 1, "all".to_owned()),
            None => number(None, "none"),
        },
        By::MaxActions => number(setup.settings.actions_max, "all"),
        By::Profile => named(profile_of(&unit.summary.name).unwrap_or("none")),
        _ => named(&unit.summary.name),
    }
}

fn row_of(by: By, label: &str, units: &[&UnitAnalysis]) -> BreakdownRow {
    let mut sum = Tally::default();
    for unit in units {
        sum.add(&unit.all);
    }
    let clusters = clusters(
        units.iter().copied(),
        |sum: &mut Tally, unit| sum.add(&unit.all),
        |sum| vec![part(sum)],
    );
    let interval = rate_intervals(&clusters, 1).pop().flatten();
    row(by, label, &sum, n_present(&clusters, 0), interval)
}

fn part(sum: &Tally) -> Part {
    Part {
        part: float(sum.accepted),
        whole: float(sum.predictions),
    }
}

fn row(by: By, label: &str, sum: &Tally, trajectories: u64, interval: Option<RateInterval>) -> BreakdownRow {
    BreakdownRow {
        label: label.to_owned(),
        trajectories,
        predictions: sum.predictions,
        accepted: sum.accepted,
        rate: ratio(sum.accepted, sum.predictions),
        interval,
        precision_mean: sum.precision.mean(sum.predictions),
        proposed_actions: sum.proposed,
        ops_saved: sum.saved,
        undo_actions: sum.undo,
        removed_actions: sum.removed,
        published: published::rate(by, label),
    }
}

#[cfg(test)]
mod tests;
