//! Carrying out a changed sequence of actions again, as far as the change can matter.
//!
//! Let one run lead from a state `S` by actions `A` to `E`, and another one from `S'` by `A'` to `E'`, where `A'` is
//! `A` with some actions taken out and others put in. How far actions reach is as [`reach`](super::reach) says. Give it a
//! set of *dirty* cells that holds every cell in which `S` and `S'` differ and everything touched by actions that only
//! one of the runs has.
//!
//! **Forwards:** go through `A'`; an action that reads a dirty cell makes all it touches dirty. Then the two runs agree
//! outside the dirty cells at every point. They do at the start. An action of one run alone touches dirty cells only. A
//! common action that reads no dirty cell does the same to a clean cell in both runs; one that reads some touches
//! dirty cells only. Records of merges that differ have all their cells dirty, so an action that depends on one reads
//! a dirty cell. Hence `E'` is `E` outside the dirty cells, and a merge whose first cell is clean is in both or neither.
//!
//! **Backwards:** start with the dirty cells as *needed* and go through `A'` from its end; an action that touches a
//! needed cell is carried out, and what it reads is needed as well. Then carrying out these actions alone, starting
//! from the needed cells and all merges of `S'`, gives every needed cell its true content at every point from which it is
//! needed: what is left out touches none of them, and what is carried out reads only such cells. The same holds for
//! every merge whose first cell is needed, since what makes or deletes a merge touches all its cells.
//!
//! An action that writes each cell of its range alone and alike is carried out on the part of the range in the smallest
//! box around the needed cells of its sheet, which makes no difference to the cells in the box.
//!
//! So `E'` is the result of that run in the dirty cells and `E` elsewhere.

use std::rc::Rc;
use std::sync::Arc;

use napsim_trajectories::action::BorderSide;
use napsim_trajectories::{Action, Bounds, Edit, Range, Value};

use super::slots::{Slot, SlotSet, Slots};
use crate::fingerprint::around_both;
use crate::plan::Planned;
use crate::state::{Cell, Workbook};

/// The cells that a change can matter to.
#[derive(Debug, Default)]
pub(super) struct Limited {
    dirty: SlotSet,
    needed: SlotSet,
}

impl Limited {
    /// Starts anew: nothing is dirty.
    pub(super) fn clear(&mut self) {
        self.dirty.clear();
    }

    /// These cells are dirty from the start.
    pub(super) fn add_cells(&mut self, cells: &[Slot]) {
        self.dirty.extend(cells);
    }

    /// What these actions touch is dirty from the start. None where that is not known.
    pub(super) fn add(&mut self, slots: &mut Slots, actions: &[Rc<Planned>]) -> Option<()> {
        for planned in actions {
            self.dirty.extend(&planned.reach(slots)?.touches);
        }
        Some(())
    }

    /// The dirty cells.
    pub(super) fn dirty(&self) -> &SlotSet {
        &self.dirty
    }

    /// The part of a sequence that has to be carried out, in order. None where an action's reach is not known.
    pub(super) fn select<'p>(&mut self, slots: &mut Slots, actions: &[&'p Planned]) -> Option<Vec<&'p Planned>> {
        for planned in actions {
            let reach = planned.reach(slots)?;
            if self.dirty.contains_any(&reach.reads) {
                self.dirty.extend(&reach.touches);
            }
        }
        self.needed.clear();
        self.needed.extend(self.dirty.members());
        let mut selected = Vec::new();
        for planned in actions.iter().rev() {
            let reach = planned.reach(slots)?;
            if self.needed.contains_any(&reach.touches) {
                self.needed.extend(&reach.reads);
                selected.push(*planned);
            }
        }
        selected.reverse();
        Some(selected)
    }

    /// Carries the selected actions out on the needed cells, which `cell` gives, and all merges of a state.
    pub(super) fn run<'c>(
        &self,
        slots: &Slots,
        merges: &Workbook,
        cell: impl Fn(Slot) -> Option<&'c Arc<Cell>>,
        selected: &[&Planned],
    ) -> Workbook {
        let mut state = merges.without_cells();
        let mut boxes: Vec<Option<Bounds>> = vec![None; slots.sheets().count()];
        for slot in self.needed.members() {
            let place = slots.place(*slot);
            if let Some(cell) = cell(*slot) {
                state.share_cell(&place.sheet, &place.key, cell);
            }
            if let Some(known) = boxes.get_mut(place.sheet_idx) {
                *known = around_both(*known, place.key.address().map(Bounds::of_cell));
            }
        }
        for planned in selected {
            let action = &planned.action;
            let sheet = slots.sheets().position(|sheet| sheet == action.range().sheet());
            let needed = sheet.and_then(|idx| boxes.get(idx).copied().flatten());
            match needed.and_then(|needed| part_in(action, &needed)) {
                Some(part) => state.apply_lenient([&part]),
                None => state.apply_lenient([action]),
            }
        }
        state
    }
}

/// The part of an action in a box, if the action writes each cell of its range alone and alike and is not all in it.
fn part_in(action: &Action, needed: &Bounds) -> Option<Action> {
    let alike = match action.edit() {
        Edit::NumberFormat { .. }
        | Edit::Fill { .. }
        | Edit::Font { .. }
        | Edit::Align { .. }
        | Edit::Wrap { .. }
        | Edit::Orientation { .. } => true,
        Edit::Input { value } => !matches!(value, Value::List(_)),
        Edit::Border { side, .. } => *side == BorderSide::All,
        _ => false,
    };
    let whole = action.range().walk().ok().filter(|_| alike)?;
    if needed.contains(&whole) || !needed.overlaps(&whole) {
        return None;
    }
    let part = Bounds {
        first_row: whole.first_row.max(needed.first_row),
        first_col: whole.first_col.max(needed.first_col),
        last_row: whole.last_row.min(needed.last_row),
        last_col: whole.last_col.min(needed.last_col),
    };
    Some(action.on_range(Range::from_bounds(action.range().sheet().clone(), part)))
}
