//! Reading training data: sequences of actions from JSON lines and corpora.
//!
//! Sequences are read in parallel but handed on in the order of the data, a few megabytes at a time, so that what is read
//! need not fit into memory. Every action is parsed, also of sequences that are not used.

mod corpora;
mod error;
mod line;
mod lines;
mod source;
mod split;

use std::path::PathBuf;

use napsim_predictors::model::{DataSource, SplitSizes};
use napsim_trajectories::Action;

use crate::Progress;

pub use error::{BadLine, DataError};
pub use split::{Part, part_of};

use source::{Source, SourceHash};

/// How many bad lines are kept with their reasons; more are only counted.
pub const BAD_LINES_KEPT: usize = 10;

/// One sequence of actions.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Its name, as far as the data give one.
    pub id: String,
    /// What it must not be separated from by a split: the workbook, or else the sequence itself.
    pub group: String,
    /// The part of the data that it belongs to.
    pub part: Part,
    /// The actions in order.
    pub actions: Vec<Action>,
}

/// How data are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingOptions {
    /// Seed of the split where the data have none.
    pub seed: u64,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataReport {
    /// The files and corpora in the order given.
    pub sources: Vec<DataSource>,
    /// Sequences in each part.
    pub split: SplitSizes,
    /// Lines and files that should hold a sequence.
    pub n_lines: u64,
    /// Those that hold none.
    pub n_bad: u64,
    /// The first [`BAD_LINES_KEPT`] of them.
    pub bad_lines: Vec<BadLine>,
    /// Sequences of fewer than two actions, in which nothing follows anything.
    pub n_short: u64,
}

/// Reads all data: `map` turns each sequence for training and validation into what is needed of it, on the threads of the
/// current rayon pool; `each` gets those in the order of the data. Sequences for testing are counted and left alone.
///
/// # Errors
/// [`DataError`] where something cannot be read, and where more than one line in a hundred is no sequence of actions.
pub fn visit<T: Send>(
    corpora: &[PathBuf],
    options: ReadingOptions,
    progress: &(dyn Fn(Progress) + Sync),
    map: impl Fn(Sequence) -> T + Sync,
    mut each: impl FnMut(T),
) -> Result<DataReport, DataError> {
    let mut report = DataReport::default();
    let mut sources = Vec::new();
    for path in corpora {
        sources.push(Source::open(path)?);
    }
    let total = sources.iter().map(Source::n_bytes).sum();
    let mut done_before = 0;
    for mut source in sources {
        let n_bytes = source.n_bytes();
        let mut described = DataSource {
            name: source.name(),
            ..DataSource::default()
        };
        let mut hash = SourceHash::default();
        while let Some(chunk) = source.next_chunk(options, &map, &mut hash)? {
            for read in chunk {
                report.count(&mut described, &read);
                if let Ok(Counted {
                    mapped: Some(mapped), ..
                }) = read
                {
                    each(mapped);
                }
            }
            let done = done_before + source.n_bytes_done();
            progress(Progress::Reading { done, total });
        }
        described.sha256 = hash.finish();
        report.sources.push(described);
        done_before += n_bytes;
    }
    if report.n_bad.saturating_mul(100) > report.n_lines {
        return Err(DataError::TooManyBadLines {
            n_bad: report.n_bad,
            n_lines: report.n_lines,
            first: report.bad_lines,
        });
    }
    if report.split.train == 0 {
        return Err(DataError::NothingToTrainOn {
            n_valid: report.split.valid,
            n_test: report.split.test,
        });
    }
    Ok(report)
}

/// Reads all sequences for training and validation at once.
///
/// # Errors
/// As those of [`visit`].
pub fn load(
    corpora: &[PathBuf],
    options: ReadingOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Vec<Sequence>, DataReport), DataError> {
    let mut sequences = Vec::new();
    let report = visit(
        corpora,
        options,
        progress,
        |sequence| sequence,
        |sequence| {
            sequences.push(sequence);
        },
    )?;
    Ok((sequences, report))
}

/// A sequence that was read, with what is needed of it.
struct Counted<T> {
    part: Part,
    n_actions: u64,
    /// None of a sequence for testing.
    mapped: Option<T>,
}

impl<T> Counted<T> {
    fn of(sequence: Sequence, map: impl Fn(Sequence) -> T) -> Self {
        let part = sequence.part;
        Self {
            part,
            n_actions: u64::try_from(sequence.actions.len()).unwrap_or(u64::MAX),
            mapped: (part != Part::Test).then(|| map(sequence)),
        }
    }
}

impl DataReport {
    fn count<T>(&mut self, source: &mut DataSource, read: &Result<Counted<T>, BadLine>) {
        self.n_lines += 1;
        match read {
            Ok(counted) => {
                source.n_sequences += 1;
                source.n_actions += counted.n_actions;
                self.n_short += u64::from(counted.n_actions < 2);
                let of_part = match counted.part {
                    Part::Train => &mut self.split.train,
                    Part::Valid => &mut self.split.valid,
                    Part::Test => &mut self.split.test,
                };
                *of_part += 1;
            }
            Err(bad) => {
                self.n_bad += 1;
                source.n_bad_lines += 1;
                if self.bad_lines.len() < BAD_LINES_KEPT {
                    self.bad_lines.push(bad.clone());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
