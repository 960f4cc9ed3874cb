//! What the cache holds, and whether it is whole.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::SystemTime;

use super::transfer::model_of;
use super::walk::Found;
use super::{Cache, CacheError, Damage, Progress};

/// What the cache holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// All whole entries.
    pub all: Group,
    /// The entries of each model, `PROVIDER/MODEL` as their requests name it.
    pub models: BTreeMap<String, Group>,
    /// The entries whose requests name no model.
    pub unnamed: Group,
    /// Files that are no whole entry.
    pub damaged: u64,
}

/// Some entries together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// How many they are.
    pub entries: u64,
    /// The bytes of their files.
    pub bytes: u64,
    /// When the one that was out of use for longest was last stored or used, to within a day.
    pub oldest: Option<SystemTime>,
    /// When the latest one was last stored or used, to within a day.
    pub newest: Option<SystemTime>,
}

impl Group {
    fn add(&mut self, bytes: u64, time: Option<SystemTime>) {
        self.entries += 1;
        self.bytes += bytes;
        self.oldest = [self.oldest, time].into_iter().flatten().min();
        self.newest = [self.newest, time].into_iter().flatten().max();
    }
}

/// Whether the cache is whole.
#[derive(Debug, Default)]
pub struct Verified {
    /// How many entries are whole.
    pub whole: u64,
    /// How many files are not.
    pub damaged: u64,
    /// How many of those were removed.
    pub removed: u64,
    /// The first thousand damaged files.
    pub files: Vec<(PathBuf, Damage)>,
}

impl Verified {
    const FILES_MAX: usize = 1000;
}

impl Cache {
    /// Counts what the cache holds. Every entry is read and checked; memory does not grow with their number.
    ///
    /// # Errors
    /// [`CacheError`] where a folder cannot be read, and [`CacheError::Stopped`] where `watch` asks for the end.
    pub fn stat(&self, mut watch: impl FnMut(Progress) -> ControlFlow<()>) -> Result<Stat, CacheError> {
        let mut stat = Stat::default();
        self.walk(&mut watch, &mut |Found { key, metadata, .. }| {
            match self.read(&key) {
                Ok(Some((entry, ..))) => {
                    let (bytes, time) = (metadata.len(), metadata.modified().ok());
                    stat.all.add(bytes, time);
                    match model_of(entry.request()) {
                        Some(model) => stat.models.entry(model).or_default().add(bytes, time),
                        None => stat.unnamed.add(bytes, time),
                    }
                }
                Ok(None) => {}
                Err(_) => stat.damaged += 1,
            }
            Ok(())
        })?;
        Ok(stat)
    }

    /// Reads and checks every entry, and where `is_to_fix`, removes what is damaged. What cannot be read and folders
    /// that are not empty stay.
    ///
    /// # Errors
    /// [`CacheError`] where a folder cannot be read or a file not removed, and [`CacheError::Stopped`] where `watch`
    /// asks for the end.
    pub fn verify(
        &self,
        is_to_fix: bool,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Verified, CacheError> {
        let mut verified = Verified::default();
        self.walk(&mut watch, &mut |found| {
            let damage = match self.read(&found.key) {
                Ok(Some(_)) => {
                    verified.whole += 1;
                    return Ok(());
                }
                Ok(None) => return Ok(()),
                Err(damage) => damage,
            };
            verified.damaged += 1;
            if is_to_fix && self.remove_damaged(&found)? {
                verified.removed += 1;
            }
            if verified.files.len() < Verified::FILES_MAX {
                verified.files.push((found.path, damage));
            }
            Ok(())
        })?;
        Ok(verified)
    }

    /// Removes a file if it is damaged still, and says whether it did.
    fn remove_damaged(&self, found: &Found) -> Result<bool, CacheError> {
        let fail = |reason| CacheError::io("remove", &found.path, reason);
        let _lock = self.lock().map_err(fail)?;
        match self.read(&found.key) {
            Ok(_) | Err(Damage::Unreadable(_)) => Ok(false),
            Err(_) if found.metadata.is_dir() => Ok(fs::remove_dir(&found.path).is_ok()),
            Err(_) => fs::remove_file(&found.path).map(|()| true).map_err(fail),
        }
    }
}
