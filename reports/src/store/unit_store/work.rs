//! Who is at work in a store, so that nothing is removed that somebody has just measured.

use std::fs::{File, TryLockError};

use super::{STORE, UnitStore};
use crate::store::StoreError;

/// A process is at work in a store for as long as it holds this.
///
/// Any number of processes may measure at the same time, but nobody while units are removed. Where the file system knows no
/// locks, or not those of other machines, nothing is held up; a sweep therefore keeps its plan again when it ends.
#[derive(Debug)]
pub struct AtWork {
    /// The lock goes when the file is closed.
    _mark: Option<File>,
}

impl UnitStore {
    /// Says that units are being measured, once nobody removes any.
    ///
    /// # Errors
    /// [`StoreError::Io`] where the store's mark cannot be opened.
    pub fn measure(&self) -> Result<AtWork, StoreError> {
        let mark = self.mark()?;
        Ok(AtWork {
            _mark: mark.lock_shared().is_ok().then_some(mark),
        })
    }

    /// Says that units are being removed.
    ///
    /// # Errors
    /// [`StoreError::Busy`] while some are being measured, [`StoreError::Io`] where the store's mark cannot be opened.
    pub fn clear(&self) -> Result<AtWork, StoreError> {
        let mark = self.mark()?;
        match mark.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy {
                path: self.root.clone(),
            }),
            locked => Ok(AtWork {
                _mark: locked.is_ok().then_some(mark),
            }),
        }
    }

    fn mark(&self) -> Result<File, StoreError> {
        let path = self.root.join(STORE);
        File::open(&path).map_err(|reason| StoreError::io("open", &path, reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_removed_while_others_measure() {
        let folder = tempfile::tempdir().unwrap();
        let store = UnitStore::begin(&folder.path().join("store")).unwrap();
        let one = store.measure().unwrap();
        let other = store.measure().unwrap();
        assert!(matches!(store.clear(), Err(StoreError::Busy { .. })));
        drop(one);
        assert!(matches!(store.clear(), Err(StoreError::Busy { .. })));
        drop(other);
        assert!(store.clear().is_ok());
        assert!(store.measure().is_ok(), "whoever removes has ended");
    }
}
