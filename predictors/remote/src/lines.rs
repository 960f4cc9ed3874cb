//! Lines of a file with their places, none longer than may be kept in memory.

use std::io::{self, BufRead};

use crate::entry::LINE_BYTES_MAX;

/// Longest line that is kept: an entry with what a journal writes around it.
const KEPT_BYTES_MAX: usize = LINE_BYTES_MAX + 64;

/// Reads line after line.
pub(crate) struct Lines<R> {
    reader: R,
    offset: u64,
    number: u64,
    text: Vec<u8>,
}

/// A line, or the rest of a file that does not end in a line feed.
pub(crate) struct Line<'a> {
    /// Where it begins, in bytes.
    pub(crate) offset: u64,
    /// How long it is, with its line feed, in bytes.
    pub(crate) length: u64,
    /// Its number; the first line is 1.
    pub(crate) number: u64,
    /// Its text without the line feed; a line that is too long to be kept is cut off, though still too long.
    pub(crate) text: &'a [u8],
    /// Whether it ends in a line feed.
    pub(crate) is_ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            offset: 0,
            number: 0,
            text: Vec::new(),
        }
    }

    /// The next line; None at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.text.clear();
        let offset = self.offset;
        let mut is_ended = false;
        while !is_ended {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                break;
            }
            let (part, used) = match bytes.iter().position(|byte| *byte == b'\n') {
                Some(end) => (bytes.get(..end).unwrap_or_default(), end + 1),
                None => (bytes, bytes.len()),
            };
            is_ended = part.len() < used;
            let room = (KEPT_BYTES_MAX + 1).saturating_sub(self.text.len());
            self.text.extend_from_slice(part.get(..room).unwrap_or(part));
            self.reader.consume(used);
            self.offset += used as u64;
        }
        if self.offset == offset {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(Line {
            offset,
            length: self.offset - offset,
            number: self.number,
            text: &self.text,
            is_ended,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read as _, repeat};

    use super::*;

    #[test]
    fn lines_have_places() {
        let mut lines = Lines::new(BufReader::with_capacity(2, &b"abc\n\nde"[..]));
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push((line.offset, line.length, line.number, line.text.to_vec(), line.is_ended));
        }
        let expected = [
            (0, 4, 1, b"abc".to_vec(), true),
            (4, 1, 2, vec![], true),
            (5, 2, 3, b"de".to_vec(), false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn endless_lines_do_not_fill_the_memory() {
        let length = 3 * LINE_BYTES_MAX as u64;
        let mut lines = Lines::new(BufReader::new(repeat(b'x').take(length).chain(&b"\nnext"[..])));
        let line = lines.next().unwrap().unwrap();
        assert_eq!((line.length, line.text.len()), (length + 1, KEPT_BYTES_MAX + 1));
        assert_eq!(lines.next().unwrap().unwrap().text, b"next");
    }
}
