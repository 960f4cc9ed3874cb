//! What of a sheet's contents tells it apart from other sheets.

use std::collections::BTreeSet;

use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet};
use napsim_trajectories::Value;

/// The fewest different contents of a row that tells something.
pub const ROW_CELLS_MIN: usize = 3;

/// The fewest characters of a text of several words that tells something by itself.
pub const TEXT_CHARS_MIN: usize = 12;

/// The fewest significant digits of a number that tells something by itself.
pub const NUMBER_DIGITS_MIN: usize = 4;

/// The contents of one row in plain form, from left to right, empty cells left out.
pub(super) struct Row {
    /// Row number.
    pub(super) row: i64,
    /// Column number and content.
    pub(super) cells: Vec<(i64, Content)>,
}

/// One content in plain form.
pub(super) struct Content {
    /// The text that equal contents share.
    pub(super) text: String,
    /// Whether it tells something by itself.
    pub(super) is_telling: bool,
}

impl Row {
    /// The rows of a sheet that hold anything, from top to bottom.
    pub(super) fn all_of(sheet: &Sheet) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
            // Cells come in order of rows; those without a plain address have no place in one.
            let (CellKey::Address(at), Some(content)) = (key, content_of(cell)) else {
                continue;
            };
            match rows.last_mut() {
                Some(last) if last.row == at.row => last.cells.push((at.col, content)),
                _ => rows.push(Row {
                    row: at.row,
                    cells: vec![(at.col, content)],
                }),
            }
        }
        rows
    }

    /// Whether the row tells something.
    pub(super) fn is_telling(&self) -> bool {
        let different: BTreeSet<&str> = self.cells.iter().map(|(_, content)| content.text.as_str()).collect();
        different.len() >= ROW_CELLS_MIN && self.cells.iter().any(|(_, content)| content.is_telling)
    }

    /// The contents in order, wherever they stand in the row.
    pub(super) fn text(&self) -> String {
        let texts: Vec<&str> = self.cells.iter().map(|(_, content)| content.text.as_str()).collect();
        texts.join("\u{1f}")
    }
}

fn content_of(cell: &Cell) -> Option<Content> {
    let value = cell.get(Property::Value).or_else(|| cell.get(Property::Formula))?;
    match value {
        Value::Text(text) if text.starts_with('=') => Some(Content {
            text: plain_formula(text),
            // Formulas are alike in too many workbooks to tell anything.
            is_telling: false,
        }),
        Value::Text(text) => {
            let text = plain_text(text);
            let is_telling = text.chars().count() >= TEXT_CHARS_MIN && text.contains(' ');
            (!text.is_empty()).then_some(Content { text, is_telling })
        }
        Value::Bool(_) => Some(Content {
            text: value.is_truthy().to_string(),
            is_telling: false,
        }),
        _ => value.as_number().map(|number| Content {
            // The shortest text is the same for 5 and 5.0.
            text: number.to_string(),
            is_telling: significant_digits(number) >= NUMBER_DIGITS_MIN && !is_year(number),
        }),
    }
}

/// Lower case, with single blanks.
fn plain_text(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

/// Upper case without blanks and row numbers, so that the same formula is the same in another row.
fn plain_formula(formula: &str) -> String {
    let mut plain = String::new();
    for letter in formula.chars().filter(|letter| !letter.is_whitespace()) {
        let after_column = plain.ends_with(|last: char| last.is_ascii_alphabetic() || last == '$');
        if !(letter.is_ascii_digit() && after_column) {
            plain.extend(letter.to_uppercase());
        }
    }
    plain
}

fn significant_digits(number: f64) -> usize {
    let text = number.abs().to_string();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

fn is_year(number: f64) -> bool {
    number.fract().abs() < f64::EPSILON && (1800.0..2200.0).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_lose_their_rows() {
        assert_eq!(plain_formula("=Sum(B2:B19) * 1.5"), "=SUM(B:B)*1.5");
        assert_eq!(plain_formula("=$A$3"), "=$A$");
    }

    #[test]
    fn numbers_tell_by_their_digits() {
        for (number, digits) in [(1.0, 1), (1000.0, 1), (0.0125, 3), (-1234.5, 5), (0.0, 0)] {
            assert_eq!(significant_digits(number), digits, "{number}");
        }
        assert!(is_year(2024.0));
        assert!(!is_year(2024.5));
    }
}
