//! The corrections that accepted predictions cost.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::csv_rows::CsvRows;
use crate::kind::Kind;
use crate::number::ratio;
use crate::published;
use crate::run::{Basis, RunAnalysis};

/// Undo actions of accepted predictions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UndoCounts {
    /// What the figures are made of.
    pub basis: Basis,
    /// Undo actions in all.
    pub total: u64,
    /// By kind, most first.
    pub by_kind: Vec<UndoRow>,
    /// By the name of the action that undoes, such as `FONT_BOLD`: which property was wrong. Most first.
    pub by_property: Vec<UndoRow>,
    /// How many trajectories need so many, each of their units counted.
    pub histogram: Vec<UndoBin>,
    /// Share of the units that need fewer than 10; absent without units.
    pub share_below_10: Option<f64>,
    /// What the paper says of GPT-5.
    pub published: &'static str,
}

/// How many undo actions there are of a sort.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UndoRow {
    /// The sort.
    pub label: String,
    /// How many.
    pub n: u64,
    /// Their share.
    pub share: Option<f64>,
}

/// How many units need a number of undo actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UndoBin {
    /// The number, in words.
    pub label: &'static str,
    /// Smallest number.
    pub from: u64,
    /// Units.
    pub units: u64,
}

/// Smallest number of each bin.
const BINS: [(u64, &str); 6] = [
    (0, "0"),
    (1, "1–4"),
    (5, "5–9"),
    (10, "10–19"),
    (20, "20–49"),
    (50, "50+"),
];

impl UndoCounts {
    /// Undo actions by kind and by property as a table.
    pub fn csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["by", "label", "n", "share"]);
        for (by, labelled) in [("kind", &self.by_kind), ("property", &self.by_property)] {
            for row in labelled {
                rows.push([by.into(), row.label.as_str().into(), row.n.into(), row.share.into()]);
            }
        }
        rows
    }

    /// The histogram as a table.
    pub fn histogram_csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["undo_actions", "units"]);
        for bin in &self.histogram {
            rows.push([bin.label.into(), bin.units.into()]);
        }
        rows
    }
}

pub(crate) fn of(run: &RunAnalysis) -> UndoCounts {
    let mut by_property: BTreeMap<&str, u64> = BTreeMap::new();
    let mut by_kind: BTreeMap<Kind, u64> = BTreeMap::new();
    let mut histogram = BINS.map(|(from, label)| UndoBin { label, from, units: 0 });
    let (mut n_units, mut n_below_10) = (0, 0);
    for unit in run.counted() {
        for (keyword, n) in &unit.undo {
            *by_property.entry(keyword).or_default() += n;
            *by_kind.entry(Kind::of_text(keyword)).or_default() += n;
        }
        let n_undo: u64 = unit.undo.values().sum();
        if let Some(bin) = histogram.iter_mut().rev().find(|bin| bin.from <= n_undo) {
            bin.units += 1;
        }
        n_units += 1;
        n_below_10 += u64::from(n_undo < 10);
    }
    UndoCounts {
        basis: run.basis(),
        total: by_kind.values().sum(),
        by_kind: most_first(by_kind.iter().map(|(kind, n)| (kind.name(), *n))),
        by_property: most_first(by_property.iter().map(|(keyword, n)| (*keyword, *n))),
        histogram: histogram.to_vec(),
        share_below_10: ratio(n_below_10, n_units),
        published: published::UNDO,
    }
}

fn most_first<'a>(rows: impl Iterator<Item = (&'a str, u64)>) -> Vec<UndoRow> {
    let mut rows: Vec<(&str, u64)> = rows.filter(|(_, n)| *n > 0).collect();
    rows.sort_by(|(a, n), (b, m)| m.cmp(n).then(a.cmp(b)));
    let total = rows.iter().map(|(_, n)| n).sum();
    rows.into_iter()
        .map(|(label, n)| UndoRow {
            label: label.to_owned(),
            n,
            share: ratio(n, total),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::fixtures::{accepted, unit};

    #[test]
    fn corrections_are_counted_by_kind_and_by_trajectory() {
        let bold = "FONT_BOLD | Sheet1!A1 | false";
        let clear = "INPUT | Sheet1!A1 | clear";
        let costly = accepted("INPUT | Sheet1!A1 | 1").with_undo(&[bold, clear, bold]);
        let run = RunAnalysis::new(vec![
            unit("a", &[], &[costly.clone().into(), costly.into()]),
            unit("b", &[], &[]),
        ]);
        let undo = run.undo();
        assert_eq!(undo.total, 6);
        let rows = |rows: &[UndoRow]| rows.iter().map(|row| (row.label.clone(), row.n)).collect::<Vec<_>>();
        assert_eq!(rows(&undo.by_kind), [("font".to_owned(), 4), ("input".to_owned(), 2)]);
        assert_eq!(
            rows(&undo.by_property),
            [("FONT_BOLD".to_owned(), 4), ("INPUT".to_owned(), 2)]
        );
        let units: Vec<u64> = undo.histogram.iter().map(|bin| bin.units).collect();
        assert_eq!(units, [1, 0, 1, 0, 0, 0]);
        assert_eq!(undo.share_below_10, Some(1.0));
    }
}
