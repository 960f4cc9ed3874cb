//! Neighbouring VALUE and FORMULA lines joined into ranges and spread again (spec 11).

use super::super::SEPARATOR;
use super::super::fields::Place;
use super::{CompressError, check_part};
use crate::digit::{decimal_value, split_digits};
use crate::range;

/// What stands for the values of lines that were joined.
const MERGED_CONTENT: &str = "MERGED_CONTENT";

/// Joins each run of VALUE or FORMULA lines that walks along a row or a column into one line.
pub fn compress_inputs<S: AsRef<str>>(lines: &[S]) -> Result<Vec<String>, CompressError> {
    let mut joined = Vec::with_capacity(lines.len());
    let mut pending: Option<Input> = None;
    for line in lines.iter().map(AsRef::as_ref) {
        let Some(input) = Input::read(line)? else {
            joined.extend(pending.take().map(|input| input.to_line()));
            joined.push(line.to_owned());
            continue;
        };
        let extended = pending
            .as_ref()
            .map(|held| held.extended_by(&input))
            .transpose()?
            .flatten();
        if extended.is_none() {
            joined.extend(pending.take().map(|input| input.to_line()));
        }
        pending = extended.or(Some(input));
    }
    joined.extend(pending.map(|input| input.to_line()));
    Ok(joined)
}

/// Spreads each VALUE or FORMULA line on a range into one line per cell, row by row.
///
/// The values are repeated as they are, not distributed.
pub fn uncompress_inputs<S: AsRef<str>>(lines: &[S]) -> Result<Vec<String>, CompressError> {
    let mut spread = Vec::with_capacity(lines.len());
    for line in lines.iter().map(AsRef::as_ref) {
        match Input::read(line)? {
            Some(input) if input.range.contains(':') => input.spread_into(&mut spread)?,
            _ => spread.push(line.to_owned()),
        }
    }
    Ok(spread)
}

/// A VALUE or FORMULA line, perhaps already extended.
struct Input<'line> {
    operation: &'line str,
    sheet: Option<&'line str>,
    range: String,
    rest: Vec<&'line str>,
}

impl<'line> Input<'line> {
    fn read(line: &'line str) -> Result<Option<Self>, CompressError> {
        let parts: Vec<&str> = line.split(SEPARATOR).collect();
        let Some(&operation @ ("VALUE" | "FORMULA")) = parts.first() else {
            return Ok(None);
        };
        let place = Place::split(check_part(&parts, 1, line)?);
        let rest = parts.iter().skip(2).copied().collect();
        Ok(Some(Self {
            operation,
            sheet: place.sheet,
            range: place.range.to_owned(),
            rest,
        }))
    }

    /// This line with `next` joined to it, if the two belong together.
    fn extended_by(&self, next: &Self) -> Result<Option<Self>, CompressError> {
        let sheets_match = self.sheet.unwrap_or_default() == next.sheet.unwrap_or_default();
        if self.operation != next.operation || !sheets_match || next.range.contains(':') {
            return Ok(None);
        }
        let cell = Cell::read(&next.range)?;
        let range = match self.range.split_once(':') {
            None => Cell::read(&self.range)?
                .precedes(cell)
                .then(|| format!("{}:{}", self.range, next.range)),
            Some((start_text, end_text)) => {
                let (start, end) = (Cell::read(start_text)?, Cell::read(end_text)?);
                let is_row = start.row == end.row;
                let is_column = start.column == end.column;
                if is_row && end.is_left_of(cell) || is_column && end.is_above(cell) {
                    Some(format!("{start_text}:{}", next.range))
                } else if is_row && cell.is_left_of(start) || is_column && cell.is_above(start) {
                    Some(format!("{}:{end_text}", next.range))
                } else {
                    None
                }
            }
        };
        Ok(range.map(|range| Self {
            operation: self.operation,
            sheet: self.sheet,
            range,
            rest: vec![MERGED_CONTENT],
        }))
    }

    fn spread_into(&self, lines: &mut Vec<String>) -> Result<(), CompressError> {
        let Some((start, end)) = self.range.split_once(':') else {
            return Ok(());
        };
        let (start, end) = (Cell::read(start)?, Cell::read(end)?);
        for row in start.row..=end.row {
            for column in start.column..=end.column {
                lines.push(self.to_line_on(&format!("{}{row}", column_name(column)?)));
            }
        }
        Ok(())
    }

    fn to_line(&self) -> String {
        self.to_line_on(&self.range)
    }

    fn to_line_on(&self, range: &str) -> String {
        let mut line = format!("{}{SEPARATOR}", self.operation);
        if let Some(sheet) = self.sheet {
            line.push_str(sheet);
            line.push('!');
        }
        line.push_str(range);
        for part in &self.rest {
            line.push_str(SEPARATOR);
            line.push_str(part);
        }
        line
    }
}

