//! Files that are being written, by any number of processes at a time.
//!
//! Whoever writes a file holds a lock on it. What can be locked by others was left by a process that is no more.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::record::{TEMPORARY_SUFFIX, sync_parent};

/// How often a name is tried that nobody else has.
const ATTEMPTS_MAX: u32 = 100;

/// A new file beside `path`, locked, with its name.
pub(super) fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    for _ in 0..ATTEMPTS_MAX {
        // Two processes, on machines that may know nothing of each other, must not come upon the same name.
        let token = RandomState::new().hash_one(std::process::id());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{token:016x}{TEMPORARY_SUFFIX}"));
        let file = match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        // Between making and locking it another process may take the file for one that was left behind.
        let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !temporary.exists();
        if !is_taken {
            return Ok((temporary, file));
        }
    }
    Err(io::Error::other("no name for a temporary file is left"))
}

/// Writes a file so that it is there as a whole or not at all; where asked for, it is on the disk afterwards.
pub(super) fn write(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    let (temporary, mut file) = create(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| if sync { file.sync_all() } else { Ok(()) })
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What cannot be removed goes when nobody holds it any more.
        let _ = fs::remove_file(&temporary);
    } else if sync {
        sync_parent(path);
    }
    written
}

/// Whether that is the name of a temporary file for a file of that name.
pub(super) fn is_of(name: &str, of: &str) -> bool {
    name.strip_prefix('.')
        .and_then(|name| name.strip_prefix(of))
        .is_some_and(|rest| rest.ends_with(TEMPORARY_SUFFIX))
}

/// Removes the temporary files in a folder that nobody holds, and says how many.
pub(super) fn remove_abandoned(folder: &Path) -> io::Result<usize> {
    let mut n_removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_temporary = name
            .to_str()
            .is_some_and(|name| name.starts_with('.') && name.ends_with(TEMPORARY_SUFFIX));
        if !is_temporary {
            continue;
        }
        // One that has got its name in the meantime is none any more.
        let Ok(file) = File::open(entry.path()) else { continue };
        if file.try_lock().is_ok() && fs::remove_file(entry.path()).is_ok() {
            n_removed += 1;
        }
    }
    Ok(n_removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let (held, file) = create(&path).unwrap();
        let (abandoned, other) = create(&path).unwrap();
        drop(other);
        fs::write(folder.path().join("b.tmp"), "of somebody else").unwrap();
        assert_eq!(remove_abandoned(folder.path()).unwrap(), 1);
        assert!(held.exists() && !abandoned.exists());
        assert!(folder.path().join("b.tmp").exists());
        drop(file);
        assert_eq!(remove_abandoned(folder.path()).unwrap(), 1);
    }

    #[test]
    fn writing_leaves_the_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"1", true).unwrap();
        write(&path, b"2", false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn temporary_names_say_of_what_they_are() {
        assert!(is_of(".store.json.0123456789abcdef.tmp", "store.json"));
        assert!(!is_of("store.json", "store.json"));
        assert!(!is_of(".other.json.0123456789abcdef.tmp", "store.json"));
    }
}
