//! Tables for other programs.

use serde::Serialize;

/// A table: a header and rows of as many cells. Texts that a spreadsheet could take for a formula begin with an
/// apostrophe, as in the tables of `napsim export csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CsvRows {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A table cannot be written, which would be a mistake in the program.
#[derive(Debug, thiserror::Error)]
#[error("write a table as CSV")]
pub struct CsvRowsError(#[from] csv::Error);

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell(String);

impl CsvRows {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self {
            header: header.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn push<const N: usize>(&mut self, cells: [Cell; N]) {
        self.rows.push(cells.into_iter().map(|cell| cell.0).collect());
    }

    /// Texts of anybody's making as the cells of a row.
    pub fn cells(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| Cell::from(*text).0).collect()
    }

    /// The same table with one more column in front, which has the same text in every row.
    #[must_use]
    pub fn under(mut self, column: &str, text: &str) -> Self {
        self.header.insert(0, column.to_owned());
        for row in &mut self.rows {
            row.insert(0, Cell::from(text).0);
        }
        self
    }

    /// The table as text: lines that end in a line feed, cells between commas, in quotes where needed.
    ///
    /// # Errors
    /// Rows that are not as long as the header, which no function here makes.
    pub fn to_text(&self) -> Result<String, CsvRowsError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.header)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl From<&str> for Cell {
    /// A text of anybody's making.
    fn from(text: &str) -> Self {
        let is_formula = text
            .trim_start_matches('\'')
            .starts_with(['=', '+', '-', '@', '\t', '\r']);
        Self(if is_formula {
            format!("'{text}")
        } else {
            text.to_owned()
        })
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self(count.to_string())
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Self(count.to_string())
    }
}

impl From<i64> for Cell {
    fn from(difference: i64) -> Self {
        Self(difference.to_string())
    }
}

impl From<f64> for Cell {
    fn from(ratio: f64) -> Self {
        Self(if ratio.is_finite() {
            ratio.to_string()
        } else {
            String::new()
        })
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    /// Nothing is an empty cell.
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self(String::new()), Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_formulas_and_numbers_stay_numbers() {
        let mut rows = CsvRows::new(&["text", "number"]);
        for (text, number) in [("=1+1", 1.5), ("a,\"b\"", -0.25), ("'@x", f64::NAN), ("\t", 1e-7)] {
            rows.push([text.into(), number.into()]);
        }
        rows.push(["-3".into(), (-3_i64).into()]);
        rows.push(["x".into(), None::<f64>.into()]);
        assert_eq!(
            rows.to_text().unwrap(),
            "text,number\n'=1+1,1.5\n\"a,\"\"b\"\"\",-0.25\n''@x,\n'\t,0.0000001\n'-3,-3\nx,\n"
        );
    }
}
