//! Weights as files hold them, by the names of the Hugging Face layout.

mod folder;
mod gguf;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};

use crate::config::LlamaConfig;
use crate::error::LlamaError;
use crate::network::leaves::{Leaf, Model};
use crate::tokenizer::ModelTokenizer;

/// A model as it lies on disk: shape, vocabulary and weights.
#[derive(Debug)]
pub struct Pretrained {
    /// Where it was read from.
    pub path: PathBuf,
    /// Its shape.
    pub config: LlamaConfig,
    /// Its vocabulary.
    pub tokenizer: ModelTokenizer,
    /// Its weights by name, for example `model.layers.0.self_attn.q_proj.weight`.
    pub tensors: BTreeMap<String, StoredTensor>,
    /// SHA-256 of the files, in hexadecimal.
    pub sha256: String,
}

/// The numbers of one tensor, in the notation of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTensor {
    shape: Vec<usize>,
    numbers: Numbers,
}

/// Numbers in the notation of a file. Those of blocks of 32 are bytes as GGUF has them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Numbers {
    /// Single precision.
    F32(Vec<f32>),
    /// The upper halves of single precision.
    BF16(Vec<u16>),
    /// Half precision.
    F16(Vec<u16>),
    /// 4 bits and a factor.
    Q4_0(Vec<u8>),
    /// 4 bits, a factor and a summand.
    Q4_1(Vec<u8>),
    /// 8 bits and a factor.
    Q8_0(Vec<u8>),
}

/// What half-precision numbers, two bytes each, stand for.
pub(crate) fn halves(bytes: &[u8]) -> impl Iterator<Item = f32> {
    let halves = bytes.as_chunks::<2>().0.iter();
    halves.map(|half| half_to_f32(u16::from_le_bytes(*half)))
}

/// What a half-precision number stands for.
fn half_to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let magnitude = u32::from(half & 0x7FFF);
    if magnitude >= 0x7C00 {
        return f32::from_bits(sign | 0x7F80_0000 | (magnitude & 0x3FF) << 13);
    }
    // The exponent is moved by a multiplication with 2¹¹², which is right for subnormal numbers too.
    let number = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    f32::from_bits(number.to_bits() | sign)
}

impl StoredTensor {
    /// Numbers of that shape, rows after each other.
    pub fn new(shape: Vec<usize>, numbers: Numbers) -> Self {
        Self { shape, numbers }
    }

    /// Rows and columns, or as many rows of one number as a vector has.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub(crate) fn matrix_shape(&self) -> (usize, usize) {
        let rows = self.shape.first().copied().unwrap_or_default();
        (rows, self.shape.get(1..).unwrap_or_default().iter().product())
    }

    pub(crate) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// What the numbers of one row stand for; nothing where there is no such row.
    pub(crate) fn row(&self, row: usize) -> Vec<f32> {
        let (_, columns) = self.matrix_shape();
        let part = |per_block: usize| (row * columns / 32 * per_block)..((row + 1) * columns / 32 * per_block);
        let plain = row * columns..(row + 1) * columns;
        let numbers = match &self.numbers {
            Numbers::F32(numbers) => numbers.get(plain).map(|row| Numbers::F32(row.to_vec())),
            Numbers::BF16(numbers) => numbers.get(plain).map(|row| Numbers::BF16(row.to_vec())),
            Numbers::F16(numbers) => numbers.get(plain).map(|row| Numbers::F16(row.to_vec())),
            Numbers::Q4_0(bytes) => bytes.get(part(18)).map(|row| Numbers::Q4_0(row.to_vec())),
            Numbers::Q4_1(bytes) => bytes.get(part(20)).map(|row| Numbers::Q4_1(row.to_vec())),
            Numbers::Q8_0(bytes) => bytes.get(part(34)).map(|row| Numbers::Q8_0(row.to_vec())),
        };
        numbers.map_or_else(Vec::new, |numbers| Self::new(vec![columns], numbers).to_f32())
    }

    /// What the numbers stand for.
    pub fn to_f32(&self) -> Vec<f32> {
        match &self.numbers {
            Numbers::F32(numbers) => numbers.clone(),
            Numbers::BF16(numbers) => numbers
                .iter()
                .map(|half| f32::from_bits(u32::from(*half) << 16))
                .collect(),
            Numbers::F16(numbers) => numbers.iter().map(|half| half_to_f32(*half)).collect(),
            Numbers::Q4_0(bytes) => bytes
                .as_chunks::<18>()
                .0
                .iter()
                .flat_map(|block| nibbles(block, 2))
                .collect(),
            Numbers::Q4_1(bytes) => bytes
                .as_chunks::<20>()
                .0
                .iter()
                .flat_map(|block| nibbles(block, 4))
                .collect(),
            Numbers::Q8_0(bytes) => bytes
                .as_chunks::<34>()
                .0
                .iter()
                .flat_map(|block| signed_bytes(block))
                .collect(),
        }
    }

    /// As a tensor in single precision.
    ///
    /// # Errors
    /// [`LlamaError::Candle`] where there is no room for it.
    pub fn to_tensor(&self, device: &Device) -> Result<Tensor, LlamaError> {
        let tensor = Tensor::from_vec(self.to_f32(), self.shape.as_slice(), &Device::Cpu)?;
        Ok(tensor.to_dtype(DType::F32)?.to_device(device)?)
    }
}

