//! What can go wrong with the model folder.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a model cannot be found, fetched or imported. Messages fit "failed to …".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HubError {
    /// No environment variable says where models lie.
    #[error("find the model folder: none of NAPSIM_MODELS, XDG_DATA_HOME and HOME holds an absolute path")]
    NoFolder,
    /// A model's name is not two words with a slash between.
    #[error(
        "read the model name `{name}`: expected two words of letters, digits, `.`, `_` and `-` with a slash between, \
         such as smollm/135m"
    )]
    Name {
        /// What was given.
        name: String,
    },
    /// A name that looks like an alias but is none.
    #[error("find the model {name}: there is none of that name; there are {known}")]
    UnknownAlias {
        /// What was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The model is not in the model folder.
    #[error("find the model {name}: there is no {}; {advice}", path.display())]
    Absent {
        /// Its name.
        name: String,
        /// Where it would lie.
        path: PathBuf,
        /// What to type.
        advice: String,
    },
    /// A model was fetched, imported or copied in part.
    #[error("use the model {name} in {}: it is not whole, {what}; {advice}", path.display())]
    Unfinished {
        /// Its name.
        name: String,
        /// Where it lies.
        path: PathBuf,
        /// What is missing.
        what: String,
        /// What to type.
        advice: String,
    },
    /// A folder holds no model, or several.
    #[error("use the model {name} in {}: {what}", path.display())]
    Unusable {
        /// Its name.
        name: String,
        /// Where it lies.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The folder for a model holds something that would be lost.
    #[error("write to {}: {what}; give another --name, or remove the folder first", path.display())]
    Occupied {
        /// The model's folder.
        path: PathBuf,
        /// What it holds.
        what: String,
    },
    /// Another process fetches or imports the same model.
    #[error("write to {}: another process fetches or imports this model", path.display())]
    InUse {
        /// The model's folder.
        path: PathBuf,
    },
    /// The system did not let do something.
    #[error("{action} {}: {reason}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why it could not be done.
        reason: io::Error,
    },
    /// The address of the hub is none.
    #[error("read the endpoint `{endpoint}`: {what}")]
    Endpoint {
        /// What was given.
        endpoint: String,
        /// What is wrong with it.
        what: String,
    },
    /// The token holds characters that no token has. It is not repeated here.
    #[error("use the token in HF_TOKEN: it holds characters that no token has")]
    Token,
    /// Connections cannot be made at all.
    #[error("prepare encrypted connections: {reason}; are the system's certificates installed (ca-certificates)?")]
    Client {
        /// Why.
        reason: String,
    },
    /// The other machine cannot be reached.
    #[error("reach {host}: {reason}")]
    Unreachable {
        /// The other machine.
        host: String,
        /// Why.
        reason: String,
    },
    /// The other machine answers that it cannot do it.
    #[error("get {what} from {host}: it answers with status {status}")]
    Status {
        /// What was asked for.
        what: String,
        /// The other machine.
        host: String,
        /// The HTTP status.
        status: u16,
    },
    /// The hub does not show the repository.
    #[error("get {what} from {host}: there is no such repository, or it asks for a token ({hint})")]
    Hidden {
        /// What was asked for.
        what: String,
        /// The other machine.
        host: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// The hub does not know the repository, the revision or the file.
    #[error("get {what} from {host}: there is no such repository, revision or file")]
    NotThere {
        /// What was asked for.
        what: String,
        /// The other machine.
        host: String,
    },
    /// A connection ended early.
    #[error("get {what} from {host}: {reason}")]
    Broken {
        /// What was asked for.
        what: String,
        /// The other machine.
        host: String,
        /// How it ended.
        reason: String,
    },
    /// An answer that makes no sense.
    #[error("get {what} from {host}: {problem}")]
    Answer {
        /// What was asked for.
        what: String,
        /// The other machine.
        host: String,
        /// What is wrong with the answer.
        problem: String,
    },
    /// The repository does not hold what a model needs.
    #[error("use the repository {repository}: {what}")]
    Repository {
        /// The repository.
        repository: String,
        /// What is wrong with it.
        what: String,
    },
    /// What came is not what was promised.
    #[error("get {file}: its {kind} is {found} where {expected} was promised; nothing of it was kept")]
    Checksum {
        /// The file.
        file: String,
        /// SHA-256, or SHA-1 as Git takes it.
        kind: &'static str,
        /// The checksum of what came, in hexadecimal digits.
        found: String,
        /// The promised one.
        expected: String,
    },
    /// A wheel cannot be used.
    #[error("import {}: {what}", path.display())]
    Wheel {
        /// The archive.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The caller wanted to stop.
    #[error("finish: stopped")]
    Stopped,
}

impl HubError {
    pub(crate) fn io(action: &'static str, path: &Path, reason: io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            reason,
        }
    }

    /// Whether the same request may succeed a little later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Broken { .. } => true,
            Self::Status { status, .. } => matches!(status, 408 | 429 | 500..=599),
            _ => false,
        }
    }

    /// Whether the system is the reason, and not what a user gave.
    pub fn is_environment(&self) -> bool {
        matches!(
            self,
            Self::Io { .. } | Self::InUse { .. } | Self::NoFolder | Self::Client { .. }
        )
    }

    /// Whether the other machine could not be reached, as where there is no network.
    pub fn is_offline(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }
}
