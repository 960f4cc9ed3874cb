//! Unit stores: where experiments keep the records of their units, and share them.
//!
//! ```text
//! STORE/store.json                   what this folder is
//! STORE/units/ab/abcd….jsonl.gz      record of a complete unit; its name is the unit's id
//! STORE/failed/ab/abcd….jsonl.gz     record of a unit that failed; it is measured again
//! STORE/stderr/ab/abcd….txt          what programs wrote to their standard error while a unit failed
//! STORE/times/ab/abcd….json          how long a unit took, and where; no figure depends on it
//! STORE/experiments/NAME-1234abcd.json   what an experiment was made of
//! ```
//!
//! A unit is there when its record is, and then it is whole: it is written under a temporary name, brought to the disk
//! and renamed. Any number of processes may work in a store at the same time; they need to know nothing of each other,
//! since two records of one unit are equal.

mod merge;
mod plan_record;
mod temporary;
mod unit_times;
mod work;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::is_empty;
use super::unit_id::UnitId;
use crate::coverage::CoverageCounts;
use crate::record::{RecordError, UnitEnd, UnitHeader, UnitRecord, UnitWriter, read, read_end};

pub use merge::Merged;
pub use plan_record::{PlanRecord, PlannedUnit, PlannedVariant};
pub use unit_times::{HostFacts, UnitTimes};
pub use work::AtWork;

const STORE: &str = "store.json";
const SCHEMA: &str = "napsim-store/1";
/// The text of `store.json`.
const MARK: &str = r#"{"schema":"napsim-store/1"}"#;
const EXPERIMENTS: &str = "experiments";
const RECORD: &str = ".jsonl.gz";

/// The kinds of files that a store keeps of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shelf {
    Units,
    Failed,
    Stderr,
    Times,
}

impl Shelf {
    const ALL: [Self; 4] = [Self::Units, Self::Failed, Self::Stderr, Self::Times];

    fn folder(self) -> &'static str {
        match self {
            Self::Units => "units",
            Self::Failed => "failed",
            Self::Stderr => "stderr",
            Self::Times => "times",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Units | Self::Failed => RECORD,
            Self::Stderr => ".txt",
            Self::Times => ".json",
        }
    }
}

/// What `store.json` says.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a schema")]
struct Mark {
    schema: String,
}

/// A folder with the units of experiments.
#[derive(Clone, Debug)]
pub struct UnitStore {
    root: PathBuf,
}

impl UnitStore {
    /// Makes the store, or opens the one that is there; what processes that were killed have left half written goes.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] where the folder holds anything else, [`StoreError::Schema`] for a store of a newer
    /// program, and whatever the system does not let do.
    pub fn begin(root: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(root).map_err(|reason| StoreError::io("make", root, reason))?;
        let store = Self { root: root.to_owned() };
        let mark = root.join(STORE);
        if mark.exists() {
            store.check_mark()?;
            store.remove_abandoned()?;
        } else {
            // Another process may be making the same store just now.
            if !is_empty(root)? && !store.is_begun()? {
                return Err(StoreError::NotAStore { path: root.to_owned() });
            }
            let text = format!("{MARK}\n");
            temporary::write(&mark, text.as_bytes(), true).map_err(|reason| StoreError::io("write", &mark, reason))?;
        }
        Ok(store)
    }

