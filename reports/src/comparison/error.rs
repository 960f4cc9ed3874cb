//! What runs cannot be compared.

use napsim_statistics::StatisticsError;

use crate::nearest::hint;

/// Why runs cannot be compared. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// There is no run.
    #[error("compare: there is no run")]
    NoRuns,
    /// Two runs go by one name.
    #[error(
        "compare two runs that are both named `{0}`: name them apart; an experiment is named by its key `name`, a run by its \
         folder"
    )]
    SameName(String),
    /// Figures of different protocols mean different things.
    #[error(
        "compare `{left}` (protocol {left_protocol}) with `{right}` (protocol {right_protocol}): figures of different \
         protocols cannot be compared"
    )]
    Protocols {
        /// Name of a run.
        left: String,
        /// Its protocol.
        left_protocol: String,
        /// Name of another run.
        right: String,
        /// Its protocol.
        right_protocol: String,
    },
    /// No run has the name of the baseline.
    #[error("compare with `{name}`: no run has that name{}", hint(nearest.as_deref()))]
    UnknownBaseline {
        /// The name asked for.
        name: String,
        /// The run whose name is spelled most like it.
        nearest: Option<String>,
    },
    /// Settings out of bounds.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}
