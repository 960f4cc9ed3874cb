//! Run folders: where the records of a run are kept; unit stores, see [`UnitStore`]; and corpus folders, see
//! [`CorpusFolder`].
//!
//! ```text
//! RUN/run.json        what the run was asked to measure, and how each trajectory ended
//! RUN/units/*.jsonl   one record a trajectory (see the module `record`)
//! RUN/summary.json    the figures as one JSON object, without wall time
//! RUN/timings.json    wall times; the only file that differs between two runs of the same question
//! RUN/answers.jsonl   what language models over HTTP have answered, in the order in which it came
//! ```
//!
//! Each file is written under a temporary name and renamed when it is whole; what a user names and is a device or a pipe
//! is written to directly, and links are followed. This is the only place that opens files
//! for writing.

mod corpus_folder;
mod corpus_manifest;
mod destination;
mod error;
mod line_file;
mod manifest;
mod timings;
mod unit_id;
mod unit_store;

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::difference::Difference;
use crate::record::{RecordError, TEMPORARY_SUFFIX, UnitHeader, UnitRecord, UnitWriter, read};
use crate::report::RunReport;
use crate::unit_name::UnitName;

use destination::Destination;

pub use corpus_folder::CorpusFolder;
pub use corpus_manifest::{
    BuildOptions, BuiltTrajectory, CorpusManifest, FileNote, GeneratedSeries, Refinement, Refusal, SourceFile,
};
pub use destination::resolved;
pub use error::{StoreError, is_of_the_path};
pub use line_file::LineFile;
pub use manifest::{Manifest, UnitEntry};
pub use timings::{Timings, UnitTiming};
pub use unit_id::{UnitId, UnitIdError};
pub use unit_store::{
    AtWork, Finished, HostFacts, Merged, PlanRecord, PlannedUnit, PlannedVariant, UnitStore, UnitTimes,
};

const MANIFEST: &str = "run.json";
const SUMMARY: &str = "summary.json";
const TIMINGS: &str = "timings.json";
const UNITS: &str = "units";
const ANSWERS: &str = "answers.jsonl";
const STDERR: &str = "stderr";

/// A folder with the record of a run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    root: PathBuf,
    /// Held while a run is being kept, so that no other process keeps one in the same folder.
    _lock: Option<Arc<File>>,
}

impl RunFolder {
    /// Makes the folder for a run, or goes on with the folder of the same run; with `force` whatever run it holds is
    /// forgotten.
    ///
    /// # Errors
    /// [`StoreError::InUse`] where another process keeps a run there, [`StoreError::OtherRun`] where the folder holds another run, [`StoreError::NotARun`] where it holds anything
    /// else, and whatever the system does not let do.
    pub fn begin(root: &Path, manifest: &Manifest, force: bool) -> Result<Self, StoreError> {
        fs::create_dir_all(root).map_err(|reason| StoreError::io("make", root, reason))?;
        let folder = Self {
            root: root.to_owned(),
            _lock: lock(root, "the run")?,
        };
        if folder.path(MANIFEST).exists() {
            if force {
                folder.clear()?;
            } else {
                folder.check_same(manifest)?;
            }
        } else if root.exists() && !is_empty(root)? {
            return Err(StoreError::NotARun { path: root.to_owned() });
        }
        let units = folder.path(UNITS);
        fs::create_dir_all(&units).map_err(|reason| StoreError::io("make", &units, reason))?;
        folder.remove_temporary_files()?;
        folder.write_manifest(manifest)?;
        Ok(folder)
    }

    /// Opens the folder of a run.
    ///
    /// # Errors
    /// [`StoreError`] where there is none, or one of another version.
    pub fn open(root: &Path) -> Result<(Self, Manifest), StoreError> {
        let folder = Self {
            root: root.to_owned(),
            _lock: None,
        };
        if !folder.path(MANIFEST).exists() {
            return Err(StoreError::NoRun { path: root.to_owned() });
        }
        let manifest = folder.manifest()?;
        Ok((folder, manifest))
    }

