//! What a caller may ask of an import.

use super::ImportError;

/// What is read, and how much of it at most.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The sheets to read, by name; none for every visible one. Names that the workbook lacks are passed over.
    pub sheets: Option<Vec<String>>,
    /// How much is read before the file is refused.
    pub limits: Limits,
}

impl ImportOptions {
    /// Whether a sheet is to be read, given whether it is visible.
    pub(super) fn wants(&self, name: &str, visible: bool) -> bool {
        match &self.sheets {
            Some(names) => names.iter().any(|wanted| wanted == name),
            None => visible,
        }
    }
}

/// Bounds on the work and memory that one file may cost. Beyond them a file is refused, unless said otherwise.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of the file itself.
    pub file_bytes_max: u64,
    /// Entries of a zip archive.
    pub entries_max: u64,
    /// Unpacked bytes of one part of an archive.
    pub part_bytes_max: u64,
    /// Unpacked bytes of all parts that are read.
    pub unpacked_bytes_max: u64,
    /// Unpacked bytes per packed byte; small parts may exceed it.
    pub ratio_max: u64,
    /// Cells of the whole workbook that hold content or a format.
    pub cells_max: u64,
    /// Values and format properties of all cells together, which is what memory goes by.
    pub properties_max: u64,
    /// Entries of the list of texts that cells share.
    pub strings_max: u64,
    /// Bytes of all texts and formulas that are built from shared ones.
    pub text_bytes_max: u64,
    /// Merged ranges of one sheet.
    pub merges_max: u64,
    /// Cells over which an array formula is written out; longer ranges keep it in the first cell, with a note.
    pub array_cells_max: u64,
    /// Formatted blank cells are kept up to so many rows below the last content or merge of a sheet.
    pub blank_rows_max: u32,
    /// Formatted blank cells are kept up to so many columns right of the last content or merge of a sheet.
    pub blank_cols_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes_max: 64 << 20,
            entries_max: 10_000,
            part_bytes_max: 64 << 20,
            unpacked_bytes_max: 256 << 20,
            ratio_max: 250,
            cells_max: 1_000_000,
            properties_max: 4_000_000,
            strings_max: 1_500_000,
            text_bytes_max: 64 << 20,
            merges_max: 200_000,
            array_cells_max: 10_000,
            blank_rows_max: 100,
            blank_cols_max: 26,
        }
    }
}

impl Limits {
    /// Refuses a count beyond its limit.
    pub(super) fn check(&self, what: &'static str, found: u64, limit: u64) -> Result<(), ImportError> {
        if found > limit {
            return Err(ImportError::TooLarge { what, limit });
        }
        Ok(())
    }
}
