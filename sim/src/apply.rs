//! What each action does to a workbook state (spec chapter 01, section 6).

mod autofill;
mod border;
mod content;
mod merge;
mod paste;
mod series;

use std::sync::Arc;

use napsim_trajectories::{Action, Edit, Range, RangeError, Value};

use crate::state::{Cell, CellKey, Cells, Property, Sheet, Workbook, words};
pub(crate) use autofill::{Geometry, cells as autofill_cells, fill_lane};
pub(crate) use border::{sides_at, stored_line};
pub(crate) use content::grid_cells;
pub(crate) use merge::{Edges, Line};
pub(crate) use paste::{Layout, extent as paste_extent};

/// The most text that one fill may make, in bytes (64 MiB): shifted formulas and numbered texts.
///
/// The published system has no limit; two lines could make it write terabytes.
pub const FILL_TEXT_BYTES_MAX: u64 = 64 << 20;

/// Why an action could not be carried out. What it did before failing stays (spec 01, 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A range that cannot be walked over, or a source that is no range.
    #[error("the range is {0}")]
    Range(#[from] RangeError),
    /// A reversed range where a first cell is needed.
    #[error("the range has no first cell")]
    MissingItem,
    /// The sheet of a given initial state has no cells.
    #[error("the sheet has no `cells`")]
    MissingCells,
    /// The sheet of a given initial state has no properties.
    #[error("the sheet has no `worksheetProperties`")]
    MissingProperties,
    /// A source without rows or columns.
    #[error("the source is empty")]
    ZeroDivision,
    /// A number too large for the series it belongs to.
    #[error("a number of the series is too large")]
    Overflow,
    /// A fill that would make more text than [`FILL_TEXT_BYTES_MAX`].
    #[error("the fill makes more text than the limit of {FILL_TEXT_BYTES_MAX} bytes (fill_text_bytes_max)")]
    FillTooLarge,
}

impl ApplyError {
    /// The neutral error code of spec chapter 01, section 12.
    pub fn code(self) -> &'static str {
        match self {
            Self::Range(error) => error.code(),
            Self::MissingItem => "missing_item",
            Self::MissingCells => "missing_key:cells",
            Self::MissingProperties => "missing_key:worksheetProperties",
            Self::ZeroDivision => "zero_division",
            Self::Overflow => "overflow",
            Self::FillTooLarge => "fill_too_large",
        }
    }
}

/// The first failure of a strict application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {} cannot be carried out: {error}", .action_idx + 1)]
pub struct StrictError {
    /// Index of the failing action, from 0.
    pub action_idx: usize,
    /// Why it failed.
    pub error: ApplyError,
}

impl Workbook {
    /// Carries out one action.
    ///
    /// # Errors
    /// [`ApplyError`] when it fails; partial effects stay.
    pub fn apply(&mut self, action: &Action) -> Result<(), ApplyError> {
        let range = action.range();
        if let Some(uniform) = Uniform::of(action.edit()) {
            return each_cell(self, range, |cell| uniform.write(cell));
        }
        match action.edit() {
            Edit::Value { value, datatype } => content::set_value(self, range, value, datatype.as_ref()),
            Edit::Formula { text } => content::set_formula(self, range, text.as_ref()),
            Edit::Input { value } => content::type_grid(self, range, value),
            Edit::Border { side, line } => border::apply(self, range, *side, line),
            Edit::Merge { on: true } => merge::merge(self, range, action.is_inverse()),
            Edit::Merge { on: false } => merge::unmerge(self, range, action.is_inverse()),
            Edit::Paste { source, mode } => paste::apply(self, range, source, mode),
            Edit::Autofill { source } => autofill::apply(self, range, source, action.is_inverse()),
            // The others write every cell alike.
            _ => Ok(()),
        }
    }

    /// Carries out actions in order; the first failure stops, with everything before it done.
    ///
    /// # Errors
    /// [`StrictError`] naming the failing action.
    pub fn apply_strict<'a>(&mut self, actions: impl IntoIterator<Item = &'a Action>) -> Result<(), StrictError> {
        for (action_idx, action) in actions.into_iter().enumerate() {
            self.apply(action).map_err(|error| StrictError { action_idx, error })?;
        }
        Ok(())
    }

    /// Carries out actions in order, skipping those that fail; their partial effects remain (spec 01, 9).
    pub fn apply_lenient<'a>(&mut self, actions: impl IntoIterator<Item = &'a Action>) {
        for action in actions {
            // A failing action is skipped by definition of the lenient application.
            let _skipped = self.apply(action);
        }
    }
}

