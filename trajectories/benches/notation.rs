//! What reading and printing the text notation costs.
//!
//! `cargo bench -p napsim-trajectories`; the items are actions of the embedded corpus.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use napsim_trajectories::{Action, Corpus};

fn main() {
    divan::main();
}

fn actions() -> Vec<Action> {
    let corpus = Corpus::embedded().expect("the embedded corpus is sound");
    corpus
        .trajectories
        .into_iter()
        .flat_map(|trajectory| trajectory.actions)
        .collect()
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn parse(bencher: Bencher<'_, '_>) {
    let lines: Vec<String> = actions().iter().map(ToString::to_string).collect();
    let n_bytes: usize = lines.iter().map(String::len).sum();
    let counted = bencher
        .counter(ItemsCount::new(lines.len()))
        .counter(BytesCount::new(n_bytes));
    counted.bench_local(|| {
        lines
            .iter()
            .filter(|line| Action::parse(black_box(line)).is_ok())
            .count()
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn print(bencher: Bencher<'_, '_>) {
    let actions = actions();
    let counted = bencher.counter(ItemsCount::new(actions.len()));
    counted.bench_local(|| {
        actions
            .iter()
            .map(|action| black_box(action).to_string().len())
            .sum::<usize>()
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn read_embedded_corpus(bencher: Bencher<'_, '_>) {
    let counted = bencher.counter(ItemsCount::new(actions().len()));
    counted.bench_local(|| Corpus::embedded().is_ok());
}
