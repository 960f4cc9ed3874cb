//! The sheets of a rollout as they stand, and what actions change in them or would change.

mod reach;

use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Property, Sheet, Workbook};
use napsim_trajectories::{Action, Bounds};
use rustc_hash::FxHashMap;

use super::change::Change;
use super::dictionary::{COL_MAX, Dictionaries, ROW_MAX, Shown};
use super::look::Look;
use crate::display::Display;
use reach::Reach;

/// Sheet, row and column of a cell.
pub(super) type Place = (u32, u32, u32);

/// Look and content of a cell.
pub(super) type Face = (u32, u32);

/// The sheets as they stand.
#[derive(Debug, Default)]
pub(super) struct Board {
    workbook: Workbook,
    /// Faces of the cells that are not as in an empty sheet.
    faces: FxHashMap<Place, Face>,
    /// Changed cells that no spreadsheet program has room for.
    n_outside: u64,
}

/// What actions change.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Sheet by sheet.
    pub(super) changes: Vec<Change>,
    /// Actions that cannot be carried out, by index, with the reason.
    pub(super) failures: Vec<(usize, String)>,
    faces: Vec<(Place, Face)>,
    n_outside: u64,
}

/// A changed cell: row and column, what it was, and what it is.
struct Changed {
    row: u32,
    col: u32,
    before: Face,
    after: Face,
}

impl Board {
    /// The faces of all cells that are not as in an empty sheet.
    pub(super) fn faces(&self) -> &FxHashMap<Place, Face> {
        &self.faces
    }

    /// The sheets.
    pub(super) fn workbook(&self) -> &Workbook {
        &self.workbook
    }

    /// Changed cells so far that are left out, because no spreadsheet program has room for them.
    pub(super) fn n_outside(&self) -> u64 {
        self.n_outside
    }

    /// Carries actions out and tells what that changes; actions that fail are skipped.
    pub(super) fn carry_out(&mut self, actions: &[&Action], names: &mut Dictionaries) -> Effect {
        let effect = self.try_out(actions, names);
        self.commit(actions, &effect);
        effect
    }

    /// Carries out actions whose effect is known.
    pub(super) fn commit(&mut self, actions: &[&Action], effect: &Effect) {
        self.workbook.apply_lenient(actions.iter().copied());
        for (place, face) in &effect.faces {
            if *face == (0, 0) {
                self.faces.remove(place);
            } else {
                self.faces.insert(*place, *face);
            }
        }
        self.n_outside += effect.n_outside;
    }

    /// What carrying out actions would change. They are carried out on a copy of what they can reach.
    pub(super) fn try_out(&self, actions: &[&Action], names: &mut Dictionaries) -> Effect {
        let reach = Reach::of(actions);
        let mut after = reach.copied(&self.workbook);
        let mut effect = Effect::default();
        for (idx, action) in actions.iter().enumerate() {
            if let Err(error) = after.apply(action) {
                effect.failures.push((idx, error.to_string()));
            }
        }
        for (name, keys) in reach.sheets(&self.workbook, &after) {
            self.compare(&name, &keys, &after, names, &mut effect);
        }
        effect
    }

    /// Adds what is another than before in one sheet.
    fn compare(
        &self,
        name: &Arc<str>,
        keys: &[CellKey],
        after: &Workbook,
        names: &mut Dictionaries,
        effect: &mut Effect,
    ) {
        let (old, new) = (self.workbook.sheet(name), after.sheet(name));
        let Some(new) = new else { return };
        let sheet = names.sheets.number(name.clone());
        let cell = |sheet: Option<&Sheet>, key: &CellKey| -> Option<Arc<Cell>> {
            sheet.and_then(|sheet| sheet.cells.as_ref()?.shared(key)).cloned()
        };
        let mut changed = Vec::new();
        for key in keys {
            let (was, is) = (cell(old, key), cell(Some(new), key));
            let same = match (&was, &is) {
                (Some(was), Some(is)) => Arc::ptr_eq(was, is) || was.is_same(is),
                (was, is) => was.is_none() && is.is_none(),
            };
            let Some(address) = key.address().filter(|_| !same) else {
                continue;
            };
            let within = (1..=ROW_MAX).contains(&address.row) && (1..=COL_MAX).contains(&address.col);
            let (Ok(row), Ok(col), true) = (u32::try_from(address.row), u32::try_from(address.col), within) else {
                effect.n_outside += 1;
                continue;
            };
            let before = self.faces.get(&(sheet, row, col)).copied().unwrap_or_default();
            let after = is.map_or((0, 0), |is| face(&is, was.as_deref(), before, names));
            if after != before {
                changed.push(Changed {
                    row,
                    col,
                    before,
                    after,
                });
            }
        }
        let mut change = Change {
            sheet,
            makes_sheet: old.is_none(),
            ..Change::default()
        };
        let looks = changed.iter().filter(|cell| cell.before.0 != cell.after.0);
        change.add_looks(looks.map(|cell| (cell.row, cell.col, cell.after.0)));
        let contents = changed.iter().filter(|cell| cell.before.1 != cell.after.1);
        change.add_contents(contents.map(|cell| (cell.row, cell.col, cell.after.1)));
        let merges = old.map(Sheet::merges).unwrap_or_default();
        change.merged = without(new.merges(), merges);
        change.unmerged = without(merges, new.merges());
        let places = changed.iter().map(|cell| ((sheet, cell.row, cell.col), cell.after));
        effect.faces.extend(places);
        if !change.is_empty() {
            effect.changes.push(change);
        }
    }
}

/// The face of a cell. Content that is the same at a glance as before keeps its number without being shown anew.
fn face(cell: &Cell, was: Option<&Cell>, before: Face, names: &mut Dictionaries) -> Face {
    let look = names.looks.number(Look::of(cell));
    let of_content = [Property::Value, Property::Formula, Property::NumberFormat];
    let same_content = was.is_some_and(|was| {
        of_content
            .into_iter()
            .all(|property| match (was.get(property), cell.get(property)) {
                (None, None) => true,
                (Some(a), Some(b)) => a.is_same(b),
                _ => false,
            })
    });
    let content = if same_content {
        before.1
    } else {
        names.shown.number(Shown::of(Display::of(cell)))
    };
    (look, content)
}

/// The merges of a list that the other one lacks and that a spreadsheet program has room for.
fn without(merges: &[Bounds], others: &[Bounds]) -> Vec<[u32; 4]> {
    if merges == others {
        return Vec::new();
    }
    let number = |value: i64, max: i64| u32::try_from(value).ok().filter(|_| (1..=max).contains(&value));
    let within = |merge: &Bounds| {
        Some([
            number(merge.first_row, ROW_MAX)?,
            number(merge.first_col, COL_MAX)?,
            number(merge.last_row, ROW_MAX)?,
            number(merge.last_col, COL_MAX)?,
        ])
    };
    let missing = merges
        .iter()
        .filter(|merge| merge.n_cells() > 1 && !others.contains(merge));
    missing.filter_map(within).collect()
}
