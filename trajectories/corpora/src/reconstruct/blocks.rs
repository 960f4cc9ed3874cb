//! Blocks of data that people paste rather than type.
//!
//! In the published corpus pasted blocks are mostly numbers, from some sixteen cells on, with blanks and a column of
//! names in between; tables of text are pasted only when they are large (spec 04, 8.3).

use napsim_trajectories::{Bounds, CellAddress, Value};
use rustc_hash::FxHashSet;

use super::target::{Target, Writing};

/// A block without so many numbers is pasted from this multiple of the usual size on.
const TEXT_FACTOR: u64 = 30;

/// Narrower blocks are lists, which people type row by row.
const WIDTH_MIN: i64 = 6;

/// A list is pasted from this multiple of the usual size on.
const LIST_FACTOR: u64 = 20;

/// Cells that are no numbers may stand side by side up to this many within a row of a block.
const GAP_MAX: i64 = 2;

/// The blocks to paste, none smaller than `cells_min`; no two share a cell.
///
/// `bodies` are the bodies of tables, which may be pasted as far as their columns hold constants alone.
pub(super) fn find(target: &Target, open: &FxHashSet<CellAddress>, bodies: &[Bounds], cells_min: u64) -> Vec<Bounds> {
    let mut blocks: Vec<Bounds> = Vec::new();
    let columns = bodies.iter().flat_map(|body| constant_columns(target, open, body));
    let rows = rows_of_numbers(target, open);
    for block in columns.chain(stacks(target, open, &rows)) {
        let is_list = block.width() < WIDTH_MIN || block.height() < 2;
        let content = Filling::of(target, &block);
        let factor = match (content.is_numeric(), is_list) {
            (true, false) => 1,
            (true, true) => LIST_FACTOR,
            (false, _) => TEXT_FACTOR,
        };
        let is_large = block.n_cells() >= 2 && block.n_cells() >= cells_min.saturating_mul(factor);
        let is_apart = || !blocks.iter().any(|other| other.overlaps(&block));
        if is_large && content.is_dense() && is_apart() && block.cells().all(|at| fits(target, open, at)) {
            blocks.push(block);
        }
    }
    blocks.sort_unstable();
    blocks
}

/// The longest runs of columns of a body in which every cell can be part of a pasted block.
fn constant_columns(target: &Target, open: &FxHashSet<CellAddress>, body: &Bounds) -> Vec<Bounds> {
    let mut runs: Vec<Bounds> = Vec::new();
    for col in body.first_col..=body.last_col {
        if !(body.first_row..=body.last_row).all(|row| fits(target, open, CellAddress::new(row, col))) {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.last_col + 1 == col => run.last_col = col,
            _ => runs.push(Bounds {
                first_col: col,
                last_col: col,
                ..*body
            }),
        }
    }
    runs
}

/// What a block is filled with.
#[derive(Clone, Copy)]
struct Filling {
    n_cells: u64,
    n_filled: u64,
    n_numbers: u64,
}

impl Filling {
    fn of(target: &Target, block: &Bounds) -> Self {
        let mut filling = Self {
            n_cells: block.n_cells(),
            n_filled: 0,
            n_numbers: 0,
        };
        for (value, _) in block.cells().filter_map(|at| target.content(at)) {
            filling.n_filled += 1;
            filling.n_numbers += u64::from(is_number(value));
        }
        filling
    }

    fn is_numeric(self) -> bool {
        self.n_numbers * 2 >= self.n_filled
    }

    fn is_dense(self) -> bool {
        self.n_filled * 2 >= self.n_cells
    }
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
            let stack = stacks.get(*idx);
            stack.is_some_and(|stack| shares_columns(stack, row) && fills_up(target, open, stack, row))
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

/// Whether the cells that a stack takes in when a row is put on it can all be part of a pasted block.
///
/// Only those cells are looked at, so that a tall stack costs no more than its cells.
fn fills_up(target: &Target, open: &FxHashSet<CellAddress>, stack: &Bounds, row: &Bounds) -> bool {
    let Some(wide) = widened(stack, row) else { return false };
    let added = wide.n_cells() - stack.n_cells() - row.n_cells();
    let outside = |inner: &Bounds| {
        let (first, last) = (inner.first_col, inner.last_col);
        (wide.first_col..first).chain(last + 1..=wide.last_col)
    };
    let beside_stack = outside(stack).flat_map(|col| (stack.first_row..=stack.last_row).map(move |row| (row, col)));
    let beside_row = outside(row).map(|col| (row.first_row, col));
    added <= stack.n_cells() + row.n_cells()
        && beside_stack
            .chain(beside_row)
            .all(|(row, col)| fits(target, open, CellAddress::new(row, col)))
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
