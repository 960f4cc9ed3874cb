//! Files that grow line by line and are there only when they are whole.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::destination::Destination;

/// A file that is written line by line under a temporary name, which it keeps until it is finished.
///
/// One that is dropped unfinished leaves nothing behind. Links are followed; devices and pipes are written to directly.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// The temporary name and the final one; none once finished, and where it is written directly.
    renaming: Option<(PathBuf, PathBuf)>,
}

impl LineFile {
    /// Starts the file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let opened = Destination::of(path).and_then(|destination| match destination {
            Destination::Direct(file) => Ok((file, None)),
            Destination::Whole { path, temporary } => {
                let file = File::create(&temporary)?;
                Ok((file, Some((temporary, path))))
            }
        });
        let (file, renaming) = opened.map_err(|reason| StoreError::io("write", path, reason))?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
            renaming,
        })
    }

    /// Adds a line, whose end is added to it.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn push(&mut self, line: &str) -> Result<(), StoreError> {
        writeln!(self.file, "{line}").map_err(|reason| StoreError::io("write", &self.path, reason))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`StoreError::Io`] for whatever went wrong.
    pub fn finish(mut self) -> Result<(), StoreError> {
        let mut kept = self.file.flush();
        if let Some((temporary, path)) = &self.renaming {
            kept = kept
                .and_then(|()| self.file.get_ref().sync_all())
                .and_then(|()| fs::rename(temporary, path));
        }
        if kept.is_ok() {
            self.renaming = None;
        }
        kept.map_err(|reason| StoreError::io("write", &self.path, reason))
    }
}

/// Bytes instead of lines, for those who write these themselves.
impl Write for LineFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for LineFile {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.renaming {
            // What cannot be removed is overwritten the next time.
            let _ = fs::remove_file(temporary);
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

    #[cfg(unix)]
    #[test]
    fn links_are_written_through() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("target", &link).unwrap();
        for text in ["missing before", "there before"] {
            let mut file = LineFile::create(&link).unwrap();
            file.push(text).unwrap();
            file.finish().unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            let target = fs::read_to_string(folder.path().join("target")).unwrap();
            assert_eq!(target, format!("{text}\n"));
        }
        let circle = folder.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(LineFile::create(&circle).is_err());
    }
}
