//! Lines of questions, in bounds.

use std::io::{self, BufRead, Read as _};

/// Longest line of a question, in bytes: a file of trajectories is no longer either.
const LINE_BYTES_MAX: u64 = 256 << 20;

/// What is said of a line that is longer.
pub(super) const TOO_LONG: &str = "read a line of more than 256 MiB";

/// A line of the input.
pub(super) enum Line {
    /// A line that is not empty, without its line feed.
    Whole(Vec<u8>),
    /// A line that was too long and was passed over.
    TooLong,
    /// There is no further line.
    End,
}

/// The next line. A last line needs no line feed, and lines of blanks are passed over.
pub(super) fn next(input: &mut dyn BufRead) -> io::Result<Line> {
    loop {
        let mut line = Vec::new();
        let n_bytes = (&mut *input).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if n_bytes == 0 {
            return Ok(Line::End);
        }
        if n_bytes as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            return Ok(Line::TooLong);
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Line::Whole(line));
        }
    }
}
