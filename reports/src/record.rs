//! The record of one rollout: JSON lines, versioned, from which every figure can be derived again.
//!
//! The first line is the [`UnitHeader`], then comes each event, the end of the rollout last, and then the [`Seal`],
//! which shows that the file is whole and as it was written.

mod error;
mod read;
mod write;

use napsim_trajectories::{Action, ParseError, PredictableState, Trajectory};
use serde::{Deserialize, Serialize};

use crate::coverage::CoverageCounts;
use crate::setup::RunSetup;

pub use error::RecordError;
pub use read::{UnitEnd, UnitRecord, read, read_end};
pub use write::UnitWriter;
pub(crate) use write::{TEMPORARY_SUFFIX, hex, sync_parent, temporary_path};

/// Name and version of the record's schema.
pub const SCHEMA: &str = "napsim-unit/1";

/// What a rollout started from: enough to do it again without the corpus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitHeader {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program that wrote the record.
    pub napsim: String,
    /// What the run was asked to measure.
    pub setup: RunSetup,
    /// The trajectory.
    pub trajectory: RecordedTrajectory,
}

/// A trajectory as it stands in a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedTrajectory {
    /// Name.
    pub name: String,
    /// Heading for people.
    pub title: Option<String>,
    /// Description for people.
    pub description: Option<String>,
    /// Digest of the actions (see [`Trajectory::digest`]).
    pub digest: String,
    /// The line that each action was read from.
    pub lines: Vec<String>,
    /// Which properties of the final state are predictable, where that is known.
    pub predictable: Option<PredictableState>,
}

/// The last line of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seal {
    /// Events in the record.
    pub events: u64,
    /// Predictable properties produced; absent where it is not known which are predictable.
    pub coverage: Option<CoverageCounts>,
    /// Whether the rollout was lost to a mistake in the program, so that only its end is recorded.
    pub lost: bool,
    /// SHA-256 over everything before this line, in hex.
    pub sha256: String,
}

/// The line that the seal stands on.
#[derive(Debug, Serialize, Deserialize)]
struct SealLine<T> {
    seal: T,
}

impl UnitHeader {
    /// The header of a rollout of that trajectory.
    pub fn new(setup: &RunSetup, trajectory: &Trajectory, napsim: &str) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            napsim: napsim.to_owned(),
            setup: setup.clone(),
            trajectory: RecordedTrajectory {
                name: trajectory.name.clone(),
                title: trajectory.title.clone(),
                description: trajectory.description.clone(),
                digest: trajectory.digest(),
                lines: trajectory.lines.iter().map(|line| line.text.clone()).collect(),
                predictable: trajectory.predictable.clone(),
            },
        }
    }
}

impl RecordedTrajectory {
    /// The actions, read from their lines again.
    ///
    /// # Errors
    /// The first line that is no action, with its index and what is wrong with it.
    pub fn actions(&self) -> Result<Vec<Action>, (usize, ParseError)> {
        let parse = |(idx, line): (usize, &String)| Action::parse(line).map_err(|error| (idx, error));
        self.lines.iter().enumerate().map(parse).collect()
    }
}

#[cfg(test)]
mod tests;
