//! What import, regions, reconstruction and export cost as a sheet grows.
//!
//! `cargo bench -p napsim-corpora`; the cells per second of each line show whether the cost is linear.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use napsim_corpora::export::{ExportOptions, write_xlsx};
use napsim_corpora::import::{ImportOptions, import_bytes};
use napsim_corpora::reconstruct::{Profile, reconstruct};
use napsim_corpora::regions::annotate;
use napsim_sim::state::{Sheet, Workbook};
use napsim_trajectories::Action;

/// Cells of the measured sheets; a table takes twenty columns.
const CELLS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn main() {
    divan::main();
}

/// A ledger: a dark head, a column of names, numbers, a dragged formula, a thin line below every tenth row.
fn ledger(n_cells: usize) -> Workbook {
    let n_rows = n_cells / 20;
    let mut lines = vec![
        "FILL_COLOR | A1:T1 | #1F4E78".to_owned(),
        "FONT_COLOR | A1:T1 | #FFFFFF".to_owned(),
        "FONT_BOLD | A1:T1 | true".to_owned(),
    ];
    for row in 1..=n_rows {
        lines.push(format!("INPUT | A{row} | \"Account {}\"", row * 7 % 10_007));
        let numbers: Vec<String> = (0..18).map(|col| (row * 31 + col * 17).to_string()).collect();
        lines.push(format!("INPUT | B{row}:S{row} | [{}]", numbers.join(", ")));
        lines.push(format!("INPUT | T{row} | \"=SUM(B{row}:S{row})\""));
        lines.push(format!("NUMBER_FORMAT | T{row} | #,##0.00"));
        if row % 10 == 0 {
            lines.push(format!("BORDER_BOTTOM | A{row}:T{row} | Thin, Continuous, #808080"));
        }
    }
    let mut workbook = Workbook::default();
    for line in lines {
        let applied = Action::parse(&line).map(|action| workbook.apply(&action));
        assert!(matches!(applied, Ok(Ok(()))), "{line}");
    }
    workbook
}

fn sheet(n_cells: usize) -> Sheet {
    let workbook = ledger(n_cells);
    workbook
        .sheets()
        .next()
        .map(|(_, sheet)| sheet.clone())
        .unwrap_or_default()
}

fn file(workbook: &Workbook) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = write_xlsx(workbook, &mut bytes, &ExportOptions::default());
    assert!(written.is_ok(), "the ledger can be exported");
    bytes
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn import(bencher: Bencher, n_cells: usize) {
    let bytes = file(&ledger(n_cells));
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| import_bytes(black_box(&bytes), &ImportOptions::default()).is_ok());
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn reconstruction(bencher: Bencher, n_cells: usize) {
    let sheet = sheet(n_cells);
    let natural = Profile::named("natural", 1);
    bencher.counter(ItemsCount::new(n_cells)).bench_local(|| {
        natural
            .as_ref()
            .is_some_and(|profile| reconstruct(black_box(&sheet), profile, 1).is_ok())
    });
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn regions(bencher: Bencher, n_cells: usize) {
    let sheet = sheet(n_cells);
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| annotate(black_box(&sheet)).regions.len());
}

#[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
fn export(bencher: Bencher, n_cells: usize) {
    let workbook = ledger(n_cells);
    bencher
        .counter(ItemsCount::new(n_cells))
        .bench_local(|| file(black_box(&workbook)));
}
