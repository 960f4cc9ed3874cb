//! The parts of training data.

use sha2::{Digest, Sha256};

/// A part of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// To be trained on.
    Train,
    /// To be measured on while the model is made.
    Valid,
    /// To be left alone.
    Test,
}

/// Groups in ten thousand that go to validation where the data have no split.
const VALID_IN_10_000: u64 = 500;

impl Part {
    /// The part of that name in the data.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "train" => Some(Self::Train),
            "valid" => Some(Self::Valid),
            "test" => Some(Self::Test),
            _ => None,
        }
    }
}

/// The part that a group of sequences goes to where the data do not say: one in twenty to validation.
///
/// A hash of seed and name decides, so that no group moves when others are added.
pub fn part_of(group: &str, seed: u64) -> Part {
    let hash = Sha256::digest(format!("{seed} {group}"));
    let number = hash.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    if number % 10_000 < VALID_IN_10_000 {
        Part::Valid
    } else {
        Part::Train
    }
}
