//! Random choices by whole numbers alone, so that they are the same on every platform.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of choices.
pub(super) struct Draw {
    rng: ChaCha8Rng,
}

impl Draw {
    /// The stream of one workbook of a seed; streams of different indices are independent.
    pub(super) fn new(seed: u64, index: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index);
        Self { rng }
    }

    /// A number below `n`, or 0 where `n` is 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        let product = u128::from(self.rng.next_u64()) * u128::from(n);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high - low + 1).unwrap_or(1);
        low + i64::try_from(self.below(width)).unwrap_or(0)
    }

    /// True in so many cases of a hundred.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the items, if there are any.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let idx = self.below(u64::try_from(items.len()).unwrap_or(0));
        usize::try_from(idx).ok().and_then(|idx| items.get(idx)).copied()
    }

    /// One of the items, as often as their weights say; the first where all weights are 0.
    pub(super) fn weighted<T: Copy>(&mut self, first: T, items: &[(u64, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, item) in items {
            if at < *weight {
                return *item;
            }
            at -= weight;
        }
        first
    }

    /// So many items in random order, each at most once.
    pub(super) fn sample<T: Copy>(&mut self, items: &[T], n: usize) -> Vec<T> {
        let mut left = items.to_vec();
        let mut taken = Vec::new();
        while taken.len() < n && !left.is_empty() {
            let idx = self.below(u64::try_from(left.len()).unwrap_or(0));
            taken.push(left.swap_remove(usize::try_from(idx).unwrap_or(0)));
        }
        taken
    }

    /// A number of rows for a table of so many columns: mostly few, now and then many.
    pub(super) fn n_rows(&mut self, n_cols: i64) -> i64 {
        let (low, high) = self.weighted(
            (6, 14),
            &[
                (45, (6, 14)),
                (33, (15, 30)),
                (14, (31, 60)),
                (6, (61, 100)),
                (2, (101, 160)),
            ],
        );
        self.between(low, high).min(CELLS_OF_TABLE_MAX / n_cols.max(1))
    }
}

/// The most cells of one table.
const CELLS_OF_TABLE_MAX: i64 = 1300;
