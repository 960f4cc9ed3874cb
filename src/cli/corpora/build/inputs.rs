//! The workbook files that arguments mean.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::exit::Failure;

/// Endings of the files that a folder or a pattern stands for.
const ENDINGS: [&str; 5] = ["xlsx", "xlsm", "xlsb", "xls", "ods"];

/// The files: those given by name, those in folders and below, and those that match patterns; each once.
///
/// Files of a folder or a pattern are sorted by path, and only those of a workbook's ending count. Files that spreadsheet
/// programs keep beside an open workbook (`~$plan.xlsx`) and hidden files are left out, unless given by name.
pub(super) fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            let found = files_below(argument)?;
            if found.is_empty() {
                let endings = ENDINGS.map(|ending| format!(".{ending}")).join(", ");
                let path = argument.display();
                return Err(Failure::Input(anyhow!("{path} holds no workbook ({endings})")));
            }
            files.extend(found);
        } else if argument.exists() {
            files.push(argument.clone());
        } else {
            files.extend(matches(argument)?);
        }
    }
    let mut known = BTreeSet::new();
    files.retain(|file| known.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    Ok(files)
}

fn is_workbook(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ENDINGS.contains(&&*ending) && !name.starts_with("~$") && !name.starts_with('.')
}

/// Files in a folder and the folders below it; links to folders are not followed.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let reading = || format!("failed to read the folder {}", folder.display());
        let entries = fs::read_dir(&folder)
            .with_context(reading)
            .map_err(Failure::Environment)?;
        for entry in entries {
            let entry = entry.with_context(reading).map_err(Failure::Environment)?;
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let kind = entry.file_type().with_context(reading).map_err(Failure::Environment)?;
            if kind.is_dir() && !is_hidden {
                open.push(path);
            } else if is_workbook(&path) && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Files that match a pattern.
fn matches(pattern: &Path) -> Result<Vec<PathBuf>, Failure> {
    let shown = pattern.display();
    let is_pattern = pattern.to_string_lossy().contains(['*', '?', '[']);
    if !is_pattern {
        return Err(Failure::Input(anyhow!(
            "failed to find {shown}: no such file or folder"
        )));
    }
    let paths = glob::glob(&pattern.to_string_lossy())
        .with_context(|| format!("failed to read the pattern {shown}"))
        .map_err(Failure::Input)?;
    let mut found = Vec::new();
    for path in paths {
        let path = path
            .with_context(|| format!("failed to follow the pattern {shown}"))
            .map_err(Failure::Environment)?;
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else if is_workbook(&path) {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Failure::Input(anyhow!("failed to find {shown}: no workbook matches")));
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_stand_for_workbooks() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in [
            "b.xlsx",
            "a.XLS",
            "sub/deep/c.ods",
            "~$b.xlsx",
            ".d.xlsx",
            ".hidden/e.xlsx",
            "notes.txt",
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let names = |arguments: &[&str]| {
            let arguments: Vec<PathBuf> = arguments.iter().map(|name| root.join(name)).collect();
            let files = files(&arguments).unwrap();
            let relative = files.iter().map(|file| file.strip_prefix(root).unwrap());
            relative
                .map(|file| file.to_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&[""]), ["a.XLS", "b.xlsx", "sub/deep/c.ods"]);
        assert_eq!(names(&["*.xlsx", "b.xlsx", "notes.txt"]), ["b.xlsx", "notes.txt"]);
        assert_eq!(names(&["s*"]), ["sub/deep/c.ods"]);
        for missing in ["x.xlsx", "*.csv", ".hidden/*.ods"] {
            assert!(
                matches!(files(&[root.join(missing)]), Err(Failure::Input(_))),
                "{missing}"
            );
        }
    }
}
