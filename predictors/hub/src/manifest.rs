//! The note of where a model came from: `napsim-hub.json`.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::HubError;

/// The note in a model's folder.
pub(crate) const MANIFEST: &str = "napsim-hub.json";

/// The same note while the model is not whole.
pub(crate) const UNFINISHED: &str = "napsim-hub.unfinished.json";

/// The end of the name of a file that is there in part.
pub(crate) const PART: &str = ".part";

/// The version that is written and read.
const SCHEMA: &str = "napsim-hub/1";

/// Largest note that is read, in bytes.
const BYTES_MAX: u64 = 1 << 24;

/// What a model's folder got from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    schema: String,
    /// Where the files came from.
    pub origin: Origin,
    /// The files, in the order in which they came.
    pub files: Vec<FileRecord>,
}

/// Where a model came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// A repository on a hub.
    Repository {
        /// `OWNER/REPO`.
        repository: String,
        /// The branch, tag or commit that was asked for.
        revision: String,
        /// The commit that it was then, 40 hexadecimal digits.
        commit: String,
    },
    /// An archive.
    Archive {
        /// The archive's name, without folders.
        archive: String,
    },
}

impl Origin {
    /// Whether both are the same repository or archive, at whatever commit.
    pub(crate) fn is_same_source(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Repository { repository, .. }, Self::Repository { repository: other, .. }) => repository == other,
            (Self::Archive { archive }, Self::Archive { archive: other }) => archive == other,
            _ => false,
        }
    }
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its name in the model's folder.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    pub(crate) fn new(origin: Origin, files: Vec<FileRecord>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            origin,
            files,
        }
    }

    /// Reads a note; absent where there is none, or none that this program understands.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, HubError> {
        let failed = |reason| HubError::io("read", path, reason);
        match fs::metadata(path) {
            Ok(metadata) if metadata.len() > BYTES_MAX => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        let bytes = fs::read(path).map_err(failed)?;
        let manifest = serde_json::from_slice::<Self>(&bytes).ok();
        Ok(manifest.filter(|manifest| manifest.schema == SCHEMA))
    }

    /// Writes the note, as a whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<(), HubError> {
        let mut text = serde_json::to_string_pretty(self).map_err(|error| HubError::io("write", path, error.into()))?;
        text.push('\n');
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(PART);
        let temporary = Path::new(&temporary);
        let write = || {
            let mut file = File::create(temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(temporary, path)
        };
        write().map_err(|reason| HubError::io("write", path, reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_back_and_strange_ones_count_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(MANIFEST);
        assert_eq!(Manifest::read(&path).unwrap(), None);
        let origin = Origin::Repository {
            repository: "a/b".to_owned(),
            revision: "main".to_owned(),
            commit: "0".repeat(40),
        };
        let record = FileRecord {
            name: "config.json".to_owned(),
            size: 3,
            sha256: "1".repeat(64),
        };
        let manifest = Manifest::new(origin, vec![record]);
        manifest.write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), Some(manifest));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("napsim-hub/1", "napsim-hub/2")).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), None);
    }
}
