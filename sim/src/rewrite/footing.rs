//! Where a future action stands after a proposal: affected by it, owing something, last to write, locked
//! (spec 02, 11 and 12, steps 5 to 7).

use std::rc::Rc;
use std::sync::Arc;

use napsim_trajectories::{CellAddress, RangeError};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Gap, is_merge, properties_of};
use crate::compare::{Place, Record};
use crate::fingerprint::{Fingerprint, Footprint, PropertySet};
use crate::plan::Planned;
use crate::state::CellKey;

/// The missing properties that belong to an action: in one of its cells, and related to any of its properties.
pub(super) fn owns<'a>(fingerprint: &Fingerprint, missing: &'a [Record]) -> Vec<&'a Record> {
    let mut cells: Vec<CellAddress> = fingerprint.writes.iter().map(|(cell, _)| *cell).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut owned = Vec::new();
    for cell in cells {
        owned.extend(
            of_cell(missing, &fingerprint.sheet, cell)
                .iter()
                .filter(|record| fingerprint.properties.is_related(properties_of(record.compared))),
        );
    }
    owned
}

/// Whether any missing property belongs to an action.
fn owns_any(fingerprint: &Fingerprint, missing: &[Record]) -> bool {
    fingerprint.writes.iter().any(|(cell, _)| {
        of_cell(missing, &fingerprint.sheet, *cell)
            .iter()
            .any(|record| fingerprint.properties.is_related(properties_of(record.compared)))
    })
}

/// The records of one cell; records come in canonical order, so they stand together.
fn of_cell<'a>(records: &'a [Record], sheet: &Arc<str>, cell: CellAddress) -> &'a [Record] {
    let wanted = (0_u8, &CellKey::Address(cell));
    let order = |record: &Record| {
        let place = match &record.place {
            Place::Cell(key) => (0, key).cmp(&wanted),
            // A sheet's merges come after all its cells.
            Place::Merge(_) => std::cmp::Ordering::Greater,
        };
        record.sheet.cmp(sheet).then(place)
    };
    let start = records.partition_point(|record| order(record).is_lt());
    let end = records.partition_point(|record| order(record).is_le());
    records.get(start..end).unwrap_or_default()
}

/// Writers of one cell, in order of the future.
type Writers = Vec<(usize, PropertySet)>;

/// Which future actions a proposal affects, and who writes last.
pub(super) struct Footing<'a> {
    future: &'a [Rc<Planned>],
    affected: FxHashSet<usize>,
    /// Writers of the cells of affected actions.
    writers: FxHashMap<(Arc<str>, CellAddress), Writers>,
    /// Affected actions that owe nothing and write something last (step 6).
    settled: FxHashSet<usize>,
}

impl<'a> Footing<'a> {
    pub(super) fn new(future: &'a [Rc<Planned>], footprint: &Footprint, gap: &Gap) -> Result<Self, RangeError> {
        let mut footing = Self {
            future,
            affected: FxHashSet::default(),
            writers: FxHashMap::default(),
            settled: FxHashSet::default(),
        };
        let mut affected = Vec::new();
        for (idx, planned) in future.iter().enumerate() {
            let fingerprint = planned.fingerprint()?;
            if footprint.overlaps(fingerprint) {
                affected.push(idx);
                for (cell, _) in &fingerprint.writes {
                    footing.writers.entry((fingerprint.sheet.clone(), *cell)).or_default();
                }
            }
        }
        if affected.is_empty() {
            return Ok(footing);
        }
        footing.affected.extend(&affected);
        footing.collect_writers()?;
        for idx in affected {
            let Some(planned) = future.get(idx) else { continue };
            let fingerprint = planned.fingerprint()?;
            if !is_merge(&planned.action) && !owns_any(fingerprint, &gap.missing) && footing.is_final(idx, fingerprint)
            {
                footing.settled.insert(idx);
            }
        }
        Ok(footing)
    }

    fn collect_writers(&mut self) -> Result<(), RangeError> {
        for (idx, planned) in self.future.iter().enumerate() {
            let fingerprint = planned.fingerprint()?;
            for (cell, properties) in &fingerprint.writes {
                if let Some(writers) = self.writers.get_mut(&(fingerprint.sheet.clone(), *cell)) {
                    writers.push((idx, *properties));
                }
            }
        }
        Ok(())
    }

    /// Whether the proposal writes something that the action writes too.
    pub(super) fn is_affected(&self, idx: usize) -> bool {
        self.affected.contains(&idx)
    }

    fn writers_of(&self, fingerprint: &Fingerprint, cell: CellAddress) -> &[(usize, PropertySet)] {
        self.writers
            .get(&(fingerprint.sheet.clone(), cell))
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
