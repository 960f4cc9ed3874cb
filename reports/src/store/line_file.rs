//! Files that grow line by line and are there only when they are whole.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::record::temporary_path;

/// A file that is written line by line under a temporary name, which it keeps until it is finished.
///
/// One that is dropped unfinished leaves nothing behind.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    /// None once finished.
    file: Option<BufWriter<File>>,
}

impl LineFile {
    /// Starts the file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let file = File::create(temporary_path(path)).map_err(|reason| StoreError::io("write", path, reason))?;
        Ok(Self {
            path: path.to_owned(),
            file: Some(BufWriter::new(file)),
        })
    }

    /// Adds a line, whose end is added to it.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn push(&mut self, line: &str) -> Result<(), StoreError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        writeln!(file, "{line}").map_err(|reason| StoreError::io("write", &self.path, reason))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`StoreError::Io`] for whatever went wrong.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let kept = file
            .flush()
            .and_then(|()| file.get_ref().sync_all())
            .and_then(|()| fs::rename(temporary_path(&self.path), &self.path));
        kept.map_err(|reason| StoreError::io("write", &self.path, reason))
    }
}

impl Drop for LineFile {
    fn drop(&mut self) {
        if self.file.is_some() {
            // What cannot be removed is overwritten the next time.
            let _ = fs::remove_file(temporary_path(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finished_files_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.jsonl");
        let mut file = LineFile::create(&path).unwrap();
        file.push("{}").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut file = LineFile::create(&path).unwrap();
        file.push("1").unwrap();
        file.push("2").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
