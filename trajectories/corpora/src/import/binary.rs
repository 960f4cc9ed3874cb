//! What the two binary formats share.

use std::sync::Arc;

use calamine::{DataRef, DataType, SheetType, SheetVisible};
use napsim_trajectories::{Bounds, Value};

use super::assemble::{self, RawCell};
use super::clock;
use super::number_format::Shown;
use super::reference::{COL_MAX, ROW_MAX};
use super::{ImportOptions, Note, note};

/// Whether a sheet is read; if not, the notes say why.
pub(super) fn wants(sheet: &calamine::Sheet, options: &ImportOptions, notes: &mut Vec<Note>) -> bool {
    let what = match sheet.typ {
        SheetType::WorkSheet => {
            let visible = sheet.visible == SheetVisible::Visible;
            if options.wants(&sheet.name, visible) {
                return true;
            }
            if visible {
                "sheets not asked for skipped"
            } else {
                "hidden sheets skipped"
            }
        }
        SheetType::ChartSheet => "chart sheets skipped",
        SheetType::DialogSheet => "dialog sheets skipped",
        SheetType::MacroSheet => "macro sheets skipped",
        SheetType::Vba => "macros skipped",
    };
    note(notes, what, 1);
    false
}

/// The names of all sheets, in the order of the workbook.
pub(super) fn names(sheets: Vec<calamine::Sheet>) -> Vec<String> {
    sheets.into_iter().map(|sheet| sheet.name).collect()
}

/// A value as a state holds it.
pub(super) fn value(data: &DataRef<'_>, from_1904: bool) -> Value {
    match data {
        DataRef::Empty => Value::Null,
        DataRef::Int(integer) => Value::Int(*integer),
        DataRef::Float(float) => assemble::number(*float),
        DataRef::Bool(flag) => Value::Bool(*flag),
        DataRef::String(text) => assemble::text(text.as_str()),
        DataRef::SharedString(text) => assemble::text(*text),
        DataRef::Error(error) => assemble::text(error.to_string()),
        DataRef::DateTimeIso(text) => assemble::text(clock::iso_text(text)),
        DataRef::DurationIso(text) => assemble::text(clock::iso_duration_text(text)),
        DataRef::DateTime(moment) => {
            let shown = if moment.is_duration() {
                Shown::Elapsed
            } else {
                Shown::Date
            };
            let serial = data
                .get_datetime()
                .map_or_else(|| moment.as_f64(), |moment| moment.as_f64());
            clock::serial_text(serial, shown, from_1904).map_or_else(|| assemble::number(serial), Value::text)
        }
    }
}

/// A cell at a position that counts from zero; none outside Excel's grid.
pub(super) fn cell((row, col): (u32, u32), value: Value) -> Option<RawCell> {
    let (row, col) = (row.checked_add(1)?, col.checked_add(1)?);
    (row <= ROW_MAX && col <= COL_MAX).then_some(RawCell {
        row,
        col,
        style: 0,
        value,
    })
}

/// A formula's text with its sign.
pub(super) fn formula(text: &str) -> Option<Value> {
    let text = text.trim();
    (!text.is_empty()).then(|| Value::Text(Arc::from(format!("={}", text.trim_start_matches('=')))))
}

/// A merged range given by first and last position, which count from zero.
pub(super) fn merge(first: (u32, u32), last: (u32, u32)) -> Bounds {
    Bounds {
        first_row: i64::from(first.0) + 1,
        first_col: i64::from(first.1) + 1,
        last_row: i64::from(last.0) + 1,
        last_col: i64::from(last.1) + 1,
    }
}
