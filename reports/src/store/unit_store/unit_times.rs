//! How long a unit took, and where: facts that no figure depends on.

use serde::{Deserialize, Serialize};

use crate::latencies::Latencies;
use crate::times::RolloutTime;

/// Name and version of the schema.
const SCHEMA: &str = "napsim-unit-times/1";

/// How long a unit took, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitTimes {
    /// `napsim-unit-times/1`.
    pub schema: String,
    /// Version of the program.
    pub napsim: String,
    /// Where its time went, in seconds.
    pub time: RolloutTime,
    /// How long the calls of the predictor took; empty in files of earlier versions.
    #[serde(default, skip_serializing_if = "Latencies::is_empty")]
    pub latencies: Latencies,
    /// When it was done, in seconds since 1970.
    pub done_at: u64,
    /// The machine that did it.
    pub host: HostFacts,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFacts {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Operating system and kind of processor: `linux/x86_64`.
    pub system: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// Units that were measured at a time.
    pub jobs: usize,
}

impl UnitTimes {
    /// The times of a unit that was done at that second since 1970.
    pub fn new(napsim: &str, time: RolloutTime, latencies: Latencies, done_at: u64, host: &HostFacts) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            napsim: napsim.to_owned(),
            time,
            latencies,
            done_at,
            host: host.clone(),
        }
    }
}
