//! Where sequences come from.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::corpora::CorpusSource;
use super::error::{BadLine, DataError};
use super::lines::LineSource;
use super::{Counted, ReadingOptions, Sequence};

/// What some of the lines or files of a source come to, in order.
pub(super) type Chunk<T> = Vec<Result<Counted<T>, BadLine>>;

/// A file of lines, or a corpus.
pub(super) enum Source {
    Lines(LineSource, String),
    Corpus(CorpusSource, String),
}

impl Source {
    /// What lies at a path: a folder, a trajectory file or a pattern is a corpus, any other file has one sequence a line.
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let name = path.file_name().map_or_else(
            || path.to_string_lossy().into_owned(),
            |name| name.to_string_lossy().into_owned(),
        );
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let is_trajectory = ending == "txt" || ending == "json";
        if path.is_file() && !is_trajectory {
            return Ok(Self::Lines(LineSource::open(path)?, name));
        }
        Ok(Self::Corpus(CorpusSource::open(path)?, name))
    }

    /// The last part of its path.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Lines(_, name) | Self::Corpus(_, name) => name.clone(),
        }
    }

    /// How much there is to read, in bytes or trajectories.
    pub(super) fn n_bytes(&self) -> u64 {
        match self {
            Self::Lines(lines, _) => lines.n_bytes(),
            Self::Corpus(corpus, _) => corpus.n_trajectories(),
        }
    }

    /// How much of that has been read.
    pub(super) fn n_bytes_done(&self) -> u64 {
        match self {
            Self::Lines(lines, _) => lines.n_bytes_done(),
            Self::Corpus(corpus, _) => corpus.n_done(),
        }
    }

    /// The next sequences; none at the end.
    pub(super) fn next_chunk<T: Send>(
        &mut self,
        options: ReadingOptions,
        map: &(impl Fn(Sequence) -> T + Sync),
        hash: &mut SourceHash,
    ) -> Result<Option<Chunk<T>>, DataError> {
        match self {
            Self::Lines(lines, _) => lines.next_chunk(options, map, hash),
            Self::Corpus(corpus, _) => Ok(corpus.next_chunk(options, map, hash)),
        }
    }
}

/// The hash of a source's content: of a file its bytes, uncompressed; of a corpus the names and digests of its
/// trajectories.
#[derive(Default)]
pub(super) struct SourceHash(Sha256);

impl SourceHash {
    pub(super) fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// In hexadecimal digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
