//! `run.json`: what a run was asked to measure, and how each trajectory ended.

use napsim_sim::event::Outcome;
use napsim_trajectories::Trajectory;
use serde::{Deserialize, Serialize};

use crate::setup::RunSetup;
use crate::unit_name::UnitName;

/// Name and version of the schema.
pub(super) const SCHEMA: &str = "napsim-run-folder/1";

/// What a run was asked to measure, and how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// `napsim-run-folder/1`.
    pub schema: String,
    /// Version of the program.
    pub napsim: String,
    /// What the run was asked to measure.
    pub setup: RunSetup,
    /// The trajectories in corpus order.
    pub units: Vec<UnitEntry>,
}

/// One trajectory of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitEntry {
    /// File of its record in the folder `units`.
    pub file: UnitName,
    /// Name of the trajectory.
    pub name: String,
    /// Digest of its actions.
    pub digest: String,
    /// Actions of the trajectory.
    pub actions: u32,
    /// How its rollout ended; absent until the run has come to its end.
    pub outcome: Option<Outcome>,
}

impl Manifest {
    /// The manifest of a run that has not begun.
    pub fn new(setup: &RunSetup, trajectories: &[Trajectory], napsim: &str) -> Self {
        let unit = |(idx, trajectory): (usize, &Trajectory)| UnitEntry {
            file: UnitName::new(idx, &trajectory.name),
            name: trajectory.name.clone(),
            digest: trajectory.digest(),
            actions: u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX),
            outcome: None,
        };
        Self {
            schema: SCHEMA.to_owned(),
            napsim: napsim.to_owned(),
            setup: setup.clone(),
            units: trajectories.iter().enumerate().map(unit).collect(),
        }
    }

    /// The manifest without anything that is known only after the run: equal for two runs of the same question.
    pub(super) fn question(&self) -> Self {
        let mut question = self.clone();
        for unit in &mut question.units {
            unit.outcome = None;
        }
        question
    }
}
