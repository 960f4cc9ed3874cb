//! The corpus that a user names.

use std::path::Path;

use napsim_trajectories::embedded::EMBEDDED_NAME;
use napsim_trajectories::{Corpus, ReadError, ReadOptions};

/// The built-in corpus under its name, or what lies at a path.
pub(super) fn open(spec: &Path, lenient: bool) -> Result<Corpus, ReadError> {
    if spec.as_os_str() == EMBEDDED_NAME {
        return Corpus::embedded();
    }
    Corpus::open(spec, ReadOptions { lenient })
}
