//! A Llama model to be trained: its weights by their names in the Hugging Face layout, the forward pass and its gradient.
//!
//! Forward and backward pass are written out by hand, and the tensor library only multiplies matrices: see [`pass`]. Its own
//! gradients copy every activation several times over and its elementwise operations make threads wait for each other.

mod adapter;
mod attention;
mod attention_gradient;
mod block;
mod block_gradient;
mod entropy;
pub(crate) mod graph;
pub(crate) mod kernels;
pub(crate) mod leaves;
pub(crate) mod pass;
mod product;
mod saved;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::config::{ConfigError, LlamaConfig};
use crate::weights::StoredTensor;

pub(crate) use adapter::{Adapters, Dropout, merge};
pub(crate) use leaves::{Leaf, Model, leaves};
pub(crate) use product::Numbers;
pub use saved::Precision;

/// Spread of the weights that a training from scratch begins with.
const SPREAD: f64 = 0.02;

/// Why tensors are no weights of a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The shape of the model contradicts itself.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A tensor that the model needs is not there.
    #[error("find the tensor `{0}` of the model")]
    Missing(String),
    /// A tensor of another shape than the model's.
    #[error("use the tensor `{name}`: it is {found:?}, expected {expected:?}")]
    Shape {
        /// Its name.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape that the model asks for.
        expected: Vec<usize>,
    },
    /// A tensor that holds something that is no finite number.
    #[error("use the tensor `{0}`: it holds a number that is not finite")]
    NotFinite(String),
    /// The model cannot be written down.
    #[error("save the model: {0}")]
    Saved(String),
    /// The tensor library refused.
    #[error("compute: {0}")]
    Compute(#[from] candle_core::Error),
}

/// A Llama model whose weights can be trained.
#[derive(Clone, Debug)]
pub struct LlamaNetwork {
    config: LlamaConfig,
    weights: Model<Numbers>,
}

impl LlamaNetwork {
    /// Weights drawn by the seed: normal with a spread of 0.02, those that are added to the residual stream smaller by the
    /// root of twice the number of blocks; norms are 1.
    ///
    /// # Errors
    /// [`NetworkError::Config`] for a shape that contradicts itself.
    pub fn random(config: &LlamaConfig, seed: u64) -> Result<Self, NetworkError> {
        config.check()?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        #[expect(clippy::cast_precision_loss, reason = "a model has few blocks")]
        let residual_spread = SPREAD / (2.0 * config.num_hidden_layers as f64).sqrt();
        let weights = Model::build(config, |leaf| {
            let mut draw = |spread| normal(&mut random, leaf.n_numbers(), spread);
            let numbers = match leaf {
                Leaf { is_norm: true, .. } => vec![1.0; leaf.n_numbers()],
                Leaf { to_residual: true, .. } => draw(residual_spread),
                Leaf { .. } => draw(SPREAD),
            };
            Ok::<_, NetworkError>(Numbers::new(numbers))
        })?;
        Ok(Self {
            config: config.clone(),
            weights,
        })
    }

    /// Weights as files hold them, by their names in the Hugging Face layout (`model.embed_tokens.weight` and so on). Tensors
    /// that the model does not have are passed over.
    ///
    /// # Errors
    /// [`NetworkError`] where one is missing, of the wrong shape or not finite.
    pub fn from_stored(
        config: &LlamaConfig,
        mut tensors: BTreeMap<String, StoredTensor>,
    ) -> Result<Self, NetworkError> {
        config.check()?;
        let weights = Model::build(config, |leaf| {
            let tensor = tensors
                .remove(&leaf.name)
                .ok_or_else(|| NetworkError::Missing(leaf.name.clone()))?;
            if tensor.shape() != leaf.shape {
                return Err(NetworkError::Shape {
                    name: leaf.name.clone(),
                    found: tensor.shape().to_vec(),
                    expected: leaf.shape.clone(),
                });
            }
            let numbers = tensor.to_f32();
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(NetworkError::NotFinite(leaf.name.clone()));
            }
            Ok(Numbers::new(numbers))
        })?;
        Ok(Self {
            config: config.clone(),
            weights,
        })
    }

    /// The shape of the model.
    pub fn config(&self) -> &LlamaConfig {
        &self.config
    }

    /// The logits that follow each token of a text, `[n_tokens, vocabulary]`, in rows.
    ///
    /// # Errors
    /// [`NetworkError::Compute`] when the tensor library refuses, also for a token out of the vocabulary.
    pub fn logits(&self, tokens: &[u32]) -> Result<Vec<f32>, NetworkError> {
        Ok(pass::logits(&self.config, &self.weights, None, tokens)?)
    }

    pub(crate) fn weights(&self) -> &Model<Numbers> {
        &self.weights
    }

    pub(crate) fn weights_mut(&mut self) -> &mut Model<Numbers> {
        &mut self.weights
    }

    /// Every tensor with its name and shape, in a fixed order.
    pub(crate) fn named(&self) -> impl Iterator<Item = (Leaf, &[f32])> {
        let numbers = self.weights.in_order().into_iter().map(Numbers::as_slice);
        leaves(&self.config).into_iter().zip(numbers)
    }
}

/// Numbers from a normal distribution around 0 (Box–Muller).
#[expect(clippy::cast_possible_truncation, reason = "weights are single numbers")]
pub(crate) fn normal(random: &mut ChaCha8Rng, n_numbers: usize, spread: f64) -> Vec<f32> {
    let mut numbers = Vec::with_capacity(n_numbers + 1);
    while numbers.len() < n_numbers {
        // One less the share, so that its logarithm is finite.
        let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt() * spread;
        let (sine, cosine) = (std::f64::consts::TAU * random.random::<f64>()).sin_cos();
        numbers.push((radius * cosine) as f32);
        numbers.push((radius * sine) as f32);
    }
    numbers.truncate(n_numbers);
    numbers
}
