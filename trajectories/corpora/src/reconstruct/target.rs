//! What the actions of a sheet have to reach: the sheet as far as actions can say it.

use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet, Workbook};
use napsim_sim::state_actions::{side_of, weight_and_style};
use napsim_trajectories::action::{Axis, BorderLine, FontProperty};
use napsim_trajectories::range::{COLUMN_MAX, ROW_MAX};
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, Value, json};
use rustc_hash::FxHashMap;

use crate::import::Note;

/// The name of the sheet that every trajectory is built on, as in the published corpus.
pub const SHEET_NAME: &str = "Sheet1";

/// The most cells that one action may cover (the limit of the notation's reader).
pub(super) const CELLS_PER_ACTION_MAX: u64 = 250_000;

/// The most cells that all merged ranges of a sheet may cover together; later ones are left out.
const MERGED_CELLS_MAX: u64 = 1_000_000;

/// A property with the value that an action gives it, and that action's edit.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub property: Property,
    /// The edit; for a border side, the edit of that side alone.
    pub edit: Edit,
    /// What the edit leaves in a state.
    pub stored: Value,
}

/// The index of a [`Look`] in its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LookId(u32);

/// How the content of a cell is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// By typing.
    Typed,
    /// As a value, since typing would make a clock time of the text.
    Set,
}

/// One cell of a target.
#[derive(Clone, Debug)]
pub(super) struct TargetCell {
    pub at: CellAddress,
    pub content: Option<(Value, Writing)>,
    /// The looks in the order of the properties.
    pub looks: Vec<LookId>,
}

/// A sheet as far as actions can say it.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// Cells with something in them, row by row.
    pub cells: Vec<TargetCell>,
    index: FxHashMap<CellAddress, usize>,
    looks: Vec<Look>,
    /// Disjoint merged ranges of at least two cells.
    pub merges: Vec<Bounds>,
    /// Every cell of a merged range, with the index of the range.
    pub merged: FxHashMap<CellAddress, usize>,
}

impl Target {
    /// The part of a sheet that actions can say, with notes on the rest.
    pub(super) fn of(sheet: &Sheet) -> (Self, Vec<Note>) {
        let mut builder = Builder::default();
        builder.add_merges(sheet.merges());
        for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
            match key.address() {
                Some(at) if (1..=ROW_MAX).contains(&at.row) && (1..=COLUMN_MAX).contains(&at.col) => {
                    builder.add_cell(at, cell);
                }
                _ => builder.notes.add("cells whose key is no address left out"),
            }
        }
        (builder.target, builder.notes.into_vec())
    }

    pub(super) fn cell(&self, at: CellAddress) -> Option<&TargetCell> {
        self.index.get(&at).and_then(|index| self.cells.get(*index))
    }

    pub(super) fn content(&self, at: CellAddress) -> Option<&(Value, Writing)> {
        self.cell(at).and_then(|cell| cell.content.as_ref())
    }

    pub(super) fn look(&self, id: LookId) -> &Look {
        #[expect(
            clippy::indexing_slicing,
            reason = "identifiers are only made for looks of this target"
        )]
        &self.looks[id.0 as usize]
    }

    /// The look of a cell in one property.
    pub(super) fn look_at(&self, at: CellAddress, property: Property) -> Option<LookId> {
        let looks = &self.cell(at)?.looks;
        looks.iter().copied().find(|id| self.look(*id).property == property)
    }

    /// Whether two cells show the same in one property.
    pub(super) fn shows_same(&self, a: CellAddress, b: CellAddress, property: Property) -> bool {
        match (self.look_at(a, property), self.look_at(b, property)) {
            (None, None) => true,
            (Some(a), Some(b)) => a == b || self.look(a).stored.strictly_equals(&self.look(b).stored),
            _ => false,
        }
    }

    /// The target as a sheet state.
    pub(super) fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        if let Some(cells) = &mut sheet.cells {
            for cell in &self.cells {
                let to = cells.touch(CellKey::Address(cell.at));
                if let Some((value, _)) = &cell.content {
                    to.set(Property::Value, value.clone());
                }
                for look in &cell.looks {
                    let look = self.look(*look);
                    to.set(look.property, look.stored.clone());
                }
            }
        }
        sheet.merges = Some(self.merges.clone());
        sheet
    }
}

