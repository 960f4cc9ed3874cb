//! What a hub says about a repository.

use serde::Deserialize;

use crate::HubError;
use crate::checksum::{Checksum, is_hex};
use crate::connection::Connection;
use crate::download::Patience;
use crate::watch::Watch;

/// Most pages of a listing that are read.
const PAGES_MAX: usize = 100;

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemoteFile {
    /// Its name; files in folders are left out.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) size: u64,
    /// Its checksum, where the hub tells one.
    pub(crate) checksum: Option<Checksum>,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    oid: Option<String>,
    lfs: Option<LargeFile>,
}

#[derive(Deserialize)]
struct LargeFile {
    oid: String,
    size: u64,
}

impl Entry {
    fn file(self) -> Option<RemoteFile> {
        if self.kind != "file" || self.path.contains('/') {
            return None;
        }
        let (size, checksum) = match self.lfs {
            Some(large) => {
                let oid = large.oid.strip_prefix("sha256:").unwrap_or(&large.oid);
                (large.size, Checksum::sha256(oid))
            }
            None => (self.size, self.oid.as_deref().and_then(Checksum::git_blob)),
        };
        Some(RemoteFile {
            name: self.path,
            size,
            checksum,
        })
    }
}

/// The commit, of 40 hexadecimal digits, that a branch, tag or commit of a repository is now.
pub(crate) fn commit(
    connection: &Connection,
    repository: &str,
    revision: &str,
    patience: &Patience,
    watch: &mut Watch<'_>,
) -> Result<String, HubError> {
    let url = connection.url(&["api", "models"], repository, &["revision", revision]);
    let what = format!("{repository} at {revision}");
    let (answer, _) = patience.last(watch, |_| connection.json::<Revision>(&url, &what))?;
    if is_hex(&answer.sha, 40) {
        Ok(answer.sha)
    } else {
        Err(connection.senseless(&what, format!("it calls the commit `{}`", answer.sha)))
    }
}

/// The files at the top of a repository.
pub(crate) fn files(
    connection: &Connection,
    repository: &str,
    commit: &str,
    patience: &Patience,
    watch: &mut Watch<'_>,
) -> Result<Vec<RemoteFile>, HubError> {
    let what = format!("the list of files of {repository}");
    let mut url = connection.url(&["api", "models"], repository, &["tree", commit]);
    let mut files = Vec::new();
    for _ in 0..PAGES_MAX {
        let (entries, next) = patience.last(watch, |_| connection.json::<Vec<Entry>>(&url, &what))?;
        files.extend(entries.into_iter().filter_map(Entry::file));
        match next {
            Some(next) => url = next,
            None => return Ok(files),
        }
    }
    Err(connection.senseless(&what, "it has no end".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_contents() {
        let text = format!(
            r#"[{{"type":"directory","oid":"{g}","size":0,"path":"onnx"}},
                {{"type":"file","oid":"{g}","size":704,"path":"config.json"}},
                {{"type":"file","oid":"{g}","size":9,"path":"onnx/config.json"}},
                {{"type":"file","oid":"{g}","size":300,"path":"model.safetensors",
                  "lfs":{{"oid":"{s}","size":300,"pointerSize":134}},"xetHash":"x"}}]"#,
            g = "a".repeat(40),
            s = "b".repeat(64)
        );
        let entries: Vec<Entry> = serde_json::from_str(&text).unwrap();
        let files: Vec<_> = entries.into_iter().filter_map(Entry::file).collect();
        let expected = [
            ("config.json", 704, Checksum::git_blob(&"a".repeat(40))),
            ("model.safetensors", 300, Checksum::sha256(&"b".repeat(64))),
        ];
        let expected = expected.map(|(name, size, checksum)| RemoteFile {
            name: name.to_owned(),
            size,
            checksum,
        });
        assert_eq!(files, expected);
    }
}
