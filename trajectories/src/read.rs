//! Reading trajectories from files, with bounds on what is taken in and a diagnostic for every malformed line.

mod bounded;
mod collector;
mod json_file;
mod text_file;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::parse::ParseError;
use crate::trajectory::Trajectory;

pub(crate) use bounded::read_text;
pub use text_file::read_lines;

/// The largest file that is read, in bytes (256 MiB).
pub const FILE_BYTES_MAX: u64 = 256 << 20;

/// The longest line or operation that is read, in bytes (8 MiB).
pub const LINE_BYTES_MAX: u64 = 8 << 20;

/// The most actions that a trajectory may have.
pub const ACTIONS_PER_TRAJECTORY_MAX: usize = 1_000_000;

/// The most cells that the ranges of a trajectory's actions may cover, summed over the actions.
///
/// The largest trajectory of the published benchmark stays below 100,000.
pub const CELLS_PER_TRAJECTORY_MAX: u64 = 10_000_000;

/// How many diagnostics are kept of one file; more are only counted.
pub const DIAGNOSTICS_PER_FILE_MAX: usize = 1_000;

/// How trajectories are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Skip and count malformed lines; without it they refuse the file.
    pub lenient: bool,
}

/// Where and why a line is malformed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub path: PathBuf,
    /// The line in the file, from 1.
    pub line_no: u64,
    /// The index of the operation in a JSON file, from 0.
    pub operation_idx: Option<usize>,
    /// The line as written, abbreviated.
    pub text: String,
    /// What is wrong with it.
    pub reason: ParseError,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.path.display(), self.line_no)?;
        if let Some(operation_idx) = self.operation_idx {
            write!(f, "operations[{operation_idx}]: ")?;
        }
        write!(f, "{}, in `{}`", self.reason, self.text)
    }
}

/// Why a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is neither a file nor a folder of that name.
    #[error("find {}: no such file or folder", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A pattern that is not a glob pattern.
    #[error("read the pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: glob::PatternError,
    },
    /// A file or folder that the system does not let read.
    #[error("read {}: {reason}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A file beyond [`FILE_BYTES_MAX`].
    #[error("read {}: larger than the limit of {FILE_BYTES_MAX} bytes (file_bytes_max)", path.display())]
    FileTooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A line or operation beyond [`LINE_BYTES_MAX`].
    #[error("read {}:{line_no}: longer than the limit of {LINE_BYTES_MAX} bytes (line_bytes_max)", path.display())]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line_no: u64,
    },
    /// More actions than [`ACTIONS_PER_TRAJECTORY_MAX`].
    #[error(
        "read {}: more actions than the limit of {ACTIONS_PER_TRAJECTORY_MAX} (actions_per_trajectory_max)",
        path.display()
    )]
    TooManyActions {
        /// The file.
        path: PathBuf,
    },
    /// More cells than [`CELLS_PER_TRAJECTORY_MAX`].
    #[error(
        "read {}:{line_no}: the ranges so far cover more cells than the limit of {CELLS_PER_TRAJECTORY_MAX} \
         (cells_per_trajectory_max)",
        path.display()
    )]
    TooManyCells {
        /// The file.
        path: PathBuf,
        /// The line that goes beyond, from 1.
        line_no: u64,
    },
    /// Bytes that are not UTF-8.
    #[error("read {}:{line_no}: not UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line_no: u64,
    },
    /// A JSON file that is not JSON or does not have the shape of a trajectory.
    #[error("read {}: {reason}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: Box<serde_json::Error>,
    },
    /// A file of predictable properties whose counts are wrong.
    #[error(
        "read {}: lists {listed} properties, but says {predictable} of {total}",
        path.display()
    )]
    Miscounted {
        /// The file.
        path: PathBuf,
        /// How many properties it lists.
        listed: u64,
        /// How many it says are predictable.
        predictable: u64,
        /// How many it says there are.
        total: u64,
    },
    /// Lines that are not actions.
    #[error("{}", list(path, *n_malformed, diagnostics))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// How many lines are malformed.
        n_malformed: u64,
        /// Their diagnostics, at most [`DIAGNOSTICS_PER_FILE_MAX`].
        diagnostics: Vec<Diagnostic>,
    },
    /// A file without any action.
    #[error("read {}: it holds no action", path.display())]
    NoActions {
        /// The file.
        path: PathBuf,
    },
    /// Two trajectories of one name.
    #[error("read {}: its name `{name}` is taken by {}", second.display(), first.display())]
    DuplicateName {
        /// The name.
        name: String,
        /// The file that has it first.
        first: PathBuf,
        /// The file that has it again.
        second: PathBuf,
    },
    /// A folder or pattern without trajectories.
    #[error("find a trajectory in {}: there is no .json or .txt file", path.display())]
    Empty {
        /// The folder or pattern as given.
        path: PathBuf,
    },
}

impl ReadError {
    pub(crate) fn json(path: &Path, reason: serde_json::Error) -> Self {
        Self::Json {
            path: path.to_owned(),
            reason: Box::new(reason),
        }
    }

    pub(crate) fn io(path: &Path, reason: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            reason,
        }
    }
}

fn list(path: &Path, n_malformed: u64, diagnostics: &[Diagnostic]) -> String {
    let noun = if n_malformed == 1 { "line is" } else { "lines are" };
    let mut text = format!("read {}: {n_malformed} {noun} malformed", path.display());
    for diagnostic in diagnostics {
        text.push_str("\n  ");
        text.push_str(&diagnostic.to_string());
    }
    let n_listed = u64::try_from(diagnostics.len()).unwrap_or(u64::MAX);
    if n_malformed > n_listed {
        text.push_str(&format!("\n  and {} more", n_malformed - n_listed));
    }
    text
}

/// A trajectory with what was skipped to read it.
#[derive(Clone, Debug)]
pub struct ReadFile {
    /// The trajectory, without predictable properties.
    pub trajectory: Trajectory,
    /// How many malformed lines were skipped.
    pub n_skipped: u64,
    /// Their diagnostics, at most [`DIAGNOSTICS_PER_FILE_MAX`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads one file: JSON where the name ends in `.json`, otherwise one action a line.
///
/// # Errors
/// [`ReadError`]; in lenient reading malformed lines are no error.
pub fn read_file(path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    if is_json(path) {
        json_file::read(path, options)
    } else {
        text_file::read(path, options)
    }
}

pub(crate) fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// The file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