    /// The folder's own path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the answers of language models are kept that the run has asked for, which is not done here.
    pub fn answers_path(&self) -> PathBuf {
        self.path(ANSWERS)
    }

    /// Where the record of a unit is.
    pub fn unit_path(&self, unit: &UnitName) -> PathBuf {
        self.path(UNITS).join(unit.as_str())
    }

    /// The record of a unit, if it is there already.
    ///
    /// # Errors
    /// [`RecordError`] where there is a file that is no whole record.
    pub fn unit(&self, unit: &UnitName) -> Result<Option<UnitRecord>, RecordError> {
        let path = self.unit_path(unit);
        if !path.exists() {
            return Ok(None);
        }
        read(&path).map(Some)
    }

    /// Where what programs wrote to their standard error is kept.
    pub fn stderr_path(&self) -> PathBuf {
        self.path(STDERR)
    }

    /// Keeps what programs wrote to their standard error during a unit, in place of what an earlier sitting has kept.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn keep_stderr(&self, unit: &UnitName, text: Option<&str>) -> Result<(), StoreError> {
        let folder = self.stderr_path();
        let path = folder.join(unit.stderr());
        match text {
            Some(text) => {
                fs::create_dir_all(&folder).map_err(|reason| StoreError::io("make", &folder, reason))?;
                write_file(&path, text.as_bytes())
            }
            None => match fs::remove_file(&path) {
                Err(reason) if reason.kind() != std::io::ErrorKind::NotFound => {
                    Err(StoreError::io("remove", &path, reason))
                }
                _ => Ok(()),
            },
        }
    }

    /// Starts the record of a unit.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_unit(&self, unit: &UnitName, header: &UnitHeader) -> Result<UnitWriter, StoreError> {
        let path = self.unit_path(unit);
        UnitWriter::create(&path, header).map_err(|reason| StoreError::io("write", &path, reason))
    }

    /// Completes a record.
    ///
    /// # Errors
    /// [`StoreError::Io`] for whatever went wrong in writing it.
    pub fn finish_unit(
        &self,
        unit: &UnitName,
        writer: UnitWriter,
        coverage: Option<crate::coverage::CoverageCounts>,
        lost: bool,
    ) -> Result<(), StoreError> {
        writer
            .finish(coverage, lost)
            .map_err(|reason| StoreError::io("write", &self.unit_path(unit), reason))
    }

    /// Writes what the run was asked and how far it has come.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_manifest(&self, manifest: &Manifest) -> Result<(), StoreError> {
        self.write_json(MANIFEST, manifest, true)
    }

    /// Writes the figures, without the wall time.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_summary(&self, report: &RunReport) -> Result<(), StoreError> {
        self.write_json(
            SUMMARY,
            &RunReport {
                wall_s: None,
                timings: None,
                ..report.clone()
            },
            false,
        )
    }

    /// The figures as they were written; absent where the run has not come to its end.
    ///
    /// # Errors
    /// [`StoreError`] for a file that cannot be read.
    pub fn summary(&self) -> Result<Option<serde_json::Value>, StoreError> {
        let is_there = self.path(SUMMARY).exists();
        if is_there {
            self.read_json(SUMMARY).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Writes the wall times.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_timings(&self, timings: &Timings) -> Result<(), StoreError> {
        self.write_json(TIMINGS, timings, true)
    }

    /// The wall times, as far as they are known. They decide nothing, so a file that cannot be read is no error.
    pub fn timings(&self) -> Timings {
        self.read_json(TIMINGS).unwrap_or_default()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn manifest(&self) -> Result<Manifest, StoreError> {
        let value: serde_json::Value = self.read_json(MANIFEST)?;
        let path = self.path(MANIFEST);
        let found = value
            .get("schema")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default();
        if found != manifest::SCHEMA {
            return Err(StoreError::Schema {
                path,
                found: found.to_owned(),
                expected: manifest::SCHEMA,
            });
        }
        serde_json::from_value(value).map_err(|reason| StoreError::Json { path, reason })
    }

    /// Makes sure that the folder holds the same run.
    fn check_same(&self, asked: &Manifest) -> Result<(), StoreError> {
        let kept = self.manifest()?;
        match Difference::between(&kept.question(), &asked.question()) {
            None => Ok(()),
            Some(difference) => Err(StoreError::OtherRun {
                path: self.root.clone(),
                difference: difference.describe("it has", "asked is"),
            }),
        }
    }

    /// Forgets the run that the folder holds, but nothing else that lies in it.
    fn clear(&self) -> Result<(), StoreError> {
        // A folder of another version is cleared as well: force means just that. Its name for a manifest is enough.
        let mut doomed: Vec<PathBuf> = [SUMMARY, TIMINGS, ANSWERS, MANIFEST].map(|name| self.path(name)).into();
        doomed.extend(self.files(UNITS, |name| UnitName::try_from(name.to_owned()).is_ok())?);
        doomed.extend(self.files(STDERR, |name| UnitName::of_stderr(name).is_some())?);
        for path in doomed.iter().filter(|path| path.exists()) {
            fs::remove_file(path).map_err(|reason| StoreError::io("remove", path, reason))?;
        }
        Ok(())
    }

    /// Removes what an interrupted program left half written.
    fn remove_temporary_files(&self) -> Result<(), StoreError> {
        for path in self.files(UNITS, |name| name.ends_with(TEMPORARY_SUFFIX))? {
            fs::remove_file(&path).map_err(|reason| StoreError::io("remove", &path, reason))?;
        }
        Ok(())
    }

    fn files(&self, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, StoreError> {
        let folder = self.path(folder);
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&folder).map_err(|reason| StoreError::io("read", &folder, reason))?;
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        let is_wanted = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted);
        Ok(paths.filter(is_wanted).collect())
    }

    fn write_json(&self, name: &str, value: &impl Serialize, pretty: bool) -> Result<(), StoreError> {
        let path = self.path(name);
        let text = if pretty {
            serde_json::to_string_pretty(value)
        } else {
            serde_json::to_string(value)
        };
        let written = text
            .map_err(io::Error::from)
            .and_then(|text| write_whole(&path, format!("{text}\n").as_bytes()));
        written.map_err(|reason| StoreError::io("write", &path, reason))
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<T, StoreError> {
        let path = self.path(name);
        let text = fs::read(&path).map_err(|reason| StoreError::io("read", &path, reason))?;
        serde_json::from_slice(&text).map_err(|reason| StoreError::Json { path, reason })
    }
}

/// Writes a file of any name, such as a log of calls.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    // Written in place, so that devices and pipes work as well.
    fs::write(path, bytes).map_err(|reason| StoreError::io("write", path, reason))
}

/// Writes a file so that it is there as a whole or not at all; links are followed, and devices written to directly.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_file_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_whole(path, bytes).map_err(|reason| StoreError::io("write", path, reason))
}

/// Writes a file so that it is there as a whole or not at all; links are followed, and devices written to directly.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::Direct(mut file) => file.write_all(bytes),
        Destination::Whole { path, temporary } => {
            let mut file = File::create(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, path)
        }
    }
}

/// Locks a folder against other processes; none where the file system knows no locks.
fn lock(root: &Path, what: &'static str) -> Result<Option<Arc<File>>, StoreError> {
    let folder = File::open(root).map_err(|reason| StoreError::io("open", root, reason))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(Arc::new(folder))),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse {
            what,
            path: root.to_owned(),
        }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn is_empty(folder: &Path) -> Result<bool, StoreError> {
    let mut entries = fs::read_dir(folder).map_err(|reason| StoreError::io("read", folder, reason))?;
    Ok(entries.next().is_none())
}

#[cfg(test)]
mod tests;
