//! The content-addressed cache of answers: a folder that any number of threads and processes share.
//!
//! ```text
//! DIR/answers-v1/ab/abcdef….json    one entry a file, one line, named after its key
//! DIR/answers-v1/tmp/….tmp          entries that are being written
//! DIR/answers-v1/lock               held while a damaged entry is replaced or an entry removed
//! ```
//!
//! An entry is written under a temporary name and then linked to its own, which fails where another one has come first:
//! the first answer stands, and everybody gets that one. A process that is killed leaves whole entries and temporary
//! files, nothing else. Files and folders are made durable by a thread in the background, or left to the system where they
//! come faster than a disk can follow. A power cut may thus cost what was written in the last moments, which is then
//! missing or does not check, and is never served.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use thiserror::Error;

use crate::entry::{Entry, EntryError, Key, LINE_BYTES_MAX};
use crate::sync::{Failure, Syncer};

pub use place::default_dir;
pub use prune::{Pruned, Pruning};
pub use survey::{Group, Stat, Verified};
pub use transfer::{Exported, Filter, Imported};
pub use walk::Progress;

mod claim;
mod place;
mod prune;
mod survey;
mod transfer;
mod walk;

/// The folder of answers within the cache's.
const ANSWERS: &str = "answers-v1";

/// How old a temporary file is when nobody can be writing it any more.
const TEMPORARY_AGE: Duration = Duration::from_secs(3600);

/// How much an entry's time of last use may lag behind.
const USE_LAG: Duration = Duration::from_secs(24 * 3600);

/// A cache of answers. All its methods may be called from any number of threads, and of processes.
pub struct Cache {
    /// The folder of answers.
    answers: PathBuf,
    syncer: Syncer<Written>,
}

/// What was written and is not durable yet: files first, then the folders that name them.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    File(PathBuf),
    Folder(PathBuf),
}

/// What a cache has for a key.
#[derive(Debug)]
pub enum Lookup {
    /// The answer.
    Hit(Entry),
    /// Nothing.
    Miss,
    /// Something that is no answer to that request. It counts as a miss; the answer that is then stored replaces it.
    Damaged(Damage),
}

/// What is wrong with a file of the cache. Messages are fragments that fit after a path and a colon.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Damage {
    /// A symbolic link, a folder or a device stands in place of the file. It is not followed.
    #[error("no plain file")]
    NotAFile,
    /// The file holds no whole entry.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The file holds the entry of another request.
    #[error("the entry of another request, {found}")]
    OtherKey {
        /// The key of what is there.
        found: Key,
    },
    /// The file cannot be read. Such a file is not replaced: it may well be whole.
    #[error("not readable: {0}")]
    Unreadable(#[source] io::Error),
}

/// Why something cannot be done with the cache. Messages fit "failed to …".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// No environment variable says where the cache lies.
    #[error("find the cache: none of NAPSIM_CACHE, XDG_CACHE_HOME and HOME holds an absolute path")]
    NoFolder,
    /// Something else lies where a folder of the cache should be.
    #[error("use the cache: expected a folder at {}", path.display())]
    NotAFolder {
        /// Where.
        path: PathBuf,
    },
    /// A file or folder of the cache could not be read or written: a full disk, missing rights, a broken disk.
    #[error("{action} {} in the cache: {reason}", path.display())]
    Io {
        /// What was tried: a verb.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// What is exported could not be written, or what is imported could not be read.
    #[error("{action} entries of the cache: {reason}")]
    Transfer {
        /// `export` or `import`.
        action: &'static str,
        /// What the system said.
        reason: io::Error,
    },
    /// The watcher of the progress asked for the end.
    #[error("go on with the cache: it was asked to stop")]
    Stopped,
}

impl CacheError {
    fn io(action: &'static str, path: &Path, reason: io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            reason,
        }
    }
}

impl From<Failure> for CacheError {
    fn from((path, reason): Failure) -> Self {
        Self::io("make durable", &path, reason)
    }
}

