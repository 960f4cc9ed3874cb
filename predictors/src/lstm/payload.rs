//! The sections of a network in a model file.
//!
//! Section `network` holds the bytes of [`Network::to_bytes`]; section `reading` is a JSON object ([`Reading`]).

use napsim_recurrent::{Network, RecurrentError};
use serde::{Deserialize, Serialize};

use crate::feature::RangeMode;
use crate::model::{Model, ModelError, ModelKind, Section};

/// The version of these sections.
pub const KIND_VERSION: u32 = 1;

const NETWORK: &str = "network";
const READING: &str = "reading";

/// How actions become tokens.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reading {
    range_mode: String,
}

/// The sections of a network.
///
/// # Errors
/// [`RecurrentError`] where the network cannot be written down.
pub fn sections(network: &Network, range_mode: RangeMode) -> Result<Vec<Section>, RecurrentError> {
    let reading = Reading {
        range_mode: range_mode.name().to_owned(),
    };
    let reading = serde_json::to_vec(&reading).map_err(|error| RecurrentError::Header(error.to_string()))?;
    Ok(vec![
        Section::plain(READING, reading),
        Section::compressed(NETWORK, network.to_bytes()?),
    ])
}

/// The network in a model file, and how ranges enter its tokens.
pub(super) fn read(model: &Model) -> Result<(Network, RangeMode), ModelError> {
    model.expect(ModelKind::Lstm, KIND_VERSION)?;
    let malformed = |section, reason: String| ModelError::MalformedSection { section, reason };
    let reading: Reading =
        serde_json::from_slice(model.section(READING)?).map_err(|error| malformed(READING, error.to_string()))?;
    let range_mode = RangeMode::from_name(&reading.range_mode)
        .ok_or_else(|| malformed(READING, format!("`{}` is no range mode", reading.range_mode)))?;
    let network =
        Network::from_bytes(model.section(NETWORK)?).map_err(|error| malformed(NETWORK, error.to_string()))?;
    Ok((network, range_mode))
}
