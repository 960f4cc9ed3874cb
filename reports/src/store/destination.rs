//! Where the bytes of an output file go.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::record::temporary_path;

/// The most links that are followed one after the other, as the system's own limit.
const LINKS_MAX: u32 = 40;

/// How a file of a given path is written.
#[derive(Debug)]
pub(super) enum Destination {
    /// Under a temporary name, to be renamed: a regular file, or none yet.
    Whole {
        /// The file that is replaced, links followed.
        path: PathBuf,
        /// Its temporary name.
        temporary: PathBuf,
    },
    /// Straight to what is there: a device or a pipe, which a rename would remove.
    Direct(File),
}

impl Destination {
    /// What the path stands for; a device or a pipe is opened.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        if let Some(stream) = standard_stream(path) {
            return stream.map(Self::Direct);
        }
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return OpenOptions::new().write(true).open(path).map(Self::Direct);
        }
        let path = resolved(path);
        if path.is_symlink() {
            return Err(io::Error::other("too many links one after the other"));
        }
        let temporary = temporary_path(&path);
        Ok(Self::Whole { path, temporary })
    }
}

/// A copy of the handle of the standard output or error: where that is a file, opening it anew would start at its beginning.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd as _;

    let copy = match path.to_str()? {
        "/dev/stdout" => io::stdout().as_fd().try_clone_to_owned(),
        "/dev/stderr" => io::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(copy.map(File::from))
}

#[cfg(not(unix))]
fn standard_stream(_path: &Path) -> Option<io::Result<File>> {
    None
}

/// The path of the file that is written when this path is: absolute and without links, as far as there are folders;
/// the file itself may be missing.
pub fn resolved(path: &Path) -> PathBuf {
    follow(path, LINKS_MAX)
}

fn follow(path: &Path, links_left: u32) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let parent = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return path.to_owned(),
    };
    // A link to what is not there yet.
    if let Ok(target) = fs::read_link(path)
        && links_left > 0
    {
        return follow(&parent.join(target), links_left - 1);
    }
    let folder = follow(parent, links_left);
    match path.file_name() {
        Some(name) => folder.join(name),
        // It ends in `..`.
        None => folder.parent().map_or(folder.clone(), Path::to_owned),
    }
}
