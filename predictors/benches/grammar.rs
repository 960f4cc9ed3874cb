//! What one step of constrained decoding costs: asking the grammar about every token of a vocabulary.
//!
//! `cargo bench -p napsim-predictors`. The vocabulary is made of the pieces of the embedded actions, so that it has
//! the tokens that a model would choose among; a runtime that tries the likeliest tokens first asks far fewer.

use std::collections::BTreeSet;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use napsim_predictors::language::LineState;
use napsim_trajectories::Corpus;

/// Tokens of the vocabulary.
const TOKENS: usize = 49_152;

/// The longest token in bytes.
const LENGTH_MAX: usize = 9;

fn main() {
    divan::main();
}

/// The first different pieces of the embedded actions.
fn vocabulary() -> Vec<Vec<u8>> {
    let trajectories = Corpus::embedded().map_or_else(|_| Vec::new(), |corpus| corpus.trajectories);
    let actions = trajectories.iter().flat_map(|trajectory| &trajectory.actions);
    let mut tokens = BTreeSet::new();
    for line in actions.map(ToString::to_string) {
        for length in 1..=LENGTH_MAX {
            tokens.extend(line.as_bytes().windows(length).map(<[u8]>::to_vec));
        }
        if tokens.len() >= TOKENS {
            break;
        }
    }
    tokens.into_iter().take(TOKENS).collect()
}

#[divan::bench(args = ["", "INPUT | ", "INPUT | A1:C3 | ", "INPUT | A1 | \"Ja", "AUTOFILL | A1:A9 | A"])]
fn allowed_tokens(bencher: Bencher, start: &str) {
    let vocabulary = vocabulary();
    let state = LineState::start().advance_all(start.as_bytes());
    bencher.counter(ItemsCount::new(vocabulary.len())).bench(|| {
        let state = black_box(state);
        let allowed = vocabulary
            .iter()
            .filter(|token| state.is_some_and(|state| state.allows(token)));
        allowed.count()
    });
}
