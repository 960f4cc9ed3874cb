//! Why runs cannot be exported.

use std::io;
use std::path::PathBuf;

use napsim_remote::transport::TransportError;
use napsim_reports::store::StoreError;

/// Why runs cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrackerError {
    /// A name that the tracker does not take.
    #[error("export the {what} `{name}` of {run}: its name {reason}")]
    Name {
        /// What it is the name of, such as `metric`.
        what: &'static str,
        /// The name.
        name: String,
        /// The run.
        run: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder that cannot be made, read or removed.
    #[error("{verb} {}: {reason}", path.display())]
    Io {
        /// What was to be done.
        verb: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An address that leads to no server, or not safely.
    #[error("export to {address}: {reason}")]
    Address {
        /// The address as it may be shown.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server gave no answer.
    #[error("export to {address}: failed to {reason}")]
    Unanswered {
        /// The address as it may be shown.
        address: String,
        /// What happened.
        reason: TransportError,
    },
    /// The server refused.
    #[error("export to {address}: it refused {request} with status {status}: {said}")]
    Refused {
        /// The address as it may be shown.
        address: String,
        /// What it was asked, such as `runs/create`.
        request: &'static str,
        /// The status of its answer.
        status: u16,
        /// How its answer begins, without secrets.
        said: String,
    },
    /// The server answered with something else than a tracker does.
    #[error("export to {address}: {request} was answered without `{expected}`; is it the address of an MLflow server?")]
    Answer {
        /// The address as it may be shown.
        address: String,
        /// What it was asked, such as `runs/create`.
        request: &'static str,
        /// The field that should have been there.
        expected: &'static str,
    },
}
