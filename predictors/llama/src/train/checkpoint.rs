//! Everything that a run needs to go on.

use std::borrow::Cow;
use std::collections::HashMap;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, View};
use serde::{Deserialize, Serialize};

use super::settings::Settings;
use super::trainee::Trainee;
use super::{Report, TrainError};
use crate::config::LlamaConfig;
use crate::network::Leaf;

/// The only key of the metadata. One key, because several would be written in the order of their hashes.
const KEY: &str = "napsim-llama-checkpoint";

/// Version of the format.
const VERSION: u64 = 1;

/// Where a run stands, apart from its tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Standing {
    pub(crate) version: u64,
    pub(crate) config: LlamaConfig,
    pub(crate) settings: Settings,
    /// Fingerprint of the windows.
    pub(crate) data: u64,
    /// Fingerprint of the weights that the run began with.
    pub(crate) beginning: u64,
    /// Steps taken.
    pub(crate) steps: usize,
    /// Sum of the losses and number of the tokens learned since the last report.
    pub(crate) since_report: (f64, usize),
    pub(crate) reports: Vec<Report>,
}

impl Standing {
    pub(crate) fn version() -> u64 {
        VERSION
    }
}

/// The state of a run: weights, moments of the optimizer, the best weights so far and the reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    pub(crate) standing: Standing,
    pub(crate) tensors: HashMap<String, Vec<f32>>,
}

/// The state of a run where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    pub(crate) standing: &'a Standing,
    pub(crate) trainee: &'a Trainee,
    pub(crate) best: &'a [Vec<f32>],
}

/// A tensor on its way out.
struct Outgoing<'a> {
    shape: &'a [usize],
    values: &'a [f32],
}

impl View for Outgoing<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn data_len(&self) -> usize {
        self.values.len() * 4
    }
}

impl Snapshot<'_> {
    /// The state as a safetensors file. Equal states give equal bytes.
    ///
    /// # Errors
    /// [`TrainError::Checkpoint`] when it can't be written down.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TrainError> {
        let broken = |error: &dyn std::fmt::Display| TrainError::Checkpoint(error.to_string());
        let text = serde_json::to_string(self.standing).map_err(|error| broken(&error))?;
        let (values, moments) = (self.trainee.values()?, self.trainee.moments()?);
        let groups: [(&str, Vec<&[f32]>); 4] = [
            ("values/", values.iter().map(AsRef::as_ref).collect()),
            ("first/", moments.first.iter().map(Vec::as_slice).collect()),
            ("second/", moments.second.iter().map(Vec::as_slice).collect()),
            ("best/", self.best.iter().map(Vec::as_slice).collect()),
        ];
        let tensors = groups.iter().flat_map(|(group, all)| {
            self.trainee.leaves().iter().zip(all).map(move |(leaf, values)| {
                let view = Outgoing {
                    shape: &leaf.shape,
                    values,
                };
                (format!("{group}{}", leaf.name), view)
            })
        });
        safetensors::serialize(tensors, Some(HashMap::from([(KEY.to_owned(), text)]))).map_err(|error| broken(&error))
    }
}

impl Checkpoint {
    /// Reads what [`Snapshot::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`TrainError::Checkpoint`] for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TrainError> {
        let broken = |error: &dyn std::fmt::Display| TrainError::Checkpoint(error.to_string());
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| broken(&error))?;
        let text = metadata.metadata().as_ref().and_then(|entries| entries.get(KEY));
        let text = text.ok_or_else(|| broken(&"it is no checkpoint of a Llama model"))?;
        let standing: Standing = serde_json::from_str(text).map_err(|error| broken(&error))?;
        if standing.version != VERSION {
            let version = standing.version;
            return Err(broken(&format!(
                "format version {version} is unknown, this version reads {VERSION}"
            )));
        }
        let read = SafeTensors::deserialize(bytes).map_err(|error| broken(&error))?;
        let mut tensors = HashMap::new();
        for (name, view) in read.iter() {
            let (numbers, _) = view.data().as_chunks::<4>();
            let values: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
            tensors.insert(name.to_owned(), values);
        }
        Ok(Self { standing, tensors })
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.standing.steps
    }

    /// The reports so far.
    pub fn reports(&self) -> &[Report] {
        &self.standing.reports
    }

    /// Takes out the tensors of a group, by the order of the leaves.
    pub(crate) fn group(&mut self, group: &str, leaves: &[Leaf]) -> Result<Vec<Vec<f32>>, TrainError> {
        let take = |leaf: &Leaf| {
            let name = format!("{group}{}", leaf.name);
            let values = self.tensors.remove(&name);
            let fitting = values.filter(|values| values.len() == leaf.n_numbers());
            fitting.ok_or_else(|| TrainError::Checkpoint(format!("the tensor `{name}` is missing or of another size")))
        };
        leaves.iter().map(take).collect()
    }

    /// Refuses to go on with another model, other settings or other data.
    pub(crate) fn belongs_to(&self, fresh: &Standing) -> Result<(), TrainError> {
        let ours = &self.standing;
        let checks = [
            (
                ours.config == fresh.config && ours.beginning == fresh.beginning,
                "model",
            ),
            (ours.settings == fresh.settings, "set of settings"),
            (ours.data == fresh.data, "set of data"),
        ];
        for (same, what) in checks {
            if !same {
                return Err(TrainError::OtherRun(what));
            }
        }
        Ok(())
    }
}
