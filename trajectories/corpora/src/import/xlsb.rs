//! `.xlsb` files, through calamine: values and formulas, without formats; merges by a look at the records.

mod merges;

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Reader, Xlsb, XlsbError};

use super::archive::Archive;
use super::assemble::{self, Budget, RawSheet};
use super::{ImportError, ImportOptions, ImportedWorkbook, binary, note};

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    let mut archive = Archive::open(bytes, &options.limits)?;
    // The library unpacks without limits, so everything is unpacked within them before.
    archive.check_all()?;
    let mut archive = Archive::open(bytes, &options.limits)?;
    let paths = merges::sheet_parts(&mut archive)?;
    let error = |error: XlsbError| match error {
        XlsbError::Password => ImportError::Encrypted,
        error => ImportError::damaged("the workbook", error),
    };
    let mut xlsb = Xlsb::new(Cursor::new(bytes)).map_err(error)?;
    let listed = xlsb.sheets_metadata().to_vec();
    let (mut sheets, mut notes) = (Vec::new(), Vec::new());
    note(&mut notes, "formats are not read from .xlsb files", 1);
    let mut budget = Budget::new(&options.limits);
    for sheet in &listed {
        if !binary::wants(sheet, options, &mut notes) {
            continue;
        }
        let mut raw = read_sheet(&mut xlsb, &sheet.name, &mut budget).map_err(|failure| match failure {
            Failure::Library(failure) => error(failure),
            Failure::Limit(failure) => failure,
        })?;
        if let Some((_, part)) = paths.iter().find(|(name, _)| *name == sheet.name) {
            raw.merges = merges::read(&mut archive, part)?;
        }
        match assemble::sheet(&sheet.name, raw, &[], &mut budget)? {
            Some(sheet) => sheets.push(sheet),
            None => note(&mut notes, "empty sheets skipped", 1),
        }
    }
    let names = binary::names(listed);
    Ok(ImportedWorkbook { sheets, names, notes })
}

/// Why a sheet is not read.
enum Failure {
    Library(XlsbError),
    Limit(ImportError),
}

fn read_sheet(xlsb: &mut Xlsb<Cursor<&[u8]>>, name: &str, budget: &mut Budget<'_>) -> Result<RawSheet, Failure> {
    let from_1904 = xlsb.has_1904_epoch();
    let mut cells = BTreeMap::new();
    let max = budget.limits.cells_max;
    let check = |n_cells: usize| {
        let limits = budget.limits;
        limits
            .check("cells with content or a format", n_cells as u64, max)
            .map_err(Failure::Limit)
    };
    let mut reader = xlsb.worksheet_cells_reader(name).map_err(Failure::Library)?;
    while let Some(cell) = reader.next_cell().map_err(Failure::Library)? {
        cells.insert(cell.get_position(), binary::value(cell.get_value(), from_1904));
        check(cells.len())?;
    }
    drop(reader);
    let mut reader = xlsb.worksheet_cells_reader(name).map_err(Failure::Library)?;
    let mut n_bytes = 0;
    while let Some(cell) = reader.next_formula().map_err(Failure::Library)? {
        n_bytes += cell.get_value().len() as u64;
        if let Some(value) = binary::formula(cell.get_value()) {
            cells.insert(cell.get_position(), value);
            check(cells.len())?;
        }
        let limits = budget.limits;
        limits
            .check("bytes of expanded texts", n_bytes, limits.text_bytes_max)
            .map_err(Failure::Limit)?;
    }
    let cells = cells
        .into_iter()
        .filter_map(|(at, value)| binary::cell(at, value))
        .collect();
    Ok(RawSheet {
        cells,
        ..RawSheet::default()
    })
}
