//! Overlap between training workbooks and a benchmark.
//!
//! A training set that holds a benchmark's sheets, or most of one, makes every figure measured on that benchmark
//! worthless. The spec asks for a check (chapter 04, section 4.5) where the published system has none. Here each sheet
//! gets a [`Signature`] of its contents, formats left out, and [`check`] finds every pair of training and benchmark
//! sheets that share too much, by three measures:
//!
//! - the share of common contents (Jaccard index), estimated by MinHash over *telling* rows and cells,
//! - the number of telling rows that both have, exactly,
//! - whether all contents are the same, cell by cell, which also finds sheets with nothing telling.
//!
//! A row tells something if it has at least [`ROW_CELLS_MIN`] different contents and one of them is telling by itself:
//! a text of two words or more with at least [`TEXT_CHARS_MIN`] characters, or a number with at least
//! [`NUMBER_DIGITS_MIN`] significant digits that is no year. So neither `1 2 3` nor a row of weekdays nor `Total` counts,
//! since half of all workbooks have them.
//!
//! The time is linear in contents, plus one comparison for each pair that shares a band of its signature or a row.

mod contents;
mod signature;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use contents::{NUMBER_DIGITS_MIN, ROW_CELLS_MIN, TEXT_CHARS_MIN};
pub use signature::{BANDS, PERMUTATIONS, SHINGLES_MIN, Signature};

/// From where on an overlap is reported. Any one of the bounds suffices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// The smallest estimated Jaccard index. Pairs below 0.2 may be missed, see [`check`].
    pub jaccard_min: f64,
    /// The smallest number of common telling rows.
    pub shared_rows_min: u32,
}

impl Default for Thresholds {
    /// A Jaccard index of 0.3, or three common rows.
    fn default() -> Self {
        Self {
            jaccard_min: 0.3,
            shared_rows_min: 3,
        }
    }
}

/// Two sheets that share too much.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// Name of the training sheet.
    pub train: String,
    /// Name of the benchmark sheet.
    pub benchmark: String,
    /// Estimated Jaccard index of telling rows and cells, 0 to 1; 0 where a sheet has too few to tell.
    pub jaccard_estimate: f64,
    /// Telling rows that both have.
    pub shared_rows: u32,
    /// Telling rows of the benchmark sheet.
    pub benchmark_rows: u32,
    /// Whether all contents are the same, cell by cell.
    pub same_contents: bool,
}

/// All pairs of a training and a benchmark sheet that reach a threshold, in the order of `train`, then `benchmark`.
///
/// Common rows and equal contents are found exactly. A pair with Jaccard index `j` is looked at with probability
/// `1 - (1 - j²)^64`: 0.998 at 0.3, 0.93 at 0.2; the estimate itself has a standard deviation of at most 0.044.
pub fn check(train: &[(String, Signature)], benchmark: &[(String, Signature)], thresholds: Thresholds) -> Vec<Overlap> {
    let index = Index::of(benchmark);
    let mut overlaps = Vec::new();
    for (train_name, signature) in train {
        for (benchmark_idx, shared_rows) in index.candidates(signature) {
            let Some((benchmark_name, other)) = benchmark.get(benchmark_idx) else {
                continue;
            };
            let overlap = Overlap {
                train: train_name.clone(),
                benchmark: benchmark_name.clone(),
                jaccard_estimate: signature.jaccard(other),
                shared_rows,
                benchmark_rows: other.n_rows(),
                same_contents: signature.has_same_contents(other),
            };
            let is_close = overlap.jaccard_estimate >= thresholds.jaccard_min && overlap.jaccard_estimate > 0.0;
            let is_copied = shared_rows >= thresholds.shared_rows_min.max(1);
            if is_close || is_copied || overlap.same_contents {
                overlaps.push(overlap);
            }
        }
    }
    overlaps
}

/// For each sheet the alphabetically first name of its kin: sheets that overlap by [`check`], directly or through others.
///
/// Named by their workbooks, sheets of one workbook are kin as well. The result serves as groups for
/// [`split`](crate::split::split) where a corpus holds several versions of a workbook, which a split by names would put
/// into different parts. Unlike names, kin can change when a workbook comes in that links two others.
pub fn kin(sheets: &[(String, Signature)], thresholds: Thresholds) -> Vec<String> {
    // Each name points to one that comes no later, and only the first of its kin to itself.
    let mut leads: BTreeMap<String, String> = sheets.iter().map(|(name, _)| (name.clone(), name.clone())).collect();
    for overlap in check(sheets, sheets, thresholds) {
        let (a, b) = (lead_of(&leads, &overlap.train), lead_of(&leads, &overlap.benchmark));
        let (first, other) = if a <= b { (a, b) } else { (b, a) };
        leads.insert(other, first);
    }
    sheets.iter().map(|(name, _)| lead_of(&leads, name)).collect()
}

fn lead_of(leads: &BTreeMap<String, String>, name: &str) -> String {
    let mut at = name;
    while let Some(next) = leads.get(at).filter(|next| next.as_str() != at) {
        at = next;
    }
    at.to_owned()
}

/// Where the benchmark's bands, rows and contents occur. The maps are only looked up, never walked.
struct Index {
    bands: FxHashMap<(usize, u64), Vec<usize>>,
    rows: FxHashMap<u64, Vec<usize>>,
    contents: FxHashMap<u64, Vec<usize>>,
}

impl Index {
    fn of(benchmark: &[(String, Signature)]) -> Self {
        let mut index = Self {
            bands: FxHashMap::default(),
            rows: FxHashMap::default(),
            contents: FxHashMap::default(),
        };
        for (benchmark_idx, (_, signature)) in benchmark.iter().enumerate() {
            for band in signature.bands() {
                index.bands.entry(band).or_default().push(benchmark_idx);
            }
            for row in signature.rows() {
                index.rows.entry(*row).or_default().push(benchmark_idx);
            }
            index
                .contents
                .entry(signature.contents())
                .or_default()
                .push(benchmark_idx);
        }
        index
    }

    /// Benchmark sheets that may be close, by index, each with the number of common rows.
    fn candidates(&self, signature: &Signature) -> BTreeMap<usize, u32> {
        let mut candidates = BTreeMap::new();
        for row in signature.rows() {
            for benchmark_idx in self.rows.get(row).into_iter().flatten() {
                *candidates.entry(*benchmark_idx).or_default() += 1;
            }
        }
        let in_bands = signature.bands().filter_map(|band| self.bands.get(&band));
        let same = self.contents.get(&signature.contents()).into_iter();
        let near: BTreeSet<usize> = in_bands.chain(same).flatten().copied().collect();
        for benchmark_idx in near {
            candidates.entry(benchmark_idx).or_insert(0);
        }
        candidates
    }
}

#[cfg(test)]
mod tests;
