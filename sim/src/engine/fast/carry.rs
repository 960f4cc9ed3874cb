//! Carrying out a script: the rules of [`apply`](crate::apply) on cells by number.

use napsim_trajectories::{CellAddress, Value, shift_references};

use super::cells::{Cell, Tables};
use super::layer::{Ground, Layer};
use super::looks::{LookId, Op, OpId};
use super::merges::MergeId;
use super::script::{Cells, Content, FillScript, MergeScript, PasteScript, Script};
use super::slots::{Slot, SlotSet};
use super::values::ValueId;
use crate::apply::{ApplyError, Edges, Line, fill_lane};
use crate::state::{CellKey, Property, same_line};

/// A state that scripts are carried out on: a layer that takes the changes, over a ground that stays.
pub(super) struct Board<'a> {
    pub(super) tables: &'a mut Tables,
    pub(super) ground: Ground<'a>,
    pub(super) layer: &'a mut Layer,
}

impl Board<'_> {
    fn get(&self, slot: Slot) -> Cell {
        self.layer.get(slot).unwrap_or_else(|| self.ground.get(slot))
    }

    fn has_merge(&self, id: MergeId) -> bool {
        self.layer.merge(id).unwrap_or_else(|| self.ground.has_merge(id))
    }

    /// Carries a script out.
    ///
    /// Where `needed` is given, only the cells in it matter, and the script may leave out others that it writes alone
    /// and alike.
    ///
    /// # Errors
    /// [`ApplyError`] when it fails; partial effects stay.
    pub(super) fn carry_out(&mut self, script: &Script, needed: Option<&SlotSet>) -> Result<(), ApplyError> {
        match script {
            Script::Idle(result) => return *result,
            Script::Content(cells, content) => self.each(cells, needed, |_, cell| {
                let cell = cell.touched();
                match content {
                    Content::Value(value) => Cell { value: *value, ..cell },
                    Content::Formula(formula) => Cell {
                        formula: *formula,
                        ..cell
                    },
                }
            }),
            Script::Grid(cells) => {
                for (slot, value) in cells {
                    let cell = self.get(*slot).touched();
                    self.layer.put(*slot, Cell { value: *value, ..cell });
                }
            }
            Script::Look(cells, op) => {
                // Neighbours mostly look alike.
                let mut last = (LookId::ABSENT, self.tables.apply(LookId::ABSENT, *op));
                self.each(cells, needed, |tables, cell| {
                    if cell.look != last.0 {
                        last = (cell.look, tables.apply(cell.look, *op));
                    }
                    Cell { look: last.1, ..cell }
                });
            }
            Script::Looks(cells) => {
                for (slot, op) in cells.iter().filter(|(slot, _)| is_needed(needed, *slot)) {
                    self.change_look(*slot, *op);
                }
            }
            Script::Merge(script) => return self.merge(script),
            Script::Paste(script) => return self.paste(script),
            Script::Autofill(script) => return self.autofill(script),
        }
        Ok(())
    }

    /// Writes every cell of an action, or the needed ones if there are fewer.
    fn each(&mut self, cells: &Cells, needed: Option<&SlotSet>, mut write: impl FnMut(&mut Tables, Cell) -> Cell) {
        let few = needed.filter(|needed| needed.members().len() < cells.slots.len());
        match (few, cells.area) {
            (Some(needed), Some((sheet, bounds))) => {
                for slot in needed.members() {
                    let place = self.tables.slots.place(*slot);
                    let inside = place.key.address().is_some_and(|at| bounds.contains_cell(at));
                    if place.sheet_idx == sheet && inside {
                        let cell = write(self.tables, self.get(*slot));
                        self.layer.put(*slot, cell);
                    }
                }
            }
            _ => {
                for slot in cells.slots.iter().filter(|slot| is_needed(needed, **slot)) {
                    let cell = write(self.tables, self.get(*slot));
                    self.layer.put(*slot, cell);
                }
            }
        }
    }

    fn change_look(&mut self, slot: Slot, op: OpId) {
        let cell = self.get(slot);
        let look = self.tables.apply(cell.look, op);
        self.layer.put(slot, Cell { look, ..cell });
    }

    fn apply(&mut self, look: LookId, op: Op) -> LookId {
        let op = self.tables.looks.op(op);
        self.tables.apply(look, op)
    }

    fn merge(&mut self, script: &MergeScript) -> Result<(), ApplyError> {
        let present = self.has_merge(script.id);
        if script.on {
            if present {
                return Ok(());
            }
            if !script.flagged {
                script.walk?;
                self.merge_cells(script);
            }
            self.layer.put_merge(script.id, true);
            return Ok(());
        }
        if !script.flagged {
            self.unmerge_cells(script);
            script.walk?;
        }
        if present {
            self.layer.put_merge(script.id, false);
        }
        Ok(())
    }

    /// The first cell keeps its content, the others only the borders around the range.
    fn merge_cells(&mut self, script: &MergeScript) {
        let bounds = self.tables.merges.get(script.id).bounds;
        let edges = self.edges(script);
        for (at, slot) in bounds.cells().zip(script.slots.iter()) {
            let lines = edges.at(&bounds, at).map(Option::unwrap_or_default);
            let bare = lines.iter().all(|line| !line.is_some());
            let cell = if at == bounds.first_cell() {
                let op = if bare {
                    Op::DropBorders
                } else {
                    Op::ReplaceBorders(lines)
                };
                let cell = self.get(*slot).touched();
                let look = self.apply(cell.look, op);
                Cell { look, ..cell }
            } else if bare {
                Cell::default()
            } else {
                Cell::of_look(self.apply(LookId::BARE, Op::ReplaceBorders(lines)))
            };
            self.layer.put(*slot, cell);
        }
    }

    /// The borders around a range that survive merging.
    fn edges(&self, script: &MergeScript) -> Edges<ValueId> {
        let bounds = self.tables.merges.get(script.id).bounds;
        let slot_at = |at: CellAddress| {
            let (row, col) = (at.row - bounds.first_row, at.col - bounds.first_col);
            let idx = usize::try_from(row * bounds.width() + col).ok();
            idx.and_then(|idx| script.slots.get(idx)).copied()
        };
        let edges = Edges::find(&bounds, |at, side| {
            let cell = self.get(slot_at(at)?);
            let id = self.tables.looks.get(cell.look, side);
            let value = self.tables.values.get(id).filter(|line| line.is_truthy())?;
            Some(KnownLine { id, value })
        });
        Edges {
            lines: edges.lines.map(|line| line.map(|line| line.id)),
        }
    }

    /// The first cell's format goes to the other cells, which keep their own borders.
    fn unmerge_cells(&mut self, script: &MergeScript) {
        let Some((first, others)) = script.slots.split_first() else {
            return;
        };
        let bounds = self.tables.merges.get(script.id).bounds;
        let anchor = self.get(*first).touched();
        let spread = self.apply(anchor.look, Op::Spread);
        let spreads = self.tables.looks.holds_any(spread, Property::Format);
        let op = Op::ReduceBorders {
            one_column: bounds.width() == 1,
            one_row: bounds.height() == 1,
        };
        let look = self.apply(anchor.look, op);
        self.layer.put(*first, Cell { look, ..anchor });
        if script.walk.is_err() {
            return;
        }
        for slot in others {
            let cell = self.get(*slot);
            if !spreads && !cell.exists() {
                continue;
            }
            let base = if spreads { spread } else { LookId::BARE };
            let look = self.apply(base, Op::TakeBorders(cell.look));
            let cell = if look == LookId::BARE {
                Cell::default()
            } else {
                Cell::of_look(look)
            };
            self.layer.put(*slot, cell);
        }
    }

    fn paste(&mut self, script: &PasteScript) -> Result<(), ApplyError> {
        let (parts, (rows, cols)) = (script.layout.parts, script.layout.offset());
        for (from, to) in &script.pairs {
            let source = self.get(*from);
            let mut cell = self.get(*to).touched();
            if parts.values {
                cell.value = source.value;
            }
            if parts.formulas {
                cell.formula = match self.tables.values.get(source.formula) {
                    Some(Value::Text(text)) => {
                        let shifted = Value::text(shift_references(text, rows, cols));
                        self.tables.value(&shifted)
                    }
                    _ => source.formula,
                };
            }
            if parts.formats {
                cell.look = self.apply(cell.look, Op::CopyFormat(source.look));
            }
            self.layer.put(*to, cell);
        }
        script.end?;
        if parts.formats {
            self.paste_merges(script)?;
        }
        Ok(())
    }

    /// Merges inside the source are repeated in the pasted extent where they fit.
    fn paste_merges(&mut self, script: &PasteScript) -> Result<(), ApplyError> {
        let Self { tables, .. } = self;
        if tables.merges.is_empty() {
            return script.layout.rebased(&[]).map(|_| ());
        }
        let from = script.layout.from;
        let mut inner = Vec::new();
        for address in from.cells() {
            let first = self.tables.slots.of_sheet(script.source, CellKey::Address(address));
            for id in self.tables.merges.anchored(first) {
                let bounds = self.tables.merges.get(*id).bounds;
                if from.contains(&bounds) && self.has_merge(*id) {
                    inner.push(bounds);
                }
            }
        }
        for bounds in script.layout.rebased(&inner)? {
            let Tables { merges, slots, .. } = &mut *self.tables;
            let id = merges.intern(slots, script.to, bounds);
            self.layer.put_merge(id, true);
        }
        Ok(())
    }

    fn autofill(&mut self, script: &FillScript) -> Result<(), ApplyError> {
        let mut n_bytes = 0;
        for (sources, fills) in &script.lanes {
            if script.flagged {
                let empty = Cell::of_look(LookId::BARE);
                fills.iter().for_each(|slot| self.layer.put(*slot, empty));
                continue;
            }
            let sources: Vec<Cell> = sources.iter().map(|slot| self.get(*slot)).collect();
            let values = &self.tables.values;
            let contents = sources
                .iter()
                .map(|cell| (values.get(cell.value), values.get(cell.formula)));
            let filled = fill_lane(&script.geometry, contents, &mut n_bytes)?;
            for ((slot, content), source) in fills.iter().zip(filled).zip(sources.iter().cycle()) {
                let mut number =
                    |content: Option<Value>| content.map_or(ValueId::NONE, |content| self.tables.value(&content));
                let (value, formula) = (number(content.value), number(content.formula));
                let look = self.apply(source.look, Op::Filled);
                self.layer.put(*slot, Cell { value, formula, look });
            }
        }
        Ok(())
    }
}

fn is_needed(needed: Option<&SlotSet>, slot: Slot) -> bool {
    needed.is_none_or(|needed| needed.contains(slot))
}

/// A stored border side and its number.
#[derive(Clone, Copy)]
struct KnownLine<'v> {
    id: ValueId,
    value: &'v Value,
}

impl Line for KnownLine<'_> {
    fn is_same_line(&self, other: &Self) -> bool {
        self.id == other.id || same_line(self.value, other.value)
    }
}
