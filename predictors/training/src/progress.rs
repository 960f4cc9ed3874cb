//! How far a training has come.

/// How far a training has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Data are being read.
    Reading {
        /// Bytes read so far; of corpora the trajectories.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
    /// The model is being made.
    Fitting {
        /// Steps taken.
        done: u64,
        /// Steps in all; 0 where that is not known.
        total: u64,
    },
    /// The model is being measured.
    Evaluating {
        /// Sequences done.
        done: u64,
        /// Sequences in all.
        total: u64,
    },
}
