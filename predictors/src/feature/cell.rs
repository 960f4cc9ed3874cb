//! The forgiving reader of cell references (spec chapter 03, 1.1): what it cannot read is `A1`.

use napsim_trajectories::range::{ROW_MAX, column_number};
use napsim_trajectories::text::trim;
use napsim_trajectories::{CellAddress, Value, number};

/// First and last cell of a range text.
pub(super) fn corners(range: &str) -> (CellAddress, CellAddress) {
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    (cell(first), cell(last))
}

fn cell(text: &str) -> CellAddress {
    read_cell(trim(text)).unwrap_or_else(|| CellAddress::new(1, 1))
}

/// Letters, then digits up to the end; numbers beyond [`ROW_MAX`] are held there.
fn read_cell(text: &str) -> Option<CellAddress> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = text.split_at_checked(letters)?;
    if column.is_empty() || !row.chars().all(char::is_numeric) {
        return None;
    }
    let row = match number::read_integer(row)? {
        Value::Int(row) => row.min(ROW_MAX),
        _ => ROW_MAX,
    };
    let col = column_number(column).min(ROW_MAX);
    Some(CellAddress::new(row, col))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, row: i64, col: i64) {
        assert_eq!(cell(text), CellAddress::new(row, col), "{text:?}");
    }

    #[test]
    fn reads_letters_and_digits() {
        check("C4", 4, 3);
        check(" c4 ", 4, 3);
        check("A0", 0, 1);
        check("XFD1048576", 1_048_576, 16_384);
        check("ABCD12", 12, 19_010);
    }

    #[test]
    fn everything_else_is_the_first_cell() {
        for text in ["", "A", "12", "$C$4", "B2:C3", "(1,0,0,0)", "A-1", "A1x", "A1_0", "A²"] {
            check(text, 1, 1);
        }
    }

    #[test]
    fn huge_numbers_are_held() {
        check("A99999999999999999999999", ROW_MAX, 1);
        check(&format!("{}1", "Z".repeat(99)), 1, ROW_MAX);
    }
}
