//! `.ods` files: values, formulas in Excel's notation, and merges, without formats.

mod formula;

use std::collections::BTreeSet;

use napsim_trajectories::{Bounds, Value};

use super::archive::Archive;
use super::assemble::{self, Budget, RawCell, RawSheet, number};
use super::reference::{COL_MAX, ROW_MAX};
use super::xml::{Tag, Token, Tokens};
use super::{ImportError, ImportOptions, ImportedWorkbook, clock, note};

const CONTENT: &str = "content.xml";

/// Reads a workbook.
pub(super) fn read(bytes: &[u8], options: &ImportOptions) -> Result<ImportedWorkbook, ImportError> {
    let mut archive = Archive::open(bytes, &options.limits)?;
    if let Some(manifest) = archive.text("META-INF/manifest.xml")?
        && manifest.contains("encryption-data")
    {
        return Err(ImportError::Encrypted);
    }
    let text = archive
        .text(CONTENT)?
        .ok_or_else(|| ImportError::damaged(CONTENT, "it is missing"))?;
    let mut workbook = ImportedWorkbook {
        sheets: Vec::new(),
        names: Vec::new(),
        notes: Vec::new(),
    };
    note(&mut workbook.notes, "formats are not read from .ods files", 1);
    let mut reader = Reader {
        options,
        budget: Budget::new(&options.limits),
        hidden_styles: BTreeSet::new(),
        workbook,
    };
    let mut tokens = Tokens::new(&text, CONTENT);
    tokens.root()?;
    tokens.children_within(&["body", "spreadsheet"], |tokens, tag| reader.read_part(tokens, &tag))?;
    Ok(reader.workbook)
}

struct Reader<'o> {
    options: &'o ImportOptions,
    budget: Budget<'o>,
    /// Table styles that hide their tables.
    hidden_styles: BTreeSet<String>,
    workbook: ImportedWorkbook,
}

impl Reader<'_> {
    fn read_part<'a>(&mut self, tokens: &mut Tokens<'a>, tag: &Tag<'a>) -> Result<(), ImportError> {
        match tag.name() {
            "automatic-styles" => tokens.children(|tokens, tag| self.read_style(tokens, &tag)),
            "table" => self.read_table(tokens, tag),
            _ => tokens.skip(),
        }
    }

    fn read_style(&mut self, tokens: &mut Tokens<'_>, tag: &Tag<'_>) -> Result<(), ImportError> {
        let name = tag.get("name").unwrap_or_default();
        tokens.children(|tokens, tag| {
            if tag.name() == "table-properties" && !tag.flag("display", true) {
                self.hidden_styles.insert(name.clone());
            }
            tokens.skip()
        })
    }

    fn read_table(&mut self, tokens: &mut Tokens<'_>, tag: &Tag<'_>) -> Result<(), ImportError> {
        let name = tag.get("name").unwrap_or_default();
        let visible = !tag
            .get("style-name")
            .is_some_and(|style| self.hidden_styles.contains(&style));
        self.workbook.names.push(name.clone());
        let notes = &mut self.workbook.notes;
        if !self.options.wants(&name, visible) {
            note(
                notes,
                if visible {
                    "sheets not asked for skipped"
                } else {
                    "hidden sheets skipped"
                },
                1,
            );
            return tokens.skip();
        }
        let mut table = Table::default();
        let groups = ["table-rows", "table-header-rows", "table-row-group"];
        tokens.children_within(&groups, |tokens, tag| table.read_child(tokens, &tag, &mut self.budget))?;
        match assemble::sheet(&name, table.raw, &[], &mut self.budget)? {
            Some(sheet) => self.workbook.sheets.push(sheet),
            None => note(&mut self.workbook.notes, "empty sheets skipped", 1),
        }
        Ok(())
    }
}

/// A table that is being read.
#[derive(Default)]
struct Table {
    raw: RawSheet,
    /// The row that was read last.
    row: u32,
}

/// How often an element stands for itself; at least once.
fn repeats(tag: &Tag<'_>, name: &str) -> u32 {
    tag.parse(name).unwrap_or(1).max(1)
}

