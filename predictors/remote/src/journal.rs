//! The file of entries that a run keeps beside its records, so that what was paid for is never asked again.
//!
//! ```text
//! {"paid":true,"entry":{"schema":"napsim-answer/1",…}}
//! ```
//!
//! `paid` says whether a server was asked in this run or the answer came out of a cache. It stands outside of the
//! entry's checksum, but a line has exactly this spelling. Lines are only ever added. The file is made durable by a
//! thread in the background.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::entry::{Entry, EntryError, Key};
use crate::sync::{Failure, Syncer};

use file::State;

mod file;

/// How every line begins.
const BEFORE_PAID: &str = r#"{"paid":"#;

/// An open journal, which no other process has open. Any number of threads may share it.
pub struct Journal {
    path: PathBuf,
    /// Before the file, which is unlocked last.
    syncer: Syncer<()>,
    state: Mutex<State>,
}

/// An entry of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The request and its answer.
    pub entry: Entry,
    /// Whether a server was asked, rather than a cache.
    pub paid: bool,
}

/// What was found amiss in a journal that was opened, and what was done about it. Messages are whole sentences.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Note {
    /// The last line was not written to its end; it was cut off.
    #[error("{}:{line}: the last line was not written whole ({reason}), {bytes} bytes were cut off", path.display())]
    TornEnd {
        /// The journal.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// How long it was, in bytes.
        bytes: u64,
        /// What is wrong with it.
        reason: EntryError,
    },
    /// The last line is whole but for its line feed, which was added.
    #[error("{}:{line}: the last line had no line feed, which was added", path.display())]
    Unended {
        /// The journal.
        path: PathBuf,
        /// The number of the line.
        line: u64,
    },
    /// A line in the middle is damaged; it was left in place and is not used.
    #[error("{}:{line}: a damaged line was skipped: {reason}", path.display())]
    Skipped {
        /// The journal.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// What is wrong with it.
        reason: EntryError,
    },
}

/// Why something cannot be done with a journal. Messages fit "failed to …".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file could not be opened, read or written.
    #[error("{action} {}: {reason}", path.display())]
    Io {
        /// What was tried: a verb.
        action: &'static str,
        /// The journal.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// Another process has the journal open.
    #[error("open {}: another process is writing to it", path.display())]
    InUse {
        /// The journal.
        path: PathBuf,
    },
    /// The file holds something else, which is left as it is.
    #[error("open {}: expected lines that begin with `{BEFORE_PAID}`, found another file", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
    },
    /// What was written is not what is there now.
    #[error("read {} at byte {offset}: {reason}", path.display())]
    Changed {
        /// The journal.
        path: PathBuf,
        /// Where the line begins.
        offset: u64,
        /// What is wrong with it.
        reason: EntryError,
    },
    /// A line was written in part and could not be taken back.
    #[error("write {}: an earlier line could only be written in part", path.display())]
    Broken {
        /// The journal.
        path: PathBuf,
    },
}

impl JournalError {
    fn io(action: &'static str, path: &Path, reason: io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            reason,
        }
    }
}

impl Journal {
    /// Opens the journal in that file, which is made if need be, and checks every line of it. Of several lines with one
    /// request the first counts. A last line that was not written whole is cut off, and damaged lines before it are
    /// skipped: the notes say so.
    ///
    /// # Errors
    /// [`JournalError::InUse`] where another process has it open (not told on file systems without locks),
    /// [`JournalError::NotAJournal`] where the file holds something else, and [`JournalError::Io`].
    pub fn open(path: &Path) -> Result<(Self, Vec<Note>), JournalError> {
        let mut notes = Vec::new();
        let state = State::open(path, &mut notes)?;
        let of_thread = Arc::clone(&state.file);
        let place = path.to_owned();
        let sync = move |(): &()| of_thread.sync_data().map_err(|reason| (place.clone(), reason));
        let syncer = Syncer::start(sync).map_err(|reason| JournalError::io("open", path, reason))?;
        let journal = Self {
            path: path.to_owned(),
            syncer,
            state: Mutex::new(state),
        };
        Ok((journal, notes))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many requests have an answer here.
    pub fn len(&self) -> usize {
        self.lock().index.len()
    }

    /// Whether no request has one.
    pub fn is_empty(&self) -> bool {
        self.lock().index.is_empty()
    }

    /// Whether that request has one.
    pub fn contains(&self, key: &Key) -> bool {
        self.lock().index.contains_key(key)
    }

    /// The keys of all requests that have an answer, sorted.
    pub fn keys(&self) -> Vec<Key> {
        self.lock().index.keys().copied().collect()
    }

    /// The answer to a request, checked again; None where there is none.
    ///
    /// # Errors
    /// [`JournalError::Io`], and [`JournalError::Changed`] where the file is not what it was.
    pub fn get(&self, key: &Key) -> Result<Option<Kept>, JournalError> {
        let (slot, line) = {
            let state = self.lock();
            let Some(slot) = state.index.get(key).copied() else {
                return Ok(None);
            };
            (slot, state.line(slot).map_err(|reason| self.io("read", reason))?)
        };
        let changed = |reason| JournalError::Changed {
            path: self.path.clone(),
            offset: slot.offset,
            reason,
        };
        let kept = file::parse(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(changed)?;
        if kept.entry.key() != *key {
            let computed = kept.entry.key();
            return Err(changed(EntryError::Key { computed }));
        }
        Ok(Some(kept))
    }

    /// Adds an answer unless the request has one, with one write, and returns the one that stands.
    ///
    /// # Errors
    /// [`JournalError::Io`], also where something added earlier turned out not to be durable, and
    /// [`JournalError::Broken`].
    pub fn append(&self, entry: &Entry, paid: bool) -> Result<Kept, JournalError> {
        self.syncer.check().map_err(|failure| self.not_durable(failure))?;
        let key = entry.key();
        let line = file::to_line(entry, paid);
        let mut state = self.lock();
        if !state.index.contains_key(&key) {
            if state.is_broken {
                return Err(JournalError::Broken {
                    path: self.path.clone(),
                });
            }
            state.add(key, &line).map_err(|reason| self.io("write", reason))?;
            drop(state);
            self.syncer.tell([()]);
            return Ok(Kept {
                entry: entry.clone(),
                paid,
            });
        }
        drop(state);
        let stored = self.get(&key)?;
        Ok(stored.unwrap_or_else(|| Kept {
            entry: entry.clone(),
            paid,
        }))
    }

    /// All entries, sorted by key, each read when it is asked for. Entries that are added meanwhile are not among them.
    pub fn iter(&self) -> impl Iterator<Item = Result<Kept, JournalError>> + '_ {
        let read = |key| self.get(&key).transpose();
        self.keys().into_iter().filter_map(read)
    }

    /// Waits until all that was added is durable. Dropping the journal waits as well, but tells nothing.
    ///
    /// # Errors
    /// [`JournalError::Io`] where the system could not make it durable.
    pub fn flush(&self) -> Result<(), JournalError> {
        self.syncer.flush().map_err(|failure| self.not_durable(failure))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn not_durable(&self, (_, reason): Failure) -> JournalError {
        self.io("make durable", reason)
    }

    fn io(&self, action: &'static str, reason: io::Error) -> JournalError {
        JournalError::io(action, &self.path, reason)
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Journal({})", self.path.display())
    }
}