    /// Opens the store that is there.
    ///
    /// # Errors
    /// [`StoreError::NoStore`] where there is none, [`StoreError::Schema`] for one of a newer program.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let store = Self { root: root.to_owned() };
        if !root.join(STORE).exists() {
            return Err(StoreError::NoStore { path: root.to_owned() });
        }
        store.check_mark()?;
        Ok(store)
    }

    /// The folder's path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the record of a complete unit is.
    pub fn unit_path(&self, id: &UnitId) -> PathBuf {
        self.path(Shelf::Units, id)
    }

    /// Whether there is a record of a complete unit, of which nothing else is looked at.
    pub fn has(&self, id: &UnitId) -> bool {
        self.unit_path(id).exists()
    }

    /// The end of a complete unit's record, if it is there.
    ///
    /// # Errors
    /// [`RecordError`] where the file is not what was written, or is of another unit than its name says.
    pub fn end(&self, id: &UnitId) -> Result<Option<UnitEnd>, RecordError> {
        self.end_on(Shelf::Units, id)
    }

    /// The end of the record of a unit that failed, if there is one that can be read.
    pub fn failure(&self, id: &UnitId) -> Option<UnitEnd> {
        self.end_on(Shelf::Failed, id).ok().flatten()
    }

    /// The whole record of a complete unit, if it is there.
    ///
    /// # Errors
    /// [`RecordError`] as for [`end`](Self::end).
    pub fn record(&self, id: &UnitId) -> Result<Option<UnitRecord>, RecordError> {
        let path = self.unit_path(id);
        if !path.exists() {
            return Ok(None);
        }
        let record = read(&path)?.intact(&path)?;
        if UnitId::of(&record.header).ok().as_ref() == Some(id) {
            Ok(Some(record))
        } else {
            Err(RecordError::OtherUnit { path })
        }
    }

    /// Starts the record of a unit.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_unit(&self, id: &UnitId, header: &UnitHeader) -> Result<UnitWriter, StoreError> {
        let path = self.unit_path(id);
        make_parent(&path)?;
        temporary::create(&path)
            .and_then(|(temporary, file)| UnitWriter::begin(&path, temporary, file, header))
            .map_err(|reason| StoreError::io("write", &path, reason))
    }

    /// Completes a record: that of a unit which `failed` goes to those that are measured again.
    ///
    /// # Errors
    /// [`StoreError::Io`] for whatever went wrong in writing it.
    pub fn finish_unit(
        &self,
        id: &UnitId,
        writer: UnitWriter,
        coverage: Option<CoverageCounts>,
        outcome: Finished,
    ) -> Result<(), StoreError> {
        let failed = self.path(Shelf::Failed, id);
        let (path, lost) = match outcome {
            Finished::Complete => (self.unit_path(id), false),
            Finished::Failed => (failed.clone(), false),
            Finished::Lost => (failed.clone(), true),
        };
        make_parent(&path)?;
        writer
            .finish_at(&path, coverage, lost)
            .map_err(|reason| StoreError::io("write", &path, reason))?;
        if outcome == Finished::Complete {
            for path in [failed, self.path(Shelf::Stderr, id)] {
                remove_if_there(&path)?;
            }
        }
        Ok(())
    }

    /// Keeps what programs wrote to their standard error while a unit failed.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn keep_stderr(&self, id: &UnitId, text: &str) -> Result<(), StoreError> {
        self.write(Shelf::Stderr, id, text.as_bytes())
    }

    /// The folder with what programs wrote to their standard error.
    pub fn stderr_path(&self) -> PathBuf {
        self.root.join(Shelf::Stderr.folder())
    }

    /// Keeps how long a unit took, and where.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn keep_times(&self, id: &UnitId, times: &UnitTimes) -> Result<(), StoreError> {
        let text = serde_json::to_string(times).map_err(|error| StoreError::io("write", &self.root, error.into()))?;
        self.write(Shelf::Times, id, format!("{text}\n").as_bytes())
    }

    /// How long a unit took, if that is known. It decides nothing, so a file that cannot be read is no error.
    pub fn times(&self, id: &UnitId) -> Option<UnitTimes> {
        serde_json::from_slice(&fs::read(self.path(Shelf::Times, id)).ok()?).ok()
    }

    /// The ids of all complete units, in order.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn ids(&self) -> Result<Vec<UnitId>, StoreError> {
        self.ids_on(Shelf::Units)
    }

    /// The ids of all units that failed, in order.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn failed_ids(&self) -> Result<Vec<UnitId>, StoreError> {
        self.ids_on(Shelf::Failed)
    }

    /// Removes everything that is kept of a unit.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove(&self, id: &UnitId) -> Result<(), StoreError> {
        Shelf::ALL
            .iter()
            .try_for_each(|shelf| remove_if_there(&self.path(*shelf, id)))
    }

    /// Removes what is kept of a unit that failed.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove_failure(&self, id: &UnitId) -> Result<(), StoreError> {
        [Shelf::Failed, Shelf::Stderr]
            .iter()
            .try_for_each(|shelf| remove_if_there(&self.path(*shelf, id)))
    }

    /// Removes what processes that were killed have left half written, and says how many files that were.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove_abandoned(&self) -> Result<usize, StoreError> {
        let mut n_removed = 0;
        for folder in self.folders()? {
            n_removed +=
                temporary::remove_abandoned(&folder).map_err(|reason| StoreError::io("clean", &folder, reason))?;
        }
        Ok(n_removed)
    }

    /// Bytes that everything of a unit takes on the disk.
    pub fn n_bytes(&self, id: &UnitId) -> u64 {
        let paths = Shelf::ALL.iter().map(|shelf| self.path(*shelf, id));
        paths
            .filter_map(|path| fs::metadata(path).ok())
            .map(|metadata| metadata.len())
            .sum()
    }

    fn path(&self, shelf: Shelf, id: &UnitId) -> PathBuf {
        let name = format!("{id}{}", shelf.extension());
        self.root.join(shelf.folder()).join(id.folder()).join(name)
    }

    fn end_on(&self, shelf: Shelf, id: &UnitId) -> Result<Option<UnitEnd>, RecordError> {
        let path = self.path(shelf, id);
        if !path.exists() {
            return Ok(None);
        }
        let end = read_end(&path)?;
        if end.header_sha256 == id.as_str() {
            Ok(Some(end))
        } else {
            Err(RecordError::OtherUnit { path })
        }
    }

    fn ids_on(&self, shelf: Shelf) -> Result<Vec<UnitId>, StoreError> {
        let mut ids = Vec::new();
        for folder in folders_in(&self.root.join(shelf.folder()))? {
            // A folder in the place of a record is found by those who try to read it.
            for path in entries_in(&folder)? {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let id = name
                    .strip_suffix(shelf.extension())
                    .map(|id| UnitId::try_from(id.to_owned()));
                // A file that lies in another folder than its name says is not found by anyone.
                ids.extend(id.and_then(Result::ok).filter(|id| folder.ends_with(id.folder())));
            }
        }
        ids.sort_unstable();
        Ok(ids)
    }

    /// Every folder that files are written to.
    fn folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut folders = vec![self.root.clone(), self.root.join(EXPERIMENTS)];
        for shelf in Shelf::ALL {
            folders.extend(folders_in(&self.root.join(shelf.folder()))?);
        }
        folders.retain(|folder| folder.is_dir());
        Ok(folders)
    }

    fn write(&self, shelf: Shelf, id: &UnitId, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path(shelf, id);
        make_parent(&path)?;
        temporary::write(&path, bytes, false).map_err(|reason| StoreError::io("write", &path, reason))
    }

    fn check_mark(&self) -> Result<(), StoreError> {
        let path = self.root.join(STORE);
        let bytes = fs::read(&path).map_err(|reason| StoreError::io("read", &path, reason))?;
        let mark: Mark = serde_json::from_slice(&bytes).map_err(|reason| StoreError::DamagedMark {
            path: path.clone(),
            reason,
            expected: MARK,
        })?;
        if mark.schema == SCHEMA {
            return Ok(());
        }
        Err(StoreError::Schema {
            path,
            found: mark.schema,
            expected: SCHEMA,
        })
    }

    /// Whether nothing is there but the mark that another process is writing.
    fn is_begun(&self) -> Result<bool, StoreError> {
        let entries = fs::read_dir(&self.root).map_err(|reason| StoreError::io("read", &self.root, reason))?;
        let is_own = |name: &str| name == STORE || temporary::is_of(name, STORE);
        Ok(entries
            .filter_map(Result::ok)
            .all(|entry| entry.file_name().to_str().is_some_and(is_own))
            || self.root.join(STORE).exists())
    }
}

/// How the record of a unit is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    /// The rollout came to its end, so that its figures count.
    Complete,
    /// The rollout failed, and is done again another time.
    Failed,
    /// The rollout was lost to a mistake in the program, so that only its end is recorded.
    Lost,
}

fn make_parent(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent().filter(|folder| !folder.is_dir()) else {
        return Ok(());
    };
    fs::create_dir_all(folder).map_err(|reason| StoreError::io("make", folder, reason))
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(StoreError::io("remove", path, reason)),
        _ => Ok(()),
    }
}

fn entries_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(|reason| StoreError::io("read", folder, reason))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(|reason| StoreError::io("read", folder, reason))?;
    paths.sort_unstable();
    Ok(paths)
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = entries_in(folder)?;
    paths.retain(|path| path.is_dir());
    Ok(paths)
}

#[cfg(test)]
mod tests;
