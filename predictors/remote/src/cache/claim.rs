//! How an entry gets its place: the first one wins, and damaged ones are replaced.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::time::SystemTime;

use super::{Cache, CacheError, Damage, TEMPORARY_AGE, Written};
use crate::entry::Entry;

/// The folder of entries that are being written.
pub(super) const TEMPORARY: &str = "tmp";

const TEMPORARY_END: &str = ".tmp";

const LOCK: &str = "lock";

/// How often an entry tries to get its place while others put things there and take them away.
const ATTEMPTS_MAX: usize = 100;

/// A temporary file, which is gone when this is dropped.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Where it was moved to its place there is nothing left; where it cannot be removed, it is when it is old.
        let _ = fs::remove_file(&self.0);
    }
}

/// How an attempt to get a place went.
enum Attempt {
    Taken,
    FoundOther(Entry),
    Again,
}

impl Cache {
    /// Stores an entry unless there is one; then returns that one.
    pub(super) fn store(&self, entry: &Entry) -> Result<Option<Entry>, CacheError> {
        self.syncer.check()?;
        if let Ok(Some((stored, ..))) = self.read(&entry.key()) {
            return Ok(Some(stored));
        }
        let path = self.path_of(&entry.key());
        let folder = path.parent().unwrap_or(&self.answers);
        let mut unfinished = self.write(entry)?;
        for _ in 0..ATTEMPTS_MAX {
            let is_new_folder = make_folder(folder)?;
            match self.claim(entry, &path, &unfinished.0) {
                Ok(Attempt::Taken) => {
                    let above = is_new_folder.then(|| Written::Folder(self.answers.clone()));
                    let here = [Written::File(path.clone()), Written::Folder(folder.to_owned())];
                    self.syncer.tell(here.into_iter().chain(above));
                    return Ok(None);
                }
                Ok(Attempt::FoundOther(stored)) => return Ok(Some(stored)),
                Ok(Attempt::Again) => {}
                // The temporary file looked forsaken to somebody, or the folder was taken away.
                Err(error) if error.kind() == ErrorKind::NotFound => unfinished = self.write(entry)?,
                Err(reason) => return Err(CacheError::io("write", &path, reason)),
            }
        }
        let reason = io::Error::other("it keeps changing");
        Err(CacheError::io("write", &path, reason))
    }

    fn claim(&self, entry: &Entry, path: &Path, unfinished: &Path) -> io::Result<Attempt> {
        match fs::hard_link(unfinished, path) {
            Ok(()) => Ok(Attempt::Taken),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => match self.read(&entry.key()) {
                Ok(Some((stored, ..))) => Ok(Attempt::FoundOther(stored)),
                Ok(None) => Ok(Attempt::Again),
                Err(Damage::Unreadable(reason)) => Err(reason),
                Err(_) => self.claim_locked(entry, path, unfinished, false),
            },
            Err(error) if is_lack_of_links(&error) => self.claim_locked(entry, path, unfinished, true),
            Err(error) => Err(error),
        }
    }

    /// Moves an entry to its place where a damaged one lies, which nobody else replaces or removes meanwhile, or where
    /// the file system has no links and so nobody goes another way, also where nothing lies.
    fn claim_locked(&self, entry: &Entry, path: &Path, unfinished: &Path, lacks_links: bool) -> io::Result<Attempt> {
        let _lock = self.lock()?;
        match self.read(&entry.key()) {
            Ok(Some((stored, ..))) => return Ok(Attempt::FoundOther(stored)),
            Ok(None) if lacks_links => {}
            Ok(None) => return Ok(Attempt::Again),
            Err(Damage::Unreadable(reason)) => return Err(reason),
            // Where a folder was, nothing is now, and whoever comes first may have the place.
            Err(_) if clear_folder(path)? && !lacks_links => return Ok(Attempt::Again),
            Err(_) => {}
        }
        fs::rename(unfinished, path)?;
        Ok(Attempt::Taken)
    }

    /// Waits for the lock without which nobody replaces or removes an entry. File systems without locks are put up with:
    /// there two processes that replace one damaged entry at the same moment may each keep its own answer for now.
    pub(super) fn lock(&self) -> io::Result<File> {
        let path = self.answers.join(LOCK);
        let lock = OpenOptions::new().append(true).create(true).open(path)?;
        let _ = lock.lock();
        Ok(lock)
    }

