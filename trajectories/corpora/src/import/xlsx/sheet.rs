//! The cells and merges of one worksheet part.

use std::collections::BTreeMap;

use napsim_trajectories::Value;

use super::Shared;
use super::formula::Formulas;
use super::strings::rich_text;
use crate::import::assemble::{self, Budget, RawCell, RawSheet, number};
use crate::import::reference::{self, COL_MAX, ROW_MAX};
use crate::import::xml::{self, Tag, Token, Tokens};
use crate::import::{ImportError, clock, note};

/// Blank formatted cells looked at before a sheet is refused: they cost little each, but not nothing.
const BLANKS_MAX: u64 = 5_000_000;

/// Reads a worksheet part.
pub(super) fn read(text: &str, part: &str, shared: &Shared, budget: &mut Budget<'_>) -> Result<RawSheet, ImportError> {
    let mut tokens = Tokens::new(text, part);
    if tokens.root()?.name() != "worksheet" {
        return Err(tokens.damaged("it holds no worksheet"));
    }
    let mut reader = SheetReader {
        shared,
        raw: RawSheet::default(),
        formulas: Formulas::default(),
        row: 0,
        col: 0,
    };
    tokens.children(|tokens, tag| reader.read_child(tokens, &tag, budget))?;
    Ok(reader.finish(budget))
}

struct SheetReader<'s> {
    shared: &'s Shared,
    raw: RawSheet,
    formulas: Formulas,
    /// The row that was read last.
    row: u32,
    /// The column that was read last.
    col: u32,
}

/// What a cell element says.
#[derive(Default)]
struct CellTag {
    style: u32,
    kind: String,
}

