//! Actions made ready: what each one writes, in slots and numbers, worked out once.

use std::rc::Rc;

use napsim_trajectories::action::{BorderLine, BorderSide};
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, Value};

use super::cells::Tables;
use super::looks::{Op, OpId};
use super::merges::MergeId;
use super::slots::{SheetIdx, Slot};
use super::values::ValueId;
use crate::apply::{self, ApplyError, Geometry, Layout, Uniform};
use crate::state::{CellKey, Property};

/// What an action writes. For actions of known reach only (see [`reach`](super::reach)).
#[derive(Debug)]
pub(super) enum Script {
    /// Nothing; the action fails, or its range has no cells.
    Idle(Result<(), ApplyError>),
    /// One content for every cell.
    Content(Cells, Content),
    /// Contents cell by cell.
    Grid(Box<[(Slot, ValueId)]>),
    /// One operation on the look of every cell.
    Look(Cells, OpId),
    /// Operations on looks cell by cell.
    Looks(Box<[(Slot, OpId)]>),
    /// A merge or an unmerge.
    Merge(MergeScript),
    /// A paste.
    Paste(PasteScript),
    /// An autofill.
    Autofill(FillScript),
}

/// The cells of an action that writes each of them alike.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) slots: Rc<[Slot]>,
    /// Sheet and box that the cells make up, if they are those of a plain range.
    pub(super) area: Option<(SheetIdx, Bounds)>,
}

/// What is typed; a value of none deletes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Value(ValueId),
    Formula(ValueId),
}

/// A merge or an unmerge.
#[derive(Debug)]
pub(super) struct MergeScript {
    pub(super) id: MergeId,
    pub(super) on: bool,
    /// Only the record of the merge is made or deleted.
    pub(super) flagged: bool,
    /// All cells of the range, row by row.
    pub(super) slots: Rc<[Slot]>,
    /// Why the cells cannot be walked over, if they cannot.
    pub(super) walk: Result<(), ApplyError>,
}

/// A paste.
#[derive(Debug)]
pub(super) struct PasteScript {
    pub(super) layout: Layout,
    /// Source and destination cells, in the order in which they are pasted.
    pub(super) pairs: Box<[(Slot, Slot)]>,
    /// What happens after the pairs.
    pub(super) end: Result<(), ApplyError>,
    pub(super) source: SheetIdx,
    pub(super) to: SheetIdx,
}

/// The source cells and the fill cells of one lane.
pub(super) type Lane = (Box<[Slot]>, Box<[Slot]>);

/// An autofill.
#[derive(Debug)]
pub(super) struct FillScript {
    pub(super) geometry: Geometry,
    pub(super) lanes: Box<[Lane]>,
    /// The inverse of a fill empties the fill cells.
    pub(super) flagged: bool,
}

impl Script {
    /// What an action of known reach writes; `named` are the cells of its range, row by row.
    pub(super) fn of(action: &Action, named: &Rc<[Slot]>, tables: &mut Tables) -> Self {
        let range = action.range();
        if let Some(uniform) = Uniform::of(action.edit()) {
            return uniform_script(range, named, &uniform, tables);
        }
        match action.edit() {
            Edit::Value { value, .. } => {
                let value = match value {
                    Value::Null => ValueId::NONE,
                    value => tables.value(value),
                };
                Self::Content(text_cell(range, tables), Content::Value(value))
            }
            Edit::Formula { text } => {
                let text = text.clone().map(Value::Text);
                let formula = text.map_or(ValueId::NONE, |text| tables.value(&text));
                Self::Content(text_cell(range, tables), Content::Formula(formula))
            }
            Edit::Input { value } => grid_script(range, value, tables),
            Edit::Border { side, line } => border_script(range, named, *side, line, tables),
            Edit::Merge { on } => merge_script(range, *on, action.is_inverse(), tables),
            Edit::Paste { source, mode } => match Range::parse(source) {
                Ok(source) => paste_script(range, &source, mode, tables),
                Err(error) => Self::Idle(Err(error.into())),
            },
            Edit::Autofill { source } => match Range::parse(source) {
                Ok(source) => fill_script(range, &source, action.is_inverse(), tables),
                Err(error) => Self::Idle(Err(error.into())),
            },
            _ => Self::Idle(Ok(())),
        }
    }
}

/// The slots of several cells of a sheet.
pub(super) fn slots_of(
    tables: &mut Tables,
    sheet: SheetIdx,
    cells: impl IntoIterator<Item = CellAddress>,
) -> Rc<[Slot]> {
    let slots = cells.into_iter();
    let slots = slots.map(|cell| tables.slots.of_sheet(sheet, CellKey::Address(cell)));
    slots.collect()
}

