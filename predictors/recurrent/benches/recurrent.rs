//! What a prediction and a training step cost.
//!
//! `cargo bench -p napsim-recurrent`. Predictions carry the state from action to action; reading the window anew, the
//! published way, does the work of 32 actions for each. A training batch has 64 pieces of 32 tokens.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use napsim_recurrent::{Loss, Network, Settings, Token, train};
use std::ops::ControlFlow;

/// Batches in the measured epoch.
const BATCHES: usize = 8;

fn main() {
    divan::main();
}

/// A sequence without much of a pattern.
fn tokens(n_tokens: usize, seed: usize) -> Vec<Token> {
    let class = |position: usize, n_classes: usize| u8::try_from((position * 7 + seed) % n_classes).unwrap_or_default();
    let token = |position| {
        let ranges = [3, 5, 11, 13].map(|factor| class(position * factor, 101));
        Token::from_classes(class(position, 29), ranges, class(position, 17)).unwrap_or(Token::PADDING)
    };
    (0..n_tokens).map(token).collect()
}

/// Settings under which every sequence gives pieces of 32 tokens.
fn settings(published: bool) -> Settings {
    let base = if published {
        Settings::published()
    } else {
        Settings::default()
    };
    Settings {
        loss: Loss::EveryStep,
        window: 32,
        batch: 64,
        epochs_max: 1,
        ..base
    }
}

/// Learns so many pieces in each of 64 rows.
fn learn(settings: &Settings, n_pieces: usize) -> Option<Network> {
    let sequences: Vec<_> = (0..64).map(|seed| tokens(32 * n_pieces + 1, seed)).collect();
    let mut quiet = |_: napsim_recurrent::Progress<'_>| ControlFlow::Continue(());
    train(settings, &sequences, &[], None, &mut quiet)
        .ok()
        .map(|trained| trained.network)
}

#[divan::bench(args = [false, true])]
fn advance_and_score(bencher: Bencher<'_, '_>, published: bool) {
    let Some(network) = learn(&settings(published), 1) else {
        return;
    };
    let history = tokens(1_000, 3);
    let mut state = network.start();
    let mut upcoming = history.iter().cycle();
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        network.advance(&mut state, upcoming.next().copied().unwrap_or(Token::PADDING));
        black_box(network.scores(&state))
    });
}

#[divan::bench(args = [false, true])]
fn advance(bencher: Bencher<'_, '_>, published: bool) {
    let Some(network) = learn(&settings(published), 1) else {
        return;
    };
    let history = tokens(1_000, 3);
    let mut state = network.start();
    let mut upcoming = history.iter().cycle();
    bencher.bench_local(|| network.advance(&mut state, upcoming.next().copied().unwrap_or(Token::PADDING)));
}

#[divan::bench]
fn another_op_type(bencher: Bencher<'_, '_>) {
    let Some(network) = learn(&settings(false), 1) else {
        return;
    };
    let scores = network.scores(&network.read_window(&tokens(32, 3)));
    bencher.bench_local(|| black_box(network.details_given(&scores, 7).is_ok()));
}

#[divan::bench(args = [false, true])]
fn score_window(bencher: Bencher<'_, '_>, published: bool) {
    let Some(network) = learn(&settings(published), 1) else {
        return;
    };
    let history = tokens(32, 3);
    bencher.bench_local(|| black_box(network.scores_of_window(&history)));
}

/// Eight steps with what is around them; the counter counts tokens.
#[divan::bench(args = [false, true], sample_count = 3, sample_size = 1)]
fn training_steps(bencher: Bencher<'_, '_>, published: bool) {
    let settings = settings(published);
    bencher
        .counter(ItemsCount::new(64 * 32 * BATCHES))
        .bench_local(|| black_box(learn(&settings, BATCHES).is_some()));
}
