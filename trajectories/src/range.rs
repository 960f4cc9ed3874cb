//! Cell ranges (spec chapter 01, section 2): kept verbatim, with bounds and expansion beside the text.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::digit;

/// The sheet that a range without a sheet name means.
pub const DEFAULT_SHEET: &str = "Sheet1";

/// The last column that three letters can name (`ZZZ`).
pub const COLUMN_MAX: i64 = 18_278;

/// The largest row number read; far beyond any sheet, small enough that sums of rows never overflow.
pub const ROW_MAX: i64 = 999_999_999_999;

/// Why a text is not a range, or a range has no cells to walk over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    /// The text does not have the form of a range.
    #[error("not a range such as A1 or B2:C9")]
    Malformed,
    /// The text names whole rows or columns, which the notation does not support.
    #[error("an incomplete range: whole rows and columns are not supported")]
    Incomplete,
    /// The range cannot be expanded into cells because an address is not letters followed by digits.
    #[error("an address that cannot be walked over (for example one with $)")]
    BadCellAddress,
    /// A column outside `A`..`ZZZ`.
    #[error("a column beyond ZZZ")]
    BadColumn,
}

impl RangeError {
    /// The neutral error code of spec chapter 01, section 12.
    pub fn code(self) -> &'static str {
        match self {
            Self::Malformed => "bad_range",
            Self::Incomplete => "incomplete_range",
            Self::BadCellAddress => "bad_cell_address",
            Self::BadColumn => "bad_column",
        }
    }
}

/// One cell of a sheet, 1-based; row 0 can be written and is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellAddress {
    /// Row number.
    pub row: i64,
    /// Column number, 1 for `A`.
    pub col: i64,
}

impl CellAddress {
    /// The cell at a row and a column.
    pub fn new(row: i64, col: i64) -> Self {
        Self { row, col }
    }

    /// Reads a *normalised* address: upper-case letters, then digits without leading zeros.
    ///
    /// Returns `None` for every other spelling, since those name other cells (spec 6.1).
    pub fn from_normalised(text: &str) -> Option<Self> {
        let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
        let (column, row) = text.split_at(letters);
        let plain = !row.is_empty() && row.bytes().all(|b| b.is_ascii_digit()) && (row == "0" || !row.starts_with('0'));
        if !plain || !(1..=3).contains(&letters) {
            return None;
        }
        let row = row.parse::<i64>().ok().filter(|row| *row <= ROW_MAX)?;
        Some(Self {
            row,
            col: column_number(column),
        })
    }
}

impl fmt::Display for CellAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letters, start) = column_letters(self.col);
        let letters = letters.get(start..).unwrap_or_default();
        for letter in letters {
            fmt::Write::write_char(f, char::from(*letter))?;
        }
        write!(f, "{}", self.row)
    }
}

/// Letters of a column in the tail of a fixed array, with the index where they begin.
fn column_letters(col: i64) -> ([u8; 14], usize) {
    let mut letters = [b'A'; 14];
    let mut rest = col.max(1);
    let mut start = letters.len();
    while rest > 0 && start > 0 {
        start -= 1;
        if let Some(slot) = letters.get_mut(start) {
            *slot = b'A' + u8::try_from((rest - 1) % 26).unwrap_or(0);
        }
        rest = (rest - 1) / 26;
    }
    (letters, start)
}

/// The number of a column given by ASCII letters of either case; beyond `i64` it stays at the largest.
pub fn column_number(letters: &str) -> i64 {
    letters.bytes().fold(0, |number: i64, letter| {
        let letter = i64::from(letter.to_ascii_uppercase().saturating_sub(b'A')) + 1;
        number.saturating_mul(26).saturating_add(letter)
    })
}

/// The name of a column: `A` for 1; anything below 1 prints `A`.
pub fn column_name(col: i64) -> String {
    let (letters, start) = column_letters(col);
    letters
        .get(start..)
        .unwrap_or_default()
        .iter()
        .map(|letter| char::from(*letter))
        .collect()
}

/// First and last row and column in the order written; not sorted, so a reversed range has a size of 0 or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bounds {
    /// First row as written.
    pub first_row: i64,
    /// First column as written.
    pub first_col: i64,
    /// Last row as written.
    pub last_row: i64,
    /// Last column as written.
    pub last_col: i64,
}

impl Bounds {
    /// The bounds of one cell.
    pub fn of_cell(cell: CellAddress) -> Self {
        Self {
            first_row: cell.row,
            first_col: cell.col,
            last_row: cell.row,
            last_col: cell.col,
        }
    }

