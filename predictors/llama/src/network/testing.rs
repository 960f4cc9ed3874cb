//! What tests of the network share.

use super::pass::{Batch, State};
use super::{Adapters, LlamaNetwork, Numbers};
use crate::config::{EndTokens, LlamaConfig};

/// A small model: two blocks, four heads of which pairs share keys, 31 tokens.
pub(crate) fn config() -> LlamaConfig {
    LlamaConfig {
        hidden_size: 32,
        intermediate_size: 48,
        vocab_size: 31,
        num_hidden_layers: 2,
        num_attention_heads: 4,
        num_key_value_heads: Some(2),
        head_dim: None,
        rms_norm_eps: 1e-5,
        rope_theta: 10_000.0,
        max_position_embeddings: 512,
        tie_word_embeddings: true,
        bos_token_id: None,
        eos_token_id: EndTokens(vec![0]),
    }
}

/// The same model with an output layer of its own.
pub(crate) fn untied() -> LlamaConfig {
    LlamaConfig {
        tie_word_embeddings: false,
        ..config()
    }
}

/// A model whose weights are great enough for gradients to be told from rounding; norms are not 1.
pub(crate) fn lively(config: &LlamaConfig) -> LlamaNetwork {
    let mut network = LlamaNetwork::random(config, 5).unwrap();
    let leaves = super::leaves(config);
    for (leaf, numbers) in leaves.iter().zip(network.weights_mut().in_order_mut()) {
        for (idx, number) in (0_u16..).zip(numbers.as_mut_slice()) {
            match leaf.is_norm {
                true => *number += f32::from(idx % 7) * 0.1 - 0.3,
                false => *number *= 12.0,
            }
        }
    }
    network
}

/// Tokens that repeat late.
pub(crate) fn tokens(n_tokens: u32) -> impl Iterator<Item = u32> {
    (0..n_tokens).map(|idx| (idx * idx + idx / 3) % 31)
}

/// Three texts, one of more rows than are worked on at once, of which one is learned in part.
pub(crate) fn batch() -> Batch {
    let mut batch = Batch::default();
    batch.push(tokens(7), 0);
    batch.push(tokens(150), 100);
    batch.push(tokens(12).skip(3), 4);
    batch
}

/// The sum of the losses.
pub(crate) fn loss(network: &LlamaNetwork, adapters: Option<&Adapters<Numbers>>, batch: &Batch) -> f64 {
    state(network, adapters).loss(batch).unwrap()
}

pub(crate) fn state<'a>(network: &'a LlamaNetwork, adapters: Option<&'a Adapters<Numbers>>) -> State<'a> {
    State {
        config: network.config(),
        model: network.weights(),
        adapters,
    }
}
