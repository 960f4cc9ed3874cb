//! What is written into a cell.

use napsim_trajectories::Value;
use rust_xlsxwriter::{Format, Formula, Worksheet};

use super::ExportError;
use crate::import::clock::{days_of_civil, serial_text};
use crate::import::number_format::Shown;
use crate::import::{Note, note};

/// The longest text of a cell, in units of UTF-16.
const TEXT_UNITS_MAX: usize = 32_767;

/// The longest formula, in characters.
const FORMULA_CHARS_MAX: usize = 8_192;

/// The content of a cell as a file knows it.
pub(super) enum Written {
    Number(f64),
    Bool(bool),
    Text(String),
    Formula(String),
}

/// What a file holds for a value under a number format.
pub(super) fn written(value: &Value, shown: Shown, notes: &mut Vec<Note>) -> Written {
    match value {
        Value::Bool(flag) => Written::Bool(*flag),
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => number(value, notes),
        Value::Text(text) if text.starts_with('=') && is_sound(text) => Written::Formula(text.to_string()),
        Value::Text(text) => match serial(text, shown) {
            Some(serial) => Written::Number(serial),
            None => plain_text(text, notes),
        },
        other => {
            note(notes, "lists and objects written as texts", 1);
            plain_text(&napsim_trajectories::json::write(other), notes)
        }
    }
}

fn number(value: &Value, notes: &mut Vec<Note>) -> Written {
    let number = value.as_number().unwrap_or(f64::NAN);
    if !number.is_finite() {
        note(notes, "numbers that are not finite written as texts", 1);
        return Written::Text(napsim_trajectories::json::write(value));
    }
    if !Value::Float(number).loosely_equals(value) {
        note(notes, "integers rounded to the precision of a file", 1);
    }
    Written::Number(number)
}

fn plain_text(text: &str, notes: &mut Vec<Note>) -> Written {
    if text.starts_with('=') {
        note(notes, "malformed formulas written as texts", 1);
    }
    let mut n_units = 0;
    let end = text.char_indices().find(|(_, c)| {
        n_units += c.len_utf16();
        n_units > TEXT_UNITS_MAX
    });
    let Some((end, _)) = end else {
        return Written::Text(text.to_owned());
    };
    note(notes, "texts cut to 32,767 characters", 1);
    Written::Text(text.get(..end).unwrap_or_default().to_owned())
}

/// Whether a formula's quotes and parentheses close: Excel repairs a file with one whose do not.
fn is_sound(formula: &str) -> bool {
    let body = formula.get(1..).unwrap_or_default();
    let starts_well = !body.trim().is_empty() && !body.starts_with(['=', '*', '/', ')', ',']);
    let (mut depth, mut quote) = (0_i32, None);
    for c in body.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    starts_well && depth == 0 && quote.is_none() && body.chars().count() <= FORMULA_CHARS_MAX
}

/// The serial number of a text that a cell of that format would show as a date or time, if reading it back gives the
/// same text.
fn serial(text: &str, shown: Shown) -> Option<f64> {
    if shown == Shown::Number {
        return None;
    }
    let serial = match text.split_once(' ') {
        Some((date, time)) => days(date)? + seconds(time)? / 86_400.0,
        None => seconds(text)? / 86_400.0,
    };
    (serial_text(serial, shown, false)? == text).then_some(serial)
}

/// The serial number of a date such as `2024-01-02`.
fn days(date: &str) -> Option<f64> {
    let mut parts = date.split('-').map(str::parse::<i64>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    let in_range = (1900..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !in_range || parts.next().is_some() {
        return None;
    }
    let since_1970 = days_of_civil(year, month, day);
    // The days before March 1900 come before the day that never was.
    let serial = since_1970 + if since_1970 < -25_508 { 25_568 } else { 25_569 };
    i32::try_from(serial).ok().map(f64::from)
}

/// The seconds of a time such as `07:15:00`, `30:05:00` or `00:00:01.500000`.
fn seconds(time: &str) -> Option<f64> {
    let mut parts = time.split(':');
    let (hours, minutes) = (parts.next()?.parse::<u32>().ok()?, parts.next()?.parse::<u32>().ok()?);
    let seconds = parts
        .next()?
        .parse::<f64>()
        .ok()
        .filter(|seconds| (0.0..60.0).contains(seconds))?;
    (minutes < 60 && parts.next().is_none()).then(|| f64::from(hours) * 3_600.0 + f64::from(minutes) * 60.0 + seconds)
}

/// Writes content into a cell.
pub(super) fn write(
    target: &mut Worksheet,
    (row, col): (u32, u16),
    written: Written,
    format: &Format,
) -> Result<(), ExportError> {
    match written {
        Written::Number(number) => target.write_number_with_format(row, col, number, format)?,
        Written::Bool(flag) => target.write_boolean_with_format(row, col, flag, format)?,
        Written::Text(text) => target.write_string_with_format(row, col, text, format)?,
        Written::Formula(formula) => {
            // The library takes a closing brace for the end of an array formula; a blank keeps it.
            let formula = if formula.ends_with('}') { formula + " " } else { formula };
            target.write_formula_with_format(row, col, Formula::new(formula), format)?
        }
    };
    Ok(())
}
