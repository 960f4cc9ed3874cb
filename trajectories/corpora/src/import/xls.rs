//! `.xls` files, through calamine: values, formulas and merges, without formats.

mod measure;

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader, Xls, XlsError};

use super::assemble::{self, Budget, RawSheet};
use super::ole::Ole;
use super::{ImportError, ImportOptions, ImportedWorkbook, binary, note};

/// Formulas can unfold into many times their size, so larger files are refused.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    options
        .limits
        .check("bytes in an .xls file", bytes.len() as u64, FILE_BYTES_MAX)?;
    let ole = Ole::open(bytes)?;
    let stream = match ole.stream("Workbook")? {
        Some(stream) => Some(stream),
        None => ole.stream("Book")?,
    };
    let stream = stream.ok_or_else(|| ImportError::damaged("the workbook stream", "it is missing"))?;
    measure::check(&stream, &options.limits)?;
    drop(stream);

    let mut xls = Xls::new(Cursor::new(bytes)).map_err(|error| match error {
        XlsError::Password => ImportError::Encrypted,
        error => ImportError::damaged("the workbook stream", error),
    })?;
    let from_1904 = xls.has_1904_epoch();
    let listed = xls.sheets_metadata().to_vec();
    let (mut sheets, mut notes) = (Vec::new(), Vec::new());
    note(&mut notes, "formats are not read from .xls files", 1);
    let mut budget = Budget::new(&options.limits);
    for sheet in &listed {
        if !binary::wants(sheet, options, &mut notes) {
            continue;
        }
        let raw = read_sheet(&mut xls, &sheet.name, from_1904)?;
        match assemble::sheet(&sheet.name, raw, &[], &mut budget)? {
            Some(sheet) => sheets.push(sheet),
            None => note(&mut notes, "empty sheets skipped", 1),
        }
    }
    let names = binary::names(listed);
    Ok(ImportedWorkbook { sheets, names, notes })
}

fn read_sheet(xls: &mut Xls<Cursor<&[u8]>>, name: &str, from_1904: bool) -> Result<RawSheet, ImportError> {
    let error = |error: XlsError| ImportError::damaged(&format!("sheet {name}"), error);
    let mut raw = RawSheet::default();
    let mut cells = BTreeMap::new();
    let range = xls.worksheet_range(name).map_err(error)?;
    let (row, col) = range.start().unwrap_or_default();
    for (down, right, data) in range.used_cells() {
        if let (Ok(down), Ok(right)) = (u32::try_from(down), u32::try_from(right)) {
            cells.insert((row + down, col + right), binary::value(&borrowed(data), from_1904));
        }
    }
    drop(range);
    let formulas = xls.worksheet_formula(name).map_err(error)?;
    let (row, col) = formulas.start().unwrap_or_default();
    for (down, right, text) in formulas.used_cells() {
        if text.starts_with("Unrecognised formula") {
            note(
                &mut raw.notes,
                "formulas that could not be read replaced by their results",
                1,
            );
            continue;
        }
        let value = binary::formula(text);
        if let (Ok(down), Ok(right), Some(value)) = (u32::try_from(down), u32::try_from(right), value) {
            cells.insert((row + down, col + right), value);
        }
    }
    raw.cells = cells
        .into_iter()
        .filter_map(|(at, value)| binary::cell(at, value))
        .collect();
    let merges = xls.merge_cells_by_sheet_name(name).unwrap_or_default();
    raw.merges = merges
        .iter()
        .map(|merge| binary::merge(merge.start, merge.end))
        .collect();
    Ok(raw)
}

fn borrowed(data: &Data) -> DataRef<'_> {
    match data {
        Data::Int(integer) => DataRef::Int(*integer),
        Data::Float(float) => DataRef::Float(*float),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(flag) => DataRef::Bool(*flag),
        Data::DateTime(moment) => DataRef::DateTime(*moment),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        _ => DataRef::Empty,
    }
}
