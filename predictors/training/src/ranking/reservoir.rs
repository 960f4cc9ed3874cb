//! A fair choice of sequences from a stream whose length is not known.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::LENGTHS;
use crate::sequences::Sequence;

/// Keeps so many of the sequences pushed, each with the same chance (reservoir sampling); the same seed and order keep the
/// same ones.
#[derive(Debug)]
pub struct Reservoir {
    kept: Vec<(usize, Sequence)>,
    n_max: usize,
    n_pushed: usize,
    random: ChaCha8Rng,
}

impl Reservoir {
    /// An empty one.
    pub fn new(n_max: usize, seed: u64) -> Self {
        Self {
            kept: Vec::new(),
            n_max,
            n_pushed: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Takes a sequence into account; those that are too short or too long to be worked through are left out.
    pub fn push(&mut self, sequence: Sequence) {
        if self.n_max == 0 || !LENGTHS.contains(&sequence.actions.len()) {
            return;
        }
        let position = self.n_pushed;
        self.n_pushed += 1;
        if self.kept.len() < self.n_max {
            self.kept.push((position, sequence));
        } else if let Some(slot) = self.kept.get_mut(self.random.random_range(0..=position)) {
            *slot = (position, sequence);
        }
    }

    /// The kept sequences in the order in which they were pushed.
    pub fn into_sequences(mut self) -> Vec<Sequence> {
        self.kept.sort_by_key(|(position, _)| *position);
        self.kept.into_iter().map(|(_, sequence)| sequence).collect()
    }
}
