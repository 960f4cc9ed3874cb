//! Histories to examine predictors with: recorded ones, generated ones, and odd ones written by hand.

mod odd;

use napsim_trajectories::{Action, Corpus};
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::conversation::Conversation;

pub(crate) use odd::{every_action, large_ranges, unusual_sheets, unusual_texts};

/// Actions that a trajectory of the embedded corpus must have to serve as an ordinary one.
const ORDINARY_MIN: usize = 60;

/// Actions of the trajectories that rollouts go through.
const ROLLOUT_ACTIONS: usize = 16;

/// A trajectory with its name.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) actions: Vec<Action>,
}

/// Histories that a seed picks and generates.
#[derive(Debug)]
pub(crate) struct Histories {
    seed: u64,
    /// Two ordinary trajectories.
    first: Sample,
    second: Sample,
}

impl Histories {
    pub(crate) fn new(seed: u64) -> Self {
        let mut ordinary: Vec<Sample> = embedded()
            .filter(|sample| sample.actions.len() >= ORDINARY_MIN)
            .collect();
        ordinary.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let mut ordinary = ordinary.into_iter();
        // The corpus is compiled in, and a test sees to it that it has what is asked of it here.
        let mut next = |name: &str| {
            ordinary.next().unwrap_or_else(|| Sample {
                name: name.to_owned(),
                actions: generated(seed, ORDINARY_MIN),
            })
        };
        Self {
            seed,
            first: next("first"),
            second: next("second"),
        }
    }

    /// An ordinary trajectory of at least 60 actions.
    pub(crate) fn first(&self) -> &Sample {
        &self.first
    }

    /// Another one.
    pub(crate) fn second(&self) -> &Sample {
        &self.second
    }

    /// The beginnings of two short trajectories, for whole rollouts.
    pub(crate) fn short(&self) -> Vec<Sample> {
        let mut short: Vec<Sample> = embedded().collect();
        short.sort_by_key(|sample| sample.actions.len());
        short.truncate(6);
        short.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        short.truncate(2);
        for sample in &mut short {
            sample.actions.truncate(ROLLOUT_ACTIONS);
        }
        short
    }

    /// A generated history of that length.
    pub(crate) fn generated(&self, n_actions: usize) -> Vec<Action> {
        generated(self.seed, n_actions)
    }

    /// An ordinary conversation with two questions.
    pub(crate) fn plain(&self, name: &str, seed: u64) -> Conversation {
        let beginning = self.first.actions.get(..24).unwrap_or(&self.first.actions);
        Conversation::new(name, seed).asked_every(12, beginning)
    }
}

/// The trajectories that come with the program.
fn embedded() -> impl Iterator<Item = Sample> {
    let corpus = Corpus::embedded().ok().into_iter();
    let trajectories = corpus.flat_map(|corpus| corpus.trajectories);
    trajectories.map(|trajectory| Sample {
        name: trajectory.name,
        actions: trajectory.actions,
    })
}

/// Tables, one below the other: rows typed cell by cell, sums, formats, copies, and now and then another sheet.
fn generated(seed: u64, n_actions: usize) -> Vec<Action> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut lines: Vec<String> = Vec::with_capacity(n_actions);
    let mut row = 1_u32;
    while lines.len() < n_actions {
        let sheet = ["Sheet1", "Sheet1", "Sheet1", "Depot"].get(random.random_range(0..4_usize));
        let sheet = sheet.copied().unwrap_or("Sheet1");
        let n_rows = random.random_range(3..12);
        lines.extend(table(&mut random, sheet, row, n_rows));
        row += n_rows + 3;
    }
    lines.truncate(n_actions);
    lines.iter().filter_map(|line| Action::parse(line).ok()).collect()
}

const WORDS: [&str; 8] = [
    "Flour",
    "Sugar",
    "Rye",
    "Night shift",
    "Ordered",
    "Open",
    "Tank 4",
    "Total kg",
];

fn table(random: &mut ChaCha8Rng, sheet: &str, row: u32, n_rows: u32) -> Vec<String> {
    let (a, b, c) = (word_of(random), word_of(random), word_of(random));
    let last = row + n_rows;
    let first = row + 1;
    let mut lines = vec![
        format!("INPUT | {sheet}!A{row} | \"{a} {row}\""),
        format!("INPUT | {sheet}!B{row}:C{row} | [[\"{b}\", \"{c}\"]]"),
        format!("FONT_BOLD | {sheet}!A{row}:C{row} | true"),
        format!("FILL_COLOR | {sheet}!A{row}:C{row} | #D9E1F2"),
    ];
    for row in first..=last {
        lines.push(format!("INPUT | {sheet}!A{row} | \"{}\"", word_of(random)));
        lines.push(format!("INPUT | {sheet}!B{row} | {}", random.random_range(1..500)));
    }
    lines.push(format!("INPUT | {sheet}!C{first} | \"=B{first}*2\""));
    lines.push(format!("AUTOFILL | {sheet}!C{first}:C{last} | {sheet}!C{first}"));
    lines.push(format!("NUMBER_FORMAT | {sheet}!B{first}:C{last} | 0.00"));
    lines.push(format!(
        "BORDER_ALL | {sheet}!A{row}:C{last} | Thin, Continuous, #000000"
    ));
    lines.push(format!(
        "PASTE_FROM | {sheet}!E{row}:G{last} | {sheet}!A{row}:C{last} | formats"
    ));
    lines
}

fn word_of(random: &mut ChaCha8Rng) -> &'static str {
    WORDS
        .get(random.random_range(0..WORDS.len()))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_what_is_asked_of_it() {
        for seed in 0..20 {
            let histories = Histories::new(seed);
            assert!(histories.first().actions.len() >= ORDINARY_MIN, "{seed}");
            assert!(histories.second().actions.len() >= ORDINARY_MIN, "{seed}");
            assert_ne!(histories.first().name, histories.second().name);
            let lengths: Vec<usize> = histories.short().iter().map(|sample| sample.actions.len()).collect();
            assert_eq!(lengths, [ROLLOUT_ACTIONS; 2], "{seed}");
        }
    }

    #[test]
    fn generated_histories_follow_the_seed() {
        let texts = |seed| -> Vec<String> { generated(seed, 1_000).iter().map(Action::to_string).collect() };
        assert_eq!(texts(1).len(), 1_000);
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }
}