/// The cells of a plain range, or why there are none to write.
fn cells_of(range: &Range, named: &Rc<[Slot]>, tables: &mut Tables) -> Result<Cells, Script> {
    let bounds = range.walk().map_err(|error| Script::Idle(Err(error.into())))?;
    if bounds.n_cells() == 0 {
        return Err(Script::Idle(Ok(())));
    }
    let sheet = tables.slots.sheet_idx(range.sheet());
    Ok(Cells {
        slots: named.clone(),
        area: Some((sheet, bounds)),
    })
}

fn uniform_script(range: &Range, named: &Rc<[Slot]>, uniform: &Uniform, tables: &mut Tables) -> Script {
    let cells = match cells_of(range, named, tables) {
        Ok(cells) => cells,
        Err(idle) => return idle,
    };
    let op = match uniform {
        Uniform::Set(property, stored) => {
            let stored = stored.as_ref().map_or(ValueId::NONE, |value| tables.value(value));
            if *property == Property::Value {
                return Script::Content(cells, Content::Value(stored));
            }
            Op::Set(*property, stored)
        }
        Uniform::Fill(fill) => Op::Fill(tables.value(fill)),
    };
    Script::Look(cells, tables.looks.op(op))
}

/// The cell that a range text names.
fn text_cell(range: &Range, tables: &mut Tables) -> Cells {
    let sheet = tables.slots.sheet_idx(range.sheet());
    let slot = tables.slots.of_sheet(sheet, CellKey::from_text(range.text()));
    Cells {
        slots: Rc::from([slot]),
        area: None,
    }
}

fn grid_script(range: &Range, value: &Value, tables: &mut Tables) -> Script {
    let sheet = tables.slots.sheet_idx(range.sheet());
    let cells = apply::grid_cells(range, value).map(|(address, value)| {
        let value = match value {
            Value::Null => ValueId::NONE,
            value => tables.value(value),
        };
        (tables.slots.of_sheet(sheet, CellKey::Address(address)), value)
    });
    Script::Grid(cells.collect())
}

fn border_script(
    range: &Range,
    named: &Rc<[Slot]>,
    side: BorderSide,
    line: &BorderLine,
    tables: &mut Tables,
) -> Script {
    let cells = match cells_of(range, named, tables) {
        Ok(cells) => cells,
        Err(idle) => return idle,
    };
    let line = if line.clears() {
        ValueId::NONE
    } else {
        tables.value(&apply::stored_line(line))
    };
    let bounds = range.bounds();
    let mut op_at = |address: CellAddress| {
        let sides = apply::sides_at(side, &bounds, address);
        let sides = sides.fold(0, |bits, side| bits | side.bit());
        tables.looks.op(Op::Sides(sides, line))
    };
    if side == BorderSide::All {
        return Script::Look(cells, op_at(bounds.first_cell()));
    }
    let ops = bounds.cells().map(op_at);
    Script::Looks(cells.slots.iter().copied().zip(ops).collect())
}

fn merge_script(range: &Range, on: bool, flagged: bool, tables: &mut Tables) -> Script {
    let sheet = tables.slots.sheet_idx(range.sheet());
    let bounds = range.bounds();
    Script::Merge(MergeScript {
        id: tables.merges.intern(&mut tables.slots, sheet, bounds),
        on,
        flagged,
        slots: slots_of(tables, sheet, bounds.cells()),
        walk: range.walk().map(|_| ()).map_err(ApplyError::from),
    })
}

fn paste_script(range: &Range, source: &Range, mode: &str, tables: &mut Tables) -> Script {
    let layout = Layout::of(range, source, mode);
    let from = tables.slots.sheet_idx(source.sheet());
    let to = tables.slots.sheet_idx(range.sheet());
    let mut pairs = Vec::new();
    let mut end = Ok(());
    for pair in layout.pairs() {
        match pair {
            Ok((source, cell)) => pairs.push((
                tables.slots.of_sheet(from, CellKey::Address(source)),
                tables.slots.of_sheet(to, CellKey::Address(cell)),
            )),
            Err(error) => {
                end = Err(error);
                break;
            }
        }
    }
    Script::Paste(PasteScript {
        layout,
        pairs: pairs.into(),
        end,
        source: from,
        to,
    })
}

fn fill_script(range: &Range, source: &Range, flagged: bool, tables: &mut Tables) -> Script {
    let geometry = Geometry::of(&range.bounds(), &source.bounds());
    let sheet = tables.slots.sheet_idx(range.sheet());
    let lanes = geometry.lanes().map(|lane| {
        let mut slot = |address| tables.slots.of_sheet(sheet, CellKey::Address(address));
        let sources = (0..geometry.n_source()).map(|idx| slot(geometry.source_cell(lane, idx)));
        let sources = sources.collect();
        let fills = (0..geometry.n_fill).map(|step| slot(geometry.fill_cell(lane, step)));
        (sources, fills.collect())
    });
    Script::Autofill(FillScript {
        geometry,
        lanes: lanes.collect(),
        flagged,
    })
}
