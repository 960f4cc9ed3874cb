//! The sections of boosted trees in a model file.
//!
//! Section `classes` is a JSON object ([`Classes`]); `op-type` and `range-0` to `range-3` are ensembles as
//! [`napsim_boosting::Ensemble::to_bytes`] writes them.

use napsim_boosting::Ensemble;
use serde::{Deserialize, Serialize};

use super::five::{FiveEnsembles, N_RANGE_NUMBERS};
use crate::feature::RangeMode;
use crate::model::{Model, ModelError, Section};

/// The setting on a model's card that says which features its trees look at.
pub const FEATURES_SETTING: &str = "features";

/// Its value for the published feature vector ([`crate::gbm_vector`]).
pub const FEATURES_V1: &str = "v1";

const CLASSES: &str = "classes";
const OP_TYPE: &str = "op-type";
const RANGES: [&str; N_RANGE_NUMBERS] = ["range-0", "range-1", "range-2", "range-3"];

/// Most actions of a window that is read: far more than anybody trains on.
const WINDOW_MAX: usize = 1_000;

/// What the ensembles look at and what their answers mean.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    range_mode: String,
    window: usize,
    /// The keyword id of each class.
    keywords: Vec<u8>,
}

/// The sections of the five ensembles.
///
/// # Errors
/// What serialisation says.
pub fn sections(five: &FiveEnsembles) -> Result<Vec<Section>, serde_json::Error> {
    let classes = Classes {
        range_mode: five.range_mode().name().to_owned(),
        window: five.window(),
        keywords: five.classes().to_vec(),
    };
    let mut sections = vec![
        Section::compressed(CLASSES, serde_json::to_vec(&classes)?),
        Section::compressed(OP_TYPE, five.op_type().to_bytes()),
    ];
    let ranges = five.ranges().iter().zip(RANGES);
    sections.extend(ranges.map(|(ensemble, name)| Section::compressed(name, ensemble.to_bytes())));
    Ok(sections)
}

/// The five ensembles in a model file.
pub(super) fn five(model: &Model) -> Result<FiveEnsembles, ModelError> {
    let malformed = |section, reason: String| ModelError::MalformedSection { section, reason };
    let classes: Classes =
        serde_json::from_slice(model.section(CLASSES)?).map_err(|error| malformed(CLASSES, error.to_string()))?;
    let range_mode = RangeMode::from_name(&classes.range_mode)
        .ok_or_else(|| malformed(CLASSES, format!("`{}` is no range mode", classes.range_mode)))?;
    if !(1..=WINDOW_MAX).contains(&classes.window) {
        return Err(malformed(CLASSES, format!("{} is no window", classes.window)));
    }
    let read = |name| {
        let bytes = model.section(name)?;
        Ensemble::from_bytes(bytes).map_err(|error| malformed(name, error.to_string()))
    };
    let op_type = read(OP_TYPE)?;
    let [row, col, height, width] = RANGES.map(read);
    let ranges = [row?, col?, height?, width?];
    let fingerprint = model.card().fingerprint.clone();
    FiveEnsembles::new(
        range_mode,
        classes.window,
        classes.keywords,
        op_type,
        ranges,
        fingerprint,
    )
    .map_err(|error| malformed(CLASSES, error.to_string()))
}