    /// Rows, zero or negative for a reversed range.
    pub fn height(&self) -> i64 {
        self.last_row - self.first_row + 1
    }

    /// Columns, zero or negative for a reversed range.
    pub fn width(&self) -> i64 {
        self.last_col - self.first_col + 1
    }

    /// The first cell as written.
    pub fn first_cell(&self) -> CellAddress {
        CellAddress::new(self.first_row, self.first_col)
    }

    /// How many cells a walk visits: none when reversed along either axis.
    pub fn n_cells(&self) -> u64 {
        let side = |length: i64| u64::try_from(length).unwrap_or(0);
        side(self.height()).saturating_mul(side(self.width()))
    }

    /// Whether all four bounds of `inner` lie within these.
    pub fn contains(&self, inner: &Bounds) -> bool {
        self.first_row <= inner.first_row
            && inner.last_row <= self.last_row
            && self.first_col <= inner.first_col
            && inner.last_col <= self.last_col
    }

    /// Whether the two boxes share a cell; reversed corners are not swapped (spec 02, 1.3).
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.first_row <= other.last_row
            && other.first_row <= self.last_row
            && self.first_col <= other.last_col
            && other.first_col <= self.last_col
    }

    /// Whether a cell lies within.
    pub fn contains_cell(&self, cell: CellAddress) -> bool {
        self.contains(&Bounds::of_cell(cell))
    }

    /// The cells row by row, left to right; none when reversed.
    pub fn cells(&self) -> impl Iterator<Item = CellAddress> + use<> {
        let cols = self.first_col..=self.last_col;
        (self.first_row..=self.last_row).flat_map(move |row| cols.clone().map(move |col| CellAddress { row, col }))
    }
}

impl fmt::Display for Bounds {
    /// `A1` for one cell, `A1:C4` otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first_cell())?;
        if self.height() != 1 || self.width() != 1 {
            write!(f, ":{}", CellAddress::new(self.last_row, self.last_col))?;
        }
        Ok(())
    }
}

/// A sheet name and a range text, both kept verbatim; equality is on the two texts.
#[derive(Clone, Debug)]
pub struct Range {
    sheet: Arc<str>,
    /// The text as written; that of a range made from bounds is written when somebody asks for it.
    text: OnceLock<Arc<str>>,
    bounds: Bounds,
    expandable: bool,
}

impl Range {
    /// Reads `sheet!range`, split at the first `!`; without one the sheet is [`DEFAULT_SHEET`] (spec 2.2).
    ///
    /// # Errors
    /// [`RangeError::Malformed`] or [`RangeError::Incomplete`] when the range part is not accepted.
    pub fn parse(text: &str) -> Result<Self, RangeError> {
        let (sheet, range) = text.split_once('!').unwrap_or((DEFAULT_SHEET, text));
        Self::new(sheet, range)
    }

    /// A range from its sheet name and its range text.
    ///
    /// # Errors
    /// [`RangeError::Malformed`] or [`RangeError::Incomplete`] when the text is not accepted (spec 2.3).
    pub fn new(sheet: &str, text: &str) -> Result<Self, RangeError> {
        let (bounds, expandable) = read_bounds(text)?;
        Ok(Self {
            sheet: sheet.into(),
            text: OnceLock::from(Arc::from(text)),
            bounds,
            expandable,
        })
    }

    /// The range of the given bounds in normalised spelling.
    pub fn from_bounds(sheet: Arc<str>, bounds: Bounds) -> Self {
        Self {
            sheet,
            text: OnceLock::new(),
            bounds,
            expandable: true,
        }
    }

    /// The range of one cell in normalised spelling.
    pub fn of_cell(sheet: Arc<str>, cell: CellAddress) -> Self {
        Self::from_bounds(sheet, Bounds::of_cell(cell))
    }

    /// The sheet name, quotes included if it was written with any.
    pub fn sheet(&self) -> &Arc<str> {
        &self.sheet
    }

    /// The range text as written.
    pub fn text(&self) -> &Arc<str> {
        self.text.get_or_init(|| self.bounds.to_string().into())
    }

    /// First and last row and column as written.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Whether the range is one row high and one column wide.
    pub fn is_single_cell(&self) -> bool {
        self.bounds.height() == 1 && self.bounds.width() == 1
    }

    /// The bounds for walking over the cells: the stricter reader of spec 2.5.
    ///
    /// # Errors
    /// [`RangeError::BadCellAddress`] when an address holds a `$`.
    pub fn walk(&self) -> Result<Bounds, RangeError> {
        if self.expandable {
            Ok(self.bounds)
        } else {
            Err(RangeError::BadCellAddress)
        }
    }
}