/// Counted notes in the order of their first occurrence.
#[derive(Debug, Default)]
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, what: &str) {
        if let Some(note) = self.0.iter_mut().find(|note| note.what == what) {
            note.count += 1;
        } else {
            self.0.push(Note {
                what: what.to_owned(),
                count: 1,
            });
        }
    }

    fn into_vec(self) -> Vec<Note> {
        self.0
    }
}

#[derive(Default)]
struct Builder {
    target: Target,
    notes: Notes,
    known_looks: FxHashMap<(Property, String), Option<(LookId, bool)>>,
    known_texts: FxHashMap<Arc<str>, Option<(Arc<str>, Writing)>>,
}

impl Builder {
    fn add_merges(&mut self, merges: &[Bounds]) {
        let mut n_cells = 0;
        for merge in merges {
            n_cells += merge.n_cells();
            let size_fits = merge.n_cells() <= CELLS_PER_ACTION_MAX && n_cells <= MERGED_CELLS_MAX;
            if merge.n_cells() < 2 || !size_fits {
                self.notes.add(if size_fits {
                    "merged ranges of one cell left out"
                } else {
                    "merged ranges beyond the limits left out"
                });
                continue;
            }
            if merge.cells().any(|at| self.target.merged.contains_key(&at)) {
                self.notes.add("overlapping merged ranges left out");
                continue;
            }
            let index = self.target.merges.len();
            self.target.merged.extend(merge.cells().map(|at| (at, index)));
            self.target.merges.push(*merge);
        }
    }

    fn add_cell(&mut self, at: CellAddress, cell: &Cell) {
        let mut entry = TargetCell {
            at,
            content: None,
            looks: Vec::new(),
        };
        let merge = self
            .target
            .merged
            .get(&at)
            .and_then(|index| self.target.merges.get(*index));
        let interior = merge.is_some_and(|merge| merge.first_cell() != at);
        for (property, value) in cell.entries() {
            match property {
                Property::Value if interior => self.notes.add("contents beneath a merged range left out"),
                Property::Value => entry.content = self.content(value),
                Property::Formula | Property::Datatype | Property::Unknown => {
                    self.notes.add("properties that no action writes left out");
                }
                property if property.is_container() => {}
                property => entry.looks.extend(self.look(*property, value)),
            }
        }
        if entry.content.is_some() || !entry.looks.is_empty() {
            entry.looks.sort_unstable_by_key(|id| self.target.look(*id).property);
            self.target.index.insert(at, self.target.cells.len());
            self.target.cells.push(entry);
        }
    }

    fn content(&mut self, value: &Value) -> Option<(Value, Writing)> {
        match value {
            Value::Text(text) if text.is_empty() => None,
            Value::Text(text) => self.text(text),
            Value::Float(float) if !float.is_finite() => {
                self.notes.add("numbers that are not finite left out");
                None
            }
            Value::Null => None,
            Value::List(_) | Value::Object(_) => {
                self.notes.add("contents that no action writes left out");
                None
            }
            number => Some((number.clone(), Writing::Typed)),
        }
    }

    fn text(&mut self, text: &Arc<str>) -> Option<(Value, Writing)> {
        let known = self.known_texts.get(text).cloned();
        let written = known.unwrap_or_else(|| {
            let written = writing_of(text);
            self.known_texts.insert(text.clone(), written.clone());
            written
        });
        let Some((kept, writing)) = written else {
            self.notes.add("texts that no action writes left out");
            return None;
        };
        if kept != *text {
            self.notes.add("texts changed by the notation");
        }
        if writing == Writing::Set {
            self.notes
                .add("texts that typing would turn into clock times written by VALUE");
        }
        Some((Value::Text(kept), writing))
    }

