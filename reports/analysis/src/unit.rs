//! What is kept of one record.

mod builder;

use std::collections::BTreeMap;

use napsim_reports::RunSetup;
use napsim_reports::record::UnitRecord;
use napsim_sim::event::Summary;

use crate::by::{By, N_SCALES};
use crate::confidence::Levels;
use crate::errors::ErrorCounts;
use crate::streaks::StreakCounts;
use crate::tally::{Places, Tallies, Tally};
use crate::work::Work;

pub use builder::Builder;

/// What is kept of one record: its set-up, its end, and counts. It takes a few kilobytes, however many predictions the
/// record holds.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitAnalysis {
    /// What the rollout was asked to measure.
    pub setup: RunSetup,
    /// How it ended, without the actions that were left undone.
    pub summary: Summary,
    pub(crate) all: Tally,
    pub(crate) scales: [Tallies; N_SCALES],
    pub(crate) levels: Levels,
    pub(crate) kinds: KindCounts,
    pub(crate) errors: ErrorCounts,
    pub(crate) streaks: StreakCounts,
    /// Undo actions of accepted predictions by keyword.
    pub(crate) undo: BTreeMap<String, u64>,
    pub(crate) manual: Work,
    pub(crate) assisted: Work,
}

/// Actions by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindCounts {
    /// Of the trajectory.
    pub(crate) truth: Places,
    /// Proposed, in predictions that were accepted and that were not.
    pub(crate) accepted: Places,
    pub(crate) rejected: Places,
    /// Future actions that accepted predictions made unnecessary, and undo actions that they added.
    pub(crate) removed: Places,
    pub(crate) undo: Places,
}

impl UnitAnalysis {
    /// Goes through a record.
    pub fn of(record: &UnitRecord) -> Self {
        let mut builder = Builder::new(&record.header);
        for event in &record.events {
            builder.see(event);
        }
        builder.finish(&record.summary)
    }

    /// Whether the rollout was aborted, so that it enters no figure, as in [`napsim_reports::Aggregate`].
    pub fn is_aborted(&self) -> bool {
        self.summary.error.is_some()
    }

    /// The predictions that lie in each place of a scale; all in one place for what is not within trajectories.
    pub(crate) fn tally(&self, by: By, place: usize) -> Tally {
        self.scales
            .get(by.place())
            .map_or(self.all, |tallies| tallies.get(place))
    }
}

#[cfg(test)]
pub(crate) mod fixtures;
