//! The file of entries that a run keeps beside its records, so that what was paid for is never asked again.
//!
//! ```text
//! {"paid":true,"entry":{"schema":"napsim-answer/1",…}}
//! ```
//!
//! `paid` says whether a server was asked in this run or the answer came out of a cache. It stands outside of the
//! entry's checksum, but a line has exactly this spelling. Lines are only ever added. The file is made durable by a
//! thread in the background.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::entry::{Entry, EntryError, Key};
use crate::lines::{Line, Lines};
use crate::sync::{Failure, Syncer};

const BEFORE_PAID: &str = r#"{"paid":"#;
const BEFORE_ENTRY: &str = r#","entry":"#;

/// An open journal, which no other process has open. Any number of threads may share it.
pub struct Journal {
    path: PathBuf,
    state: Mutex<State>,
    syncer: Syncer<()>,
}

struct State {
    file: Arc<File>,
    /// Where each entry's line lies.
    index: BTreeMap<Key, Slot>,
    /// Length of the file in bytes.
    end: u64,
    /// Whether a line was written in part and could not be taken back.
    is_broken: bool,
}

#[derive(Clone, Copy)]
struct Slot {
    offset: u64,
    /// With the line feed, in bytes.
    length: u64,
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

impl Journal {
    /// Opens the journal in that file, which is made if need be, and checks every line of it. Of several lines with one
    /// request the first counts. A last line that was not written whole is cut off, and damaged lines before it are
    /// skipped: the notes say so.
    ///
    /// # Errors
    /// [`JournalError::InUse`] where another process has it open (not told on file systems without locks),
    /// [`JournalError::NotAJournal`] where the file holds something else, and [`JournalError::Io`].
    pub fn open(path: &Path) -> Result<(Self, Vec<Note>), JournalError> {
        let fail = |reason| JournalError::Io {
            action: "open",
            path: path.to_owned(),
            reason,
        };
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = opened.map_err(fail)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::InUse { path: path.to_owned() });
        }
        let mut state = State {
            file: Arc::new(file),
            index: BTreeMap::new(),
            end: 0,
            is_broken: false,
        };
        let mut notes = Vec::new();
        state.read(path, &mut notes)?;
        let of_thread = Arc::clone(&state.file);
        let place = path.to_owned();
        let sync = move |(): &()| of_thread.sync_data().map_err(|reason| (place.clone(), reason));
        let syncer = Syncer::start(sync).map_err(fail)?;
        let journal = Self {
            path: path.to_owned(),
            state: Mutex::new(state),
            syncer,
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
        let kept = parse(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(changed)?;
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
        let line = format!("{BEFORE_PAID}{paid}{BEFORE_ENTRY}{}}}\n", entry.to_line());
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
        JournalError::Io {
            action,
            path: self.path.clone(),
            reason,
        }
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Journal({})", self.path.display())
    }
}

/// A line that is not as it should be.
struct Suspect {
    slot: Slot,
    number: u64,
    /// Whether it begins as lines of a journal do, or holds nothing but the zeros of blocks that were never written.
    looks_ours: bool,
    /// What is wrong with it; the key of its entry where only the line feed is missing.
    defect: Result<Key, EntryError>,
}

impl State {
    /// Reads all lines, notes the damaged ones, and mends the last one.
    fn read(&mut self, path: &Path, notes: &mut Vec<Note>) -> Result<(), JournalError> {
        let fail = |reason| JournalError::Io {
            action: "read",
            path: path.to_owned(),
            reason,
        };
        let file = Arc::clone(&self.file);
        let mut lines = Lines::new(BufReader::with_capacity(1 << 16, &*file));
        let mut suspect = None::<Suspect>;
        let mut looks_ours = false;
        while let Some(line) = lines.next().map_err(fail)? {
            let slot = Slot {
                offset: line.offset,
                length: line.length,
            };
            self.end = slot.offset + slot.length;
            if let Some(former) = suspect.take() {
                notes.extend(former.skipped(path));
            }
            match parse(line.text) {
                Ok(kept) if line.is_ended => {
                    looks_ours = true;
                    self.index.entry(kept.entry.key()).or_insert(slot);
                }
                result => {
                    let found = Suspect::new(&line, slot, result);
                    looks_ours |= found.looks_ours;
                    suspect = Some(found);
                }
            }
        }
        match suspect {
            // Something that never was a journal must not be cut off.
            Some(_) if !looks_ours => Err(JournalError::NotAJournal { path: path.to_owned() }),
            Some(last) => self.mend(path, last, notes),
            None => Ok(()),
        }
    }

