//! Corpus folders: trajectories made from workbooks, with the manifest that says from what.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::corpus_manifest::SCHEMA;
use super::{CorpusManifest, StoreError, is_empty, lock, resolved, write_whole};
use crate::record::{TEMPORARY_SUFFIX, temporary_path};

const MANIFEST: &str = "manifest.json";
const TRAJECTORIES: &str = "trajectories";
const WORKBOOKS: &str = "workbooks";

/// A folder with a corpus that was made by the program.
///
/// ```text
/// DIR/manifest.json           the files that it was made from, and what became of each
/// DIR/trajectories/NAME.txt   one trajectory each
/// DIR/workbooks/NAME.xlsx     workbooks that were made up, where they were asked for
/// ```
#[derive(Clone, Debug)]
pub struct CorpusFolder {
    root: PathBuf,
    _lock: Option<Arc<File>>,
}

impl CorpusFolder {
    /// Makes the folder, or opens the one that is there; also what it holds.
    ///
    /// # Errors
    /// [`StoreError::NotACorpus`] where the folder holds anything else, [`StoreError::Schema`] where the corpus is that
    /// of another version, [`StoreError::InUse`] where another process is at work, and what the system does not let do.
    pub fn begin(root: &Path) -> Result<(Self, Option<CorpusManifest>), StoreError> {
        fs::create_dir_all(root).map_err(|reason| StoreError::io("make", root, reason))?;
        let folder = Self {
            root: root.to_owned(),
            _lock: lock(root, "the corpus")?,
        };
        let manifest = folder.root.join(MANIFEST);
        let kept = if manifest.exists() {
            Some(folder.manifest()?)
        } else if is_empty(root)? {
            None
        } else {
            return Err(StoreError::NotACorpus { path: root.to_owned() });
        };
        let trajectories = folder.root.join(TRAJECTORIES);
        fs::create_dir_all(&trajectories).map_err(|reason| StoreError::io("make", &trajectories, reason))?;
        remove_temporary_files(&trajectories)?;
        Ok((folder, kept))
    }

    /// Whether a path is that of the manifest of a corpus in the folder `root`, or lies among its trajectories or
    /// workbooks, links followed. Nothing of it needs to be there.
    pub fn owns(root: &Path, path: &Path) -> bool {
        let path = resolved(path);
        let is_below = |name: &str| path.starts_with(resolved(&root.join(name)));
        [MANIFEST, TRAJECTORIES, WORKBOOKS].into_iter().any(is_below)
    }

    /// The folder's own path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a trajectory is.
    pub fn trajectory_path(&self, name: &str) -> PathBuf {
        self.root.join(TRAJECTORIES).join(format!("{name}.txt"))
    }

    fn workbook_path(&self, name: &str) -> PathBuf {
        self.root.join(WORKBOOKS).join(format!("{name}.xlsx"))
    }

    /// The text of a trajectory if it is there and has that hash.
    pub fn intact(&self, name: &str, sha256: &str) -> Option<String> {
        let text = fs::read_to_string(self.trajectory_path(name)).ok()?;
        (hash(text.as_bytes()) == sha256).then_some(text)
    }

    /// Writes a trajectory; returns the hash of its file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_trajectory(&self, name: &str, text: &str) -> Result<String, StoreError> {
        let path = self.trajectory_path(name);
        let temporary = temporary_path(&path);
        // Not synced, since the manifest's hash tells a file that did not reach the disk.
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &path));
        written.map_err(|reason| StoreError::io("write", &path, reason))?;
        Ok(hash(text.as_bytes()))
    }

    /// Writes the file of a workbook that was made up.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_workbook(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let folder = self.root.join(WORKBOOKS);
        fs::create_dir_all(&folder).map_err(|reason| StoreError::io("make", &folder, reason))?;
        let path = self.workbook_path(name);
        write_whole(&path, bytes).map_err(|reason| StoreError::io("write", &path, reason))
    }

    /// Whether there is a manifest, readable or not: without one a folder is none of the program's corpora.
    pub fn has_manifest(root: &Path) -> bool {
        // A link that leads nowhere is there too.
        fs::symlink_metadata(root.join(MANIFEST)).is_ok()
    }

    /// Opens the folder to read it.
    ///
    /// # Errors
    /// [`StoreError`] where there is no manifest, or one of another version.
    pub fn open(root: &Path) -> Result<(Self, CorpusManifest), StoreError> {
        let folder = Self {
            root: root.to_owned(),
            _lock: None,
        };
        let manifest = folder.manifest()?;
        Ok((folder, manifest))
    }

    /// Removes the trajectories, and the workbooks that were made up, which an earlier manifest lists and the present one
    /// does not.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove_others(&self, earlier: Option<&CorpusManifest>, present: &CorpusManifest) -> Result<(), StoreError> {
        let names: BTreeSet<&str> = present.trajectories().map(|built| &*built.name).collect();
        let old = earlier.into_iter().flat_map(CorpusManifest::trajectories);
        let old = old.filter(|built| !names.contains(&*built.name));
        let mut doomed: Vec<PathBuf> = old.map(|built| self.trajectory_path(&built.name)).collect();
        let ids: BTreeSet<&str> = present.files.iter().map(|file| &*file.id).collect();
        let made_up = earlier
            .into_iter()
            .filter(|earlier| earlier.options.generated.is_some());
        let old = made_up.flat_map(|earlier| &earlier.files);
        doomed.extend(
            old.filter(|file| !ids.contains(&*file.id))
                .map(|file| self.workbook_path(&file.id)),
        );
        for path in doomed {
            if path.exists() {
                fs::remove_file(&path).map_err(|reason| StoreError::io("remove", &path, reason))?;
            }
        }
        Ok(())
    }

    /// Removes every trajectory file that the manifest of the whole work does not name, such as those of a program that
    /// was killed, so that what is measured is what the manifest says.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove_strays(&self, manifest: &CorpusManifest) -> Result<(), StoreError> {
        let names: BTreeSet<String> = manifest
            .trajectories()
            .map(|built| format!("{}.txt", built.name))
            .collect();
        let folder = self.root.join(TRAJECTORIES);
        let entries = fs::read_dir(&folder).map_err(|reason| StoreError::io("read", &folder, reason))?;
        for entry in entries {
            let entry = entry.map_err(|reason| StoreError::io("read", &folder, reason))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if name.ends_with(".txt") && !is_folder && !names.contains(&name) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|reason| StoreError::io("remove", &path, reason))?;
            }
        }
        Ok(())
    }

    /// Writes what the corpus was made from.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn write_manifest(&self, manifest: &CorpusManifest) -> Result<(), StoreError> {
        let path = self.root.join(MANIFEST);
        let written = serde_json::to_string_pretty(manifest)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&path, format!("{text}\n").as_bytes()));
        written.map_err(|reason| StoreError::io("write", &path, reason))
    }

    fn manifest(&self) -> Result<CorpusManifest, StoreError> {
        let path = self.root.join(MANIFEST);
        let bytes = fs::read(&path).map_err(|reason| StoreError::io("read", &path, reason))?;
        let value: serde_json::Value = match serde_json::from_slice(&bytes) {
            Ok(value) => value,
            Err(reason) => return Err(StoreError::Damaged { path, reason }),
        };
        let found = value
            .get("schema")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default();
        if found != SCHEMA {
            return Err(StoreError::Schema {
                path,
                found: found.to_owned(),
                expected: SCHEMA,
            });
        }
        serde_json::from_value(value).map_err(|reason| StoreError::Damaged { path, reason })
    }
}

