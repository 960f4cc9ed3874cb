//! Widths of columns, guessed from what stands in them.

use std::collections::BTreeMap;

use napsim_sim::state::{Cell, Property};
use napsim_trajectories::Value;

use super::difference;

/// The width of a column that nothing was said about, in characters.
const WIDTH_DEFAULT: f64 = 8.43;

/// The widest that a column is made, in characters.
const WIDTH_MAX: f64 = 60.0;

/// The widest that a column is made for texts that wrap.
const WRAPPED_MAX: f64 = 40.0;

/// What a formula's result takes, which nobody knows here.
const FORMULA_CHARS: usize = 10;

/// The widths that the cells seen so far need, by column counted from zero.
#[derive(Default)]
pub(super) struct Widths(BTreeMap<u16, f64>);

impl Widths {
    /// Makes room for a cell.
    pub(super) fn measure(&mut self, col: u16, cell: &Cell) {
        let Some(value) = difference::content(cell) else { return };
        let code = cell
            .get(Property::NumberFormat)
            .and_then(Value::as_text)
            .unwrap_or_default();
        let n_chars = match value {
            Value::Text(text) if text.starts_with('=') => {
                FORMULA_CHARS.max(code.chars().count().min(FORMULA_CHARS + 4))
            }
            Value::Text(text) => text.lines().map(n_columns).max().unwrap_or(0),
            Value::Bool(_) => 5,
            number => number_columns(number, code),
        };
        let scale = cell
            .get(Property::FontSize)
            .and_then(Value::as_number)
            .unwrap_or(11.0)
            .clamp(4.0, 72.0)
            / 11.0;
        let bold = if cell.get(Property::FontBold).is_some_and(Value::is_truthy) {
            1.1
        } else {
            1.0
        };
        let wrapped = cell.get(Property::WrapText).is_some_and(Value::is_truthy);
        let n_chars = f64::from(u32::try_from(n_chars).unwrap_or(u32::MAX));
        let width = (n_chars * scale * bold + 1.5).min(if wrapped { WRAPPED_MAX } else { WIDTH_MAX });
        let widest = self.0.entry(col).or_insert(0.0);
        *widest = widest.max(width);
    }

    /// The columns that need more than the usual width, with what they need.
    pub(super) fn of_columns(&self) -> impl Iterator<Item = (u16, f64)> {
        self.0
            .iter()
            .filter(|(_, width)| **width > WIDTH_DEFAULT)
            .map(|(col, width)| (*col, *width))
    }
}

/// How many characters' room a line takes: East Asian ones take two.
fn n_columns(line: &str) -> usize {
    line.chars()
        .map(|c| {
            if matches!(u32::from(c), 0x1100..=0x115F | 0x2E80..=0xFFDC) {
                2
            } else {
                1
            }
        })
        .sum()
}

/// Room for a number, with what its format adds: grouping, decimals, signs and words.
fn number_columns(number: &Value, code: &str) -> usize {
    let number = number.as_number().unwrap_or(0.0);
    if code.is_empty() {
        return format!("{number}").len().min(11);
    }
    let section = code.split(';').next().unwrap_or_default();
    let n_decimals = section.split_once('.').map_or(0, |(_, rest)| {
        rest.chars().take_while(|c| matches!(c, '0' | '#' | '?')).count() + 1
    });
    let percent = if section.contains('%') { 100.0 } else { 1.0 };
    let whole = format!("{:.0}", number * percent).len();
    let grouping = if section.contains(',') { whole / 3 } else { 0 };
    let extra = section
        .chars()
        .filter(|c| !matches!(c, '0' | '#' | '?' | '.' | ','))
        .count()
        .min(8);
    (whole + grouping + n_decimals + extra).min(40)
}
