//! The predictors' own shifting of references (spec chapter 03, 2.2).
//!
//! It is stricter than the notation's (`LOG10(` is no reference) and knows no last column.

use napsim_trajectories::range::{column_name, column_number};

/// Moves every relative reference of a formula by so many rows and columns, down to row and column 1.
///
/// The change is purely textual: what looks like a reference inside a text or a sheet name moves too.
pub fn shift_references(formula: &str, rows: i64, cols: i64) -> String {
    if rows == 0 && cols == 0 {
        return formula.to_owned();
    }
    let mut shifted = String::with_capacity(formula.len() + 8);
    let mut rest = formula;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let length = match Reference::read(rest).filter(|_| !before.is_some_and(joins_a_name)) {
            Some(reference) => {
                reference.shift_into(&mut shifted, rows, cols);
                reference.length
            }
            None => {
                shifted.push(c);
                c.len_utf8()
            }
        };
        let (read, unread) = rest.split_at(length);
        before = read.chars().next_back();
        rest = unread;
    }
    shifted
}

/// Whether a reference cannot begin right after this character. Digits do not hinder it.
fn joins_a_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Whether a reference cannot end right before this character.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '('
}

/// A reference to one cell at the head of a text.
struct Reference<'text> {
    column_fixed: bool,
    column: &'text str,
    row_fixed: bool,
    row: &'text str,
    /// Bytes that the reference takes.
    length: usize,
}

impl<'text> Reference<'text> {
    /// One to three upper-case letters and one to seven digits, each with an optional `$` before.
    fn read(text: &'text str) -> Option<Self> {
        let (column_fixed, rest) = strip_dollar(text);
        let letters = rest.bytes().take(4).take_while(u8::is_ascii_uppercase).count();
        let (column, rest) = rest.split_at_checked(letters)?;
        let (row_fixed, rest) = strip_dollar(rest);
        let digits = rest.bytes().take(8).take_while(u8::is_ascii_digit).count();
        let (row, rest) = rest.split_at_checked(digits)?;
        let whole = (1..=3).contains(&letters) && (1..=7).contains(&digits) && !rest.starts_with(goes_on);
        whole.then_some(Self {
            column_fixed,
            column,
            row_fixed,
            row,
            length: text.len() - rest.len(),
        })
    }

    fn shift_into(&self, shifted: &mut String, rows: i64, cols: i64) {
        if self.column_fixed {
            shifted.push('$');
            shifted.push_str(self.column);
        } else {
            let column = column_number(self.column);
            shifted.push_str(&column_name((column + cols).max(1)));
        }
        match self.row.parse::<i64>() {
            Ok(row) if !self.row_fixed => shifted.push_str(&(row + rows).max(1).to_string()),
            _ => {
                if self.row_fixed {
                    shifted.push('$');
                }
                shifted.push_str(self.row);
            }
        }
    }
}

fn strip_dollar(text: &str) -> (bool, &str) {
    text.strip_prefix('$').map_or((false, text), |rest| (true, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(formula: &str, expect: &str) {
        assert_eq!(shift_references(formula, 1, 1), expect, "{formula}");
    }

    #[test]
    fn references_move_and_fixed_halves_stay() {
        check("=A1+$B2+C$3+$D$4", "=B2+$B3+D$3+$D$4");
        check("=SUM(B2:B9)", "=SUM(C3:C10)");
        check("=Q1!B2&\"A1\"", "=R2!C3&\"B2\"");
        check("=XFD1", "=XFE2");
        check("=A1.5+B2#", "=B2.5+C3#");
    }

    #[test]
    fn names_and_functions_do_not() {
        for formula in [
            "=LOG10(2)",
            "=ATAN2(2)",
            "=a1",
            "=_B2",
            "=TBL_A1",
            "=ABCD12",
            "=A12345678",
            "=A1B",
            "=A1é",
        ] {
            check(formula, formula);
        }
    }

    #[test]
    fn a_digit_may_come_before() {
        check("=A1B2", "=A1C3");
    }

    #[test]
    fn movement_stops_at_the_first_row_and_column() {
        assert_eq!(shift_references("=C3+A1", -9, -9), "=A1+A1");
    }

    proptest! {
        #[test]
        fn shifting_there_and_back_is_nothing(row in 1..1000_i64, col in 1..700_i64, rows in 0..99_i64, cols in 0..99_i64) {
            let formula = format!("={}{row}*2", column_name(col));
            let there = shift_references(&formula, rows, cols);
            prop_assert_eq!(shift_references(&there, -rows, -cols), formula);
        }

        #[test]
        fn any_text_can_be_shifted(text in ".*", rows in -9..9_i64, cols in -9..9_i64) {
            let _ = shift_references(&text, rows, cols);
        }
    }
}
