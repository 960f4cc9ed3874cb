//! The file that gets a model.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::anyhow;
use napsim_predictors::Model;
use napsim_reports::store::write_file_whole;

use crate::exit::Failure;

/// Refuses a file that holds something other than a model: nobody means to lose it.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    let refused = |what: &str| {
        let path = path.display();
        Err(Failure::Input(anyhow!(
            "failed to write {path}: {what}; give another file to --out"
        )))
    };
    if path.is_dir() {
        return refused("it is a folder");
    }
    if !path.is_file() {
        return match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => refused("there is no such folder"),
            _ => Ok(()),
        };
    }
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut beginning));
    match read {
        Ok(0) => Ok(()),
        Ok(_) if Model::is_model(&beginning) => Ok(()),
        Ok(_) => refused("it is there and is no model file"),
        Err(error) => refused(&format!("it is there and cannot be read ({error})")),
    }
}

/// Writes the model, as a whole or not at all.
pub(super) fn write(path: &Path, model: &Model) -> Result<(), Failure> {
    let bytes = model.to_bytes().map_err(Failure::environment)?;
    // Something may have come there meanwhile.
    check(path)?;
    Ok(write_file_whole(path, &bytes)?)
}

/// Refuses a file for a picture that holds something other than one.
pub(super) fn check_picture(path: &Path) -> Result<(), Failure> {
    let refused = |what: &str| {
        let path = path.display();
        Err(Failure::Input(anyhow!(
            "failed to write {path}: {what}; give another file to --curve"
        )))
    };
    if path.is_dir() {
        return refused("it is a folder");
    }
    if path.is_file() {
        let begins = std::fs::read(path).is_ok_and(|bytes| bytes.is_empty() || bytes.starts_with(b"<svg"));
        return if begins {
            Ok(())
        } else {
            refused("it is there and is no picture of a curve")
        };
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => refused("there is no such folder"),
        _ => Ok(()),
    }
}

/// Writes a picture, as a whole or not at all.
pub(super) fn write_picture(path: &Path, svg: &str) -> Result<(), Failure> {
    Ok(write_file_whole(path, svg.as_bytes())?)
}
