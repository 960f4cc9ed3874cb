//! Why a record cannot be used.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::SCHEMA;

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read.
    #[error("read {}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// Another kind of file, or the record of a newer program.
    #[error("read {}:1: its schema is `{found}`, but this program reads `{SCHEMA}`", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema that the file names.
        found: String,
    },
    /// The file is named like a compressed record and is none.
    #[error("read {}: expected a file compressed by gzip, as its name says", path.display())]
    NotCompressed {
        /// The file.
        path: PathBuf,
    },
    /// The compressed bytes cannot be made into lines.
    #[error("read {}: its compressed bytes are damaged ({reason})", path.display())]
    Compression {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        reason: io::Error,
    },
    /// A line that is not what it should be.
    #[error("read {}:{line_no}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line_no: u64,
        /// What is wrong.
        reason: String,
    },
    /// The file ends too early.
    #[error("read {}{}: the file is torn: it ends before {missing}", path.display(), Line(*line_no))]
    Torn {
        /// The file.
        path: PathBuf,
        /// The last line, from 1; 0 where there is none.
        line_no: u64,
        /// What should still have come.
        missing: &'static str,
    },
    /// The file has the name of another unit than the one that it is the record of.
    #[error("read {}:1: it is the record of another unit than its name says", path.display())]
    OtherUnit {
        /// The file.
        path: PathBuf,
    },
    /// The lines are well-formed, but not those that were written.
    #[error("read {}:{line_no}: the file was changed after it was written", path.display())]
    Edited {
        /// The file.
        path: PathBuf,
        /// The line of the seal that does not fit, from 1.
        line_no: u64,
    },
}

/// A line behind the name of a file, if there is one.
struct Line(u64);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            line_no => write!(f, ":{line_no}"),
        }
    }
}