/// A cell by its numbers; those beyond 64 bits count as the largest one.
#[derive(Clone, Copy)]
struct Cell {
    row: u64,
    column: u64,
}

impl Cell {
    /// Reads letters and digits (spec 2.5); there is no `$`, and one trailing line feed is tolerated.
    fn read(text: &str) -> Result<Self, CompressError> {
        let body = text.strip_suffix('\n').unwrap_or(text);
        let (letters, digits) = body.split_at(body.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(body.len()));
        let (digits, rest) = split_digits(digits);
        if letters.is_empty() || digits.is_empty() || !rest.is_empty() {
            return Err(CompressError::BadCellAddress { text: text.to_owned() });
        }
        let append = |number: u64, base: u64, digit: u64| number.saturating_mul(base).saturating_add(digit);
        let column = range::column_number(letters).unsigned_abs();
        let row = digits
            .chars()
            .filter_map(decimal_value)
            .fold(0, |n, digit| append(n, 10, u64::from(digit)));
        Ok(Self { row, column })
    }

    fn precedes(self, next: Self) -> bool {
        self.is_left_of(next) || self.is_above(next)
    }

    fn is_left_of(self, next: Self) -> bool {
        self.row == next.row && self.column.checked_add(1) == Some(next.column)
    }

    fn is_above(self, next: Self) -> bool {
        self.column == next.column && self.row.checked_add(1) == Some(next.row)
    }
}

fn column_name(column: u64) -> Result<String, CompressError> {
    match i64::try_from(column) {
        Ok(number) if (1..=range::COLUMN_MAX).contains(&number) => Ok(range::column_name(number)),
        _ => Err(CompressError::BadColumn { column }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], expect: &[&str]) {
        assert_eq!(compress_inputs(lines).unwrap(), expect, "{lines:?}");
    }

    #[test]
    fn a_walk_along_a_row_or_column_is_joined() {
        check(
            &["VALUE | S!A1 | 1", "VALUE | S!B1 | 2"],
            &["VALUE | S!A1:B1 | MERGED_CONTENT"],
        );
        check(
            &["VALUE | A2 | 1", "VALUE | A3 | 2", "VALUE | A1 | 3"],
            &["VALUE | A1:A3 | MERGED_CONTENT"],
        );
        check(
            &["VALUE | A1:B1 | 1", "VALUE | c1 | 2"],
            &["VALUE | A1:c1 | MERGED_CONTENT"],
        );
    }

    #[test]
    fn other_lines_stay_apart() {
        check(
            &["VALUE | A2 | 1", "VALUE | A1 | 2"],
            &["VALUE | A2 | 1", "VALUE | A1 | 2"],
        );
        check(
            &["VALUE | A1 | 1", "FORMULA | B1 | 2"],
            &["VALUE | A1 | 1", "FORMULA | B1 | 2"],
        );
        check(
            &["VALUE | S!A1 | 1", "VALUE | B1 | 2"],
            &["VALUE | S!A1 | 1", "VALUE | B1 | 2"],
        );
        check(
            &["VALUE | A1:B2 | 1", "VALUE | C1 | 2"],
            &["VALUE | A1:B2 | 1", "VALUE | C1 | 2"],
        );
        check(
            &["VALUE | A1 | 1", "MERGE | A1", "VALUE | B1 | 2"],
            &["VALUE | A1 | 1", "MERGE | A1", "VALUE | B1 | 2"],
        );
    }

    #[test]
    fn cells_are_checked_only_when_compared() {
        check(
            &["VALUE | $A$1 | 1", "VALUE | S!B1 | 2"],
            &["VALUE | $A$1 | 1", "VALUE | S!B1 | 2"],
        );
        let got = compress_inputs(&["VALUE | $A$1 | 1", "VALUE | B1 | 2"]);
        assert_eq!(got.unwrap_err().code(), "bad_cell_address");
    }

    #[test]
    fn spreading_goes_row_by_row_under_plain_names() {
        let got = uncompress_inputs(&["VALUE | S!z01:aa2 | x | y", "INPUT | A1:B1 | 5", "VALUE | B2:A1 | x"]).unwrap();
        let expect = ["S!Z1", "S!AA1", "S!Z2", "S!AA2"].map(|cell| format!("VALUE | {cell} | x | y"));
        assert_eq!(got, [&expect[..], &["INPUT | A1:B1 | 5".to_owned()]].concat());
    }

    #[test]
    fn columns_past_the_last_name_are_refused() {
        let got = uncompress_inputs(&["VALUE | ZZZ1:AAAA1 | x"]);
        assert_eq!(got, Err(CompressError::BadColumn { column: 18_279 }));
        assert_eq!(column_name(18_278).as_deref(), Ok("ZZZ"));
        assert_eq!(column_name(703).as_deref(), Ok("AAA"));
        assert_eq!(column_name(52).as_deref(), Ok("AZ"));
    }
}
