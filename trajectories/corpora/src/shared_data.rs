//! Where tests find the data that lie outside the repository: in `$NAPSIM_SHARED`, else in `../shared` beside the project.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use napsim_trajectories::{Corpus, ReadOptions};

/// A folder of the shared data; none, said loudly, where it is absent.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let given = std::env::var_os("NAPSIM_SHARED").map(PathBuf::from);
    let shared = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let folder = shared.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_fmt(format_args!(
        "\nSKIPPED: {} is not there (set NAPSIM_SHARED)\n",
        folder.display()
    ));
    None
}

/// The published trajectories; none, said loudly, where they are absent.
pub(crate) fn published() -> Option<Corpus> {
    let folder = folder("nape")?;
    match Corpus::open(&folder, ReadOptions::default()) {
        Ok(corpus) => Some(corpus),
        Err(error) => panic!("failed to read {}: {error}", folder.display()),
    }
}
