//! MLflow: the folder that it keeps runs in, and its server.
//!
//! A run carries two tags of its own besides those given: `napsim.id`, by which it is found again, and `napsim.digest`,
//! which comes last, so that a run that has it is whole. One with another digest, or without, is replaced.

mod address;
mod client;
mod content;
mod folder;
mod meta;
mod server;

pub use folder::write_folder;
pub use server::send;

/// Longest name of a parameter, metric or tag, in bytes.
pub const NAME_BYTES_MAX: usize = 250;

/// Longest value of a parameter, in bytes. Longer ones are cut.
pub const PARAM_BYTES_MAX: usize = 6_000;

/// Longest value of a tag, in bytes. Longer ones are cut.
pub const TAG_BYTES_MAX: usize = 5_000;

/// Most metrics that are sent at once.
pub const METRICS_PER_REQUEST: usize = 1_000;

/// Most parameters that are sent at once.
pub const PARAMS_PER_REQUEST: usize = 100;

/// Most tags that are sent at once.
pub const TAGS_PER_REQUEST: usize = 100;

/// The tag by which a run is found again.
const ID: &str = "napsim.id";

/// The tag that a whole run has.
const DIGEST: &str = "napsim.digest";
