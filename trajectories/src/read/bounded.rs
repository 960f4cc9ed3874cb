//! Reading files without taking in more than the limits allow.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::{FILE_BYTES_MAX, LINE_BYTES_MAX, ReadError};

/// The mark that some editors put at the start of a UTF-8 file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a file whose size is within the limit, and says what that size is as far as the system knows.
pub(super) fn open(path: &Path) -> Result<(File, u64), ReadError> {
    let file = File::open(path).map_err(|reason| ReadError::io(path, reason))?;
    let metadata = file.metadata().map_err(|reason| ReadError::io(path, reason))?;
    if metadata.len() > FILE_BYTES_MAX {
        return Err(ReadError::FileTooLarge { path: path.to_owned() });
    }
    Ok((file, metadata.len()))
}

/// A whole file as text, without a byte order mark.
pub(crate) fn read_text(path: &Path) -> Result<String, ReadError> {
    let (file, size) = open(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    // The size may be unknown or change, so that it is limited once more.
    let n_read = file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    let n_read = n_read.map_err(|reason| ReadError::io(path, reason))?;
    if n_read as u64 > FILE_BYTES_MAX {
        return Err(ReadError::FileTooLarge { path: path.to_owned() });
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        ReadError::NotUtf8 {
            path: path.to_owned(),
            line_no: 1 + valid.filter(|byte| **byte == b'\n').count() as u64,
        }
    })
}

/// The lines of a text, one at a time in a buffer that is used again.
pub(super) struct Lines<'a, R> {
    reader: BufReader<R>,
    path: &'a Path,
    buffer: Vec<u8>,
    n_bytes: u64,
    line_no: u64,
}

impl<'a, R: Read> Lines<'a, R> {
    /// The lines of `reader`; `path` names it in errors.
    pub(super) fn new(reader: R, path: &'a Path) -> Self {
        Self {
            reader: BufReader::new(reader),
            path,
            buffer: Vec::new(),
            n_bytes: 0,
            line_no: 0,
        }
    }

    /// The next line with its number, without its line end; none at the end of the text.
    pub(super) fn next_line(&mut self) -> Result<Option<(u64, &str)>, ReadError> {
        self.buffer.clear();
        self.line_no += 1;
        let mut limited = self.reader.by_ref().take(LINE_BYTES_MAX + 1);
        let n_read = limited.read_until(b'\n', &mut self.buffer);
        let n_read = n_read.map_err(|reason| ReadError::io(self.path, reason))? as u64;
        self.n_bytes += n_read;
        if n_read == 0 {
            return Ok(None);
        }
        if self.n_bytes > FILE_BYTES_MAX {
            return Err(ReadError::FileTooLarge {
                path: self.path.to_owned(),
            });
        }
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        if line.len() as u64 > LINE_BYTES_MAX {
            return Err(ReadError::LineTooLong {
                path: self.path.to_owned(),
                line_no: self.line_no,
            });
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let marked = self.line_no == 1 && line.starts_with(BYTE_ORDER_MARK);
        let line = line
            .get(if marked { BYTE_ORDER_MARK.len() } else { 0 }..)
            .unwrap_or_default();
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some((self.line_no, line))),
            Err(_) => Err(ReadError::NotUtf8 {
                path: self.path.to_owned(),
                line_no: self.line_no,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<(u64, String)>, ReadError> {
        let mut lines = Lines::new(bytes, Path::new("x.txt"));
        let mut all = Vec::new();
        while let Some((line_no, line)) = lines.next_line()? {
            all.push((line_no, line.to_owned()));
        }
        Ok(all)
    }

    #[test]
    fn line_ends_and_mark_are_taken_off() {
        let expect = [(1, "a"), (2, ""), (3, "b")].map(|(line_no, line)| (line_no, line.to_owned()));
        assert_eq!(lines(b"\xef\xbb\xbfa\r\n\nb").unwrap(), expect);
        assert_eq!(lines(b"a\n\nb\n").unwrap(), expect);
        assert!(lines(b"").unwrap().is_empty());
    }

    #[test]
    fn endless_line_is_refused_early() {
        let endless = std::io::repeat(b'x');
        let mut lines = Lines::new(endless, Path::new("x.txt"));
        let error = lines.next_line().unwrap_err();
        assert!(matches!(error, ReadError::LineTooLong { line_no: 1, .. }), "{error}");
        assert!(lines.buffer.capacity() as u64 <= 4 * LINE_BYTES_MAX);
    }

    #[test]
    fn line_of_the_limit_passes() {
        let mut text = vec![b'x'; usize::try_from(LINE_BYTES_MAX).unwrap()];
        text.push(b'\n');
        assert_eq!(lines(&text).unwrap().len(), 1);
        text.insert(0, b'x');
        assert!(lines(&text).is_err());
    }

    #[test]
    fn invalid_bytes_are_named_by_line() {
        let error = lines(b"a\n\xff\n").unwrap_err();
        assert_eq!(error.to_string(), "read x.txt:2: not UTF-8");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"{\n\n\xff}").unwrap();
        assert!(matches!(
            read_text(file.path()),
            Err(ReadError::NotUtf8 { line_no: 3, .. })
        ));
    }

    #[test]
    fn large_file_is_refused_by_its_size() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(FILE_BYTES_MAX + 1).unwrap();
        let error = read_text(file.path()).unwrap_err();
        assert!(error.to_string().ends_with("(file_bytes_max)"), "{error}");
    }
}
