//! Corpora: trajectories from a file, a folder, a pattern or the public release's layout.

mod discover;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::predictable::PredictableState;
use crate::read::{Diagnostic, ReadError, ReadFile, ReadOptions, read_file};
use crate::trajectory::Trajectory;

/// Trajectories that are measured together.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// What the corpus is called: the name of its file or folder, or its pattern.
    pub name: String,
    /// The trajectories, sorted by name; no two share one.
    pub trajectories: Vec<Trajectory>,
    /// How many malformed lines were skipped, over all files.
    pub skipped_lines: u64,
    /// Diagnostics of the skipped lines.
    pub diagnostics: Vec<Diagnostic>,
}

impl Corpus {
    /// Reads a corpus.
    ///
    /// `spec` is a file, a folder, or a glob pattern over files. A folder with a subfolder `data/trajectories` or
    /// `trajectories` stands for the files in there; any other folder stands for its own files. Only names that end
    /// in `.json` or `.txt` count, and none that begins with a dot. A trajectory `NAME.json` in a folder
    /// `trajectories` takes its predictable properties from `predictable/NAME.json` or
    /// `raw/NAME*/predictable_state.json` beside that folder; in any other folder, from `predictable/NAME.json`
    /// within it.
    ///
    /// Files are read on the threads of the current rayon pool; their number makes no difference to the result, nor to
    /// the error, which is that of the first file that has one.
    ///
    /// # Errors
    /// [`ReadError`] for whatever cannot be read, for malformed lines unless the reading is lenient, for two
    /// trajectories of one name and for a corpus without any.
    pub fn open(spec: impl AsRef<Path>, options: ReadOptions) -> Result<Self, ReadError> {
        let spec = spec.as_ref();
        let read = |path: PathBuf| {
            let read = read_with_predictable(&path, options);
            (path, read)
        };
        let files: Vec<_> = discover::files(spec)?
            .into_par_iter()
            .with_max_len(1)
            .map(read)
            .collect();
        Builder::of(files)?.finish(discover::name_of(spec), spec)
    }
}

/// Reads a trajectory together with the predictable properties beside it.
fn read_with_predictable(path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    let mut read = read_file(path, options)?;
    if let Some(beside) = discover::predictable_file(path)? {
        read.trajectory.predictable = Some(PredictableState::read(&beside)?);
    }
    Ok(read)
}

/// Trajectories by name, with the file that each came from.
#[derive(Default)]
pub(crate) struct Builder {
    trajectories: BTreeMap<String, (PathBuf, Trajectory)>,
    skipped_lines: u64,
    diagnostics: Vec<Diagnostic>,
}

impl Builder {
    /// What came of reading these files, in their order; of several errors the first.
    pub(crate) fn of(files: Vec<(PathBuf, Result<ReadFile, ReadError>)>) -> Result<Self, ReadError> {
        let mut builder = Self::default();
        for (path, read) in files {
            builder.add(path, read?)?;
        }
        Ok(builder)
    }

    fn add(&mut self, path: PathBuf, read: ReadFile) -> Result<(), ReadError> {
        self.skipped_lines += read.n_skipped;
        self.diagnostics.extend(read.diagnostics);
        let name = read.trajectory.name.clone();
        if let Some((first, _)) = self.trajectories.get(&name) {
            return Err(ReadError::DuplicateName {
                name,
                first: first.clone(),
                second: path,
            });
        }
        self.trajectories.insert(name, (path, read.trajectory));
        Ok(())
    }

    /// The corpus, unless it is empty; `spec` is what was asked for.
    pub(crate) fn finish(self, name: String, spec: &Path) -> Result<Corpus, ReadError> {
        if self.trajectories.is_empty() {
            return Err(ReadError::Empty { path: spec.to_owned() });
        }
        Ok(Corpus {
            name,
            trajectories: self
                .trajectories
                .into_values()
                .map(|(_, trajectory)| trajectory)
                .collect(),
            skipped_lines: self.skipped_lines,
            diagnostics: self.diagnostics,
        })
    }
}

#[cfg(test)]
mod tests;
