//! Where a future action stands after a proposal: affected by it, owing something, last to write, locked
//! (spec 02, 11 and 12, steps 5 to 7).

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, RangeError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::is_merge;
use crate::compare::Record;
use crate::fingerprint::{Fingerprint, Footprint, PropertySet, around_both};
use crate::plan::Planned;
use crate::state::CellKey;

/// The missing properties that belong to an action: in one of its cells, and related to any of its properties.
pub(super) fn owns<'g>(fingerprint: &Fingerprint, missing: &'g [Record]) -> Vec<&'g Record> {
    let mut cells: Vec<CellAddress> = fingerprint.writes.iter().map(|(cell, _)| *cell).collect();
    cells.sort_unstable();
    cells.dedup();
    let of_cells = cells
        .into_iter()
        .flat_map(|cell| of_cell(missing, &fingerprint.sheet, cell));
    of_cells.filter(|record| is_related(fingerprint, record)).collect()
}

/// Whether any missing property belongs to an action.
fn owns_any(fingerprint: &Fingerprint, missing: &[Record]) -> bool {
    let mut of_cells = fingerprint
        .writes
        .iter()
        .flat_map(|(cell, _)| of_cell(missing, &fingerprint.sheet, *cell));
    of_cells.any(|record| is_related(fingerprint, record))
}

fn is_related(fingerprint: &Fingerprint, record: &Record) -> bool {
    fingerprint
        .properties
        .is_related(PropertySet::of_compared(record.compared))
}

/// The records of one cell; they come in canonical order, so they stand together.
fn of_cell<'g>(records: &'g [Record], sheet: &str, cell: CellAddress) -> &'g [Record] {
    let wanted = CellKey::Address(cell);
    let order = |record: &Record| {
        // A sheet's merges come after all its cells.
        let place = record.place.cell().map_or(Ordering::Greater, |key| key.cmp(&wanted));
        (*record.sheet).cmp(sheet).then(place)
    };
    let start = records.partition_point(|record| order(record).is_lt());
    let rest = records.get(start..).unwrap_or_default();
    let length = rest.iter().take_while(|record| order(record).is_eq()).count();
    rest.get(..length).unwrap_or_default()
}

/// Writers of one cell, in order of the future.
type Writers = Vec<(usize, PropertySet)>;

/// Writers of the cells of one sheet.
#[derive(Default)]
struct SheetWriters {
    cells: FxHashMap<CellAddress, Writers>,
    extent: Option<Bounds>,
}

/// Which future actions a proposal affects, and who writes last.
pub(super) struct Footing<'a> {
    future: &'a [Rc<Planned>],
    affected: Vec<usize>,
    /// Writers of the cells of affected actions.
    writers: FxHashMap<Arc<str>, SheetWriters>,
    /// Affected actions that owe nothing and write something last (step 6).
    settled: FxHashSet<usize>,
}

impl<'a> Footing<'a> {
    pub(super) fn new(future: &'a [Rc<Planned>], footprint: &Footprint) -> Result<Self, RangeError> {
        let mut footing = Self {
            future,
            affected: Vec::new(),
            writers: FxHashMap::default(),
            settled: FxHashSet::default(),
        };
        for (idx, planned) in future.iter().enumerate() {
            let fingerprint = planned.fingerprint()?;
            if footprint.overlaps(fingerprint) {
                footing.affected.push(idx);
                let sheet = footing.writers.entry(fingerprint.sheet.clone()).or_default();
                sheet
                    .cells
                    .extend(fingerprint.writes.iter().map(|(cell, _)| (*cell, Writers::new())));
                sheet.extent = around_both(sheet.extent, fingerprint.extent);
            }
        }
        if !footing.affected.is_empty() {
            footing.collect_writers()?;
        }
        Ok(footing)
    }

    /// Settles the affected actions to which none of the missing properties belongs.
    pub(super) fn settle(&mut self, missing: &[Record]) -> Result<(), RangeError> {
        for idx in &self.affected {
            let Some(planned) = self.future.get(*idx) else { continue };
            let fingerprint = planned.fingerprint()?;
            if !is_merge(&planned.action) && !owns_any(fingerprint, missing) && self.is_final(*idx, fingerprint) {
                self.settled.insert(*idx);
            }
        }
        Ok(())
    }

    fn collect_writers(&mut self) -> Result<(), RangeError> {
        for (idx, planned) in self.future.iter().enumerate() {
            let fingerprint = planned.fingerprint()?;
            let Some(sheet) = self.writers.get_mut(&fingerprint.sheet) else {
                continue;
            };
            let near = sheet
                .extent
                .zip(fingerprint.extent)
                .is_some_and(|(mine, other)| mine.overlaps(&other));
            for (cell, properties) in fingerprint.writes.iter().filter(|_| near) {
                if let Some(writers) = sheet.cells.get_mut(cell) {
                    writers.push((idx, *properties));
                }
            }
        }
        Ok(())
    }

    /// Whether the proposal writes something that the action writes too.
    pub(super) fn is_affected(&self, idx: usize) -> bool {
        self.affected.binary_search(&idx).is_ok()
    }

    fn writers_of(&self, fingerprint: &Fingerprint, cell: CellAddress) -> &[(usize, PropertySet)] {
        let sheet = self.writers.get(&fingerprint.sheet);
        sheet
            .and_then(|sheet| sheet.cells.get(&cell))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether the action is the last to write some property of some cell.
    fn is_final(&self, idx: usize, fingerprint: &Fingerprint) -> bool {
        fingerprint.writes.iter().any(|(cell, properties)| {
            let later = self
                .writers_of(fingerprint, *cell)
                .iter()
                .filter(|(writer, _)| *writer > idx);
            !later
                .fold(*properties, |left, (_, written)| left.minus(*written))
                .is_empty()
        })
    }

    /// Whether the action writes nothing last, and some last writer of what it writes is not settled (step 7).
    pub(super) fn is_locked(&self, idx: usize) -> Result<bool, RangeError> {
        let Some(planned) = self.future.get(idx) else {
            return Ok(false);
        };
        let fingerprint = planned.fingerprint()?;
        if self.is_final(idx, fingerprint) {
            return Ok(false);
        }
        Ok(fingerprint.writes.iter().any(|(cell, properties)| {
            // From the last writer backwards: each takes what it covers of the properties still open.
            let mut open = *properties;
            for (writer, written) in self.writers_of(fingerprint, *cell).iter().rev() {
                let left = open.minus(*written);
                if left != open && !self.settled.contains(writer) {
                    return true;
                }
                open = left;
            }
            false
        }))
    }
}
