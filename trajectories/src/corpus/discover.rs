//! Finding the files of a corpus.

use std::fs;
use std::path::{Path, PathBuf};

use crate::read::{ReadError, is_json};

/// The subfolders that hold the trajectories of a folder, the first that exists.
const TRAJECTORY_FOLDERS: [&str; 2] = ["data/trajectories", "trajectories"];

/// The files that a spec stands for, in order of their names.
pub(super) fn files(spec: &Path) -> Result<Vec<PathBuf>, ReadError> {
    if spec.is_dir() {
        let inner = TRAJECTORY_FOLDERS.iter().map(|folder| spec.join(folder));
        let folder = inner.into_iter().find(|folder| folder.is_dir());
        return files_in(&folder.unwrap_or_else(|| spec.to_owned()));
    }
    if spec.exists() {
        return Ok(vec![spec.to_owned()]);
    }
    match spec.to_str() {
        Some(pattern) if pattern.contains(['*', '?', '[']) => matches_of(pattern),
        _ => Err(ReadError::NotFound { path: spec.to_owned() }),
    }
}

/// The trajectory files right in a folder.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = entries(folder)?;
    files.retain(|path| is_trajectory_file(path));
    Ok(files)
}

fn is_trajectory_file(path: &Path) -> bool {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let text = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    !hidden && (text || is_json(path)) && path.is_file()
}

/// Everything in a folder, in order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let fail = |reason| ReadError::io(folder, reason);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn matches_of(pattern: &str) -> Result<Vec<PathBuf>, ReadError> {
    let matches = glob::glob(pattern).map_err(|reason| ReadError::Pattern {
        pattern: pattern.to_owned(),
        reason,
    })?;
    let mut files = Vec::new();
    for path in matches {
        let path = path.map_err(|error| ReadError::Io {
            path: error.path().to_owned(),
            reason: error.into(),
        })?;
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The file of predictable properties that belongs to a trajectory's file, if there is one.
pub(super) fn predictable_file(path: &Path) -> Result<Option<PathBuf>, ReadError> {
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem()) else {
        return Ok(None);
    };
    let mut file = PathBuf::from(stem);
    file.as_mut_os_string().push(".json");
    let in_release = folder.file_name().is_some_and(|name| name == "trajectories");
    let base = if in_release {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    let listed = base.join("predictable").join(file);
    if listed.is_file() {
        return Ok(Some(listed));
    }
    let raw = base.join("raw");
    if !in_release || !raw.is_dir() {
        return Ok(None);
    }
    // Of several folders that begin with the name, the one called by it or else the first counts.
    let exact = std::iter::once(raw.join(stem));
    let folders = exact.chain(entries(&raw)?.into_iter().filter(|folder| is_continued(folder, stem)));
    let mut files = folders.map(|folder| folder.join("predictable_state.json"));
    Ok(files.find(|file| file.is_file()))
}

/// Whether the folder's name is the stem followed by something that starts a new word.
fn is_continued(folder: &Path, stem: &std::ffi::OsStr) -> bool {
    let name = folder.file_name().unwrap_or_default().as_encoded_bytes();
    let rest = name.strip_prefix(stem.as_encoded_bytes());
    rest.and_then(<[u8]>::first)
        .is_some_and(|next| !next.is_ascii_alphanumeric())
}

/// What a corpus is called: the last part of its path without an ending, or the whole pattern.
pub(super) fn name_of(spec: &Path) -> String {
    let absolute = spec.canonicalize();
    let named = match &absolute {
        Ok(path) if path.is_dir() => path.file_name(),
        Ok(path) => path.file_stem(),
        Err(_) => None,
    };
    named.unwrap_or(spec.as_os_str()).to_string_lossy().into_owned()
}
