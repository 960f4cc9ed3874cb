//! The current sheet in few words, for models that would otherwise see the history alone (spec chapter 03, 14.5).
//!
//! What is shown is a window of the used area around the latest action, so that the work and the text grow with the
//! window and not with the sheet.

mod formats;
mod grid;
mod window;

use std::fmt;
use std::str::FromStr;

use napsim_sim::state::{Cell, Property, Workbook};
use napsim_trajectories::range::column_name;
use napsim_trajectories::{Bounds, Range, Value, json};

use formats::Legend;
use grid::Grid;

/// How a model is shown the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SheetView {
    /// Not at all, as in the published system.
    #[default]
    None,
    /// As a Markdown table with the letters of columns and the numbers of rows, and the formats below.
    Markdown,
    /// As lines `A1 | value [formats]`, one a cell that is not empty, values as in the notation.
    Cells,
}

/// A text that is no [`SheetView`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no view of the sheet: give `none`, `markdown` or `cells`")]
pub struct SheetViewError(String);

/// How much of the sheet is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ViewSize {
    /// Rows at most.
    pub rows: u32,
    /// Columns at most.
    pub columns: u32,
    /// Texts of more characters than this are cut; formulas may be four times as long.
    pub value_characters_max: usize,
    /// The whole view has at most so many characters; fewer rows, then fewer columns, are shown until it has.
    pub characters_max: usize,
}

impl Default for ViewSize {
    fn default() -> Self {
        Self {
            rows: 20,
            columns: 10,
            value_characters_max: 32,
            characters_max: 6_000,
        }
    }
}

impl SheetView {
    /// The sheet around the range of the latest action; nothing where the sheet is empty or none is to be shown.
    ///
    /// A range on another sheet, like none, shows the first cells that are used. The text has no line break at its end
    /// and depends on the cells of the window alone, not on the order in which they were made.
    pub fn show(self, workbook: &Workbook, sheet: &str, active: Option<&Range>, size: ViewSize) -> Option<String> {
        if self == Self::None {
            return None;
        }
        let sheet_name = sheet;
        let sheet = workbook.sheet(sheet_name)?;
        let cells = sheet.cells.as_ref()?;
        let active = active.filter(|range| &**range.sheet() == sheet_name).map(Range::bounds);
        let mut size = size;
        loop {
            let grid = Grid::new(cells, window::around(cells, active, size)?);
            let merges = grid.merges(sheet.merges());
            let text = match self {
                Self::Markdown => markdown(&grid, &Legend::new(&grid, merges), size),
                _ => lines(&grid, &merges, size),
            };
            let n_characters = text.chars().count();
            if n_characters <= size.characters_max {
                return Some(text);
            }
            size = smaller(size, n_characters)?;
        }
    }
}

/// A smaller size for a text that was too long; nothing where one cell was too much.
fn smaller(size: ViewSize, n_characters: usize) -> Option<ViewSize> {
    let shrunk = |length: u32| {
        let fitting = u64::from(length) * size.characters_max as u64 / n_characters.max(1) as u64;
        u32::try_from(fitting)
            .unwrap_or(length)
            .clamp(1, length.saturating_sub(1).max(1))
    };
    if size.rows > 1 {
        Some(ViewSize {
            rows: shrunk(size.rows),
            ..size
        })
    } else if size.columns > 1 {
        Some(ViewSize {
            columns: shrunk(size.columns),
            ..size
        })
    } else {
        None
    }
}

/// The window as a table, with its formats below.
fn markdown(grid: &Grid<'_>, legend: &Legend, size: ViewSize) -> String {
    let bounds = grid.bounds();
    let columns = bounds.first_col..=bounds.last_col;
    let mut text = String::from("| |");
    for col in columns.clone() {
        text.push_str(&format!(" {} |", column_name(col)));
    }
    text.push_str("\n|---|");
    columns.clone().for_each(|_| text.push_str("---|"));
    for row in bounds.first_row..=bounds.last_row {
        text.push_str(&format!("\n| {row} |"));
        for col in columns.clone() {
            let content = grid.cell(row, col).and_then(content);
            if let Some(content) = content {
                text.push(' ');
                text.push_str(&table_text(content, size));
            }
            text.push_str(" |");
        }
    }
    for line in legend.lines() {
        text.push('\n');
        text.push_str(&line);
    }
    text
}

/// The window as lines, one a cell that is not empty.
fn lines(grid: &Grid<'_>, merges: &[Bounds], size: ViewSize) -> String {
    let mut lines = Vec::new();
    for (address, cell) in grid.cells() {
        let mut line = format!("{address} |");
        if let Some(content) = content(cell) {
            line.push(' ');
            line.push_str(&notation_text(content, size));
        }
        let mut formats = formats::of_cell(cell);
        formats.extend(
            merges
                .iter()
                .filter(|merge| merge.first_cell() == address)
                .map(|merge| format!("merged {merge}")),
        );
        if !formats.is_empty() {
            line.push_str(&format!(" [{}]", formats.join(", ")));
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// What a cell holds: its formula, else its value.
fn content(cell: &Cell) -> Option<&Value> {
    cell.get(Property::Formula)
        .or_else(|| cell.get(Property::Value))
        .filter(|value| !matches!(value, Value::Null))
}

/// A value as the notation writes it, shortened.
fn notation_text(value: &Value, size: ViewSize) -> String {
    match value {
        Value::Text(text) => json::write(&Value::text(shortened(text, size))),
        other => shortened(&json::write(other), size),
    }
}

/// A value as it stands in a table: on one line, without quotes where it is clear that it is a text.
fn table_text(value: &Value, size: ViewSize) -> String {
    let Value::Text(text) = value else {
        return escaped(&notation_text(value, size));
    };
    let is_plain = text.trim() == &**text && !text.is_empty() && !text.starts_with('"') && json::read(text).is_err();
    if is_plain {
        escaped(&shortened(text, size))
    } else {
        escaped(&notation_text(value, size))
    }
}

/// The first characters and an ellipsis, where there are more.
fn shortened(text: &str, size: ViewSize) -> String {
    let n_kept = if text.starts_with('=') {
        size.value_characters_max.saturating_mul(4)
    } else {
        size.value_characters_max
    };
    super::shorten::cut(text, n_kept).unwrap_or_else(|| text.to_owned())
}

/// The text without what would end a field or a line of a table.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}

impl FromStr for SheetView {
    type Err = SheetViewError;

    fn from_str(text: &str) -> Result<Self, SheetViewError> {
        [Self::None, Self::Markdown, Self::Cells]
            .into_iter()
            .find(|view| view.to_string() == text)
            .ok_or_else(|| SheetViewError(text.to_owned()))
    }
}

impl fmt::Display for SheetView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Markdown => "markdown",
            Self::Cells => "cells",
        })
    }
}

#[cfg(test)]
mod tests;
