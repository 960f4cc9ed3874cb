//! Why bytes are not the model that is wanted.

use std::path::{Path, PathBuf};

use super::card::ModelKind;

/// Why bytes are not the model that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The system does not let the file be read.
    #[error("{0}")]
    Io(String),
    /// The bytes do not begin as a model file does.
    #[error("it is no model file (its first line does not begin with `napsim-model/`)")]
    NotAModel,
    /// A container of another version.
    #[error("it is a model file of version {found}, and this program reads version {known}")]
    OtherVersion {
        /// The version of the file.
        found: String,
        /// The version of the program.
        known: &'static str,
    },
    /// The first line or the header has changed since it was written.
    #[error("it is damaged: its header is not what was written")]
    DamagedHeader,
    /// A header that is what was written but cannot be understood.
    #[error("its header cannot be understood: {reason}")]
    UnreadableHeader {
        /// What is wrong with it.
        reason: String,
    },
    /// More or fewer bytes than the header says.
    #[error("it has {found} bytes where its header expects {expected}: {}", if found < expected { "the end is missing" } else { "something follows the end" })]
    Length {
        /// Bytes of a whole file.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// A section that has changed since it was written.
    #[error("it is damaged: section `{name}` is not what was written")]
    DamagedSection {
        /// The section.
        name: String,
    },
    /// A section that should be there.
    #[error("section `{name}` is missing")]
    MissingSection {
        /// The section.
        name: String,
    },
    /// A section that is what was written but makes no sense.
    #[error("section `{section}` cannot be understood: {reason}")]
    MalformedSection {
        /// The section.
        section: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A kind of model that this program does not know.
    #[error("it is a model of the unknown kind `{found}`; this program knows {}", ModelKind::ALL.map(ModelKind::name).join(", "))]
    UnknownKind {
        /// The kind of the file.
        found: String,
    },
    /// A model of another kind than the predictor's.
    #[error("it is a model of the kind {found}, where one of the kind {wanted} is needed")]
    OtherKind {
        /// The kind that is needed.
        wanted: ModelKind,
        /// The kind of the file.
        found: ModelKind,
    },
    /// Another version of the kind.
    #[error("it is a model of the kind {kind}, version {found}, and this program reads version {known}")]
    OtherKindVersion {
        /// The kind.
        kind: ModelKind,
        /// The version of the program.
        known: u32,
        /// The version of the file.
        found: u32,
    },
    /// Features that this program does not make.
    #[error("it was trained on the features {found}, and this program makes {known}")]
    OtherFeatures {
        /// The features of the file.
        found: String,
        /// The features of the program.
        known: &'static str,
    },
}

/// Why the model at a path cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read the model {}: {reason}", path.display())]
pub struct LoadError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: ModelError,
}

impl LoadError {
    /// The error of a file.
    pub fn new(path: &Path, reason: ModelError) -> Self {
        Self {
            path: path.to_owned(),
            reason,
        }
    }
}
