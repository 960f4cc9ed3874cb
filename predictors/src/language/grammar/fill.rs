//! The ranges that a fill may extend to its target: a part of it that has all its columns or all its rows.
//!
//! A fill downwards or upwards (`tall` below) keeps both columns of the target, one to the side (`wide`) both rows.

use super::range::{Area, Interval, Limits};

fn can_be_tall(target: Area) -> bool {
    target.height() > 1
}

fn can_be_wide(target: Area) -> bool {
    target.width() > 1
}

pub(super) fn first_col(target: Area) -> Limits {
    let last = if can_be_wide(target) {
        target.last_col
    } else {
        target.first_col
    };
    Limits::within(target.first_col, last)
}

pub(super) fn first_row(target: Area, col: u32) -> Limits {
    let last = if can_be_tall(target) && col == target.first_col {
        target.last_row
    } else {
        target.first_row
    };
    Limits::within(target.first_row, last)
}

pub(super) fn may_be_one_cell(target: Area, cell: Area) -> bool {
    let tall = target.width() == 1 && can_be_tall(target) && cell.first_col == target.first_col;
    let wide = target.height() == 1 && can_be_wide(target) && cell.first_row == target.first_row;
    tall || wide
}

/// Rows that a source with the target's columns may end in, if it has several cells.
fn tall_rows(target: Area, from: Area) -> Interval {
    if !can_be_tall(target) || from.first_col != target.first_col {
        return Interval::EMPTY;
    }
    // A single cell is written without a colon, and the whole target is no source.
    let low = from.first_row + u32::from(target.width() == 1);
    Interval::new(low, target.last_row - u32::from(from.first_row == target.first_row))
}

/// Columns that a source with the target's rows may end in, if it has several cells.
fn wide_cols(target: Area, from: Area) -> Interval {
    if !can_be_wide(target) || from.first_row != target.first_row {
        return Interval::EMPTY;
    }
    let low = from.first_col + u32::from(target.height() == 1);
    Interval::new(low, target.last_col - u32::from(from.first_col == target.first_col))
}

pub(super) fn last_col(target: Area, from: Area) -> Limits {
    let tall = if tall_rows(target, from).is_empty() {
        Interval::EMPTY
    } else {
        Interval::new(target.last_col, target.last_col)
    };
    Limits(tall, wide_cols(target, from))
}

pub(super) fn last_row(target: Area, from: Area) -> Limits {
    let tall = if from.last_col == target.last_col {
        tall_rows(target, from)
    } else {
        Interval::EMPTY
    };
    let cols = wide_cols(target, from);
    let wide = if (cols.low..=cols.high).contains(&from.last_col) {
        Interval::new(target.last_row, target.last_row)
    } else {
        Interval::EMPTY
    };
    Limits(tall, wide)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use napsim_trajectories::{Action, Bounds};

    use crate::language::LineState;

    /// All texts of ranges within the first columns and rows.
    fn ranges(n_cols: i64, n_rows: i64) -> Vec<String> {
        let all = Bounds {
            first_row: 1,
            first_col: 1,
            last_row: n_rows,
            last_col: n_cols,
        };
        let pairs = all.cells().flat_map(|first| all.cells().map(move |last| (first, last)));
        let boxes = pairs.filter(|(first, last)| first.row <= last.row && first.col <= last.col);
        boxes
            .map(|(first, last)| {
                let bounds = Bounds {
                    first_row: first.row,
                    first_col: first.col,
                    last_row: last.row,
                    last_col: last.col,
                };
                bounds.to_string()
            })
            .collect()
    }

    #[test]
    fn exactly_the_fills_of_the_notation_are_accepted() {
        let ranges = ranges(4, 4);
        let mut accepted = BTreeSet::new();
        for target in &ranges {
            for source in &ranges {
                let line = format!("AUTOFILL | {target} | {source}");
                let state = LineState::start().advance_all(line.as_bytes());
                let got = state.is_some_and(|state| state.may_end());
                assert_eq!(got, Action::parse(&line).is_ok(), "{line}");
                accepted.extend(got.then_some(line));
            }
        }
        assert!(accepted.contains("AUTOFILL | A1:A4 | A1") && accepted.contains("AUTOFILL | B2:D3 | C2:D3"));
    }
}
