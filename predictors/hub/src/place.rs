//! A model's folder while something is put into it.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::HubError;
use crate::contents::{file_names, with_end};
use crate::manifest::{FileRecord, MANIFEST, Manifest, Origin, PART, UNFINISHED};
use crate::selection::{CONFIG, INDEX};

/// A model's folder, locked against other processes.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// What the folder got before.
    former: Option<Manifest>,
    is_marked: bool,
    /// None where the file system knows no locks.
    _lock: Option<File>,
}

impl Place {
    /// Makes the folder, if need be, and locks it.
    pub(crate) fn open(path: PathBuf) -> Result<Self, HubError> {
        fs::create_dir_all(&path).map_err(|reason| HubError::io("make", &path, reason))?;
        let lock = lock(&path)?;
        let marker = Manifest::read(&path.join(UNFINISHED))?;
        let former = marker.or(Manifest::read(&path.join(MANIFEST))?);
        Ok(Self {
            is_marked: path.join(UNFINISHED).exists(),
            path,
            former,
            _lock: lock,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether what lies there came from the same source, so that a newer file may replace it.
    pub(crate) fn came_from(&self, origin: &Origin) -> bool {
        let former = self.former.as_ref();
        former.is_some_and(|manifest| manifest.origin.is_same_source(origin))
    }

    /// Refuses to put a model beside one of the other kind: a folder holds one.
    pub(crate) fn check_free_for(&self, gguf: Option<&str>) -> Result<(), HubError> {
        let names = file_names(&self.path)?;
        let is_other = |name: &&str| gguf != Some(*name);
        let mut others = with_end(&names, ".gguf").filter(is_other).collect::<Vec<_>>();
        if gguf.is_some() {
            let is_hugging_face = |name: &&str| name.ends_with(".safetensors") || [CONFIG, INDEX].contains(name);
            others.extend(names.iter().map(String::as_str).filter(is_hugging_face));
        }
        match others.first() {
            None => Ok(()),
            Some(other) => Err(self.occupied(format!("it holds another model ({other})"))),
        }
    }

    /// The refusal to overwrite what did not come from there.
    pub(crate) fn occupied(&self, what: String) -> HubError {
        HubError::Occupied {
            path: self.path.clone(),
            what,
        }
    }

    /// Marks the folder as one whose model is not whole, before anything in it changes.
    pub(crate) fn mark(&mut self, origin: &Origin) -> Result<(), HubError> {
        if !self.is_marked || !self.came_from(origin) {
            Manifest::new(origin.clone(), Vec::new()).write(&self.path.join(UNFINISHED))?;
            self.is_marked = true;
        }
        Ok(())
    }

    /// Notes what is there, takes leftovers away, and last the mark.
    pub(crate) fn finish(self, origin: Origin, files: Vec<FileRecord>) -> Result<Manifest, HubError> {
        let manifest = Manifest::new(origin, files);
        if self.is_marked || self.former.as_ref() != Some(&manifest) {
            manifest.write(&self.path.join(MANIFEST))?;
        }
        self.remove_parts()?;
        self.unmark()?;
        Ok(manifest)
    }

    /// Takes half files and the mark away, and the folder if nothing else is in it: as if nothing had been begun.
    pub(crate) fn abandon(self) -> Result<(), HubError> {
        self.remove_parts()?;
        self.unmark()?;
        self.leave_nothing();
        Ok(())
    }

    /// Takes the folder and its owner's away where they are empty.
    pub(crate) fn leave_nothing(&self) {
        // A folder that is not empty stays, which is all that the error says.
        if fs::remove_dir(&self.path).is_ok()
            && let Some(owner) = self.path.parent()
        {
            let _ = fs::remove_dir(owner);
        }
    }

    fn remove_parts(&self) -> Result<(), HubError> {
        for part in with_end(&file_names(&self.path)?, PART) {
            remove(&self.path.join(part))?;
        }
        Ok(())
    }

    fn unmark(&self) -> Result<(), HubError> {
        remove(&self.path.join(UNFINISHED))
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), HubError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(HubError::io("remove", path, error)),
        _ => Ok(()),
    }
}

fn lock(path: &Path) -> Result<Option<File>, HubError> {
    // Not every system opens folders; there two downloads at once are the user's affair.
    let Ok(folder) = File::open(path) else {
        return Ok(None);
    };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => Err(HubError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
