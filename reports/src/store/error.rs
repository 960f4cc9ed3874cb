//! Why a folder of a run or a corpus cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// Why a folder of a run or a corpus cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The system does not let it.
    #[error("{verb} {}: {reason}", path.display())]
    Io {
        /// What was to be done.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file that is not what it should be.
    #[error("read {}: {reason}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: serde_json::Error,
    },
    /// The manifest of a corpus that was cut short or overwritten.
    #[error(
        "read {}: it is damaged ({reason}); build into another folder, or remove this one if nothing else is in it",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: serde_json::Error,
    },
    /// The mark of a store of units that was cut short or overwritten.
    #[error(
        "read {}: it is damaged ({reason}); expected one line, {expected}; put it there again, the units are kept elsewhere",
        path.display()
    )]
    DamagedMark {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: serde_json::Error,
        /// What belongs there.
        expected: &'static str,
    },
    /// The plan of an experiment that was cut short or overwritten.
    #[error(
        "read {}: it is damaged ({reason}); expected the plan of an experiment ({expected}); delete it and run the experiment \
         again, which writes it anew and measures nothing twice",
        path.display()
    )]
    DamagedPlan {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: serde_json::Error,
        /// The schema that it should have.
        expected: &'static str,
    },
    /// The folder of a newer program.
    #[error("read {}: its schema is `{found}`, but this program reads `{expected}`", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema that it names.
        found: String,
        /// The schema that this program knows.
        expected: &'static str,
    },
    /// The folder is not one of a run.
    #[error("open {}: it holds no run (there is no run.json)", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// A folder with other things in it, where a run was to be kept.
    #[error("keep a run in {}: it is not empty and holds no run; give another folder", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is not a store of units.
    #[error("open {}: it is no store of units (there is no store.json)", path.display())]
    NoStore {
        /// The folder.
        path: PathBuf,
    },
    /// A folder with other things in it, where units were to be kept.
    #[error("keep units in {}: it is not empty and no store (there is no store.json); give another folder", path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
    },
    /// A folder with other things in it, where a corpus was to be kept.
    #[error("keep a corpus in {}: it is not empty and holds no manifest.json of one; give another folder", path.display())]
    NotACorpus {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is at work in the folder.
    #[error("keep {what} in {}: another napsim is at work there", path.display())]
    InUse {
        /// What was to be kept: `the run`.
        what: &'static str,
        /// The folder.
        path: PathBuf,
    },
    /// Units are being measured while some were to be removed.
    #[error("remove anything from {}: a sweep is at work there; wait until it has ended", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds another run.
    #[error(
        "keep the run in {}: it holds another run ({difference}); give another folder, or --force to replace it",
        path.display()
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// Where the two differ.
        difference: String,
    },
}

impl StoreError {
    /// Whether the system does not let the program do its work, rather than that something was given that cannot be used.
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Io { reason, .. } => !is_of_the_path(reason.kind()),
            Self::InUse { .. } | Self::Busy { .. } => true,
            _ => false,
        }
    }

    pub(super) fn io(verb: &'static str, path: &Path, reason: io::Error) -> Self {
        Self::Io {
            verb,
            path: path.to_owned(),
            reason,
        }
    }
}

/// Whether an error says that a path cannot be what it is used for, on whatever machine and at whatever time.
pub fn is_of_the_path(kind: io::ErrorKind) -> bool {
    use io::ErrorKind;
    matches!(
        kind,
        ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::AlreadyExists
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    )
}
