//! What the parts of a prediction cost on their own, as a sheet grows.
//!
//! `cargo bench -p napsim-sim`; the items are cells, and items per second that stay alike down a column of sizes show
//! that the cost is linear. What a whole prediction costs is measured by the `growth` bench of the program.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use napsim_sim::compare::{Match, Record, Totals, compare, compare_gaps};
use napsim_sim::mergers::{GrowFirst, merge_borders, merge_rectangles};
use napsim_sim::protocol::Protocol;
use napsim_sim::sequencer::sequence;
use napsim_sim::state::Workbook;
use napsim_sim::synthesis::{sides_of, synthesize, undo_actions};
use napsim_trajectories::Action;

/// Cells of the measured sheets, eight a row.
const CELLS: [usize; 3] = [1_000, 10_000, 100_000];

/// Cells of square blocks, each cell with an action of its own that merges with those beside it.
const MERGED: [usize; 3] = [100, 1_024, 10_000];

fn main() {
    divan::main();
}

fn action(line: &str) -> Action {
    Action::parse(line).expect("the line is an action")
}

/// A table of eight columns, typed cell by cell, every second row filled and underlined.
fn table(n_cells: usize) -> Vec<Action> {
    let mut actions = Vec::with_capacity(n_cells + n_cells / 8);
    for row in 1..=n_cells / 8 {
        for (col, name) in ["A", "B", "C", "D", "E", "F", "G", "H"].into_iter().enumerate() {
            actions.push(action(&format!("INPUT | {name}{row} | {}", row * 31 + col)));
        }
        if row % 2 == 0 {
            actions.push(action(&format!("FILL_COLOR | A{row}:H{row} | #F2F2F2")));
            actions.push(action(&format!(
                "BORDER_BOTTOM | A{row}:H{row} | Thin, Continuous, #808080"
            )));
        }
    }
    actions
}

fn state(actions: &[Action]) -> Workbook {
    let mut state = Workbook::default();
    state.apply_lenient(actions);
    state
}

/// The table half done and done.
fn halves(n_cells: usize) -> (Workbook, Workbook) {
    let actions = table(n_cells);
    let (before, _) = actions.split_at(actions.len() / 2);
    (state(before), state(&actions))
}

/// The records of one outcome when the half table stands against the whole one.
fn records(half: &Workbook, whole: &Workbook, outcome: Match) -> Vec<Record> {
    let mut records = Vec::new();
    compare_gaps(&Protocol::NAPE_1, half, whole, &mut |difference| {
        if difference.outcome == outcome {
            records.push(difference.to_record());
        }
    });
    records
}

#[divan::bench(args = CELLS, sample_count = 5, sample_size = 1)]
fn apply(bencher: Bencher<'_, '_>, n_cells: usize) {
    let actions = table(n_cells);
    let counted = bencher.counter(ItemsCount::new(n_cells));
    counted.bench_local(|| state(black_box(&actions)));
}

#[divan::bench(args = CELLS, sample_count = 5, sample_size = 1)]
fn compare_all(bencher: Bencher<'_, '_>, n_cells: usize) {
    let (half, whole) = halves(n_cells);
    bencher.counter(ItemsCount::new(n_cells)).bench_local(|| {
        let mut totals = Totals::default();
        compare(&Protocol::NAPE_1, black_box(&half), &whole, &mut |difference| {
            totals.add(&difference);
        });
        totals
    });
}

/// Two workbooks that share all their cells.
#[divan::bench(args = CELLS, sample_count = 5, sample_size = 1)]
fn compare_shared(bencher: Bencher<'_, '_>, n_cells: usize) {
    let (_, whole) = halves(n_cells);
    let copy = whole.clone();
    bencher.counter(ItemsCount::new(n_cells)).bench_local(|| {
        let mut n_gaps = 0_usize;
        compare_gaps(&Protocol::NAPE_1, black_box(&copy), &whole, &mut |_| n_gaps += 1);
        n_gaps
    });
}

#[divan::bench(args = CELLS, sample_count = 5, sample_size = 1)]
fn copy_state(bencher: Bencher<'_, '_>, n_cells: usize) {
    let (_, whole) = halves(n_cells);
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| black_box(&whole).clone());
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn synthesize_missing(bencher: Bencher<'_, '_>, n_cells: usize) {
    let (half, whole) = halves(n_cells);
    let missing = records(&half, &whole, Match::FalseNegative);
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| synthesize(black_box(&missing), |sheet, key| sides_of(&whole, sheet, key)).is_ok());
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn undo_wrong(bencher: Bencher<'_, '_>, n_cells: usize) {
    let (half, whole) = halves(n_cells);
    let wrong = records(&whole, &half, Match::FalsePositive);
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| undo_actions(black_box(&wrong)).is_ok());
}

/// One action a cell of a square block.
fn block(n_cells: usize, line: impl Fn(&str) -> String) -> Vec<Action> {
    let side = n_cells.isqrt();
    let rows = 1..=side;
    let cells = rows.flat_map(|row| (0..side).map(move |col| (row, col)));
    let letters: Vec<char> = ('A'..='Z').collect();
    let letter = |place: usize| letters.get(place % 26).copied().unwrap_or('A');
    let names = cells.map(|(row, col)| format!("{}{}{row}", letter(col / 26), letter(col)));
    names.map(|name| action(&line(&name))).collect()
}

#[divan::bench(args = MERGED, sample_count = 3, sample_size = 1)]
fn merge_into_rectangles(bencher: Bencher<'_, '_>, n_cells: usize) {
    let actions = block(n_cells, |name| format!("FILL_COLOR | {name} | #F2F2F2"));
    let counted = bencher.counter(ItemsCount::new(n_cells));
    counted.bench_local(|| merge_rectangles(black_box(&actions), GrowFirst::Down).is_ok());
}

#[divan::bench(args = MERGED, sample_count = 3, sample_size = 1)]
fn merge_into_borders(bencher: Bencher<'_, '_>, n_cells: usize) {
    let actions = block(n_cells, |name| {
        format!("BORDER_ALL | {name} | Thin, Continuous, #808080")
    });
    let counted = bencher.counter(ItemsCount::new(n_cells));
    counted.bench_local(|| merge_borders(black_box(&actions)).is_ok());
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn order(bencher: Bencher<'_, '_>, n_cells: usize) {
    let actions = table(n_cells);
    bencher
        .counter(ItemsCount::new(n_cells))
        .with_inputs(|| actions.clone())
        .bench_local_refs(|actions| sequence(black_box(actions)));
}
