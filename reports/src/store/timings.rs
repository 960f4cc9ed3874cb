//! `timings.json`: wall times, which no figure depends on.

use serde::{Deserialize, Serialize};

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

    /// The time spent in the predictor over all trajectories together.
    pub fn total(&self) -> PredictionTime {
        PredictionTime::sum(self.per_trajectory.iter().map(|unit| unit.time.prediction))
    }
}
