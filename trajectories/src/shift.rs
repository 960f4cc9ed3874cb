//! The shifting of references in formulas (spec 7): plain pattern matching, not a formula parser.

use num_bigint::BigInt;

use crate::digit::{split_digits, to_ascii_digits};
use crate::range::{COLUMN_MAX, column_name, column_number};

/// Moves every relative reference of a formula by so many rows and columns.
///
/// Text that does not start with `=` comes back unchanged. The pattern also finds "references" in function names,
/// texts and numbers, as the published system does: `=LOG10(A1)` one row down is `=LOG11(A2)`.
pub fn shift_references(text: &str, rows: i64, cols: i64) -> String {
    if !text.starts_with('=') || (rows == 0 && cols == 0) {
        return text.to_owned();
    }
    let mut shifted = String::with_capacity(text.len() + 8);
    let mut position = 0;
    let mut run_end = 0_usize;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(is_name_start) {
            // A run entered before this position ends where it was found to end.
            if position >= run_end {
                run_end = position + name_length(rest);
            }
            // A sheet name keeps its letters and digits when a reference follows it.
            if let Some(reference) = text
                .get(run_end..)
                .and_then(|after| Reference::read(after.strip_prefix('!')?))
            {
                shifted.push_str(text.get(position..=run_end).unwrap_or_default());
                reference.shift_into(&mut shifted, rows, cols);
                position = run_end + 1 + reference.length;
                continue;
            }
        }
        let follows_letter = text
            .get(..position)
            .is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphabetic()));
        if let Some(reference) = Reference::read(rest).filter(|_| !follows_letter) {
            reference.shift_into(&mut shifted, rows, cols);
            position += reference.length;
        } else if let Some(c) = rest.chars().next() {
            shifted.push(c);
            position += c.len_utf8();
        }
    }
    shifted
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// The length of the run of ASCII letters, digits and `_` at the head of a text.
fn name_length(text: &str) -> usize {
    text.bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count()
}

/// A reference to one cell, as written.
struct Reference<'text> {
    column_mark: &'text str,
    column: &'text str,
    row_mark: &'text str,
    row: &'text str,
    /// How many bytes the reference takes.
    length: usize,
}

impl<'text> Reference<'text> {
    /// Reads a reference at the head of a text, whatever comes before it.
    fn read(text: &'text str) -> Option<Self> {
        let (column_mark, rest) = split_mark(text);
        let n_letters = rest.bytes().take(4).take_while(u8::is_ascii_uppercase).count();
        if !(1..=3).contains(&n_letters) {
            return None;
        }
        let (column, rest) = rest.split_at_checked(n_letters)?;
        let (row_mark, rest) = split_mark(rest);
        let (row, rest) = split_digits(rest);
        (!row.is_empty()).then_some(Self {
            column_mark,
            column,
            row_mark,
            row,
            length: text.len() - rest.len(),
        })
    }

    fn shift_into(&self, out: &mut String, rows: i64, cols: i64) {
        out.push_str(self.column_mark);
        if self.column_mark.is_empty() && cols != 0 {
            out.push_str(&shifted_column(self.column, cols));
        } else {
            out.push_str(self.column);
        }
        out.push_str(self.row_mark);
        if self.row_mark.is_empty() && rows != 0 {
            out.push_str(&shifted_row(self.row, rows));
        } else {
            out.push_str(self.row);
        }
    }
}

/// Splits off a `$` at the head of a text.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with('$')))
}

/// The column moved, but not before the first; past the last it stays where it was.
fn shifted_column(letters: &str, cols: i64) -> String {
    let moved = column_number(letters).saturating_add(cols).max(1);
    if moved > COLUMN_MAX {
        letters.to_owned()
    } else {
        column_name(moved)
    }
}

/// The row moved, but not before the first.
fn shifted_row(digits: &str, rows: i64) -> String {
    let digits = to_ascii_digits(digits);
    match digits.parse::<i64>().ok().and_then(|row| row.checked_add(rows)) {
        Some(row) => row.max(1).to_string(),
        None => match digits.parse::<BigInt>() {
            Ok(row) => (row + rows).max(BigInt::from(1)).to_string(),
            Err(_) => digits,
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_by(text: &str, rows: i64, cols: i64, expect: &str) {
        assert_eq!(shift_references(text, rows, cols), expect, "{text} by {rows}, {cols}");
    }

    fn check(text: &str, expect: &str) {
        check_by(text, 1, 0, expect);
    }

    #[test]
    fn whatever_looks_like_a_reference_moves() {
        check("=LOG10(A1)", "=LOG11(A2)");
        check("=SUMX2MY2(A1)", "=SUMX2MY3(A2)");
        check("=\"A1 text\"", "=\"A2 text\"");
        check("=1E5", "=1E6");
        check("=TAX2024*2", "=TAX2025*2");
        check("=R1C1", "=R2C2");
        check("=é!A1+A٣", "=é!A2+A4");
    }

    #[test]
    fn what_does_not_stays() {
        for text in [
            "",
            "A1",
            "=A:A",
            "=1:1",
            "=$1:$1",
            "=a1",
            "=Ab1",
            "=DAYS360(B)",
            "=ATAN2(B)",
            "=A$$1",
            "=A_1",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn sheet_names_are_protected_before_a_reference_only() {
        check("=Q1!A1", "=Q1!A2");
        check("=Q1!A:A", "=Q2!A:A");
        check("='Q1 Data'!A1", "='Q2 Data'!A2");
        check("=1A1!B2", "=1A1!B3");
        check("=A1B2!C3!D4", "=A1B2!C4!D5");
        check("=A1B2_C3", "=A2B3_C4");
    }

    #[test]
    fn marks_hold_their_half() {
        check_by("=$A1+A$1+$A$1+AB$A$1", 1, 1, "=$A2+B$1+$A$1+AB$B$1");
        check_by("=A01", 0, 1, "=B01");
    }

    #[test]
    fn movement_stops_at_the_edges() {
        check_by("=A5+C3", -4, -2, "=A1+A1");
        check_by("=ZZZ1+ZZY1", 0, 1, "=ZZZ1+ZZZ1");
        check_by("=Z1+AZ1+ZZ1", 0, 1, "=AA1+BA1+AAA1");
    }

    #[test]
    fn huge_numbers_are_exact() {
        check("=A99999999999999999999", "=A100000000000000000000");
        check_by("=A9223372036854775807", i64::MAX, i64::MAX, "=A18446744073709551614");
        check_by("=A1", i64::MIN, i64::MIN, "=A1");
    }

    #[test]
    fn long_runs_take_linear_time() {
        let text = format!("={}", "A".repeat(1_000_000));
        check(&text, &text);
        let text = format!("={}", "A_".repeat(500_000));
        check(&text, &text);
    }

    proptest! {
        #[test]
        fn nothing_panics(text in any::<String>(), rows in any::<i64>(), cols in any::<i64>()) {
            let _ = shift_references(&format!("={text}"), rows, cols);
        }

        #[test]
        fn shifting_there_and_back_is_nothing(
            text in "=([A-Z]{1,2}[1-9][0-9]{0,4}[-+,()!]){0,8}", rows in 0i64..1000, cols in 0i64..1000,
        ) {
            let there = shift_references(&text, rows, cols);
            prop_assert_eq!(shift_references(&there, -rows, -cols), text);
        }
    }
}