impl PartialEq for Range {
    fn eq(&self, other: &Self) -> bool {
        self.sheet == other.sheet && self.text() == other.text()
    }
}

impl Eq for Range {}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!{}", self.sheet, self.text())
    }
}

/// One corner of a range text: column and row where present, and whether it is letters and digits alone.
struct Corner {
    col: Option<i64>,
    row: Option<i64>,
    plain: bool,
}

/// Bounds of a range text, and whether the stricter cell reader accepts it too (spec 2.3, 2.5).
fn read_bounds(text: &str) -> Result<(Bounds, bool), RangeError> {
    // One trailing line feed is tolerated by the published system and kept in the text.
    let body = text.strip_suffix('\n').unwrap_or(text);
    let (first, last) = match body.split_once(':') {
        Some((first, last)) => (read_corner(first)?, Some(read_corner(last)?)),
        None => (read_corner(body)?, None),
    };
    if let Some(last) = &last {
        let columns = first.col.is_some() == last.col.is_some();
        let rows = first.row.is_some() == last.row.is_some();
        if !(columns && rows) || (first.col.is_none() && first.row.is_none()) {
            return Err(RangeError::Malformed);
        }
    }
    let plain = first.plain && last.as_ref().is_none_or(|last| last.plain);
    let last = last.as_ref().unwrap_or(&first);
    match (first.row, first.col, last.row, last.col) {
        (Some(first_row), Some(first_col), Some(last_row), Some(last_col)) => Ok((
            Bounds {
                first_row,
                first_col,
                last_row,
                last_col,
            },
            plain,
        )),
        _ => Err(RangeError::Incomplete),
    }
}

fn read_corner(text: &str) -> Result<Corner, RangeError> {
    let (rest, dollar_col) = strip_dollar(text);
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters > 3 {
        return Err(RangeError::Malformed);
    }
    let (column, rest) = rest.split_at(letters);
    let (digits, dollar_row) = strip_dollar(rest);
    let col = (letters > 0).then(|| column_number(column));
    let row = if digits.is_empty() {
        None
    } else {
        Some(read_row(digits).ok_or(RangeError::Malformed)?)
    };
    Ok(Corner {
        col,
        row,
        plain: !dollar_col && !dollar_row,
    })
}

fn strip_dollar(text: &str) -> (&str, bool) {
    text.strip_prefix('$').map_or((text, false), |rest| (rest, true))
}

/// A row number in any decimal digits of Unicode, at most [`ROW_MAX`].
fn read_row(digits: &str) -> Option<i64> {
    let mut row: i64 = 0;
    for digit in digits.chars() {
        row = row
            .checked_mul(10)?
            .checked_add(i64::from(digit::decimal_value(digit)?))?;
    }
    (row <= ROW_MAX).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Result<(i64, i64, i64, i64), RangeError>) {
        let got = Range::parse(text).map(|range| {
            let b = range.bounds();
            (b.first_row, b.first_col, b.last_row, b.last_col)
        });
        assert_eq!(got, expect, "{text:?}");
    }

    #[test]
    fn accepts_what_the_notation_accepts() {
        check("A1", Ok((1, 1, 1, 1)));
        check("Sheet1!b2:D3", Ok((2, 2, 3, 4)));
        check("$A$1:ZZZ99999999", Ok((1, 1, 99_999_999, 18_278)));
        check("B2:A1", Ok((2, 2, 1, 1)));
        check("A1:", Err(RangeError::Malformed));
        check("A:C", Err(RangeError::Incomplete));
        check("", Err(RangeError::Incomplete));
        check("AAAA1", Err(RangeError::Malformed));
        check("A99999999999999999999999", Err(RangeError::Malformed));
    }

    #[test]
    fn dollars_cannot_be_walked_over() {
        assert_eq!(Range::parse("$A$1").unwrap().walk(), Err(RangeError::BadCellAddress));
        assert_eq!(Range::parse("A1:B2").unwrap().walk().unwrap().n_cells(), 4);
        assert_eq!(Range::parse("B2:A1").unwrap().walk().unwrap().n_cells(), 0);
    }

    #[test]
    fn names_columns() {
        for (col, name) in [
            (1, "A"),
            (26, "Z"),
            (27, "AA"),
            (702, "ZZ"),
            (703, "AAA"),
            (18_278, "ZZZ"),
            (0, "A"),
        ] {
            assert_eq!(column_name(col), name);
        }
        assert_eq!(CellAddress::from_normalised("AB12"), Some(CellAddress::new(12, 28)));
        assert_eq!(CellAddress::from_normalised("A01"), None);
        assert_eq!(CellAddress::from_normalised("a1"), None);
    }
}
