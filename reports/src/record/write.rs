//! Writing a record: under a temporary name until it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use napsim_sim::event::Event;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Seal, SealLine, UnitHeader};
use crate::coverage::CoverageCounts;

/// Writes one record, line by line as the rollout goes on.
///
/// The file gets its name when it is complete and on the disk: a record that exists is whole. A writer that is dropped
/// unfinished leaves nothing behind.
#[derive(Debug)]
pub struct UnitWriter {
    path: PathBuf,
    temporary: Temporary,
    file: Output,
    /// The line that is being written.
    buffer: Vec<u8>,
    hasher: Sha256,
    n_events: u64,
    /// The first thing that went wrong; told when the record is finished.
    error: Option<io::Error>,
}

/// Where the lines go: as they are, or compressed for a path that ends in `.gz`.
#[derive(Debug)]
enum Output {
    Plain(BufWriter<File>),
    Gzip(Box<GzEncoder<BufWriter<File>>>),
}

impl Output {
    fn new(path: &Path, file: File) -> Self {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        if is_compressed(path) {
            // The header of the stream holds neither name nor time, so that equal records are equal files.
            Self::Gzip(Box::new(GzEncoder::new(file, Compression::fast())))
        } else {
            Self::Plain(file)
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Gzip(file) => file.write_all(bytes),
        }
    }

    /// Everything to the disk.
    fn finish(self) -> io::Result<()> {
        let file = match self {
            Self::Plain(file) => file,
            Self::Gzip(file) => file.finish()?,
        };
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

/// Whether the record at a path is compressed.
pub(super) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// A file that is removed unless it is kept.
#[derive(Debug)]
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // A file that cannot be removed is removed when the run is resumed.
            let _ = fs::remove_file(path);
        }
    }
}

/// What a temporary file is called.
pub(crate) fn temporary_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(TEMPORARY_SUFFIX);
    name.into()
}

/// How much of a record is gathered before it goes to the system.
const BUFFER_BYTES: usize = 64 << 10;

/// The end of a temporary file's name.
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";

impl UnitWriter {
    /// Starts the record that will be at `path`.
    ///
    /// # Errors
    /// Whatever the system says when the temporary file cannot be made or written.
    pub(crate) fn create(path: &Path, header: &UnitHeader) -> io::Result<Self> {
        let temporary = temporary_path(path);
        let file = File::create(&temporary)?;
        Self::begin(path, temporary, file, header)
    }

    /// Starts the record that will be at `path` in a temporary file that is open already.
    ///
    /// # Errors
    /// Whatever the system says when it cannot be written.
    pub(crate) fn begin(path: &Path, temporary: PathBuf, file: File, header: &UnitHeader) -> io::Result<Self> {
        let mut writer = Self {
            path: path.to_owned(),
            temporary: Temporary(Some(temporary)),
            file: Output::new(path, file),
            buffer: Vec::new(),
            hasher: Sha256::new(),
            n_events: 0,
            error: None,
        };
        writer.line(header)?;
        Ok(writer)
    }

    /// Writes an event. What goes wrong is told by [`finish`](Self::finish).
    pub fn see(&mut self, event: &Event) {
        if self.error.is_none() {
            self.n_events += 1;
            self.error = self.line(event).err();
        }
    }

    /// Seals the record and gives it its name.
    ///
    /// # Errors
    /// Whatever went wrong in writing, here or before; there is no file then.
    pub fn finish(self, coverage: Option<CoverageCounts>, lost: bool) -> io::Result<()> {
        let path = self.path.clone();
        self.finish_at(&path, coverage, lost)
    }

    /// Seals the record and gives it another name than it was started with.
    ///
    /// # Errors
    /// As those of [`finish`](Self::finish).
    pub(crate) fn finish_at(mut self, path: &Path, coverage: Option<CoverageCounts>, lost: bool) -> io::Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let sha256 = hex(&self.hasher.clone().finalize());
        let seal = Seal {
            events: self.n_events,
            coverage,
            lost,
            sha256,
        };
        self.line(&SealLine { seal })?;
        self.file.finish()?;
        if let Some(temporary) = &self.temporary.0 {
            fs::rename(temporary, path)?;
        }
        self.temporary.0 = None;
        sync_parent(path);
        Ok(())
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, value)?;
        self.buffer.push(b'\n');
        self.hasher.update(&self.buffer);
        self.file.write_all(&self.buffer)
    }
}

/// Brings the name of a file to the disk. Systems that cannot do that for folders keep names in another way.
pub(crate) fn sync_parent(path: &Path) {
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