    /// Writes an entry under a temporary name.
    fn write(&self, entry: &Entry) -> Result<Unfinished, CacheError> {
        let folder = self.answers.join(TEMPORARY);
        let mut line = entry.to_line();
        line.push('\n');
        loop {
            // Process numbers alone are not unique: other machines may share the folder.
            let random = RandomState::new().build_hasher().finish();
            let path = folder.join(format!("{}-{random:016x}{TEMPORARY_END}", process::id()));
            let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(reason) => return Err(CacheError::io("make", &path, reason)),
            };
            let unfinished = Unfinished(path);
            let written = file.write_all(line.as_bytes());
            written.map_err(|reason| CacheError::io("write", &unfinished.0, reason))?;
            return Ok(unfinished);
        }
    }

    /// Takes away the temporary files that nobody can be writing any more, and returns their number and bytes.
    pub(super) fn remove_temporary(&self, is_trial: bool) -> Result<(u64, u64), CacheError> {
        let folder = self.answers.join(TEMPORARY);
        let now = SystemTime::now();
        let (mut files, mut bytes) = (0, 0);
        let listed = fs::read_dir(&folder).map_err(|reason| CacheError::io("read", &folder, reason))?;
        for file in listed.flatten() {
            let is_temporary = file
                .file_name()
                .to_str()
                .is_some_and(|name| name.ends_with(TEMPORARY_END));
            // Files that are gone by now were others' to remove.
            let Some(metadata) = file
                .metadata()
                .ok()
                .filter(|metadata| is_temporary && metadata.is_file())
            else {
                continue;
            };
            let age = metadata.modified().ok().and_then(|time| now.duration_since(time).ok());
            if age.is_some_and(|age| age >= TEMPORARY_AGE) && (is_trial || fs::remove_file(file.path()).is_ok()) {
                files += 1;
                bytes += metadata.len();
            }
        }
        Ok((files, bytes))
    }
}

/// Makes a folder unless it is there, and says whether it did. What a link leads to is no folder of the cache.
pub(super) fn make_folder(path: &Path) -> Result<bool, CacheError> {
    match fs::create_dir(path) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(reason) => return Err(CacheError::io("make", path, reason)),
    }
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(false),
        Ok(_) => Err(CacheError::NotAFolder { path: path.to_owned() }),
        Err(reason) => Err(CacheError::io("read", path, reason)),
    }
}

/// Moves a folder out of the way and says whether there was one: a file cannot take its place, and what it holds is not
/// ours to remove.
fn clear_folder(path: &Path) -> io::Result<bool> {
    let is_folder = fs::symlink_metadata(path)?.is_dir();
    if is_folder && fs::remove_dir(path).is_err() {
        let random = RandomState::new().build_hasher().finish();
        fs::rename(path, path.with_extension(format!("{random:016x}.aside")))?;
    }
    Ok(is_folder)
}

/// Whether a failure to link may mean that the file system has no links.
fn is_lack_of_links(error: &io::Error) -> bool {
    use ErrorKind::{NotFound, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    ![NotFound, StorageFull, QuotaExceeded, ReadOnlyFilesystem].contains(&error.kind())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::cache::Lookup;

    #[test]
    fn the_first_wins_where_there_are_no_links_too() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        for request in 0..50 {
            let told = thread::scope(|scope| {
                let threads = (0..16).map(|thread| {
                    let cache = &cache;
                    scope.spawn(move || {
                        let answer = format!(r#"{{"by":{thread}}}"#);
                        let entry = Entry::new(format!(r#"{{"n":{request}}}"#), answer).unwrap();
                        let path = cache.path_of(&entry.key());
                        make_folder(path.parent().unwrap()).unwrap();
                        let unfinished = cache.write(&entry).unwrap();
                        match cache.claim_locked(&entry, &path, &unfinished.0, true).unwrap() {
                            Attempt::Taken => entry,
                            Attempt::FoundOther(other) => other,
                            Attempt::Again => panic!("there is no other way to go"),
                        }
                    })
                });
                let threads = threads.collect::<Vec<_>>();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .collect::<Vec<_>>()
            });
            assert!(told.iter().all(|entry| *entry == told[0]));
            assert!(matches!(cache.get(&told[0].key()), Lookup::Hit(entry) if entry == told[0]));
        }
        assert_eq!(fs::read_dir(cache.folder().join(TEMPORARY)).unwrap().count(), 0);
    }

    #[test]
    fn the_place_of_a_folder_is_free_for_whoever_comes_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        let entry = Entry::new("{}", "{}").unwrap();
        let path = cache.path_of(&entry.key());
        fs::create_dir_all(&path).unwrap();
        let unfinished = cache.write(&entry).unwrap();
        let attempt = cache.claim(&entry, &path, &unfinished.0).unwrap();
        assert!(matches!(attempt, Attempt::Again) && !path.exists());
        let first = Entry::new("{}", r#"{"by":"another"}"#).unwrap();
        assert_eq!(cache.put(&first).unwrap(), first);
        let attempt = cache.claim(&entry, &path, &unfinished.0).unwrap();
        assert!(matches!(attempt, Attempt::FoundOther(other) if other == first));
    }

    #[test]
    fn a_temporary_file_that_was_taken_away_is_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        let entry = Entry::new("{}", "{}").unwrap();
        let path = cache.path_of(&entry.key());
        make_folder(path.parent().unwrap()).unwrap();
        let unfinished = cache.write(&entry).unwrap();
        fs::remove_file(&unfinished.0).unwrap();
        let error = cache.claim(&entry, &path, &unfinished.0).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(cache.store(&entry).unwrap(), None);
    }
}
