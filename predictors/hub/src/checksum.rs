//! Checksums of files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::HubError;
use crate::watch::{Event, Watch, tell};

/// Bytes read at once.
pub(crate) const CHUNK_BYTES: usize = 1 << 16;

/// What a file's bytes must come to, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Checksum {
    /// SHA-256 of the bytes.
    Sha256(String),
    /// SHA-1 of the bytes behind Git's header `blob SIZE\0`.
    GitBlob(String),
}

impl Checksum {
    /// SHA-256, where the text is one.
    pub(crate) fn sha256(text: &str) -> Option<Self> {
        is_hex(text, 64).then(|| Self::Sha256(text.to_lowercase()))
    }

    /// The name of a Git object, where the text is one.
    pub(crate) fn git_blob(text: &str) -> Option<Self> {
        is_hex(text, 40).then(|| Self::GitBlob(text.to_lowercase()))
    }

    /// The digits.
    pub(crate) fn digits(&self) -> &str {
        match self {
            Self::Sha256(digits) | Self::GitBlob(digits) => digits,
        }
    }

    /// The error that these are not the checksum's bytes, if they aren't.
    pub(crate) fn check(&self, file: &str, sums: &Sums) -> Result<(), HubError> {
        let (kind, found) = match self {
            Self::Sha256(_) => ("SHA-256", &sums.sha256),
            Self::GitBlob(_) => ("SHA-1", &sums.git_blob),
        };
        if found == self.digits() {
            return Ok(());
        }
        Err(HubError::Checksum {
            file: file.to_owned(),
            kind,
            found: found.clone(),
            expected: self.digits().to_owned(),
        })
    }
}

/// Both checksums of a file, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) sha256: String,
    pub(crate) git_blob: String,
}

/// Reads a file of that size and takes its checksums.
pub(crate) fn sums(path: &Path, size: u64, watch: &mut Watch<'_>) -> Result<Sums, HubError> {
    let failed = |reason| HubError::io("read", path, reason);
    let mut file = File::open(path).map_err(failed)?;
    let mut sha256 = Sha256::new();
    let mut sha1 = Sha1::new();
    sha1.update(format!("blob {size}\0"));
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut done = 0;
    loop {
        let n = file.read(&mut chunk).map_err(failed)?;
        let bytes = chunk.get(..n).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        sha256.update(bytes);
        sha1.update(bytes);
        done += n as u64;
        tell(watch, Event::Reached { done })?;
    }
    Ok(Sums {
        sha256: hex(&sha256.finalize()),
        git_blob: hex(&sha1.finalize()),
    })
}

/// Hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text is that many hexadecimal digits.
pub(crate) fn is_hex(text: &str, n_digits: usize) -> bool {
    text.len() == n_digits && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum_and_git() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "hello\n").unwrap();
        let sums = sums(&path, 6, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(
            sums.sha256,
            "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
        );
        assert_eq!(sums.git_blob, "ce013625030ba8dba906f756967f9e9ca394464a");
        let right = Checksum::git_blob("CE013625030ba8dba906f756967f9e9ca394464a").unwrap();
        assert!(right.check("a", &sums).is_ok());
        let wrong = Checksum::sha256(&"0".repeat(64)).unwrap();
        let error = wrong.check("a", &sums).unwrap_err().to_string();
        assert!(error.starts_with("get a: its SHA-256 is 5891b5b5"), "{error}");
        assert_eq!(Checksum::sha256("no digits"), None);
    }
}