    /// Ends the last line, or cuts it off.
    fn mend(&mut self, path: &Path, last: Suspect, notes: &mut Vec<Note>) -> Result<(), JournalError> {
        let fail = |reason| JournalError::Io {
            action: "mend",
            path: path.to_owned(),
            reason,
        };
        let (path, line) = (path.to_owned(), last.number);
        match last.defect {
            Ok(key) => {
                (&*self.file).write_all(b"\n").map_err(fail)?;
                self.end += 1;
                let length = last.slot.length + 1;
                self.index.entry(key).or_insert(Slot { length, ..last.slot });
                notes.push(Note::Unended { path, line });
            }
            Err(reason) => {
                self.file.set_len(last.slot.offset).map_err(fail)?;
                self.end = last.slot.offset;
                notes.push(Note::TornEnd {
                    path,
                    line,
                    bytes: last.slot.length,
                    reason,
                });
            }
        }
        Ok(())
    }

    /// Adds a line, whole or not at all.
    fn add(&mut self, key: Key, line: &str) -> io::Result<()> {
        if let Err(error) = (&*self.file).write_all(line.as_bytes()) {
            // Whatever follows half a line would be lost with it.
            self.is_broken = self.file.set_len(self.end).is_err();
            return Err(error);
        }
        let slot = Slot {
            offset: self.end,
            length: line.len() as u64,
        };
        self.end += slot.length;
        self.index.insert(key, slot);
        Ok(())
    }

    fn line(&self, slot: Slot) -> io::Result<Vec<u8>> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(slot.offset))?;
        let mut line = vec![0; usize::try_from(slot.length).map_err(io::Error::other)?];
        file.read_exact(&mut line)?;
        Ok(line)
    }
}

impl Suspect {
    fn new(line: &Line<'_>, slot: Slot, parsed: Result<Kept, EntryError>) -> Self {
        let begins_ours = line
            .text
            .iter()
            .zip(BEFORE_PAID.as_bytes())
            .all(|(one, other)| one == other);
        Self {
            slot,
            number: line.number,
            looks_ours: begins_ours && !line.text.is_empty() || line.text.iter().all(|byte| *byte == 0),
            defect: parsed.map(|kept| kept.entry.key()),
        }
    }

    /// The note for a line that is not the last one.
    fn skipped(self, path: &Path) -> Option<Note> {
        let reason = self.defect.err()?;
        Some(Note::Skipped {
            path: path.to_owned(),
            line: self.number,
            reason,
        })
    }
}

fn parse(line: &[u8]) -> Result<Kept, EntryError> {
    let split = || {
        let rest = line.strip_prefix(BEFORE_PAID.as_bytes())?;
        let (rest, paid) = match rest.strip_prefix(b"true") {
            Some(rest) => (rest, true),
            None => (rest.strip_prefix(b"false")?, false),
        };
        let entry = rest.strip_prefix(BEFORE_ENTRY.as_bytes())?.strip_suffix(b"}")?;
        Some((entry, paid))
    };
    let Some((entry, paid)) = split() else {
        return Err(EntryError::not_kept(BEFORE_PAID));
    };
    let entry = Entry::parse(entry)?;
    Ok(Kept { entry, paid })
}
