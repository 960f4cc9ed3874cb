//! Cutting a corpus into training, validation and test parts (spec chapter 04, section 4.5).
//!
//! Each group (a workbook) is put into a part by a hash of its name and a seed, and by nothing else. So all sheets and
//! profiles of one workbook stay together, the order of the input does not matter, and adding or removing a workbook
//! moves no other one: a model trained yesterday has not seen tomorrow's test part. A shuffle that is cut at fixed places would
//! give parts of the exact sizes asked for, but would deal anew with every new workbook. The price of hashing is that
//! sizes are met on average only: of `n` groups a part with share `p` holds `n·p`, give or take `sqrt(n·p·(1-p))`.
//!
//! Where a corpus holds several versions of a workbook, [`leakage::kin`](crate::leakage::kin) gives groups by content.
//!
//! The parts lie side by side on a scale in the order training, validation, test, so a change of shares moves only the
//! groups at the borders that move.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A part of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// What models learn from.
    Train,
    /// What settings are chosen by.
    Valid,
    /// What is measured once.
    Test,
}

impl Part {
    /// All parts in order.
    pub const ALL: [Part; 3] = [Self::Train, Self::Valid, Self::Test];

    /// The part's name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Valid => "valid",
            Self::Test => "test",
        }
    }
}

/// How much each part gets, as whole-numbered weights: 8, 1 and 1 are the same as 80, 10 and 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shares {
    /// Weight of the training part.
    pub train: u32,
    /// Weight of the validation part.
    pub valid: u32,
    /// Weight of the test part.
    pub test: u32,
}

impl Default for Shares {
    /// 90 for training, 5 for validation, 5 for testing.
    fn default() -> Self {
        Self {
            train: 90,
            valid: 5,
            test: 5,
        }
    }
}

/// The part of each group, in the order of `groups`; equal names always share a part.
///
/// Where all weights are zero, everything is for training.
pub fn split<S: AsRef<str>>(groups: &[S], shares: &Shares, seed: u64) -> Vec<Part> {
    groups
        .iter()
        .map(|group| part_of(group.as_ref(), shares, seed))
        .collect()
}

/// The part of one group.
pub fn part_of(group: &str, shares: &Shares, seed: u64) -> Part {
    let total = [shares.train, shares.valid, shares.test]
        .map(u128::from)
        .iter()
        .sum::<u128>();
    // A number from 0 up to, not including, 2^64 is scaled to one below the total.
    let place = (u128::from(place_of(group, seed)) * total) >> 64;
    let train = u128::from(shares.train);
    if total == 0 || place < train {
        Part::Train
    } else if place < train + u128::from(shares.valid) {
        Part::Valid
    } else {
        Part::Test
    }
}

/// A uniform number that depends on name and seed alone: the first eight bytes of a SHA-256.
fn place_of(group: &str, seed: u64) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(b"napsim-split\n");
    hasher.update(seed.to_be_bytes());
    hasher.update(group.as_bytes());
    hasher
        .finalize()
        .iter()
        .take(8)
        .fold(0, |place, byte| place << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|idx| format!("workbook-{idx}.xlsx")).collect()
    }

    #[test]
    fn parts_have_about_the_sizes_asked_for() {
        let shares = Shares {
            train: 8,
            valid: 1,
            test: 1,
        };
        for seed in 0..5 {
            let parts = split(&names(10_000), &shares, seed);
            let n = |part: Part| parts.iter().filter(|known| **known == part).count();
            // Five standard deviations of a binomial count.
            assert!(n(Part::Train).abs_diff(8000) < 200, "{}", n(Part::Train));
            assert!(n(Part::Valid).abs_diff(1000) < 150, "{}", n(Part::Valid));
            assert!(n(Part::Test).abs_diff(1000) < 150, "{}", n(Part::Test));
        }
    }

    #[test]
    fn neither_order_nor_company_moves_a_group() {
        let shares = Shares::default();
        let all = names(500);
        let parts = split(&all, &shares, 7);
        let reversed: Vec<&String> = all.iter().rev().collect();
        let mut back = split(&reversed, &shares, 7);
        back.reverse();
        assert_eq!(back, parts);
        assert_eq!(split(&all[..100], &shares, 7), parts[..100]);
        assert_eq!(split(&["a", "b", "a"], &shares, 7)[0], split(&["a"], &shares, 7)[0]);
        assert_ne!(split(&all, &shares, 8), parts);
    }

    #[test]
    fn more_training_moves_groups_into_training_alone() {
        let all = names(2000);
        let less = split(
            &all,
            &Shares {
                train: 50,
                valid: 25,
                test: 25,
            },
            1,
        );
        let more = split(
            &all,
            &Shares {
                train: 60,
                valid: 15,
                test: 25,
            },
            1,
        );
        for (less, more) in less.iter().zip(more) {
            assert!(
                *less == more || (*less == Part::Valid && more == Part::Train),
                "{less:?} became {more:?}"
            );
        }
    }

    #[test]
    fn weights_of_zero_leave_a_part_empty() {
        let all = names(200);
        let only = |train, valid, test| split(&all, &Shares { train, valid, test }, 3);
        assert!(only(0, 0, 1).iter().all(|part| *part == Part::Test));
        assert!(only(0, 1, 0).iter().all(|part| *part == Part::Valid));
        assert!(only(0, 0, 0).iter().all(|part| *part == Part::Train));
        assert!(only(u32::MAX, u32::MAX, u32::MAX).contains(&Part::Test));
    }
}
