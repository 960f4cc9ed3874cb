//! Formulas of `.xlsx` files: ordinary ones, shared ones and those of arrays.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_trajectories::{Bounds, Value};

use crate::import::assemble::{Budget, RawCell};
use crate::import::reference;
use crate::import::xml::{self, Tag, Tokens};
use crate::import::{ImportError, Note, note};

/// The formulas of one sheet that concern more than one cell.
#[derive(Default)]
pub(super) struct Formulas {
    /// Text and first cell (row, column) of shared formulas, by their number.
    shared: BTreeMap<u32, (Arc<str>, (u32, u32))>,
    /// Array formulas that go beyond one cell.
    arrays: Vec<(Bounds, Value)>,
}

impl Formulas {
    /// Reads the formula element that was opened last, of the given cell; none if it says nothing.
    pub(super) fn read(
        &mut self,
        tokens: &mut Tokens<'_>,
        tag: &Tag<'_>,
        at: (u32, u32),
        budget: &mut Budget<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<Option<Value>, ImportError> {
        let kind = tag.get("t").unwrap_or_default();
        let (index, range) = (tag.parse("si"), tag.get("ref"));
        let body = tokens.text()?;
        let body = xml::unescape(&body);
        match kind.as_str() {
            "dataTable" => {
                note(notes, "data table formulas skipped", 1);
                Ok(None)
            }
            "shared" => self.read_shared(&body, index.unwrap_or(0), at, budget),
            "array" => {
                let value = with_sign(&body);
                let range = range
                    .as_deref()
                    .and_then(reference::range)
                    .filter(|range| range.n_cells() > 1);
                if let (Some(range), Some(value)) = (range, &value) {
                    self.arrays.push((range, value.clone()));
                }
                Ok(value)
            }
            _ => Ok(with_sign(&body)),
        }
    }

    fn read_shared(
        &mut self,
        body: &str,
        index: u32,
        at: (u32, u32),
        budget: &mut Budget<'_>,
    ) -> Result<Option<Value>, ImportError> {
        if !body.is_empty() {
            self.shared.insert(index, (body.into(), at));
            return Ok(with_sign(body));
        }
        let Some((template, first)) = self.shared.get(&index) else {
            return Ok(None);
        };
        // A reference that would leave the sheet stays as it is; the position counts from zero there.
        let expanded = calamine::expand_shared_formula(template, *first, at);
        let text = expanded.unwrap_or_else(|_| template.to_string());
        budget.spend_text(&text)?;
        Ok(with_sign(&text))
    }

    /// The cells beside the first over which array formulas are written out, without styles.
    pub(super) fn spread(&self, budget: &Budget<'_>, notes: &mut Vec<Note>) -> Vec<RawCell> {
        let mut cells = Vec::new();
        let mut left = budget.limits.cells_max;
        for (range, value) in &self.arrays {
            if range.n_cells() > budget.limits.array_cells_max.min(left) {
                note(notes, "long array formulas kept in their first cell alone", 1);
                continue;
            }
            left -= range.n_cells();
            note(notes, "array formulas written out over their range", 1);
            for cell in range.cells().filter(|cell| *cell != range.first_cell()) {
                let (Ok(row), Ok(col)) = (u32::try_from(cell.row), u32::try_from(cell.col)) else {
                    continue;
                };
                cells.push(RawCell {
                    row,
                    col,
                    style: 0,
                    value: value.clone(),
                });
            }
        }
        cells
    }
}

/// The value of a formula's text, with the sign that files leave out.
fn with_sign(body: &str) -> Option<Value> {
    match body.trim() {
        "" => None,
        body if body.starts_with('=') => Some(Value::text(body)),
        body => Some(Value::text(format!("={body}"))),
    }
}
