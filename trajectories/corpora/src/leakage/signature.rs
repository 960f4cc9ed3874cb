//! Signatures by which sheets are compared without their contents.

use std::collections::BTreeSet;

use napsim_sim::state::{Sheet, Workbook};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::contents::Row;

/// How many hash functions a signature takes the minimum of.
pub const PERMUTATIONS: usize = 128;

/// How many bands a signature is cut into: sheets that agree on a whole band are compared.
pub const BANDS: usize = 64;

/// The fewest telling rows and cells from which a Jaccard index is estimated.
pub const SHINGLES_MIN: usize = 8;

/// The fewest contents of a sheet for which equal contents mean anything.
const CONTENTS_MIN: u32 = 12;

/// What is kept of a sheet's contents: hashes alone.
///
/// It depends on the contents only and is the same on every machine and in every version of the program that names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// For each hash function the smallest hash of a telling row or cell, `[PERMUTATIONS]`; empty with fewer than
    /// [`SHINGLES_MIN`] of them.
    minima: Vec<u64>,
    /// Hashes of the telling rows, ascending, each once.
    rows: Vec<u64>,
    /// Hash of all contents with their places relative to the first of them.
    contents: u64,
    /// Contents in all.
    n_contents: u32,
}

impl Signature {
    /// The signature of a sheet.
    pub fn of_sheet(sheet: &Sheet) -> Self {
        Self::of_rows(&Row::all_of(sheet))
    }

    /// The signature of a workbook: that of all rows of all its sheets.
    pub fn of_workbook(workbook: &Workbook) -> Self {
        let mut rows = Vec::new();
        for (_, sheet) in workbook.sheets() {
            rows.extend(Row::all_of(sheet));
        }
        Self::of_rows(&rows)
    }

    fn of_rows(all: &[Row]) -> Self {
        let (mut rows, mut shingles) = (BTreeSet::new(), BTreeSet::new());
        let mut contents = Sha256::new();
        let first_row = all.first().map_or(0, |row| row.row);
        let first_col = all
            .iter()
            .flat_map(|row| row.cells.first())
            .map(|(col, _)| *col)
            .min()
            .unwrap_or(0);
        let mut n_contents = 0;
        for row in all {
            if row.is_telling() {
                let hash = hash_of("row", &row.text());
                rows.insert(hash);
                shingles.insert(hash);
            }
            for (col, content) in &row.cells {
                n_contents += 1;
                let place = (row.row - first_row, col - first_col);
                contents.update(format!(
                    "{} {} {}\n{}\n",
                    place.0,
                    place.1,
                    content.text.len(),
                    content.text
                ));
                if content.is_telling {
                    shingles.insert(hash_of("cell", &content.text));
                }
            }
        }
        let minima = if shingles.len() < SHINGLES_MIN {
            Vec::new()
        } else {
            (0..PERMUTATIONS).map(|function| minimum(&shingles, function)).collect()
        };
        Self {
            minima,
            rows: rows.into_iter().collect(),
            contents: first_bytes(contents),
            n_contents,
        }
    }

    /// The estimated Jaccard index of telling rows and cells: the share of hash functions with equal minima.
    ///
    /// It is 0 where one of the sheets has too few of them.
    pub fn jaccard(&self, other: &Signature) -> f64 {
        if self.minima.is_empty() || other.minima.is_empty() {
            return 0.0;
        }
        let n_equal = self.minima.iter().zip(&other.minima).filter(|(a, b)| a == b).count();
        #[expect(clippy::cast_precision_loss, reason = "at most 128")]
        let estimate = n_equal as f64 / PERMUTATIONS as f64;
        estimate
    }

    /// Hashes of the telling rows.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// How many different telling rows there are.
    pub fn n_rows(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn contents(&self) -> u64 {
        self.contents
    }

    /// Whether two sheets have the same contents at the same places, and enough of them to mean anything.
    pub fn has_same_contents(&self, other: &Signature) -> bool {
        self.contents == other.contents && self.n_contents == other.n_contents && self.n_contents >= CONTENTS_MIN
    }

    /// Each band with its number.
    pub(super) fn bands(&self) -> impl Iterator<Item = (usize, u64)> {
        let width = PERMUTATIONS / BANDS;
        let fold = |band: &[u64]| band.iter().fold(0, |hash, minimum| mix(hash ^ minimum));
        self.minima.chunks(width).map(fold).enumerate()
    }
}

/// The smallest hash of any shingle under one of the hash functions.
fn minimum(shingles: &BTreeSet<u64>, function: usize) -> u64 {
    let salt = mix(function as u64 + 1);
    shingles
        .iter()
        .map(|shingle| mix(shingle ^ salt))
        .min()
        .unwrap_or(u64::MAX)
}

/// A permutation of 64-bit numbers that spreads every bit (the finaliser of `SplitMix64`).
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

fn hash_of(kind: &str, text: &str) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(kind);
    hasher.update([0]);
    hasher.update(text);
    first_bytes(hasher)
}

fn first_bytes(hasher: Sha256) -> u64 {
    hasher
        .finalize()
        .iter()
        .take(8)
        .fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}