fn nibbles(block: &[u8], n_scale_bytes: usize) -> [f32; 32] {
    let (scales, bytes) = block.split_at(n_scale_bytes.min(block.len()));
    let mut scales = halves(scales);
    let factor = scales.next().unwrap_or_default();
    let summand = scales.next().unwrap_or(-8.0 * factor);
    let mut numbers = [0.0; 32];
    let (low, high) = numbers.split_at_mut(16);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(bytes) {
        *low = f32::from(byte & 15).mul_add(factor, summand);
        *high = f32::from(byte >> 4).mul_add(factor, summand);
    }
    numbers
}

fn signed_bytes(block: &[u8]) -> [f32; 32] {
    let (scale, bytes) = block.split_at(2.min(block.len()));
    let factor = halves(scale).next().unwrap_or_default();
    let mut numbers = [0.0; 32];
    for (number, byte) in numbers.iter_mut().zip(bytes) {
        *number = f32::from(byte.cast_signed()) * factor;
    }
    numbers
}

impl Pretrained {
    /// Reads a Hugging Face folder or a GGUF file.
    ///
    /// # Errors
    /// [`LlamaError`] where a file is missing, cut short or of another kind, and where shape, vocabulary and weights do not
    /// go together.
    pub fn load(path: &Path) -> Result<Self, LlamaError> {
        let pretrained = if path.is_dir() {
            folder::load(path)?
        } else if path.exists() {
            gguf::load(path)?
        } else {
            return Err(LlamaError::Missing {
                path: path.to_owned(),
                needed: "give a folder with config.json, tokenizer.json and safetensors, or a GGUF file",
            });
        };
        pretrained.check()?;
        Ok(pretrained)
    }

    /// Reads the three files of a Hugging Face folder from memory; `name` stands for them in messages.
    ///
    /// # Errors
    /// As those of [`load`](Self::load).
    pub fn from_bytes(name: &str, config: &str, tokenizer: &[u8], safetensors: &[u8]) -> Result<Self, LlamaError> {
        let pretrained = folder::from_bytes(Path::new(name), config, tokenizer, safetensors)?;
        pretrained.check()?;
        Ok(pretrained)
    }

    /// Whether all weights are there and of the right shape, and the vocabulary fits.
    fn check(&self) -> Result<(), LlamaError> {
        for (name, shape) in expected_tensors(&self.config) {
            let Some(tensor) = self.tensors.get(&name) else {
                return Err(LlamaError::tensor(&self.path, &name, "they are missing"));
            };
            if tensor.shape() != shape {
                let reason = format!("their shape is {:?}, expected {shape:?}", tensor.shape());
                return Err(LlamaError::tensor(&self.path, &name, reason));
            }
        }
        let largest = self.tokenizer.largest_token();
        if usize::try_from(largest).unwrap_or(usize::MAX) >= self.config.vocab_size {
            return Err(LlamaError::Vocabulary {
                path: self.path.clone(),
                largest,
                n_known: self.config.vocab_size,
            });
        }
        Ok(())
    }
}

/// The weights that a model of that shape has, with their shapes.
pub fn expected_tensors(config: &LlamaConfig) -> Vec<(String, Vec<usize>)> {
    let named = |leaf: &Leaf| Ok::<_, Infallible>((leaf.name.clone(), leaf.shape.clone()));
    let Ok(tensors) = Model::build(config, named);
    tensors.into_order()
}

#[cfg(test)]
mod tests;
