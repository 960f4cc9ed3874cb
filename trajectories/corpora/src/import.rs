//! Workbook files as sheet states.

use napsim_sim::state::Sheet;

/// A workbook as it was read from a file.
#[derive(Clone, Debug)]
pub struct ImportedWorkbook {
    /// The worksheets that were read, in the order of the workbook.
    pub sheets: Vec<ImportedSheet>,
    /// What was skipped or changed in the workbook as a whole.
    pub notes: Vec<Note>,
}

/// One worksheet as it was read from a file.
#[derive(Clone, Debug)]
pub struct ImportedSheet {
    /// The worksheet's name.
    pub name: String,
    /// Its cells in row-major order, and its merged ranges sorted by first row and column.
    pub sheet: Sheet,
    /// What was skipped or changed in it.
    pub notes: Vec<Note>,
}

/// Something in a file that the state does not hold as it was.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Note {
    /// What happened, as a fragment: `gradient fills skipped`.
    pub what: String,
    /// How many cells, sheets or objects it concerns.
    pub count: u64,
}
