//! Answers out of a recording.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;

use super::RecordingError;
use crate::entry::{Entry, EntryError, Key};
use crate::lines::{Line, Lines};

/// The first bytes of whatever gzip packed.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A recording that is read. Only the places of its entries are kept in memory. Any number of threads may share it.
pub struct Replay {
    path: PathBuf,
    file: Mutex<File>,
    index: BTreeMap<Key, Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    offset: u64,
    /// In bytes.
    length: u64,
    line: u64,
}

impl Replay {
    /// Opens a recording and checks every line of it. What [`crate::cache::Cache::export`] writes will do as well. A
    /// compressed one is unpacked into a temporary file without a name.
    ///
    /// # Errors
    /// [`RecordingError::Line`] and [`RecordingError::TwoAnswers`], which name the line, and [`RecordingError::Io`].
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let fail = |reason| RecordingError::Io {
            action: "read",
            path: path.to_owned(),
            reason,
        };
        // Of its own, as reading here and there moves a file's place.
        let in_order = File::open(path).map_err(fail)?;
        let mut in_order = BufReader::with_capacity(1 << 16, in_order);
        let is_packed = in_order.fill_buf().map_err(fail)?.starts_with(&GZIP);
        let file = if is_packed {
            tempfile::tempfile()
        } else {
            File::open(path)
        };
        let mut opening = Opening {
            path,
            file: file.map_err(fail)?,
            unpacked_bytes: is_packed.then_some(0),
            index: BTreeMap::new(),
        };
        if is_packed {
            let unpacking = BufReader::with_capacity(1 << 16, MultiGzDecoder::new(in_order));
            opening.read(unpacking)?;
        } else {
            opening.read(in_order)?;
        }
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(opening.file),
            index: opening.index,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// The keys of all requests that have an answer, sorted.
    pub fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        self.index.keys().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Whether there is one to that request.
    pub fn contains(&self, key: &Key) -> bool {
        self.index.contains_key(key)
    }

    /// The answer to a request, checked again; None where there is none.
    ///
    /// # Errors
    /// [`RecordingError::Io`], and [`RecordingError::Line`] where the file is not what it was.
    pub fn get(&self, key: &Key) -> Result<Option<Entry>, RecordingError> {
        let Some(slot) = self.index.get(key) else {
            return Ok(None);
        };
        let bytes = {
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            bytes_of(&file, *slot)
        };
        check(&self.path, key, *slot, bytes).map(Some)
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replay({})", self.path.display())
    }
}

/// A recording that is being opened.
struct Opening<'a> {
    path: &'a Path,
    /// The recording itself, or what was unpacked of it.
    file: File,
    /// How much was unpacked, where it is packed.
    unpacked_bytes: Option<u64>,
    index: BTreeMap<Key, Slot>,
}

impl Opening<'_> {
    fn read(&mut self, reader: impl BufRead) -> Result<(), RecordingError> {
        let mut lines = Lines::new(reader);
        while let Some(line) = lines.next().map_err(|reason| self.io(reason))? {
            let entry = Entry::parse(line.text).map_err(|reason| RecordingError::Line {
                path: self.path.to_owned(),
                line: line.number,
                reason,
            })?;
            let key = entry.key();
            if let Some(former) = self.index.get(&key).copied() {
                if check(self.path, &key, former, bytes_of(&self.file, former))? != entry {
                    return Err(RecordingError::TwoAnswers {
                        path: self.path.to_owned(),
                        line: line.number,
                        key,
                    });
                }
                continue;
            }
            let slot = self.slot(&line).map_err(|reason| self.io(reason))?;
            self.index.insert(key, slot);
        }
        Ok(())
    }

    /// Where the line can be found again; what was packed is laid down there.
    fn slot(&mut self, line: &Line<'_>) -> io::Result<Slot> {
        let (offset, length) = match &mut self.unpacked_bytes {
            None => (line.offset, line.length),
            Some(end) => {
                let offset = *end;
                self.file.seek(SeekFrom::Start(offset))?;
                self.file.write_all(line.text)?;
                *end += line.text.len() as u64;
                (offset, line.text.len() as u64)
            }
        };
        Ok(Slot {
            offset,
            length,
            line: line.number,
        })
    }

    fn io(&self, reason: io::Error) -> RecordingError {
        RecordingError::Io {
            action: "read",
            path: self.path.to_owned(),
            reason,
        }
    }
}

fn bytes_of(mut file: &File, slot: Slot) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(slot.offset))?;
    let mut line = vec![0; usize::try_from(slot.length).map_err(io::Error::other)?];
    file.read_exact(&mut line)?;
    Ok(line)
}

/// The entry of that key, of what lies in its place.
fn check(path: &Path, key: &Key, slot: Slot, bytes: io::Result<Vec<u8>>) -> Result<Entry, RecordingError> {
    let bytes = bytes.map_err(|reason| RecordingError::Io {
        action: "read",
        path: path.to_owned(),
        reason,
    })?;
    let line = |reason| RecordingError::Line {
        path: path.to_owned(),
        line: slot.line,
        reason,
    };
    let entry = Entry::parse(&bytes).map_err(line)?;
    match entry.key() {
        found if found == *key => Ok(entry),
        computed => Err(line(EntryError::Key { computed })),
    }
}
