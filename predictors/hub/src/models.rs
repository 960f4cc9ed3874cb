//! The models in the model folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::contents::{Contents, Defect, examine};
use crate::{HubError, ModelName};

/// A model in the model folder, whole or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstalledModel {
    /// Its name.
    pub name: ModelName,
    /// Its folder.
    pub path: PathBuf,
    /// All files in the folder together, in bytes.
    pub size: u64,
    /// What it is, or why it cannot be used.
    pub contents: Result<Contents, Defect>,
}

/// The models in a model folder by name; none where there is no such folder. Empty folders are no models.
///
/// # Errors
/// [`HubError::Io`] where a folder cannot be read.
pub fn models(folder: &Path) -> Result<Vec<InstalledModel>, HubError> {
    let mut models = Vec::new();
    for owner in folders(folder)? {
        for model in folders(&folder.join(&owner))? {
            let Ok(name) = ModelName::parse(&format!("{owner}/{model}")) else {
                continue;
            };
            let path = name.path_in(folder);
            let Some(size) = files_size(&path)? else { continue };
            models.push(InstalledModel {
                contents: examine(&path)?,
                name,
                path,
                size,
            });
        }
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

/// The names of the folders in a folder.
fn folders(folder: &Path) -> Result<Vec<String>, HubError> {
    let failed = |reason| HubError::io("read", folder, reason);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        if entry.path().is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    Ok(names)
}

/// The bytes of all files in a folder; absent where there is no file.
fn files_size(folder: &Path) -> Result<Option<u64>, HubError> {
    let failed = |reason| HubError::io("read", folder, reason);
    let mut size = None;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // A file that has gone meanwhile, or a link to nowhere, counts for nothing.
        if let Some(metadata) = fs::metadata(path).ok().filter(fs::Metadata::is_file) {
            size = Some(size.unwrap_or(0) + metadata.len());
        }
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_listed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(models(&folder.path().join("none")).unwrap(), []);
        for (model, file) in [
            ("b/two", "a.gguf.part"),
            ("a/one", "a.gguf"),
            ("a/b c", "a.gguf"),
            (".x/y", "a.gguf"),
        ] {
            fs::create_dir_all(folder.path().join(model)).unwrap();
            fs::write(folder.path().join(model).join(file), "GGUF").unwrap();
        }
        fs::create_dir_all(folder.path().join("a/empty")).unwrap();
        fs::write(folder.path().join("a/file"), "").unwrap();
        let found = models(folder.path()).unwrap();
        let lines: Vec<_> = found
            .iter()
            .map(|model| (model.name.as_str(), model.size, model.contents.is_ok()))
            .collect();
        assert_eq!(lines, [("a/one", 4, true), ("b/two", 4, false)]);
    }
}
