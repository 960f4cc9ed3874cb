//! The values of a sheet as text.

use std::collections::BTreeSet;

use napsim_reports::printable::printable;
use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet};
use napsim_trajectories::range::column_name;
use napsim_trajectories::{CellAddress, Value, number};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The widest a column gets, in columns of the terminal.
const COLUMN_WIDTH_MAX: usize = 16;

/// Draws the cells from A1 on that hold something, as many columns as fit `width` and at most `rows_max` rows.
///
/// Numbers are to the right, formulas shown as they are, long texts cut off, and cells with a format but no value
/// marked by a dot.
pub(super) fn of_sheet(sheet: &Sheet, width: usize, rows_max: usize) -> String {
    // Of a merged range the first cell alone shows.
    let hidden: BTreeSet<CellAddress> = sheet.merges().iter().flat_map(|merge| merge.cells().skip(1)).collect();
    let mut cells = Vec::new();
    for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
        if let CellKey::Address(address) = key
            && !hidden.contains(address)
            && let Some(shown) = Shown::of(cell)
        {
            cells.push((*address, shown));
        }
    }
    let Some(last) = last_of(cells.iter().map(|(address, _)| *address)) else {
        return "(empty)\n".to_owned();
    };
    let n_rows = last.row.min(i64::try_from(rows_max).unwrap_or(i64::MAX));
    cells.retain(|(address, _)| (1..=n_rows).contains(&address.row) && address.col >= 1);
    let margin = last.row.to_string().len().max(2);
    let widths = column_widths(&cells, last.col, width.saturating_sub(margin));
    let mut text = " ".repeat(margin);
    for (col, width) in (1..).zip(&widths) {
        text.push(' ');
        push_padded(&mut text, &column_name(col), *width, false);
    }
    end_line(&mut text);
    let mut rest = cells.iter().peekable();
    for row in 1..=n_rows {
        text.push_str(&format!("{row:>margin$}"));
        for (col, width) in (1..).zip(&widths) {
            text.push(' ');
            let here = rest.next_if(|(address, _)| address.row == row && address.col == col);
            let (value, is_number) = here.map_or(("", false), |(_, shown)| (&*shown.text, shown.is_number));
            push_padded(&mut text, value, *width, is_number);
        }
        while rest.next_if(|(address, _)| address.row == row).is_some() {}
        end_line(&mut text);
    }
    let n_cols = i64::try_from(widths.len()).unwrap_or(i64::MAX);
    text.push_str(&cut_off(last, n_rows, n_cols));
    text
}

/// What a cell shows.
struct Shown {
    text: String,
    is_number: bool,
}

impl Shown {
    fn of(cell: &Cell) -> Option<Self> {
        let value = cell
            .get(Property::Formula)
            .or_else(|| cell.get(Property::Value))
            .filter(|value| !matches!(value, Value::Null));
        let Some(value) = value else {
            let is_formatted = cell.entries().iter().any(|(property, _)| !property.is_container());
            return is_formatted.then(|| Self {
                text: "·".to_owned(),
                is_number: false,
            });
        };
        let text = match value {
            Value::Text(text) => printable(text, false).into_owned(),
            Value::Bool(flag) => flag.to_string().to_uppercase(),
            Value::Float(float) => number::float_text(*float),
            other => napsim_trajectories::json::write(other),
        };
        let is_number = matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Float(_));
        Some(Self { text, is_number })
    }
}

/// Widths of the columns that fit, at least one.
fn column_widths(cells: &[(CellAddress, Shown)], last_col: i64, width: usize) -> Vec<usize> {
    let n_fitting_max = i64::try_from(width / 2).unwrap_or(i64::MAX).max(1);
    let n_cols = usize::try_from(last_col.min(n_fitting_max)).unwrap_or(1);
    let mut widths: Vec<usize> = (1..).take(n_cols).map(|col| column_name(col).len()).collect();
    for (address, shown) in cells {
        let idx = usize::try_from(address.col - 1).unwrap_or(usize::MAX);
        if let Some(widest) = widths.get_mut(idx) {
            *widest = (*widest).max(shown.text.width().min(COLUMN_WIDTH_MAX));
        }
    }
    let mut used = 0;
    let n_fitting = widths
        .iter()
        .take_while(|column| {
            used += *column + 1;
            used <= width
        })
        .count();
    widths.truncate(n_fitting.max(1));
    widths
}

/// Adds a text of exactly that width, cut off with an ellipsis where it is too long.
fn push_padded(text: &mut String, value: &str, width: usize, to_the_right: bool) {
    let length = value.width();
    if length <= width {
        let padding = " ".repeat(width - length);
        let (before, after) = if to_the_right {
            (padding.as_str(), "")
        } else {
            ("", padding.as_str())
        };
        text.push_str(before);
        text.push_str(value);
        text.push_str(after);
        return;
    }
    let mut left = width.saturating_sub(1);
    for c in value.chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else {
            break;
        };
        text.push(c);
        left = rest;
    }
    text.push('…');
    text.push_str(&" ".repeat(left));
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn last_of(addresses: impl Iterator<Item = CellAddress>) -> Option<CellAddress> {
    addresses.reduce(|last, address| CellAddress {
        row: last.row.max(address.row),
        col: last.col.max(address.col),
    })
}

/// A word about what the picture leaves out.
fn cut_off(last: CellAddress, n_rows: i64, n_cols: i64) -> String {
    let mut left_out = Vec::new();
    if last.row > n_rows {
        left_out.push(format!("rows to {}", last.row));
    }
    if last.col > n_cols {
        left_out.push(format!("columns to {}", column_name(last.col)));
    }
    if left_out.is_empty() {
        String::new()
    } else {
        format!("… {}\n", left_out.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use napsim_sim::state::Workbook;
    use napsim_trajectories::Action;

    use super::*;

    #[test]
    fn values_stand_in_their_columns() {
        let mut state = Workbook::default();
        let lines = [
            "INPUT | A1 | \"Lot\"",
            "INPUT | B1 | \"価格\"",
            "INPUT | A2 | \"A name that goes on and on\"",
            "INPUT | B2 | 12",
            "INPUT | B3 | 3.5",
            "INPUT | C3 | \"=B2*2\"",
            "FONT_BOLD | D1:E1 | true",
            "MERGE | D1:E1 | true",
            "INPUT | F9 | true",
        ];
        let actions: Vec<Action> = lines.iter().map(|line| Action::parse(line).unwrap()).collect();
        state.apply_strict(&actions).unwrap();
        let sheet = state.sheet("Sheet1").unwrap();
        assert_eq!(
            of_sheet(sheet, 35, 3),
            "   A                B    C     D E\n 1 Lot              価格       ·\n 2 A name that goe…   12\n 3                   3.5 =B2*2\n… rows to 9 and columns to F\n"
        );
    }
}
