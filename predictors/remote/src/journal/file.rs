//! The file of a journal: how it is read, mended and added to.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use super::{BEFORE_PAID, JournalError, Kept, Note};
use crate::entry::{Entry, EntryError, Key};
use crate::lines::{Line, Lines};

const BEFORE_ENTRY: &str = r#","entry":"#;

/// An open file and where its entries lie. It is locked until this is dropped.
pub(super) struct State {
    pub(super) file: Arc<File>,
    /// Where each entry's line lies.
    pub(super) index: BTreeMap<Key, Slot>,
    /// Length of the file in bytes.
    end: u64,
    /// Whether a line was written in part and could not be taken back.
    pub(super) is_broken: bool,
}

impl Drop for State {
    fn drop(&mut self) {
        // Closing alone would not do while a child process that was just begun has the file too, until it runs.
        let _ = self.file.unlock();
    }
}

/// Where a line lies.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) offset: u64,
    /// With the line feed, in bytes.
    length: u64,
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
    /// Opens, locks, reads and mends the file.
    pub(super) fn open(path: &Path, notes: &mut Vec<Note>) -> Result<Self, JournalError> {
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = opened.map_err(|reason| JournalError::io("open", path, reason))?;
        // File systems without locks are put up with.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(JournalError::InUse { path: path.to_owned() });
        }
        let mut state = Self {
            file: Arc::new(file),
            index: BTreeMap::new(),
            end: 0,
            is_broken: false,
        };
        state.read(path, notes)?;
        Ok(state)
    }

    /// Reads all lines, notes the damaged ones, and mends the last one.
    fn read(&mut self, path: &Path, notes: &mut Vec<Note>) -> Result<(), JournalError> {
        let fail = |reason| JournalError::io("read", path, reason);
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
        let fail = |reason| JournalError::io("mend", path, reason);
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
    pub(super) fn add(&mut self, key: Key, line: &str) -> io::Result<()> {
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

    /// The bytes of a line.
    pub(super) fn line(&self, slot: Slot) -> io::Result<Vec<u8>> {
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
        let is_zeros = line.text.iter().all(|byte| *byte == 0);
        Self {
            slot,
            number: line.number,
            looks_ours: !line.text.is_empty() && (begins_ours || is_zeros),
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

/// An entry as a line, with its line feed.
pub(super) fn to_line(entry: &Entry, paid: bool) -> String {
    format!("{BEFORE_PAID}{paid}{BEFORE_ENTRY}{}}}\n", entry.to_line())
}

/// Reads a line, which has no line feed any more.
pub(super) fn parse(line: &[u8]) -> Result<Kept, EntryError> {
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
