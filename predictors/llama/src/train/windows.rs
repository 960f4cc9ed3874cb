//! What is learned from: windows of a long row of tokens.

use std::hash::Hasher as _;

use crate::network::pass::Batch;

/// Windows of tokens, each behind the same beginning.
#[derive(Clone, Debug, Default)]
pub struct Windows {
    /// What every window begins with.
    pub beginning: Vec<u32>,
    /// The tokens of all texts, one text after the other.
    pub tokens: Vec<u32>,
    /// The windows.
    pub windows: Vec<Window>,
}

/// Some tokens in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The first of its tokens that is to be learned, counted from the start of the beginning; the very first one of all
    /// cannot be learned, since it follows nothing.
    pub learned_from: usize,
}

impl Windows {
    /// How many tokens the model reads for a window.
    pub fn n_tokens(&self, window: &Window) -> usize {
        self.beginning.len() + window.end.saturating_sub(window.start)
    }

    /// How many tokens of a window are learned.
    pub fn n_targets(&self, window: &Window) -> usize {
        self.n_tokens(window).saturating_sub(window.learned_from.max(1))
    }

    /// The windows of these numbers as a batch.
    pub(crate) fn batch(&self, idxs: &[usize]) -> Batch {
        let mut batch = Batch::default();
        for window in idxs.iter().filter_map(|idx| self.windows.get(*idx)) {
            let tokens = self.tokens.get(window.start..window.end).unwrap_or_default();
            let tokens = self.beginning.iter().chain(tokens).copied();
            batch.push(tokens, window.learned_from);
        }
        batch
    }

    /// Puts the windows into a fingerprint.
    pub(crate) fn hash(&self, hasher: &mut impl std::hash::Hasher) {
        for tokens in [&self.beginning, &self.tokens] {
            hasher.write_usize(tokens.len());
            tokens.iter().for_each(|&token| hasher.write_u32(token));
        }
        for window in &self.windows {
            hasher.write_usize(window.start);
            hasher.write_usize(window.end);
            hasher.write_usize(window.learned_from);
        }
    }
}

/// A fingerprint (FNV-1a): enough to notice a mistake.
#[derive(Debug)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl std::hash::Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = (self.0 ^ number as u64).wrapping_mul(0x0100_0000_01b3);
    }
}

/// The fingerprint of all that a run learns from and is measured on.
pub(crate) fn fingerprint(train: &Windows, valid: &Windows) -> u64 {
    let mut hasher = Fingerprint::default();
    train.hash(&mut hasher);
    valid.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_stand_behind_the_beginning() {
        let windows = Windows {
            beginning: vec![7, 8],
            tokens: vec![0, 1, 2, 3, 4],
            windows: vec![
                Window {
                    start: 0,
                    end: 2,
                    learned_from: 0,
                },
                Window {
                    start: 2,
                    end: 5,
                    learned_from: 4,
                },
            ],
        };
        let batch = windows.batch(&[0, 1]);
        assert_eq!(batch.tokens, [7, 8, 0, 1, 7, 8, 2, 3, 4]);
        assert_eq!(batch.texts, [0..4, 4..9]);
        assert_eq!(batch.targets, [(0, 8), (1, 0), (2, 1), (7, 4)]);
        let counts: Vec<_> = windows.windows.iter().map(|window| windows.n_targets(window)).collect();
        assert_eq!(counts, [3, 1]);
    }
}
