//! Properties of cells that proposals got right, wrong or left out.

use std::collections::BTreeMap;

use napsim_sim::counts::Counts;
use serde::Serialize;

use crate::csv_rows::CsvRows;
use crate::number::ratio;
use crate::run::{Basis, RunAnalysis};

/// Properties by type, most false positives first.
///
/// The counts are those of the records ([`napsim_sim::event::Summary::by_property`]): over all predictions, refused ones
/// included, everything in the cells that proposal and future touch, whether the proposal changed it or not. So they are
/// larger than the counts behind precision, and the same cell counts again with each prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FalsePositives {
    /// What the figures are made of.
    pub basis: Basis,
    /// One row a type of property.
    pub rows: Vec<PropertyRow>,
}

/// A type of property. Sums over (sheet, cell, property) triples of all predictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyRow {
    /// The type.
    pub property: String,
    /// Present and right.
    pub tp: u64,
    /// Present and not wanted: false positives.
    pub fp: u64,
    /// Wanted and not present.
    #[serde(rename = "fn")]
    pub missing: u64,
    /// Present with a wrong value.
    pub mm: u64,
    /// tp / (tp + fp + mm); absent where nothing is present.
    pub precision: Option<f64>,
    /// tp / (tp + fn + mm); absent where nothing is wanted.
    pub recall: Option<f64>,
    /// Its share of all false positives.
    pub fp_share: Option<f64>,
}

impl FalsePositives {
    /// The rows as a table.
    pub fn csv(&self) -> CsvRows {
        let header = ["property", "tp", "fp", "fn", "mm", "precision", "recall", "fp_share"];
        let mut rows = CsvRows::new(&header);
        for row in &self.rows {
            rows.push([
                row.property.as_str().into(),
                row.tp.into(),
                row.fp.into(),
                row.missing.into(),
                row.mm.into(),
                row.precision.into(),
                row.recall.into(),
                row.fp_share.into(),
            ]);
        }
        rows
    }
}

pub(crate) fn of(run: &RunAnalysis) -> FalsePositives {
    let mut sums: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    for unit in run.counted() {
        for (property, counts) in &unit.summary.by_property {
            let Counts { tp, fp, missing, mm } = *counts;
            let sum = sums.entry(property).or_default();
            for (sum, n) in sum.iter_mut().zip([tp, fp, missing, mm]) {
                *sum += u64::from(n);
            }
        }
    }
    let n_fp = sums.values().map(|[_, fp, ..]| fp).sum();
    let mut rows: Vec<PropertyRow> = sums
        .into_iter()
        .map(|(property, [tp, fp, missing, mm])| PropertyRow {
            property: property.to_owned(),
            tp,
            fp,
            missing,
            mm,
            precision: ratio(tp, tp + fp + mm),
            recall: ratio(tp, tp + missing + mm),
            fp_share: ratio(fp, n_fp),
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.fp));
    FalsePositives {
        basis: run.basis(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::fixtures::unit;

    #[test]
    fn properties_add_up_over_trajectories() {
        let with = |property: &str, tp, fp| {
            let mut unit = unit("t", &[], &[]);
            let counts = Counts {
                tp,
                fp,
                missing: 1,
                mm: 0,
            };
            unit.summary.by_property.insert(property.to_owned(), counts);
            unit
        };
        let run = RunAnalysis::new(vec![with("value", 3, 1), with("fill", 0, 5), with("value", 2, 1)]);
        let found = run.false_positives();
        let rows: Vec<_> = found
            .rows
            .iter()
            .map(|row| (row.property.as_str(), row.fp, row.missing))
            .collect();
        assert_eq!(rows, [("fill", 5, 1), ("value", 2, 2)]);
        assert_eq!(found.rows[1].precision, Some(5.0 / 7.0));
        assert_eq!(found.rows[0].fp_share, Some(5.0 / 7.0));
    }
}
