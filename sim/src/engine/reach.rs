//! How far an action reaches: the cells it may change, and the cells that decide what it does.
//!
//! Both sets follow from the action alone, whatever the state. They hold more than an action changes or looks at, never
//! less. For every action whose reach is known, and for states whose sheets have cells and merges (all states of a
//! rollout):
//!
//! 1. Only cells in `touches` change, and only records of merges all of whose cells are in `touches`.
//! 2. What becomes of a cell, and of the record of a merge, depends on what it was before and on the cells in `reads`
//!    and the records of merges all of whose cells are in `reads`, on nothing else. So does whether the action
//!    fails, and how far it gets before.
//!
//! Kind by kind: content, formats and borders write each cell of a range from the action alone. An unmerge writes its
//! range from its first cell. A merge does nothing where its record exists, and else writes its range from the borders
//! in it. A paste writes its extent, which may be larger than its range, from its source and the merges inside the
//! source; where extent and source overlap, cells of the source are written before they are read, but from other cells
//! of the source. An autofill writes its fill cells from its source; the length of texts in the source decides whether
//! it fails. Ranges with `$` fail on the way to their cells, which does not depend on the state; grids and pastes go by
//! coordinates and do not care.
//!
//! The reach of merges, unmerges and pastes on reversed ranges is not known: their records have no cell. So every merge
//! in a state that came about by actions of known reach has a first cell, and all its cells are touched together.

use std::rc::Rc;

use napsim_trajectories::{Action, CellAddress, Edit, Range, Value};

use super::slots::{Slot, Slots};
use crate::apply;
use crate::fingerprint::Fingerprint;
use crate::state::CellKey;

/// What an action changes and depends on, and the cells that it names.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// The cells that it may change.
    pub(super) touches: Rc<[Slot]>,
    /// The cells that decide what it does, besides those it changes.
    pub(super) reads: Rc<[Slot]>,
    /// The cells of its own range, whatever it does with them; none where they cannot be walked over.
    pub(super) names: Rc<[Slot]>,
}

impl Reach {
    /// The reach of an action; none where it is not known.
    pub(crate) fn of(action: &Action, slots: &mut Slots) -> Option<Self> {
        let range = action.range();
        let named = range.walk().map(|bounds| slots.of_cells(range.sheet(), bounds.cells()));
        let names: Rc<[Slot]> = named.unwrap_or_default();
        let none = || Rc::from([]);
        let (touches, reads) = match action.edit() {
            Edit::Value { .. } | Edit::Formula { .. } => {
                let key = CellKey::from_text(range.text());
                (Rc::from([slots.of(range.sheet(), key)]), none())
            }
            Edit::Input {
                value: Value::List(rows),
            } if !rows.is_empty() => (slots.of_cells(range.sheet(), grid_cells(range, rows)), none()),
            Edit::Merge { .. } => {
                if range.bounds().n_cells() == 0 {
                    return None;
                }
                let cells = slots.of_cells(range.sheet(), range.bounds().cells());
                (cells.clone(), cells)
            }
            Edit::Paste { source, mode } => match Range::parse(source) {
                Ok(source) => {
                    let extent = apply::paste_extent(range, &source, mode);
                    if source.bounds().n_cells() == 0 || extent.n_cells() == 0 {
                        return None;
                    }
                    (
                        slots.of_cells(range.sheet(), extent.cells()),
                        slots.of_cells(source.sheet(), source.bounds().cells()),
                    )
                }
                Err(_) => (none(), none()),
            },
            Edit::Autofill { source } => match Range::parse(source) {
                Ok(source) => {
                    let (fill, sources) = apply::autofill_cells(range, &source);
                    (
                        slots.of_cells(range.sheet(), fill),
                        slots.of_cells(range.sheet(), sources),
                    )
                }
                Err(_) => (none(), none()),
            },
            _ => (names.clone(), none()),
        };
        Some(Self { touches, reads, names })
    }
}

/// The cells that an action writes as its fingerprint tells it.
pub(crate) fn written(fingerprint: &Fingerprint, slots: &mut Slots) -> Rc<[Slot]> {
    slots.of_cells(&fingerprint.sheet, fingerprint.writes.iter().map(|(cell, _)| *cell))
}

/// The cells of a typed grid, counted from the first cell of its range.
fn grid_cells(range: &Range, rows: &[Value]) -> Vec<CellAddress> {
    let first = range.bounds().first_cell();
    let mut cells = Vec::new();
    for (row, values) in (first.row..).zip(rows) {
        if let Value::List(values) = values {
            cells.extend(
                (first.col..)
                    .zip(values.iter())
                    .map(|(col, _)| CellAddress::new(row, col)),
            );
        }
    }
    cells
}
