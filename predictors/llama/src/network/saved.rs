//! A trained model as the files of a Hugging Face folder.

use std::borrow::Cow;

use candle_core::{CpuStorage, DType, Device, Storage, Tensor};
use safetensors::tensor::{Dtype, View};
use serde_json::{Value, json};

use super::{LlamaNetwork, NetworkError};

/// How numbers are saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Four bytes a number.
    #[default]
    Single,
    /// Two bytes a number.
    Half,
}

impl Precision {
    /// Its name in `config.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "float32",
            Self::Half => "float16",
        }
    }
}

/// A tensor on its way out.
struct Outgoing<'a> {
    shape: Vec<usize>,
    bytes: Cow<'a, [u8]>,
    precision: Precision,
}

impl View for Outgoing<'_> {
    fn dtype(&self) -> Dtype {
        match self.precision {
            Precision::Single => Dtype::F32,
            Precision::Half => Dtype::F16,
        }
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

impl LlamaNetwork {
    /// The content of `model.safetensors`. The same weights give the same bytes.
    ///
    /// # Errors
    /// [`NetworkError::Compute`] and [`NetworkError::Saved`] where it cannot be made.
    pub fn to_safetensors(&self, precision: Precision) -> Result<Vec<u8>, NetworkError> {
        let mut tensors = Vec::new();
        for (leaf, numbers) in self.named() {
            let bytes = match precision {
                Precision::Single => numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
                Precision::Half => halves(numbers)?,
            };
            let outgoing = Outgoing {
                shape: leaf.shape,
                bytes: Cow::Owned(bytes),
                precision,
            };
            tensors.push((leaf.name, outgoing));
        }
        // Other tools ask for the format.
        let metadata = [("format".to_owned(), "pt".to_owned())].into();
        safetensors::serialize(tensors, Some(metadata)).map_err(|error| NetworkError::Saved(error.to_string()))
    }

    /// The content of `config.json`, as other tools expect it.
    ///
    /// # Errors
    /// [`NetworkError::Saved`] where it cannot be made.
    pub fn to_config_json(&self, precision: Precision) -> Result<String, NetworkError> {
        let broken = |error: serde_json::Error| NetworkError::Saved(error.to_string());
        let mut members = serde_json::to_value(self.config()).map_err(broken)?;
        let others = json!({
            "architectures": ["LlamaForCausalLM"],
            "attention_bias": false,
            "hidden_act": "silu",
            "mlp_bias": false,
            "model_type": "llama",
            "num_key_value_heads": self.config().n_kv_heads(),
            "rope_scaling": null,
            "torch_dtype": precision.name(),
        });
        if let (Value::Object(members), Value::Object(others)) = (&mut members, others) {
            members.extend(others);
            members.sort_keys();
        }
        let text = serde_json::to_string_pretty(&members).map_err(broken)?;
        Ok(text + "\n")
    }
}

/// Half-precision numbers as bytes, rounded to the nearest.
fn halves(numbers: &[f32]) -> Result<Vec<u8>, NetworkError> {
    let tensor = Tensor::from_slice(numbers, numbers.len(), &Device::Cpu)?.to_dtype(DType::F16)?;
    let (storage, _) = tensor.storage_and_layout();
    match &*storage {
        Storage::Cpu(CpuStorage::F16(halves)) => Ok(halves.iter().flat_map(|half| half.to_le_bytes()).collect()),
        _ => Err(NetworkError::Saved("half-precision numbers lie elsewhere".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{config, lively};
    use super::*;
    use crate::weights::Pretrained;

    #[test]
    fn saved_models_are_read_again() {
        let network = lively(&config());
        let text = (0..40).map(|_| "abc abc\n".to_owned());
        let tokenizer = crate::vocabulary::learn(text, 258).unwrap().to_string(false).unwrap();
        for (precision, (share, smallest)) in [(Precision::Single, (0.0, 0.0)), (Precision::Half, (1e-3, 1e-7))] {
            let json = network.to_config_json(precision).unwrap();
            let weights = network.to_safetensors(precision).unwrap();
            assert_eq!(weights, network.to_safetensors(precision).unwrap());
            // The vocabulary is greater than the model's, which is noticed once the rest was read.
            let error = Pretrained::from_bytes("saved", &json, tokenizer.as_bytes(), &weights).unwrap_err();
            assert!(error.to_string().contains("vocabulary"), "{error}");
            let parsed = safetensors::SafeTensors::deserialize(&weights).unwrap();
            assert_eq!(parsed.len(), network.named().count());
            for (leaf, numbers) in network.named() {
                let view = parsed.tensor(&leaf.name).unwrap();
                assert_eq!(view.shape(), leaf.shape);
                let read: Vec<f32> = match precision {
                    Precision::Single => {
                        let numbers = view.data().as_chunks::<4>().0.iter();
                        numbers.map(|number| f32::from_le_bytes(*number)).collect()
                    }
                    Precision::Half => crate::weights::halves(view.data()).collect(),
                };
                for (number, read) in numbers.iter().zip(read) {
                    assert!(
                        (number - read).abs() <= share * number.abs() + smallest,
                        "{}",
                        leaf.name
                    );
                }
            }
        }
    }
}