impl Cache {
    /// Opens the cache in a folder, which is made if need be, and takes away temporary files that are an hour old.
    ///
    /// # Errors
    /// [`CacheError::NotAFolder`] and [`CacheError::Io`] where there can be no cache.
    pub fn open(dir: &Path) -> Result<Self, CacheError> {
        let answers = dir.join(ANSWERS);
        let temporary = answers.join(claim::TEMPORARY);
        if fs::metadata(dir).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(CacheError::NotAFolder { path: dir.to_owned() });
        }
        fs::create_dir_all(dir).map_err(|reason| CacheError::io("make", dir, reason))?;
        claim::make_folder(&answers)?;
        claim::make_folder(&temporary)?;
        let syncer = Syncer::start(sync).map_err(|reason| CacheError::io("use", &answers, reason))?;
        let cache = Self { answers, syncer };
        cache.remove_temporary(false)?;
        Ok(cache)
    }

    /// Whether there is a cache in a folder.
    pub fn is_there(dir: &Path) -> bool {
        dir.join(ANSWERS).is_dir()
    }

    /// The folder of answers, within the one that was opened.
    pub fn folder(&self) -> &Path {
        &self.answers
    }

    /// Where the entry of that key lies, if there is one.
    pub fn path_of(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        let folder = name.get(..2).unwrap_or_default();
        self.answers.join(folder).join(format!("{name}.json"))
    }

    /// Looks for an answer. The time of the file's last change is set to now if it is more than a day ago, so that it
    /// tells when the entry was last of use.
    pub fn get(&self, key: &Key) -> Lookup {
        match self.read(key) {
            Ok(Some((entry, file, metadata))) => {
                note_use(&file, &metadata);
                Lookup::Hit(entry)
            }
            Ok(None) => Lookup::Miss,
            Err(damage) => Lookup::Damaged(damage),
        }
    }

    /// Stores an answer unless there is one, and returns the one that stands from now on. What is damaged is replaced.
    ///
    /// # Errors
    /// [`CacheError::NotAFolder`] and [`CacheError::Io`], also where something stored earlier turned out not to be
    /// durable.
    pub fn put(&self, entry: &Entry) -> Result<Entry, CacheError> {
        self.store(entry).map(|stored| stored.unwrap_or_else(|| entry.clone()))
    }

    /// Tries whether anything can be stored, which is better known before an answer has to be paid for.
    ///
    /// # Errors
    /// [`CacheError::Io`].
    pub fn try_out(&self) -> Result<(), CacheError> {
        let name = format!("try-{}.tmp", std::process::id());
        let path = self.answers.join(claim::TEMPORARY).join(name);
        let tried = fs::write(&path, b"{}").and_then(|()| fs::remove_file(&path));
        tried.map_err(|reason| CacheError::io("write", &path, reason))
    }

    /// Waits for the thread that makes things durable. Dropping the cache waits as well, but tells nothing.
    ///
    /// # Errors
    /// [`CacheError::Io`] where the system could not make something durable.
    pub fn flush(&self) -> Result<(), CacheError> {
        Ok(self.syncer.flush()?)
    }

    /// Reads and checks the entry of a key.
    fn read(&self, key: &Key) -> Result<Option<(Entry, File, Metadata)>, Damage> {
        let path = self.path_of(key);
        let folder = path.parent().unwrap_or(&self.answers);
        match fs::symlink_metadata(folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(Damage::NotAFile),
            Err(error) => return nothing_or_damage(error),
        }
        let (file, metadata) = match open_plain_file(&path) {
            Ok(Some(opened)) => opened,
            Ok(None) => return Err(Damage::NotAFile),
            Err(error) => return nothing_or_damage(error),
        };
        let bytes_max = LINE_BYTES_MAX as u64 + 1;
        if metadata.len() > bytes_max {
            return Err(EntryError::TooLong.into());
        }
        let mut line = Vec::with_capacity(usize::try_from(metadata.len() + 1).unwrap_or_default());
        let read = (&file).take(bytes_max + 1).read_to_end(&mut line);
        read.map_err(Damage::Unreadable)?;
        if line.last() != Some(&b'\n') {
            return Err(EntryError::cut_off().into());
        }
        let entry = Entry::parse(&line)?;
        match entry.key() {
            found if found == *key => Ok(Some((entry, file, metadata))),
            found => Err(Damage::OtherKey { found }),
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({})", self.answers.display())
    }
}

fn nothing_or_damage<T>(error: io::Error) -> Result<Option<T>, Damage> {
    match error.kind() {
        ErrorKind::NotFound => Ok(None),
        _ => Err(Damage::Unreadable(error)),
    }
}

/// Opens a file that is one, and none that a link leads to; None for anything else.
fn open_plain_file(path: &Path) -> io::Result<Option<(File, Metadata)>> {
    // Files change places when damaged ones are replaced, but not for ever.
    for _ in 0..100 {
        let named = fs::symlink_metadata(path)?;
        if !named.is_file() {
            return Ok(None);
        }
        let file = File::open(path)?;
        let opened = file.metadata()?;
        if is_same_file(&named, &opened) {
            return Ok(Some((file, opened)));
        }
    }
    Ok(None)
}

#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, other: &Metadata) -> bool {
    other.is_file()
}

fn note_use(file: &File, metadata: &Metadata) {
    let now = SystemTime::now();
    let is_old = |changed: SystemTime| now.duration_since(changed).is_ok_and(|age| age > USE_LAG);
    if metadata.modified().is_ok_and(is_old) {
        // Whoever may only read the cache leaves no trace in it.
        let _ = file.set_modified(now);
    }
}

/// Makes a file or folder durable.
fn sync(written: &Written) -> Result<(), Failure> {
    let (path, result) = match written {
        Written::File(path) => {
            let opened = open_plain_file(path);
            (
                path,
                opened.and_then(|opened| opened.map_or(Ok(()), |(file, _)| file.sync_all())),
            )
        }
        // Not every system opens folders.
        Written::Folder(path) => (path, File::open(path).map_or(Ok(()), |folder| folder.sync_all())),
    };
    match result {
        // Taken away since, or a system that knows no such thing.
        Err(reason)
            if [ErrorKind::NotFound, ErrorKind::InvalidInput, ErrorKind::Unsupported].contains(&reason.kind()) =>
        {
            Ok(())
        }
        result => result.map_err(|reason| (path.clone(), reason)),
    }
}

/// The key that a file of the cache is named after.
fn key_of_name(name: &OsStr) -> Option<Key> {
    name.to_str()?.strip_suffix(".json")?.parse().ok()
}
