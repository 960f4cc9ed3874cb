//! Files of JSON lines, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::error::{BadLine, DataError};
use super::source::{Chunk, SourceHash};
use super::{Counted, ReadingOptions, Sequence, line};

/// Bytes that are read before they are parsed, if no line is longer.
const CHUNK_BYTES: usize = 4 << 20;

/// The longest line.
const SEQUENCE_BYTES_MAX: u64 = 256 << 20;

/// A file with one sequence a line.
pub(super) struct LineSource {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    n_bytes: u64,
    n_bytes_done: Arc<AtomicU64>,
    n_lines: u64,
}

/// Counts the bytes that pass.
struct CountingReader {
    file: File,
    n_bytes: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(buffer)?;
        self.n_bytes
            .fetch_add(u64::try_from(n).unwrap_or_default(), Ordering::Relaxed);
        Ok(n)
    }
}

impl LineSource {
    /// Opens the file; it is taken for gzip if it begins like that.
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];
        let fail = |reason| DataError::io(path, reason);
        let file = File::open(path).map_err(fail)?;
        let n_bytes = file.metadata().map_err(fail)?.len();
        let n_bytes_done = Arc::new(AtomicU64::new(0));
        let counting = CountingReader {
            file,
            n_bytes: Arc::clone(&n_bytes_done),
        };
        let mut reader = BufReader::with_capacity(1 << 16, counting);
        let is_gzip = reader.fill_buf().map_err(fail)?.starts_with(&GZIP_MAGIC);
        let reader: Box<dyn BufRead + Send> = if is_gzip {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)))
        } else {
            Box::new(reader)
        };
        Ok(Self {
            path: path.to_owned(),
            reader,
            n_bytes,
            n_bytes_done,
            n_lines: 0,
        })
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    pub(super) fn n_bytes_done(&self) -> u64 {
        self.n_bytes_done.load(Ordering::Relaxed).min(self.n_bytes)
    }

    /// The next few megabytes of lines; none at the end.
    pub(super) fn next_chunk<T: Send>(
        &mut self,
        options: ReadingOptions,
        map: &(impl Fn(Sequence) -> T + Sync),
        hash: &mut SourceHash,
    ) -> Result<Option<Chunk<T>>, DataError> {
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        let mut lines = Vec::new();
        while bytes.len() < CHUNK_BYTES {
            let begin = bytes.len();
            let line_no = self.n_lines + 1;
            let mut limited = (&mut self.reader).take(SEQUENCE_BYTES_MAX);
            let n = limited
                .read_until(b'\n', &mut bytes)
                .map_err(|reason| DataError::io(&self.path, reason))?;
            if n == 0 {
                break;
            }
            if u64::try_from(n) == Ok(SEQUENCE_BYTES_MAX) && bytes.last() != Some(&b'\n') {
                return Err(DataError::LineTooLong {
                    path: self.path.clone(),
                    line_no,
                    limit: SEQUENCE_BYTES_MAX,
                });
            }
            self.n_lines = line_no;
            lines.push((begin..bytes.len(), line_no));
        }
        if lines.is_empty() {
            return Ok(None);
        }
        hash.update(&bytes);
        let path = &self.path;
        let read_at = |(range, line_no): &(Range<usize>, u64)| {
            let text = bytes.get(range.clone()).unwrap_or_default().trim_ascii();
            (!text.is_empty()).then(|| read(path, *line_no, text, options, map))
        };
        Ok(Some(lines.par_iter().filter_map(read_at).collect()))
    }
}

/// What a line that is not blank comes to.
fn read<T>(
    path: &Path,
    line_no: u64,
    text: &[u8],
    options: ReadingOptions,
    map: impl Fn(Sequence) -> T,
) -> Result<Counted<T>, BadLine> {
    let place = format!("line {line_no}");
    let sequence = line::read(text, &place, options).map_err(|reason| BadLine {
        path: path.to_owned(),
        line_no: Some(line_no),
        reason,
    })?;
    Ok(Counted::of(sequence, map))
}
