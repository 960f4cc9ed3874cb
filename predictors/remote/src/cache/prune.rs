//! Which entries go when the cache is to be smaller.

use std::fs;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use super::{Cache, CacheError, Filter, Progress};
use crate::entry::Key;

/// Which entries go. One that says nothing removes only forsaken temporary files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// Those go that were not stored or used for so long (to within a day).
    pub older_than: Option<Duration>,
    /// Then those out of use for longest go, until all files together have at most so many bytes.
    pub bytes_max: Option<u64>,
    /// Only entries of these models may go; if neither of the other bounds is set, all of them do.
    pub models: Filter,
}

/// What went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// How many entries went.
    pub entries: u64,
    /// The bytes of their files.
    pub bytes: u64,
    /// How many entries stay, damaged ones among them.
    pub kept_entries: u64,
    /// The bytes of their files.
    pub kept_bytes: u64,
    /// How many forsaken temporary files went.
    pub temporary_files: u64,
}

struct Candidate {
    used: SystemTime,
    key: Key,
    bytes: u64,
}

impl Cache {
    /// Removes entries, those out of use for longest first, and temporary files that are an hour old. In a trial
    /// nothing is removed, only counted. Memory grows by 56 bytes an entry.
    ///
    /// # Errors
    /// [`CacheError`] where something cannot be read or removed, and [`CacheError::Stopped`] where `watch` asks for the
    /// end; until all entries were seen nothing is removed.
    pub fn prune(
        &self,
        pruning: &Pruning,
        is_trial: bool,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Pruned, CacheError> {
        let mut pruned = Pruned::default();
        let mut candidates = Vec::new();
        self.walk(&mut watch, &mut |found| {
            if !found.metadata.is_file() {
                return Ok(());
            }
            pruned.kept_entries += 1;
            pruned.kept_bytes += found.metadata.len();
            let matches = || match self.read(&found.key) {
                Ok(Some((entry, ..))) => pruning.models.matches(entry.request()),
                _ => false,
            };
            if let Ok(used) = found.metadata.modified()
                && (pruning.models.is_all() || matches())
            {
                candidates.push(Candidate {
                    used,
                    key: found.key,
                    bytes: found.metadata.len(),
                });
            }
            Ok(())
        })?;
        candidates.sort_unstable_by_key(|candidate| (candidate.used, candidate.key));
        let now = SystemTime::now();
        for candidate in candidates {
            if !pruning.is_to_go(&candidate, now, pruned.kept_bytes) {
                break;
            }
            if is_trial || self.remove_unused(&candidate)? {
                pruned.entries += 1;
                pruned.bytes += candidate.bytes;
                pruned.kept_entries -= 1;
                pruned.kept_bytes -= candidate.bytes;
            }
        }
        (pruned.temporary_files, _) = self.remove_temporary(is_trial)?;
        Ok(pruned)
    }

    /// Removes an entry unless it was used meanwhile, and says whether it did.
    fn remove_unused(&self, candidate: &Candidate) -> Result<bool, CacheError> {
        let path = self.path_of(&candidate.key);
        let remove = || -> io::Result<bool> {
            let _lock = self.lock()?;
            if fs::symlink_metadata(&path)?.modified()? != candidate.used {
                return Ok(false);
            }
            fs::remove_file(&path)?;
            Ok(true)
        };
        match remove() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            result => result.map_err(|reason| CacheError::io("remove", &path, reason)),
        }
    }
}

impl Pruning {
    fn is_to_go(&self, candidate: &Candidate, now: SystemTime, bytes: u64) -> bool {
        let age = now.duration_since(candidate.used).unwrap_or_default();
        let is_too_old = self.older_than.is_some_and(|bound| age >= bound);
        let is_too_much = self.bytes_max.is_some_and(|bound| bytes > bound);
        let has_no_bound = self.older_than.is_none() && self.bytes_max.is_none();
        is_too_old || is_too_much || (has_no_bound && !self.models.is_all())
    }
}
