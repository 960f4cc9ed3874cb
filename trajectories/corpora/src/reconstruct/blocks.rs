//! Blocks of data that people paste rather than type.
//!
//! In the published corpus pasted blocks are mostly numbers, from some sixteen cells on, with blanks and a column of
//! names in between; tables of text are pasted only when they are large (spec 04, 8.3).

use napsim_trajectories::{Bounds, CellAddress, Value};
use rustc_hash::FxHashSet;

use super::target::{Target, Writing};

/// A block holds at least this share of numbers, in percent of its cells.
const NUMBERS_PERCENT_MIN: u64 = 50;

/// A block without so many numbers is pasted from this multiple of the usual size on.
const TEXT_FACTOR: u64 = 20;

/// Blocks of fewer rows or columns are lists, which people type.
const LANES_MIN: i64 = 3;

/// A list is pasted from this multiple of the usual size on.
const LANE_FACTOR: u64 = 3;

/// Cells that are no numbers may stand side by side up to this many within a row of a block.
const GAP_MAX: i64 = 2;

/// The blocks to paste, none smaller than `cells_min`; no two share a cell.
///
/// `dense` are dense ranges of constants that may also be pasted when they are large.
pub(super) fn find(target: &Target, open: &FxHashSet<CellAddress>, dense: &[Bounds], cells_min: u64) -> Vec<Bounds> {
    let mut blocks: Vec<Bounds> = dense
        .iter()
        .filter(|block| block.n_cells() >= cells_min.saturating_mul(TEXT_FACTOR) && is_free(target, block, open))
        .copied()
        .collect();
    let rows = rows_of_numbers(target, open);
    for block in stacks(target, open, &rows) {
        let lane = block.width().min(block.height()) < LANES_MIN;
        let factor = if lane { LANE_FACTOR } else { 1 };
        let large = block.n_cells() >= 2 && block.n_cells() >= cells_min.saturating_mul(factor);
        let apart = || !blocks.iter().any(|other| other.overlaps(&block));
        if large && is_numeric(target, &block) && is_free(target, &block, open) && apart() {
            blocks.push(block);
        }
    }
    blocks.sort_unstable();
    blocks
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_))
}

/// Whether a cell can be part of a pasted block: empty, or an open constant, and in no merged range.
fn fits(target: &Target, open: &FxHashSet<CellAddress>, at: CellAddress) -> bool {
    let constant = match target.content(at) {
        None => true,
        Some((value, Writing::Typed)) => {
            open.contains(&at) && !value.as_text().is_some_and(|text| text.starts_with('='))
        }
        Some((_, Writing::Set)) => false,
    };
    constant && !target.merged.contains_key(&at)
}

fn is_free(target: &Target, block: &Bounds, open: &FxHashSet<CellAddress>) -> bool {
    block.cells().all(|at| fits(target, open, at))
}

fn is_numeric(target: &Target, block: &Bounds) -> bool {
    let numbers = block
        .cells()
        .filter(|at| target.content(*at).is_some_and(|(value, _)| is_number(value)));
    numbers.count() as u64 * 100 >= block.n_cells() * NUMBERS_PERCENT_MIN
}

/// Stretches of one row that begin and end with a number and hold no long gap, row by row.
fn rows_of_numbers(target: &Target, open: &FxHashSet<CellAddress>) -> Vec<Bounds> {
    let mut rows: Vec<Bounds> = Vec::new();
    for cell in &target.cells {
        let number = matches!(&cell.content, Some((value, _)) if is_number(value)) && open.contains(&cell.at);
        if !number || !fits(target, open, cell.at) {
            continue;
        }
        let goes_on = rows.last().is_some_and(|row| {
            row.last_row == cell.at.row
                && cell.at.col - row.last_col <= GAP_MAX
                && (row.last_col + 1..cell.at.col).all(|col| fits(target, open, CellAddress::new(cell.at.row, col)))
        });
        match rows.last_mut() {
            Some(row) if goes_on => row.last_col = cell.at.col,
            _ => rows.push(Bounds::of_cell(cell.at)),
        }
    }
    rows
}

/// Stretches of following rows that mostly share their columns, put on top of each other.
fn stacks(target: &Target, open: &FxHashSet<CellAddress>, rows: &[Bounds]) -> Vec<Bounds> {
    let mut stacks: Vec<Bounds> = Vec::new();
    // Stacks that the row before the current one may still grow, as indices.
    let mut growing: Vec<usize> = Vec::new();
    let mut row_no = i64::MIN;
    let mut next: Vec<usize> = Vec::new();
    for row in rows {
        if row.first_row != row_no {
            growing = std::mem::take(&mut next);
            if row.first_row != row_no + 1 {
                growing.clear();
            }
            row_no = row.first_row;
        }
        let fitting = growing.iter().position(|idx| {
            stacks.get(*idx).is_some_and(|stack| {
                shares_columns(stack, row)
                    && widened(stack, row).is_some_and(|wide| {
                        let added = wide
                            .cells()
                            .filter(|at| !stack.contains_cell(*at) && !row.contains_cell(*at));
                        wide.n_cells() <= 2 * (stack.n_cells() + row.n_cells()) && {
                            let mut added = added;
                            added.all(|at| fits(target, open, at))
                        }
                    })
            })
        });
        if let Some(position) = fitting {
            let idx = growing.swap_remove(position);
            if let Some(stack) = stacks.get_mut(idx)
                && let Some(wide) = widened(stack, row)
            {
                *stack = wide;
                next.push(idx);
            }
        } else {
            next.push(stacks.len());
            stacks.push(*row);
        }
    }
    stacks
}

/// Whether a row shares at least seven in ten of the columns that it and the stack take together.
fn shares_columns(stack: &Bounds, row: &Bounds) -> bool {
    let shared = stack.last_col.min(row.last_col) - stack.first_col.max(row.first_col) + 1;
    let both = stack.last_col.max(row.last_col) - stack.first_col.min(row.first_col) + 1;
    shared * 10 >= both * 7
}

/// The stack with one more row.
fn widened(stack: &Bounds, row: &Bounds) -> Option<Bounds> {
    (stack.last_row + 1 == row.first_row).then_some(Bounds {
        first_row: stack.first_row,
        first_col: stack.first_col.min(row.first_col),
        last_row: row.last_row,
        last_col: stack.last_col.max(row.last_col),
    })
}