impl SheetReader<'_> {
    fn read_child<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        budget: &mut Budget<'_>,
    ) -> Result<(), ImportError> {
        match tag.name() {
            "sheetData" => tokens.children(|tokens, tag| self.read_row(tokens, &tag, budget)),
            "mergeCells" => tokens.children(|tokens, tag| {
                match tag.get("ref").as_deref().and_then(reference::range) {
                    Some(range) => self.raw.merges.push(range),
                    None => note(&mut self.raw.notes, "malformed merges skipped", 1),
                }
                tokens.skip()
            }),
            "cols" => tokens.children(|tokens, tag| {
                let styled = tag.parse("style").is_some_and(|style: u32| self.shows(style));
                note(
                    &mut self.raw.notes,
                    "formats of whole columns skipped",
                    u64::from(styled),
                );
                tokens.skip()
            }),
            "conditionalFormatting" => self.skip_noted(tokens, "conditional formats skipped"),
            "dataValidations" => tokens.children(|tokens, _| self.skip_noted(tokens, "data validations skipped")),
            "hyperlinks" => tokens.children(|tokens, _| self.skip_noted(tokens, "hyperlinks skipped")),
            _ => tokens.skip(),
        }
    }

    fn skip_noted(&mut self, tokens: &mut Tokens<'_>, what: &str) -> Result<(), ImportError> {
        note(&mut self.raw.notes, what, 1);
        tokens.skip()
    }

    fn shows(&self, style: u32) -> bool {
        self.shared
            .styles
            .cells
            .get(style as usize)
            .is_some_and(|style| !style.properties.is_empty())
    }

    fn read_row<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        budget: &mut Budget<'_>,
    ) -> Result<(), ImportError> {
        if tag.name() != "row" {
            return tokens.skip();
        }
        // Rows and cells may leave out where they are; then they follow the one before.
        self.row = tag.parse("r").unwrap_or(self.row.saturating_add(1));
        self.col = 0;
        let styled = tag.flag("customFormat", false) && tag.parse("s").is_some_and(|style: u32| self.shows(style));
        note(&mut self.raw.notes, "formats of whole rows skipped", u64::from(styled));
        tokens.children(|tokens, tag| self.read_cell(tokens, &tag, budget))
    }

    fn read_cell<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        budget: &mut Budget<'_>,
    ) -> Result<(), ImportError> {
        if tag.name() != "c" {
            return tokens.skip();
        }
        let mut cell = CellTag::default();
        let mut at = (self.row, self.col.saturating_add(1));
        for (name, value) in tag.attributes() {
            match name {
                "r" | "R" => at = reference::address(&value).unwrap_or(at),
                "s" => cell.style = value.trim().parse().unwrap_or(0),
                "t" => cell.kind = value.into_owned(),
                _ => {}
            }
        }
        let (row, col) = at;
        self.col = col;
        let value = self.read_value(tokens, &cell, at, budget)?;
        if !(1..=ROW_MAX).contains(&row) || !(1..=COL_MAX).contains(&col) {
            note(&mut self.raw.notes, "cells outside the sheet skipped", 1);
            return Ok(());
        }
        if matches!(value, Value::Null) {
            if self.shows(cell.style) {
                self.raw.blanks.push((row, col, cell.style));
                budget
                    .limits
                    .check("blank formatted cells", self.raw.blanks.len() as u64, BLANKS_MAX)?;
            }
            return Ok(());
        }
        let style = cell.style;
        self.raw.cells.push(RawCell { row, col, style, value });
        let limits = budget.limits;
        limits.check(
            "cells with content or a format",
            self.raw.cells.len() as u64,
            limits.cells_max,
        )
    }

    /// The value within the cell element that was opened last: its formula, or else what is stored.
    fn read_value(
        &mut self,
        tokens: &mut Tokens<'_>,
        cell: &CellTag,
        at: (u32, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Value, ImportError> {
        let (mut formula, mut value) = (None, Value::Null);
        loop {
            match tokens.next()? {
                Some(Token::Open(tag)) => match tag.name() {
                    "v" => {
                        let text = tokens.text()?;
                        value = self.stored(&text, cell);
                    }
                    "is" => value = assemble::text(rich_text(tokens)?),
                    "f" => formula = self.formulas.read(tokens, &tag, at, budget, &mut self.raw.notes)?,
                    _ => tokens.skip()?,
                },
                Some(Token::Text(_)) => {}
                Some(Token::Close) => {
                    if formula.is_none() && value.as_text().is_some_and(|text| text.starts_with('=')) {
                        // A state tells formulas from texts by the first character alone (spec 04, 1.2).
                        note(&mut self.raw.notes, "texts that begin with = taken for formulas", 1);
                    }
                    return Ok(formula.unwrap_or(value));
                }
                None => return Err(tokens.ends_early()),
            }
        }
    }

    /// The value of a stored text, as the cell's type and number format have it.
    fn stored(&mut self, text: &str, cell: &CellTag) -> Value {
        match cell.kind.as_str() {
            "s" => {
                let index: Option<usize> = text.trim().parse().ok();
                match index.and_then(|index| self.shared.strings.get(index)) {
                    Some(string) => assemble::text(string.clone()),
                    None => {
                        note(&mut self.raw.notes, "texts missing from the list of strings skipped", 1);
                        Value::Null
                    }
                }
            }
            "str" | "inlineStr" | "e" => assemble::text(xml::unescape(text).as_ref()),
            "b" => match text.trim() {
                "" => Value::Null,
                flag => Value::Bool(xml::is_true(flag)),
            },
            "d" => assemble::text(clock::iso_text(text)),
            _ => self.number(text.trim(), cell.style),
        }
    }

    fn number(&mut self, text: &str, style: u32) -> Value {
        if text.is_empty() {
            return Value::Null;
        }
        let Some(float) = text.parse().ok().filter(|float: &f64| float.is_finite()) else {
            note(&mut self.raw.notes, "malformed numbers kept as texts", 1);
            return assemble::text(text);
        };
        let shown = self.shared.styles.shown(style);
        match clock::serial_text(float, shown, self.shared.from_1904) {
            Some(text) => Value::text(text),
            None => number(float),
        }
    }

    /// Writes array formulas out over cells that hold nothing but their cached results.
    fn finish(mut self, budget: &Budget<'_>) -> RawSheet {
        let spread = self.formulas.spread(budget, &mut self.raw.notes);
        if spread.is_empty() {
            return self.raw;
        }
        let mut places: BTreeMap<(u32, u32), RawCell> =
            spread.into_iter().map(|cell| ((cell.row, cell.col), cell)).collect();
        for cell in &mut self.raw.cells {
            if let Some(array) = places.remove(&(cell.row, cell.col)) {
                let is_formula = cell.value.as_text().is_some_and(|text| text.starts_with('='));
                if !is_formula {
                    cell.value = array.value;
                }
            }
        }
        for (row, col, style) in &self.raw.blanks {
            if let Some(array) = places.get_mut(&(*row, *col)) {
                array.style = *style;
            }
        }
        let places_left = |(row, col, _): &(u32, u32, u32)| !places.contains_key(&(*row, *col));
        self.raw.blanks.retain(places_left);
        self.raw.cells.extend(places.into_values());
        self.raw
    }
}
