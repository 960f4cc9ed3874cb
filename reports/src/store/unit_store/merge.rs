//! Uniting stores that were filled apart from each other.

use std::fs;
use std::path::Path;

use super::{PlanRecord, Shelf, UnitStore, make_parent, remove_if_there, temporary};
use crate::record::{RecordError, read_end};
use crate::store::{StoreError, UnitId};

/// What came of uniting one store with another.
#[derive(Debug, Default)]
pub struct Merged {
    /// Complete units that were new.
    pub n_added: usize,
    /// Complete units that were there already, byte for byte.
    pub n_same: usize,
    /// Complete units of which two different records met, so that their predictor does not do the same each time. The
    /// one whose seal comes first in order is kept, whatever the order of stores.
    pub differing: Vec<UnitId>,
    /// Files that are no records of complete units and were left out.
    pub damaged: Vec<RecordError>,
    /// Files that are no plans of experiments and were left out.
    pub damaged_plans: Vec<StoreError>,
    /// Units that failed in one store and are complete in none.
    pub n_failed: usize,
}

impl UnitStore {
    /// Takes over everything of another store. The order in which stores are united makes no difference, nor does uniting
    /// them again.
    ///
    /// # Errors
    /// [`StoreError`] for what cannot be read or written; what has been taken over until then stays.
    pub fn take_over(&self, other: &Self) -> Result<Merged, StoreError> {
        let mut merged = Merged::default();
        for id in other.ids()? {
            self.take_over_unit(other, &id, &mut merged)?;
        }
        for id in other.failed_ids()? {
            if self.has(&id) {
                continue;
            }
            let other_failure = other.path(Shelf::Failed, &id);
            let Ok(their) = read_end(&other_failure) else { continue };
            let ours = self.failure(&id);
            if ours.is_none_or(|ours| their.seal.sha256 < ours.seal.sha256) {
                self.copy(other, Shelf::Failed, &id)?;
                if other.path(Shelf::Stderr, &id).exists() {
                    self.copy(other, Shelf::Stderr, &id)?;
                }
            }
            merged.n_failed += 1;
        }
        self.take_over_plans(other, &mut merged)?;
        Ok(merged)
    }

    /// Plans of one name are equal unless one of them is damaged, and then the other one stays.
    fn take_over_plans(&self, other: &Self, merged: &mut Merged) -> Result<(), StoreError> {
        for path in other.plan_paths()? {
            if let Err(error) = PlanRecord::read(&path) {
                merged.damaged_plans.push(error);
                continue;
            }
            let own = self
                .root
                .join(super::EXPERIMENTS)
                .join(path.file_name().unwrap_or_default());
            if PlanRecord::read(&own).is_err() {
                self.copy_file(&path, &own)?;
            }
        }
        Ok(())
    }

    fn take_over_unit(&self, other: &Self, id: &UnitId, merged: &mut Merged) -> Result<(), StoreError> {
        let their = match other.end(id) {
            Ok(Some(end)) => end,
            Ok(None) => return Ok(()),
            Err(error) => {
                merged.damaged.push(error);
                return Ok(());
            }
        };
        // A record here that cannot be read gives way to one that can.
        match self.end(id).ok().flatten() {
            None => {
                self.copy(other, Shelf::Units, id)?;
                merged.n_added += 1;
            }
            Some(ours) if ours.seal == their.seal => merged.n_same += 1,
            Some(ours) => {
                if their.seal.sha256 < ours.seal.sha256 {
                    self.copy(other, Shelf::Units, id)?;
                }
                merged.differing.push(id.clone());
            }
        }
        if !self.path(Shelf::Times, id).exists() && other.path(Shelf::Times, id).exists() {
            self.copy(other, Shelf::Times, id)?;
        }
        remove_if_there(&self.path(Shelf::Failed, id))?;
        remove_if_there(&self.path(Shelf::Stderr, id))
    }

    fn copy(&self, other: &Self, shelf: Shelf, id: &UnitId) -> Result<(), StoreError> {
        self.copy_file(&other.path(shelf, id), &self.path(shelf, id))
    }

    fn copy_file(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        let bytes = fs::read(from).map_err(|reason| StoreError::io("read", from, reason))?;
        make_parent(to)?;
        temporary::write(to, &bytes, true).map_err(|reason| StoreError::io("write", to, reason))
    }
}
