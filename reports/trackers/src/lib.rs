//! Exports of measured runs to experiment trackers.
//!
//! A [`TrackedRun`] is what any tracker wants to know of a variant: what was asked, what came out, and how it went. Each
//! tracker has a module; [`mlflow`] writes the folder that MLflow keeps runs in, or sends them to an MLflow server.

mod credentials;
mod error;
pub mod mlflow;
mod run;

pub use credentials::Credentials;
pub use error::TrackerError;
pub use run::{Exported, TrackedRun};
