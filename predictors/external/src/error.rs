//! Why a predictor cannot be had.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::failure::{Failure, kind};

/// Why a predictor cannot be had. No message holds a token or what may be secret in an address.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// The command cannot be split into words.
    #[error("read the command `{command}`: {reason}")]
    Command {
        /// The command.
        command: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A file that the command names cannot be read.
    #[error("read {}, which the command names, for the fingerprint: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The address cannot be used.
    #[error("use the address {address}: {reason}")]
    Address {
        /// The address, without secrets.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The predictor does not start, or does not say hello.
    #[error(transparent)]
    Start(StartFailure),
}

/// A predictor that does not start, or does not say hello.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}{}", Written(stderr))]
pub struct StartFailure {
    /// Which kind of failure it is, as docs/PREDICTOR-PROTOCOL.md lists them.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// The end of what it wrote to its standard error.
    pub stderr: Option<String>,
}

impl StartFailure {
    /// Whether a service was not to be reached, which may be otherwise another time.
    pub fn is_unreachable(&self) -> bool {
        self.kind == kind::UNREACHABLE
    }
}

impl ExternalError {
    /// The failure to start, if it is one.
    pub fn start_failure(&self) -> Option<&StartFailure> {
        match self {
            Self::Start(failure) => Some(failure),
            _ => None,
        }
    }
}

impl From<Failure> for ExternalError {
    fn from(failure: Failure) -> Self {
        Self::Start(StartFailure {
            kind: failure.kind,
            message: failure.message,
            stderr: failure.stderr,
        })
    }
}

/// Standard error in a message.
struct Written<'a>(&'a Option<String>);

impl std::fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(text) => write!(f, "\nits standard error ends with:\n{}", text.trim_end()),
            None => Ok(()),
        }
    }
}
