//! Answers out of a recording.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::RecordingError;
use crate::entry::{Entry, EntryError, Key};
use crate::lines::Lines;

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
    /// With the line feed, in bytes.
    length: u64,
    line: u64,
}

impl Replay {
    /// Opens a recording and checks every line of it. What [`crate::cache::Cache::export`] writes will do as well.
    ///
    /// # Errors
    /// [`RecordingError::Line`] and [`RecordingError::TwoAnswers`], which name the line, [`RecordingError::Compressed`],
    /// and [`RecordingError::Io`].
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let fail = |reason| RecordingError::Io {
            action: "read",
            path: path.to_owned(),
            reason,
        };
        let file = File::open(path).map_err(fail)?;
        // Of its own, as reading here and there moves the other one's place.
        let in_order = File::open(path).map_err(fail)?;
        let mut reader = BufReader::with_capacity(1 << 16, in_order);
        if reader.fill_buf().map_err(fail)?.starts_with(&GZIP) {
            return Err(RecordingError::Compressed { path: path.to_owned() });
        }
        let mut lines = Lines::new(reader);
        let mut index = BTreeMap::new();
        while let Some(line) = lines.next().map_err(fail)? {
            let entry = Entry::parse(line.text).map_err(|reason| RecordingError::Line {
                path: path.to_owned(),
                line: line.number,
                reason,
            })?;
            let slot = Slot {
                offset: line.offset,
                length: line.length,
                line: line.number,
            };
            let key = entry.key();
            if let Some(former) = index.insert(key, slot)
                && check(path, &key, former, bytes_of(&file, former))? != entry
            {
                return Err(RecordingError::TwoAnswers {
                    path: path.to_owned(),
                    line: line.number,
                    key,
                });
            }
        }
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            index,
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
