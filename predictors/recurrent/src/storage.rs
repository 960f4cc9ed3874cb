//! Networks and checkpoints as safetensors files, with one header in the metadata.

#[cfg(test)]
mod tests;

use crate::RecurrentError;
use crate::weights::Leaf;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, View};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// The only key of the metadata. One key, because several would be written in the order of their hashes.
const KEY: &str = "napsim-recurrent";

/// Version of the format.
const VERSION: u64 = 1;

/// The part of the header that every version has.
#[derive(Serialize, Deserialize)]
struct Version {
    version: u64,
}

/// The header as written by this version.
#[derive(Serialize, Deserialize)]
struct Header<H> {
    version: u64,
    header: H,
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

/// Writes groups of tensors, each a name that goes before the tensors' own and values for all leaves.
pub(crate) fn encode<H: Serialize>(
    header: &H,
    leaves: &[Leaf],
    groups: &[(&str, &[Vec<f32>])],
) -> Result<Vec<u8>, RecurrentError> {
    let header = Header {
        version: VERSION,
        header,
    };
    let text = serde_json::to_string(&header).map_err(|error| RecurrentError::Header(error.to_string()))?;
    let tensors = groups.iter().flat_map(|(group, tensors)| {
        leaves.iter().zip(*tensors).map(move |(leaf, values)| {
            let view = Outgoing {
                shape: &leaf.shape,
                values,
            };
            (format!("{group}{}", leaf.name), view)
        })
    });
    Ok(safetensors::serialize(
        tensors,
        Some(HashMap::from([(KEY.to_owned(), text)])),
    )?)
}

/// A file that was read but not yet looked through.
pub(crate) struct Decoded<'a> {
    tensors: SafeTensors<'a>,
    n_taken: usize,
}

/// Reads the header and finds the tensors.
pub(crate) fn decode<H: DeserializeOwned>(bytes: &[u8]) -> Result<(H, Decoded<'_>), RecurrentError> {
    let broken = |error: serde_json::Error| RecurrentError::Header(error.to_string());
    let (_, metadata) = SafeTensors::read_metadata(bytes)?;
    let text = metadata.metadata().as_ref().and_then(|entries| entries.get(KEY));
    let text = text.ok_or_else(|| RecurrentError::Header(format!("no entry {KEY} in the metadata")))?;
    let Version { version } = serde_json::from_str(text).map_err(broken)?;
    if version != VERSION {
        return Err(RecurrentError::Version {
            found: version,
            known: VERSION,
        });
    }
    let Header { header, .. } = serde_json::from_str::<Header<H>>(text).map_err(broken)?;
    let tensors = SafeTensors::deserialize(bytes)?;
    Ok((header, Decoded { tensors, n_taken: 0 }))
}

impl Decoded<'_> {
    /// The values of all leaves of one group.
    pub(crate) fn group(&mut self, group: &str, leaves: &[Leaf]) -> Result<Vec<Vec<f32>>, RecurrentError> {
        leaves
            .iter()
            .map(|leaf| self.tensor(format!("{group}{}", leaf.name), leaf))
            .collect()
    }

    fn tensor(&mut self, name: String, leaf: &Leaf) -> Result<Vec<f32>, RecurrentError> {
        let Ok(view) = self.tensors.tensor(&name) else {
            let reason = "is missing".to_owned();
            return Err(RecurrentError::Tensor { name, reason });
        };
        if view.dtype() != Dtype::F32 || view.shape() != leaf.shape {
            let reason = format!("is {} {:?}, must be F32 {:?}", view.dtype(), view.shape(), leaf.shape);
            return Err(RecurrentError::Tensor { name, reason });
        }
        let (numbers, _) = view.data().as_chunks::<4>();
        let values: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
        if !values.iter().all(|value| value.is_finite()) {
            let reason = "holds a number that is not finite".to_owned();
            return Err(RecurrentError::Tensor { name, reason });
        }
        self.n_taken += 1;
        Ok(values)
    }

    /// Refuses tensors that nobody asked for.
    pub(crate) fn finish(self) -> Result<(), RecurrentError> {
        if self.tensors.len() == self.n_taken {
            return Ok(());
        }
        Err(RecurrentError::Tensor {
            name: format!("count {}", self.tensors.len()),
            reason: format!("the settings ask for {}", self.n_taken),
        })
    }
}
