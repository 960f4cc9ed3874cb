//! Where answers are kept, what may be spent, and how requests are sent.

use std::path::PathBuf;

use crate::cache::CacheError;
use crate::journal::JournalError;
use crate::ledger::Budget;
use crate::price::Prices;
use crate::recording::RecordingError;
use crate::transport::TransportSettings;

/// How an [`Exchange`](super::Exchange) works. The default keeps nothing and has no bound.
#[derive(Clone, Debug, Default)]
pub struct ExchangeSettings {
    /// How requests are sent.
    pub transport: TransportSettings,
    /// Folder of the answers that all runs share.
    pub cache: Option<PathBuf>,
    /// File of the answers of this run.
    pub journal: Option<PathBuf>,
    /// File that the answers of this run are recorded in.
    pub recording: Option<PathBuf>,
    /// Recording from which all answers are taken, so that nobody is asked.
    pub replay: Option<PathBuf>,
    /// What models cost.
    pub prices: Prices,
    /// What may be spent.
    pub budget: Budget,
}

/// Why answers cannot be kept or found. Messages fit "failed to …".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The journal of a run.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}