impl Table {
    fn read_child<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        budget: &mut Budget<'_>,
    ) -> Result<(), ImportError> {
        match tag.name() {
            "table-row" => self.read_row(tokens, tag, budget),
            "shapes" => {
                note(&mut self.raw.notes, "drawings (charts, pictures, shapes) skipped", 1);
                tokens.skip()
            }
            _ => tokens.skip(),
        }
    }

    fn read_row<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        budget: &mut Budget<'_>,
    ) -> Result<(), ImportError> {
        let n_rows = repeats(tag, "number-rows-repeated");
        let first = self.raw.cells.len();
        let row = self.row.saturating_add(1);
        let mut col = 0_u32;
        tokens.children(|tokens, tag| {
            if !matches!(tag.name(), "table-cell" | "covered-table-cell") {
                return tokens.skip();
            }
            let n_cols = repeats(&tag, "number-columns-repeated");
            let value = self.read_cell(tokens, &tag)?;
            let at = col.saturating_add(1);
            col = col.saturating_add(n_cols);
            self.read_span(&tag, row, at);
            if matches!(value, Value::Null) || row > ROW_MAX || at > COL_MAX {
                return Ok(());
            }
            for col in at..=col.min(COL_MAX) {
                let value = value.clone();
                self.raw.cells.push(RawCell {
                    row,
                    col,
                    style: 0,
                    value,
                });
            }
            let limits = budget.limits;
            limits.check(
                "cells with content or a format",
                self.raw.cells.len() as u64,
                limits.cells_max,
            )
        })?;
        self.row = self.row.saturating_add(n_rows);
        let n_cells = self.raw.cells.len() - first;
        if n_cells == 0 || n_rows == 1 {
            return Ok(());
        }
        // Rows that repeat content are written out, if there is room for them.
        let limits = budget.limits;
        let last = self.row.min(ROW_MAX);
        let n_more = u64::from(last.saturating_sub(row)).saturating_mul(n_cells as u64);
        limits.check(
            "cells with content or a format",
            self.raw.cells.len() as u64 + n_more,
            limits.cells_max,
        )?;
        let cells: Vec<RawCell> = self.raw.cells.get(first..).unwrap_or_default().to_vec();
        for row in row + 1..=last {
            self.raw
                .cells
                .extend(cells.iter().cloned().map(|cell| RawCell { row, ..cell }));
        }
        Ok(())
    }

    fn read_span(&mut self, tag: &Tag<'_>, row: u32, col: u32) {
        let span = |name: &str, max: u32| i64::from(repeats(tag, name).min(max)) - 1;
        let (down, right) = (
            span("number-rows-spanned", ROW_MAX),
            span("number-columns-spanned", COL_MAX),
        );
        if down > 0 || right > 0 {
            let (row, col) = (i64::from(row), i64::from(col));
            self.raw.merges.push(Bounds {
                first_row: row,
                first_col: col,
                last_row: (row + down).min(i64::from(ROW_MAX)),
                last_col: (col + right).min(i64::from(COL_MAX)),
            });
        }
    }

    /// The value of the cell element that was opened last.
    fn read_cell<'a>(&mut self, tokens: &mut Tokens<'a>, tag: &Tag<'a>) -> Result<Value, ImportError> {
        let (mut stored, mut formula, mut is_text, mut is_error) = (None, None, false, false);
        for (name, value) in tag.attributes() {
            match name {
                "formula" => formula = Some(formula::to_excel(&value)),
                "value" => {
                    let parsed = value.trim().parse().ok().filter(|value: &f64| value.is_finite());
                    stored = parsed.map(number);
                }
                "date-value" => stored = Some(assemble::text(clock::iso_text(&value))),
                "time-value" => stored = Some(assemble::text(clock::iso_duration_text(&value))),
                "boolean-value" => stored = Some(Value::Bool(super::xml::is_true(&value))),
                "string-value" if !value.is_empty() => stored = Some(assemble::text(value.as_ref())),
                "value-type" => {
                    is_text |= value == "string";
                    is_error |= value == "error";
                }
                _ => {}
            }
        }
        let written = self.read_paragraphs(tokens)?;
        if let Some(formula) = formula {
            return Ok(assemble::text(formula));
        }
        if is_error || (is_text && stored.is_none()) {
            return Ok(assemble::text(written));
        }
        Ok(stored.unwrap_or(Value::Null))
    }

    /// The paragraphs of the cell element that was opened last, one a line.
    fn read_paragraphs(&mut self, tokens: &mut Tokens<'_>) -> Result<String, ImportError> {
        let (mut text, mut n_paragraphs) = (String::new(), 0);
        tokens.children(|tokens, tag| match tag.name() {
            "p" => {
                if n_paragraphs > 0 {
                    text.push('\n');
                }
                n_paragraphs += 1;
                read_paragraph(tokens, &mut text)
            }
            "annotation" => {
                note(&mut self.raw.notes, "comments skipped", 1);
                tokens.skip()
            }
            _ => tokens.skip(),
        })?;
        Ok(text)
    }
}

/// Appends the text of the paragraph that was opened last, runs and links included.
fn read_paragraph(tokens: &mut Tokens<'_>, text: &mut String) -> Result<(), ImportError> {
    let mut depth = 1_u32;
    while depth > 0 {
        match tokens.next()? {
            Some(Token::Text(piece)) => text.push_str(&piece),
            Some(Token::Open(tag)) => {
                match tag.name() {
                    "s" => text.extend(std::iter::repeat_n(' ', repeats(&tag, "c").min(1_000) as usize)),
                    "tab" => text.push('\t'),
                    "line-break" => text.push('\n'),
                    "note" | "annotation" => {
                        tokens.skip()?;
                        continue;
                    }
                    _ => {}
                }
                depth += 1;
            }
            Some(Token::Close) => depth -= 1,
            None => return Err(tokens.ends_early()),
        }
    }
    Ok(())
}
