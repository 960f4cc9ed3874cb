//! `timings.json`: wall times, which no figure depends on.

use serde::{Deserialize, Serialize};

use crate::latencies::Latencies;
use crate::table::PredictionTime;
use crate::times::RolloutTime;

/// Wall times of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// `napsim-timings/1`.
    pub schema: String,
    /// Seconds of the whole run, over all its sittings; absent where not known.
    pub wall_s: Option<f64>,
    /// The trajectories whose times are known, in corpus order.
    pub per_trajectory: Vec<UnitTiming>,
}

/// Where the time of one trajectory went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitTiming {
    /// Name of the trajectory.
    pub name: String,
    /// Where its time went.
    #[serde(flatten)]
    pub time: RolloutTime,
    /// How long the calls of the predictor took; empty in files of earlier versions.
    #[serde(default, skip_serializing_if = "Latencies::is_empty")]
    pub latencies: Latencies,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            schema: "napsim-timings/1".to_owned(),
            wall_s: None,
            per_trajectory: Vec::new(),
        }
    }
}

impl Timings {
    /// The time of one trajectory, if known.
    pub fn of(&self, name: &str) -> Option<RolloutTime> {
        self.per_trajectory
            .iter()
            .find(|unit| unit.name == name)
            .map(|unit| unit.time)
    }

    /// How long the calls of the predictor took in one trajectory, if known.
    pub fn latencies_of(&self, name: &str) -> Option<&Latencies> {
        let unit = self.per_trajectory.iter().find(|unit| unit.name == name)?;
        (!unit.latencies.is_empty()).then_some(&unit.latencies)
    }

    /// The time spent in the predictor over all trajectories together.
    pub fn total(&self) -> PredictionTime {
        PredictionTime::sum(self.per_trajectory.iter().map(|unit| unit.time.prediction))
    }
}
