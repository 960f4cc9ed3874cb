//! All files of the cache, in the order of their keys.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::{Cache, CacheError, key_of_name};
use crate::entry::Key;

/// How far something that sees every entry has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Entries seen so far.
    pub entries: u64,
    /// Folders seen so far, out of [`Progress::FOLDERS`], over which entries spread evenly. 0 throughout an import.
    pub folders: u32,
}

impl Progress {
    /// How many folders a cache has.
    pub const FOLDERS: u32 = 256;
}

/// A file that is named after a key.
pub(super) struct Found {
    pub(super) key: Key,
    pub(super) path: PathBuf,
    /// What is there; a link itself, not what it leads to.
    pub(super) metadata: Metadata,
}

impl Cache {
    /// Visits every file that is named after a key, in the order of the keys. No more than the names of one folder are
    /// kept in memory. `watch` is told of the progress before each visit and at the end, and may ask for the end.
    pub(super) fn walk(
        &self,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
        visit: &mut dyn FnMut(Found) -> Result<(), CacheError>,
    ) -> Result<(), CacheError> {
        let mut progress = Progress::default();
        let mut tell = |progress| match watch(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CacheError::Stopped),
        };
        for folder in 0..Progress::FOLDERS {
            for key in self.keys_of(folder)? {
                tell(progress)?;
                let path = self.path_of(&key);
                match fs::symlink_metadata(&path) {
                    Ok(metadata) => visit(Found { key, path, metadata })?,
                    // Removed meanwhile.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(reason) => return Err(CacheError::io("read", &path, reason)),
                }
                progress.entries += 1;
            }
            progress.folders = folder + 1;
        }
        tell(progress)
    }

    /// The keys in one folder, sorted.
    fn keys_of(&self, folder: u32) -> Result<Vec<Key>, CacheError> {
        let path = self.answers.join(format!("{folder:02x}"));
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(CacheError::NotAFolder { path }),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(reason) => return Err(CacheError::io("read", &path, reason)),
        }
        let listed = fs::read_dir(&path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let listed = listed.map_err(|reason| CacheError::io("read", &path, reason))?;
        let is_here = |key: &Key| key.as_bytes().first().map(|byte| u32::from(*byte)) == Some(folder);
        let keys = listed.iter().filter_map(|file| key_of_name(&file.file_name()));
        let mut keys = keys.filter(is_here).collect::<Vec<_>>();
        keys.sort_unstable();
        Ok(keys)
    }
}
