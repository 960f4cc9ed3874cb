//! Corpora of trajectories: those that the program made, with their split, and any other.

use std::fs;
use std::path::{Path, PathBuf};

use napsim_trajectories::read::read_file;
use napsim_trajectories::{Corpus, ReadOptions, Trajectory};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Deserialize;

use super::error::{BadLine, DataError};
use super::source::{Chunk, SourceHash};
use super::split::{Part, part_of};
use super::{Counted, ReadingOptions, Sequence};

/// Trajectories that are read before they are handed on.
const CHUNK_TRAJECTORIES: usize = 128;

/// A corpus that is read piece by piece.
pub(super) struct CorpusSource {
    items: Items,
    n_done: usize,
}

enum Items {
    /// Files that a manifest lists.
    Listed(Vec<Listed>),
    /// A corpus that had to be read as a whole.
    Whole(Vec<Trajectory>),
}

/// A trajectory of a manifest.
struct Listed {
    path: PathBuf,
    name: String,
    group: String,
    part: Option<Part>,
}

/// What is needed of `napsim-corpus/1`.
#[derive(Deserialize)]
struct Manifest {
    schema: String,
    files: Vec<ManifestFile>,
}

#[derive(Deserialize)]
struct ManifestFile {
    id: String,
    split: Option<String>,
    trajectories: Vec<ManifestTrajectory>,
}

#[derive(Deserialize)]
struct ManifestTrajectory {
    name: String,
}

impl CorpusSource {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let manifest = path.join("manifest.json");
        let items = if manifest.is_file() {
            Items::Listed(listed(path, &manifest)?)
        } else {
            Items::Whole(Corpus::open(path, ReadOptions::default())?.trajectories)
        };
        Ok(Self { items, n_done: 0 })
    }

    pub(super) fn n_trajectories(&self) -> u64 {
        let n = match &self.items {
            Items::Listed(listed) => listed.len(),
            Items::Whole(trajectories) => trajectories.len(),
        };
        u64::try_from(n).unwrap_or(u64::MAX)
    }

    pub(super) fn n_done(&self) -> u64 {
        u64::try_from(self.n_done).unwrap_or(u64::MAX)
    }

    /// The next trajectories; none at the end.
    pub(super) fn next_chunk<T: Send>(
        &mut self,
        options: ReadingOptions,
        map: &(impl Fn(Sequence) -> T + Sync),
        hash: &mut SourceHash,
    ) -> Option<Chunk<T>> {
        let begin = self.n_done;
        let read: Vec<(String, Result<Counted<T>, BadLine>)> = match &mut self.items {
            Items::Listed(listed) => {
                let end = listed.len().min(begin + CHUNK_TRAJECTORIES);
                let chunk = listed.get(begin..end).unwrap_or_default();
                chunk.par_iter().map(|listed| listed.read(options, map)).collect()
            }
            Items::Whole(trajectories) => {
                let end = trajectories.len().min(begin + CHUNK_TRAJECTORIES);
                let chunk = trajectories.get_mut(begin..end).unwrap_or_default();
                // Taken out, so that they are not held longer than needed.
                let chunk: Vec<(String, String, Vec<_>)> = chunk
                    .iter_mut()
                    .map(|trajectory| {
                        let digest = trajectory.digest();
                        (trajectory.name.clone(), digest, std::mem::take(&mut trajectory.actions))
                    })
                    .collect();
                chunk
                    .into_par_iter()
                    .map(|(name, digest, actions)| {
                        let part = part_of(&name, options.seed);
                        let line = format!("{name} {digest}\n");
                        let sequence = Sequence {
                            id: name.clone(),
                            group: name,
                            part,
                            actions,
                        };
                        (line, Ok(Counted::of(sequence, map)))
                    })
                    .collect()
            }
        };
        if read.is_empty() {
            return None;
        }
        self.n_done += read.len();
        let mut chunk = Vec::with_capacity(read.len());
        for (line, read) in read {
            hash.update(line);
            chunk.push(read);
        }
        Some(chunk)
    }
}

impl Listed {
    /// The line that enters the hash of the corpus, and the sequence.
    fn read<T>(&self, options: ReadingOptions, map: impl Fn(Sequence) -> T) -> (String, Result<Counted<T>, BadLine>) {
        match read_file(&self.path, ReadOptions::default()) {
            Ok(read) => {
                let trajectory = read.trajectory;
                let line = format!("{} {}\n", self.name, trajectory.digest());
                let sequence = Sequence {
                    id: self.name.clone(),
                    group: self.group.clone(),
                    part: self.part.unwrap_or_else(|| part_of(&self.group, options.seed)),
                    actions: trajectory.actions,
                };
                (line, Ok(Counted::of(sequence, map)))
            }
            Err(error) => {
                let bad = BadLine {
                    path: self.path.clone(),
                    line_no: None,
                    reason: format!("failed to {error}"),
                };
                (format!("{} unreadable\n", self.name), Err(bad))
            }
        }
    }
}

/// The trajectories that a manifest lists.
fn listed(root: &Path, path: &Path) -> Result<Vec<Listed>, DataError> {
    const SCHEMA: &str = "napsim-corpus/1";
    let fail = |reason: String| DataError::Manifest {
        path: path.to_owned(),
        reason,
    };
    let text = fs::read(path).map_err(|reason| DataError::io(path, reason))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| fail(error.to_string()))?;
    if manifest.schema != SCHEMA {
        return Err(fail(format!(
            "its schema is `{}`, expected `{SCHEMA}`",
            manifest.schema
        )));
    }
    let mut all = Vec::new();
    for file in manifest.files {
        let part = match &file.split {
            Some(name) => Some(Part::from_name(name).ok_or_else(|| fail(format!("`{name}` is no part of a split")))?),
            None => None,
        };
        for ManifestTrajectory { name } in file.trajectories {
            all.push(Listed {
                path: root.join("trajectories").join(format!("{name}.txt")),
                name,
                group: file.id.clone(),
                part,
            });
        }
    }
    Ok(all)
}
