//! A recording: one file with the answers that a run used, from which anybody can replay the run without a key.
//!
//! Its lines are entries, sorted by key, each once: the same bytes whichever thread finished first. Until the run is
//! over they are kept in `FILE.partial`, a [`Journal`], with which the next recording of that name goes on. A recording
//! that is there already is added to, so that none is lost to another run of the same name. One whose name ends in `.gz`
//! is compressed.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

use crate::entry::{Entry, EntryError, Key};
use crate::journal::{Journal, JournalError, Kept, Note};

pub use replay::Replay;

mod replay;

/// A recording under way. Any number of threads may share it.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    journal: Journal,
    /// The recording that is there already.
    finished: Option<Replay>,
}

/// Why something cannot be recorded or replayed. Messages fit "failed to …".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// A file could not be read, written or renamed.
    #[error("{action} the recording {}: {reason}", path.display())]
    Io {
        /// What was tried: a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The unfinished recording cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Something else lies where the recording should be, which is left as it is.
    #[error("write the recording {}: expected a file or nothing there", path.display())]
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// A line of a recording is no whole entry.
    #[error("read the recording {}:{line}: {reason}", path.display())]
    Line {
        /// The recording.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// What is wrong with it.
        reason: EntryError,
    },
    /// A recording has two answers to one request.
    #[error("read the recording {}:{line}: another answer to the request {key} stands above", path.display())]
    TwoAnswers {
        /// The recording.
        path: PathBuf,
        /// The number of the second line.
        line: u64,
        /// The request's key.
        key: Key,
    },
}

impl Recording {
    /// Begins a recording that is to be that file, or goes on with one that was left unfinished. A finished one of that
    /// name stays until this one is finished.
    ///
    /// # Errors
    /// [`RecordingError::Journal`] where the unfinished recording cannot be used, or is being written by another process.
    pub fn begin(path: &Path) -> Result<(Self, Vec<Note>), RecordingError> {
        // Links are followed, so that they stay.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let partial = with_end(&path, ".partial");
        for place in [&path, &partial] {
            if fs::metadata(place).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(RecordingError::NotAFile { path: place.clone() });
            }
        }
        let has_finished = fs::metadata(&path).is_ok_and(|metadata| metadata.len() > 0);
        let finished = has_finished.then(|| Replay::open(&path)).transpose()?;
        let (journal, notes) = Journal::open(&partial)?;
        let recording = Self {
            path,
            journal,
            finished,
        };
        Ok((recording, notes))
    }

    /// The file where the recording is kept until it is finished.
    pub fn unfinished(&self) -> &Path {
        self.journal.path()
    }

    /// The answer that is recorded for a request, if there is one.
    ///
    /// # Errors
    /// [`RecordingError`] where a file is not what it was.
    pub fn get(&self, key: &Key) -> Result<Option<Kept>, RecordingError> {
        if let Some(kept) = self.journal.get(key)? {
            return Ok(Some(kept));
        }
        let found = self.finished.as_ref().map(|finished| finished.get(key)).transpose()?;
        Ok(found.flatten().map(|entry| Kept { entry, paid: false }))
    }

    /// Records an answer unless the request has one.
    ///
    /// # Errors
    /// [`RecordingError::Journal`].
    pub fn add(&self, entry: &Entry, paid: bool) -> Result<(), RecordingError> {
        let key = entry.key();
        let is_there = self.finished.as_ref().is_some_and(|finished| finished.contains(&key));
        if !is_there && !self.journal.contains(&key) {
            self.journal.append(entry, paid)?;
        }
        Ok(())
    }

    /// Makes durable what was recorded so far.
    ///
    /// # Errors
    /// [`RecordingError::Journal`].
    pub fn flush(&self) -> Result<(), RecordingError> {
        Ok(self.journal.flush()?)
    }

    /// Writes the recording, whole or not at all, and takes the unfinished one away. Returns how many entries it has.
    ///
    /// # Errors
    /// [`RecordingError`]; the unfinished recording is then still there.
    pub fn finish(self) -> Result<u64, RecordingError> {
        let mut keys: BTreeSet<Key> = self.journal.keys().into_iter().collect();
        keys.extend(self.finished.iter().flat_map(Replay::keys));
        let temporary = with_end(&self.path, ".tmp");
        let written = self.write(&temporary, &keys);
        let io = |action, reason| RecordingError::Io {
            action,
            path: self.path.clone(),
            reason,
        };
        let renamed = written.and_then(|()| fs::rename(&temporary, &self.path).map_err(|reason| io("write", reason)));
        if let Err(error) = renamed {
            let _ = fs::remove_file(&temporary);
            return Err(error);
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Not every system opens folders, or makes them durable.
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
        let partial = self.journal.path().to_owned();
        // The file is let go of first, as some systems remove none that is open.
        drop(self.journal);
        fs::remove_file(&partial).map_err(|reason| RecordingError::Io {
            action: "remove the unfinished part of",
            path: partial,
            reason,
        })?;
        Ok(keys.len() as u64)
    }

    fn write(&self, path: &Path, keys: &BTreeSet<Key>) -> Result<(), RecordingError> {
        let io = |reason| RecordingError::Io {
            action: "write",
            path: path.to_owned(),
            reason,
        };
        let file = File::create(path).map_err(io)?;
        if self.path.extension().is_some_and(|end| end == "gz") {
            let mut packed = GzEncoder::new(BufWriter::new(&file), Compression::default());
            self.write_entries(&mut packed, keys, &io)?;
            packed.finish().and_then(|mut writer| writer.flush()).map_err(io)?;
        } else {
            let mut writer = BufWriter::new(&file);
            self.write_entries(&mut writer, keys, &io)?;
            writer.flush().map_err(io)?;
        }
        file.sync_all().map_err(io)
    }

    fn write_entries(
        &self,
        writer: &mut impl Write,
        keys: &BTreeSet<Key>,
        io: &impl Fn(io::Error) -> RecordingError,
    ) -> Result<(), RecordingError> {
        for kept in keys.iter().filter_map(|key| self.get(key).transpose()) {
            let kept = kept?;
            let mut line = kept.entry.to_line();
            line.push('\n');
            writer.write_all(line.as_bytes()).map_err(io)?;
        }
        Ok(())
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}