/// The cells of an existing or new sheet.
fn cells_of<'a>(workbook: &'a mut Workbook, sheet: &Arc<str>) -> Result<&'a mut Cells, ApplyError> {
    cells_in(workbook.touch_sheet(sheet))
}

fn cells_in(sheet: &mut Sheet) -> Result<&mut Cells, ApplyError> {
    sheet.cells.as_mut().ok_or(ApplyError::MissingCells)
}

/// Runs `write` on every cell of the range, made where missing. A range without cells makes no sheet.
fn each_cell(workbook: &mut Workbook, range: &Range, mut write: impl FnMut(&mut Cell)) -> Result<(), ApplyError> {
    let bounds = range.walk()?;
    if bounds.n_cells() == 0 {
        return Ok(());
    }
    let cells = cells_of(workbook, range.sheet())?;
    for address in bounds.cells() {
        write(cells.touch(CellKey::Address(address)));
    }
    Ok(())
}

/// What an edit writes to every cell of its range alike, whatever else the cell holds.
#[derive(Clone, Debug)]
pub(crate) enum Uniform {
    /// Sets a property, or deletes it where nothing is stored; the containers around it are made either way.
    Set(Property, Option<Value>),
    /// Sets a fill over the one that is there.
    Fill(Value),
}

impl Uniform {
    /// What an edit writes, if it writes every cell alike.
    pub(crate) fn of(edit: &Edit) -> Option<Self> {
        Some(match edit {
            Edit::Input { value } => Self::Set(Property::Value, content::typed_alike(value)?),
            Edit::NumberFormat { format } => {
                let stored = (&**format != "General").then(|| Value::Text(format.clone()));
                Self::Set(Property::NumberFormat, stored)
            }
            Edit::Fill { color: Some(color) } => Self::Fill(solid_fill(color)),
            Edit::Fill { color: None } => Self::Set(Property::Fill, None),
            Edit::Font { property, value } => {
                let stored = (!value.loosely_equals(&property.default_value())).then(|| value.clone());
                Self::Set(Property::of_font(*property), stored)
            }
            Edit::Align { axis, value } => {
                let default = value.to_lowercase() == axis.default_alignment().to_lowercase();
                let stored = (!default).then(|| Value::Text(value.clone()));
                Self::Set(Property::of_axis(*axis), stored)
            }
            Edit::Wrap { on } => Self::Set(Property::WrapText, on.then_some(Value::Bool(true))),
            Edit::Orientation { degrees } => {
                Self::Set(Property::TextOrientation, degrees.is_truthy().then(|| degrees.clone()))
            }
            Edit::Value { .. }
            | Edit::Formula { .. }
            | Edit::Border { .. }
            | Edit::Merge { .. }
            | Edit::Paste { .. }
            | Edit::Autofill { .. } => return None,
        })
    }

    fn write(&self, cell: &mut Cell) {
        match self {
            Self::Set(property, stored) => {
                if let Some(container) = property.container() {
                    cell.touch(container);
                }
                match stored {
                    Some(value) => cell.set(*property, value.clone()),
                    None => cell.remove(*property),
                }
            }
            Self::Fill(fill) => apply_fill(cell, fill),
        }
    }
}

/// The stored object of a solid fill.
fn solid_fill(color: &Arc<str>) -> Value {
    Value::Object(
        [
            (words::PATTERN_TYPE.clone(), Value::Text(words::SOLID.clone())),
            (words::FG_COLOR.clone(), Value::Text(color.clone())),
        ]
        .into(),
    )
}

/// Sets a solid fill, keeping other keys of a fill that is there.
fn apply_fill(cell: &mut Cell, fill: &Value) {
    let merged = match (cell.get(Property::Fill), fill) {
        (Some(Value::Object(old)), Value::Object(new)) => Some(overlaid(old, new)),
        _ => None,
    };
    cell.set(Property::Fill, merged.unwrap_or_else(|| fill.clone()));
}

/// The entries of `old` with those of `new` set over them, in place where the key was there.
pub(crate) fn overlaid(old: &[(Arc<str>, Value)], new: &[(Arc<str>, Value)]) -> Value {
    let mut entries = old.to_vec();
    for (key, value) in new {
        match entries.iter_mut().find(|(known, _)| known == key) {
            Some((_, slot)) => *slot = value.clone(),
            None => entries.push((key.clone(), value.clone())),
        }
    }
    Value::Object(entries.into())
}
