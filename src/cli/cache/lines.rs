//! Lines that go to a file, which is there only when it is whole, or to the standard output.

use std::io::{self, Write};
use std::path::Path;

use napsim_reports::store::LineFile;

use crate::console;
use crate::exit::Failure;

/// Takes whole lines, one a write.
pub(super) struct LinesOut {
    file: Option<LineFile>,
}

impl LinesOut {
    /// Starts the file, if there is one.
    pub(super) fn begin(path: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self {
            file: path.map(LineFile::create).transpose()?,
        })
    }

    /// Gives the file its name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        Ok(self.file.map(LineFile::finish).transpose().map(|_| ())?)
    }
}

impl Write for LinesOut {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(line).map_err(io::Error::other)?;
        match &mut self.file {
            Some(file) => file
                .push(text.trim_end_matches('\n'))
                .map_err(|error| io::Error::other(error.to_string()))?,
            None => console::print(text).map_err(|failure| match failure {
                Failure::Closed => io::ErrorKind::BrokenPipe.into(),
                Failure::Input(error) | Failure::Environment(error) => io::Error::other(error.to_string()),
            })?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