    fn look(&mut self, property: Property, value: &Value) -> Option<LookId> {
        let key = (property, json::write(value));
        let known = match self.known_looks.get(&key) {
            Some(known) => *known,
            None => {
                let made = make_look(property, value).map(|look| {
                    let same = look.stored.loosely_equals(value);
                    self.target.looks.push(look);
                    let id = LookId(u32::try_from(self.target.looks.len() - 1).unwrap_or(u32::MAX));
                    (id, same)
                });
                self.known_looks.insert(key, made);
                made
            }
        };
        match known {
            Some((id, same)) => {
                if !same {
                    self.notes.add(match property {
                        Property::BorderLeft | Property::BorderRight | Property::BorderTop | Property::BorderBottom => {
                            "border sides whose weight only the action tells (states know thin lines alone)"
                        }
                        _ => "formats changed by the notation",
                    });
                }
                Some(id)
            }
            None => {
                self.notes.add("formats equal to a default of the notation left out");
                None
            }
        }
    }
}

/// How a text is written so that it stays itself; the text that is left where the notation changes it.
fn writing_of(text: &Arc<str>) -> Option<(Arc<str>, Writing)> {
    let range = || Range::of_cell(SHEET_NAME.into(), CellAddress::new(1, 1));
    let value = Value::Text(text.clone());
    let typed = Action::new(range(), Edit::Input { value: value.clone() });
    let set = Action::new(range(), Edit::Value { value, datatype: None });
    let left_by = |action: &Action| match left_in_cell(action)?.get(Property::Value)? {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let typing = left_by(&typed);
    if typing.as_ref() == Some(text) {
        return Some((text.clone(), Writing::Typed));
    }
    match left_by(&set) {
        Some(kept) if kept == *text => Some((kept, Writing::Set)),
        _ => typing
            .filter(|kept| !kept.is_empty())
            .map(|kept| (kept, Writing::Typed)),
    }
}

/// What the text of an action leaves in the first cell of an empty sheet, once it was read back.
fn left_in_cell(action: &Action) -> Option<Cell> {
    let read = Action::parse(&action.to_string()).ok()?;
    let mut scratch = Workbook::default();
    scratch.apply(&read).ok()?;
    scratch
        .cell(SHEET_NAME, &CellKey::Address(CellAddress::new(1, 1)))
        .cloned()
}

fn make_look(property: Property, value: &Value) -> Option<Look> {
    let action = Action::new(
        Range::of_cell(SHEET_NAME.into(), CellAddress::new(1, 1)),
        edit_of(property, value)?,
    );
    let stored = left_in_cell(&action)?.get(property)?.clone();
    let read = Action::parse(&action.to_string()).ok()?;
    Some(Look {
        property,
        edit: read.edit().clone(),
        stored,
    })
}

/// The edit that gives a property its value.
fn edit_of(property: Property, value: &Value) -> Option<Edit> {
    let font = |property| {
        Some(Edit::Font {
            property,
            value: value.clone(),
        })
    };
    let text = || value.as_text().map(Arc::from);
    match property {
        Property::NumberFormat => Some(Edit::NumberFormat { format: text()? }),
        Property::FontName => font(FontProperty::Name),
        Property::FontSize => font(FontProperty::Size),
        Property::FontBold => font(FontProperty::Bold),
        Property::FontItalic => font(FontProperty::Italic),
        Property::FontColor => font(FontProperty::Color),
        Property::FontUnderline => font(FontProperty::Underline),
        Property::Fill => Some(Edit::Fill {
            color: Some(value.get("fgColor")?.as_text()?.into()),
        }),
        Property::HorizontalAlignment => Some(Edit::Align {
            axis: Axis::Horizontal,
            value: text()?,
        }),
        Property::VerticalAlignment => Some(Edit::Align {
            axis: Axis::Vertical,
            value: text()?,
        }),
        Property::WrapText => Some(Edit::Wrap { on: value.is_truthy() }),
        Property::TextOrientation => Some(Edit::Orientation { degrees: value.clone() }),
        side => Some(Edit::Border {
            side: side_of(side)?,
            line: line_of(value),
        }),
    }
}

/// Weight and style of a workbook's line, with its colour (spec 04, 1.5).
fn line_of(stored: &Value) -> BorderLine {
    let style = stored.get("lineStyle").and_then(Value::as_text).unwrap_or_default();
    let (weight, style) = weight_and_style(&style.to_lowercase());
    BorderLine {
        weight: Some(weight.into()),
        style: Some(style.into()),
        color: stored.get("color").and_then(Value::as_text).map(Arc::from),
    }
}
