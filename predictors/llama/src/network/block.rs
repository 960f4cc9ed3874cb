//! A block of the model: attention and feed-forward layers, each behind a norm and added to the residual stream.

use std::ops::Range;

use candle_core::Result;

use super::adapter::{Adapter, Dropout, Layer};
use super::attention::{Heads, Projected, attend};
use super::kernels::{Rotation, add, gated, rms_norm};
use super::leaves::{Block, Linears};
use super::product::Numbers;
use crate::config::LlamaConfig;

/// What all blocks of a pass share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) config: &'a LlamaConfig,
    pub(crate) rotation: &'a Rotation,
    /// The rows of each text.
    pub(crate) texts: &'a [Range<usize>],
}

impl Surroundings<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the tensor library computes with single numbers, too"
    )]
    pub(crate) fn epsilon(&self) -> f32 {
        self.config.rms_norm_eps as f32
    }

    /// Turns the heads of all texts, or turns them back.
    pub(crate) fn turn(&self, numbers: &mut Numbers, width: usize, back: bool) {
        for text in self.texts {
            let rows = numbers.as_mut_slice().get_mut(text.start * width..text.end * width);
            self.rotation.turn(rows.unwrap_or_default(), width, back);
        }
    }
}

/// The weights of a block with its adapters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<'a> {
    pub(crate) block: &'a Block<Numbers>,
    /// The adapters, their rank and what their products are multiplied by.
    pub(crate) adapters: Option<(&'a Linears<Adapter<Numbers>>, usize, f32)>,
    pub(crate) dropout: Option<Dropout>,
}

impl<'a> Weights<'a> {
    /// The linear layers.
    pub(crate) fn layers(&self, config: &LlamaConfig) -> Linears<Layer<'a>> {
        let (hidden, query) = (config.hidden_size, config.query_size());
        let linears = &self.block.linears;
        let layer = |idx: usize, weight, inputs, of: fn(&Linears<Adapter<Numbers>>) -> &Adapter<Numbers>| Layer {
            weight,
            inputs,
            adapter: self.adapters.map(|(adapters, rank, scale)| (of(adapters), rank, scale)),
            dropout: self.dropout.map(|dropout| dropout.of_layer(idx)),
        };
        Linears {
            query: layer(0, &linears.query, hidden, |adapters| &adapters.query),
            key: layer(1, &linears.key, hidden, |adapters| &adapters.key),
            value: layer(2, &linears.value, hidden, |adapters| &adapters.value),
            output: layer(3, &linears.output, query, |adapters| &adapters.output),
            gate: layer(4, &linears.gate, hidden, |adapters| &adapters.gate),
            up: layer(5, &linears.up, hidden, |adapters| &adapters.up),
            down: layer(6, &linears.down, config.intermediate_size, |adapters| &adapters.down),
        }
    }
}

/// What the backward pass needs of the forward pass.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The residual stream before the block.
    pub(crate) before: Numbers,
    pub(crate) attention_inverses: Vec<f32>,
    /// Turned.
    pub(crate) queries: Numbers,
    /// Turned.
    pub(crate) keys: Numbers,
    pub(crate) values: Numbers,
    pub(crate) read: Numbers,
    pub(crate) log_sums: Vec<f32>,
    /// The residual stream between attention and feed-forward layers.
    pub(crate) between: Numbers,
    pub(crate) feed_forward_inverses: Vec<f32>,
    pub(crate) gates: Numbers,
    pub(crate) ups: Numbers,
}

/// The residual stream after the block, and what the backward pass needs.
pub(crate) fn forward(around: Surroundings<'_>, weights: Weights<'_>, before: Numbers) -> Result<(Numbers, Kept)> {
    let config = around.config;
    let layers = weights.layers(config);
    let norm = weights.block.attention_norm.as_slice();
    let (normed, attention_inverses) = rms_norm(before.as_slice(), norm, around.epsilon());
    let normed = Numbers::new(normed);
    let mut queries = layers.query.forward(&normed)?;
    let mut keys = layers.key.forward(&normed)?;
    let values = layers.value.forward(&normed)?;
    drop(normed);
    around.turn(&mut queries, config.query_size(), false);
    around.turn(&mut keys, config.kv_size(), false);
    let projected = Projected {
        queries: &queries,
        keys: &keys,
        values: &values,
    };
    let (read, log_sums) = attend(Heads::of(config), around.texts, projected)?;
    let mut between = layers.output.forward(&read)?;
    add(between.as_mut_slice(), before.as_slice());

    let norm = weights.block.feed_forward_norm.as_slice();
    let (normed, feed_forward_inverses) = rms_norm(between.as_slice(), norm, around.epsilon());
    let normed = Numbers::new(normed);
    let gates = layers.gate.forward(&normed)?;
    let ups = layers.up.forward(&normed)?;
    let inner = Numbers::new(gated(gates.as_slice(), ups.as_slice()));
    let mut after = layers.down.forward(&inner)?;
    add(after.as_mut_slice(), between.as_slice());
    let kept = Kept {
        before,
        attention_inverses,
        queries,
        keys,
        values,
        read,
        log_sums,
        between,
        feed_forward_inverses,
        gates,
        ups,
    };
    Ok((after, kept))
}
