//! Sheet states as styled workbook files.
//!
//! A file holds content, number formats, fonts, solid fills, alignment, borders and merges; reading it back with
//! [`crate::import`] gives the same state but for what [`round_trip_difference`] leaves out and the notes list. Texts of
//! dates and times become real dates and times where the cell's number format shows them as such and reading them
//! back gives the same text; elsewhere they stay texts. Columns are given the widths that their content seems to need,
//! which no state holds. Equal states give equal bytes.

mod content;
mod difference;
mod style;
mod widths;

use std::io::Write;
use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Cells, Sheet, Workbook};
use napsim_trajectories::{Bounds, CellAddress};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};

pub use difference::round_trip_difference;

use crate::import::merges::tidy;
use crate::import::{Note, note};
use difference::Merged;
use style::Styles;

/// How a workbook file is written.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// Whether columns are made as wide as their content seems to need.
    pub column_widths: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { column_widths: true }
    }
}

/// Why a workbook file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The file's content cannot be put together.
    #[error("put together the workbook: {0}")]
    Assemble(#[from] XlsxError),
    /// The content cannot be written.
    #[error("write the workbook: {0}")]
    Write(#[from] std::io::Error),
}

/// Writes a state as an `.xlsx` file; the notes list what the file does not hold.
///
/// # Errors
/// [`ExportError`] when the writer fails. What a file cannot hold is no error.
pub fn write_xlsx(
    workbook: &Workbook,
    writer: &mut dyn Write,
    options: &ExportOptions,
) -> Result<Vec<Note>, ExportError> {
    let mut notes = Vec::new();
    let mut file = rust_xlsxwriter::Workbook::new();
    // A fixed date of creation keeps equal states equal byte by byte.
    file.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2024, 1, 1)?));
    let mut names: Vec<String> = Vec::new();
    for (name, sheet) in workbook.sheets() {
        let name = sheet_name(name, &names, &mut notes);
        let target = file.add_worksheet();
        target.set_name(&name)?;
        names.push(name);
        write_sheet(target, sheet, options, &mut notes)?;
    }
    if names.is_empty() {
        file.add_worksheet();
        note(&mut notes, "empty sheets added, as a file needs one", 1);
    }
    note(
        &mut notes,
        "workbook properties of unknown kinds skipped",
        workbook.extra.len() as u64,
    );
    writer.write_all(&file.save_to_buffer()?)?;
    Ok(notes)
}

/// The most characters that Excel allows in the name of a sheet.
const NAME_CHARS_MAX: usize = 31;

/// A name that a file can hold and no earlier sheet has, as close to the given one as possible.
fn sheet_name(name: &str, taken: &[String], notes: &mut Vec<Note>) -> String {
    let allowed = |c: char| {
        if "[]:*?/\\".contains(c) || c.is_control() {
            '_'
        } else {
            c
        }
    };
    let plain: String = name.trim_matches('\'').chars().map(allowed).collect();
    let cut = |text: &str, length: usize| {
        let mut n_units = 0;
        let fits = |c: &char| {
            n_units += c.len_utf16();
            n_units <= length
        };
        text.chars().take_while(fits).collect::<String>()
    };
    let mut chosen = cut(if plain.is_empty() { "Sheet" } else { &plain }, NAME_CHARS_MAX);
    let is_taken = |name: &str| taken.iter().any(|other| other.to_lowercase() == name.to_lowercase());
    let mut number = 2;
    while is_taken(&chosen) || chosen.eq_ignore_ascii_case("history") {
        let end = format!(" ({number})");
        chosen = cut(&plain, NAME_CHARS_MAX - end.len()) + &end;
        number += 1;
    }
    note(
        notes,
        "sheets renamed, as their names are not allowed",
        u64::from(chosen != name),
    );
    chosen
}

/// The row and column of a cell in a file, which counts from zero.
fn position(address: CellAddress) -> Option<(u32, u16)> {
    let row = u32::try_from(address.row - 1).ok().filter(|row| *row < 1_048_576)?;
    let col = u16::try_from(address.col - 1).ok().filter(|col| *col < 16_384)?;
    Some((row, col))
}

fn write_sheet(
    target: &mut Worksheet,
    sheet: &Sheet,
    options: &ExportOptions,
    notes: &mut Vec<Note>,
) -> Result<(), ExportError> {
    let merges = write_merges(target, sheet.merges(), notes)?;
    let mut merged = Merged::of(&merges);
    let (mut styles, mut widths) = (Styles::default(), widths::Widths::default());
    for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
        let Some(at) = key.address().and_then(position) else {
            note(notes, "cells under other names than addresses of a sheet skipped", 1);
            continue;
        };
        let format = styles.of(cell, notes);
        let merge = merged.covering(key);
        let is_hidden = merge.is_some_and(|merge| CellKey::Address(merge.first_cell()) != *key);
        write_cell(target, at, cell, &format, is_hidden, notes)?;
        let spans = merge.is_some_and(|merge| merge.width() > 1);
        if !is_hidden && !spans {
            widths.measure(at.1, cell);
        }
    }
    if options.column_widths {
        for (col, width) in widths.of_columns() {
            target.set_column_width(col, width)?;
        }
    }
    let unknown = sheet.extra.len() + sheet.extra_properties.len();
    note(notes, "sheet properties of unknown kinds skipped", unknown as u64);
    Ok(())
}

/// Writes the merges that a file can hold, without any cell; those that were written come back, sorted.
fn write_merges(target: &mut Worksheet, merges: &[Bounds], notes: &mut Vec<Note>) -> Result<Vec<Bounds>, ExportError> {
    /// More merged cells would cost more memory than any sheet is worth.
    const CELLS_MAX: u64 = 1_000_000;
    let plain = Format::new();
    let upright = |merge: &Bounds| merge.n_cells() > 0;
    let (merges, n_dropped) = tidy(merges.iter().copied().filter(upright).collect());
    note(notes, "overlapping or single-cell merges skipped", n_dropped);
    let mut written: Vec<Bounds> = Vec::new();
    let mut n_cells = 0;
    for merge in merges {
        let corners = position(merge.first_cell()).zip(position(CellAddress::new(merge.last_row, merge.last_col)));
        let fits = n_cells + merge.n_cells() <= CELLS_MAX;
        let Some(((first_row, first_col), (last_row, last_col))) = corners.filter(|_| fits) else {
            note(notes, "merges outside the sheet or too large skipped", 1);
            continue;
        };
        n_cells += merge.n_cells();
        target.merge_range(first_row, first_col, last_row, last_col, "", &plain)?;
        written.push(merge);
    }
    // The library fills merged ranges with blank cells, which the state may not have.
    for (row, col) in written.iter().flat_map(Bounds::cells).filter_map(position) {
        target.clear_cell(row, col);
    }
    Ok(written)
}

fn write_cell(
    target: &mut Worksheet,
    (row, col): (u32, u16),
    cell: &Cell,
    format: &Arc<style::Style>,
    is_hidden: bool,
    notes: &mut Vec<Note>,
) -> Result<(), ExportError> {
    let content = difference::content(cell);
    if is_hidden && content.is_some() {
        note(notes, "values hidden by merges skipped", 1);
    }
    let written = content
        .filter(|_| !is_hidden)
        .map(|value| content::written(value, format.shown, notes));
    match written {
        Some(written) => content::write(target, (row, col), written, &format.format)?,
        None if format.is_default => {}
        None => {
            target.write_blank(row, col, &format.format)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
