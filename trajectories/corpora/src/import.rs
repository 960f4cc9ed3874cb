//! Workbook files as sheet states.
//!
//! The content decides how a file is read, never its name. What becomes of a workbook's cells is described by spec
//! chapter 04, section 1, with its reference's mistakes left out: theme colours come in Excel's order with Excel's
//! tint, black is black, border words ignore case.
//!
//! - `.xlsx` and `.xlsm` are read part by part from the zip archive: calamine's model of them loses what a state needs
//!   (array formulas over their range, the Normal style, theme colours and tints exactly, fills that are not solid,
//!   ISO dates, the texts of built-in number formats) and grows with the largest row and column rather than with the
//!   cells. It still expands shared formulas.
//! - `.xlsb` and `.xls` are read by calamine: values, formulas and merged ranges, without formats. Before that the
//!   files are measured, because calamine lays an `.xls` sheet out as a full grid.
//! - `.ods` is read part by part too: values, formulas in Excel's notation, and merged ranges, without formats;
//!   calamine unrolls repeated rows and columns.
//!
//! An array formula stands in every cell of its range (up to [`Limits::array_cells_max`], else in the first alone),
//! since the actions know no array formulas. Results stored beside formulas are ignored. Formula texts are kept as the
//! file spells them, prefixes such as `_xlfn.` included.

mod archive;
mod assemble;
mod binary;
pub(crate) mod clock;
mod error;
mod links;
pub(crate) mod merges;
pub(crate) mod number_format;
mod ods;
mod ole;
mod options;
mod reference;
mod sniff;
mod xls;
mod xlsb;
mod xlsx;
mod xml;

use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use napsim_sim::state::{Sheet, Workbook};

pub use error::ImportError;
pub use options::{ImportOptions, Limits};
use sniff::Format;

/// A workbook as it was read from a file.
#[derive(Clone, Debug)]
pub struct ImportedWorkbook {
    /// The worksheets that were read, in the order of the workbook.
    pub sheets: Vec<ImportedSheet>,
    /// The names of all sheets that the workbook lists, in its order, whatever became of them.
    pub names: Vec<String>,
    /// What was skipped or changed in the workbook as a whole.
    pub notes: Vec<Note>,
}

impl ImportedWorkbook {
    /// The workbook as a state.
    pub fn state(&self) -> Workbook {
        let mut workbook = Workbook::default();
        for imported in &self.sheets {
            workbook.push_sheet(imported.name.as_str().into(), imported.sheet.clone());
        }
        workbook
    }
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

/// Adds to the note of that wording, made at the end if it is new; a count of nothing is no note.
pub(crate) fn note(notes: &mut Vec<Note>, what: &str, count: u64) {
    if count == 0 {
        return;
    }
    match notes.iter_mut().find(|note| note.what == what) {
        Some(note) => note.count += count,
        None => notes.push(Note {
            what: what.to_owned(),
            count,
        }),
    }
}

/// Reads a workbook file.
///
/// A workbook under a wrong extension is read with a note. Hidden sheets are left out unless
/// [`ImportOptions::sheets`] names them, empty sheets always.
///
/// # Errors
/// [`ImportError`] when the file cannot be read, is no workbook, is of a kind that is not supported, is encrypted or
/// damaged, or exceeds a limit. No panic escapes: one in a reading library becomes [`ImportError::Damaged`].
pub fn import(path: &Path, options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    let unreadable = |source| ImportError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(unreadable)?;
    let max = options.limits.file_bytes_max;
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let (mut workbook, format) = import_content(&bytes, options)?;
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase());
    if let Some(extension) = extension.filter(|extension| !format.has_extension(extension)) {
        let what = format!("read as {}, though the name ends in .{extension}", format.name());
        note(&mut workbook.notes, &what, 1);
    }
    Ok(workbook)
}

/// Reads a workbook from the content of its file.
///
/// # Errors
/// As [`import`].
pub fn import_bytes(bytes: &[u8], options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    import_content(bytes, options).map(|(workbook, _)| workbook)
}

fn import_content(bytes: &[u8], options: &ImportOptions) -> Result<(ImportedWorkbook, Format), ImportError> {
    let limits = &options.limits;
    limits.check("bytes in the file", bytes.len() as u64, limits.file_bytes_max)?;
    // The readers are given nothing but bytes and hand back nothing but a result, so a panic leaves nothing half done.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let format = sniff::format(bytes, limits)?;
        let workbook = match format {
            Format::Xlsx => xlsx::read(bytes, options),
            Format::Xlsb => xlsb::read(bytes, options),
            Format::Xls => xls::read(bytes, options),
            Format::Ods => ods::read(bytes, options),
        }?;
        Ok((workbook, format))
    }));
    outcome.unwrap_or_else(|_| {
        Err(ImportError::Damaged {
            part: "the file".to_owned(),
            reason: "a reader gave up on it".to_owned(),
        })
    })
}

#[cfg(test)]
mod tests;
