//! Tables of comma-separated values for data frames and spreadsheets: one row a unit, and one row a prediction.
//!
//! Ratios are between 0 and 1, numbers are the shortest decimals that read back as the same value, and what is undefined
//! is empty. Rows are written as they come, so that memory does not grow with them.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula, and names of
//! trajectories and predictors come from other people. Such a text gets an apostrophe in front of it; so does one that
//! begins with apostrophes and then one of these, so that taking one apostrophe away gives every text back (see
//! [`restored`]). Numbers are written as they are.

mod cell;
mod prediction_table;
mod unit_table;

use std::io;

use crate::setup::RunSetup;

use cell::Cell;

pub use cell::restored;
pub use prediction_table::PredictionTable;
pub use unit_table::UnitTable;

/// A table that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("write the table of {table}: {reason}")]
pub struct CsvTableError {
    /// What its rows are: `units` or `predictions`.
    pub table: &'static str,
    /// What the system says.
    pub reason: io::Error,
}

/// What a row belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Name of the experiment; empty where there is none.
    pub experiment: &'a str,
    /// Name of the variant, or of the run.
    pub variant: &'a str,
    /// Id of the unit; empty where it has none.
    pub unit: &'a str,
    /// What was measured.
    pub setup: &'a RunSetup,
}

/// A table of `N` columns that is being written.
struct Rows<W: io::Write, const N: usize> {
    table: &'static str,
    out: csv::Writer<W>,
    /// The cell that is being written.
    text: String,
}

impl<W: io::Write, const N: usize> Rows<W, N> {
    /// Writes the names of the columns.
    fn begin(table: &'static str, columns: [&str; N], out: W) -> Result<Self, CsvTableError> {
        let mut rows = Self {
            table,
            out: csv::Writer::from_writer(out),
            text: String::new(),
        };
        rows.out.write_record(columns).map_err(|error| rows.failed(error))?;
        Ok(rows)
    }

    fn add(&mut self, cells: [Cell<'_>; N]) -> Result<(), CsvTableError> {
        for cell in cells {
            self.text.clear();
            cell.write(&mut self.text);
            self.out.write_field(&self.text).map_err(|error| self.failed(error))?;
        }
        self.out.write_record(None::<&[u8]>).map_err(|error| self.failed(error))
    }

    fn finish(mut self) -> Result<(), CsvTableError> {
        self.out.flush().map_err(|reason| CsvTableError {
            table: self.table,
            reason,
        })
    }

    fn failed(&self, error: csv::Error) -> CsvTableError {
        CsvTableError {
            table: self.table,
            reason: error.into(),
        }
    }
}