/// Removes what a program that was killed left half written.
fn remove_temporary_files(folder: &Path) -> Result<(), StoreError> {
    let entries = fs::read_dir(folder).map_err(|reason| StoreError::io("read", folder, reason))?;
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().ends_with(TEMPORARY_SUFFIX) {
            let path = entry.path();
            fs::remove_file(&path).map_err(|reason| StoreError::io("remove", &path, reason))?;
        }
    }
    Ok(())
}

/// SHA-256 in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{BuildOptions, BuiltTrajectory, SourceFile};

    fn file_with(trajectory: &str) -> SourceFile {
        SourceFile {
            path: "a.xlsx".to_owned(),
            id: "a".to_owned(),
            sha256: String::new(),
            bytes: 0,
            split: None,
            trajectories: vec![BuiltTrajectory {
                name: trajectory.to_owned(),
                sheet: "Sheet1".to_owned(),
                profile: "natural".to_owned(),
                seed: 0,
                n_actions: 1,
                digest: String::new(),
                sha256: String::new(),
                refined: None,
            }],
            refused: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn corpora_are_kept_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("corpus");
        let manifest = CorpusManifest::new("1.2.3", BuildOptions::default());
        let (corpus, kept) = CorpusFolder::begin(&root).unwrap();
        assert_eq!(kept, None);
        let hash = corpus.write_trajectory("a", "INPUT | A1 | 1\n").unwrap();
        corpus.write_manifest(&manifest).unwrap();
        assert!(matches!(CorpusFolder::begin(&root), Err(StoreError::InUse { .. })));
        drop(corpus);
        fs::write(root.join("trajectories/b.txt.tmp"), "half").unwrap();
        let (corpus, kept) = CorpusFolder::begin(&root).unwrap();
        assert_eq!(kept, Some(manifest));
        assert!(!root.join("trajectories/b.txt.tmp").exists());
        assert_eq!(corpus.intact("a", &hash).as_deref(), Some("INPUT | A1 | 1\n"));
        assert_eq!(corpus.intact("a", "other"), None);
        let mut earlier = CorpusManifest::new("1.2.3", BuildOptions::default());
        earlier.files.push(file_with("a"));
        corpus.remove_others(Some(&earlier), &earlier).unwrap();
        assert!(corpus.intact("a", &hash).is_some());
        corpus.write_trajectory("stray", "").unwrap();
        fs::write(root.join("trajectories/note.md"), "").unwrap();
        corpus.remove_strays(&earlier).unwrap();
        assert!(corpus.intact("a", &hash).is_some());
        assert!(!corpus.trajectory_path("stray").exists());
        assert!(root.join("trajectories/note.md").exists());
        let present = CorpusManifest::new("1.2.3", BuildOptions::default());
        corpus.remove_others(Some(&earlier), &present).unwrap();
        assert_eq!(corpus.intact("a", &hash), None);
    }

    #[test]
    fn other_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("letter.txt"), "Dear").unwrap();
        assert!(matches!(
            CorpusFolder::begin(folder.path()),
            Err(StoreError::NotACorpus { .. })
        ));
        fs::write(folder.path().join(MANIFEST), "{\"schema\": ").unwrap();
        assert!(matches!(
            CorpusFolder::begin(folder.path()),
            Err(StoreError::Damaged { .. })
        ));
        fs::write(folder.path().join(MANIFEST), "{\"schema\": \"other/9\"}").unwrap();
        assert!(matches!(
            CorpusFolder::begin(folder.path()),
            Err(StoreError::Schema { .. })
        ));
    }
}
