//! The gradient of a block.

use candle_core::Result;

use super::adapter::LayerGradient;
use super::attention::{Heads, Projected};
use super::attention_gradient::{Attended, attend_gradient};
use super::block::{Kept, Surroundings, Weights};
use super::kernels::{add, gated, gated_gradient, rms_norm_again, rms_norm_gradient};
use super::leaves::{Block, Linears};
use super::product::Numbers;

/// The gradient of what of a block is trained: norms are not where there are adapters.
#[derive(Debug)]
pub(crate) struct BlockGradient {
    pub(crate) attention_norm: Vec<f32>,
    pub(crate) feed_forward_norm: Vec<f32>,
    pub(crate) linears: Linears<LayerGradient>,
}

/// Turns the gradient of the residual stream after the block into that before it, and gives that of what is trained.
pub(crate) fn backward(
    around: Surroundings<'_>,
    weights: Weights<'_>,
    kept: Kept,
    stream: &mut Numbers,
) -> Result<BlockGradient> {
    let config = around.config;
    let layers = weights.layers(config);
    let Block {
        attention_norm,
        feed_forward_norm,
        ..
    } = weights.block;

    let (mut gates, mut ups) = (kept.gates, kept.ups);
    let inner = Numbers::new(gated(gates.as_slice(), ups.as_slice()));
    let (inner_gradient, down) = layers.down.backward(&inner, stream)?;
    drop(inner);
    gated_gradient(gates.as_mut_slice(), ups.as_mut_slice(), inner_gradient.as_slice());
    drop(inner_gradient);
    let of_norm = (
        kept.between.as_slice(),
        feed_forward_norm.as_slice(),
        kept.feed_forward_inverses.as_slice(),
    );
    let normed = Numbers::new(rms_norm_again(of_norm.0, of_norm.1, of_norm.2));
    let (mut normed_gradient, gate) = layers.gate.backward(&normed, &gates)?;
    let (share, up) = layers.up.backward(&normed, &ups)?;
    add(normed_gradient.as_mut_slice(), share.as_slice());
    let feed_forward_norm = rms_norm_gradient(of_norm, normed_gradient.as_slice(), stream.as_mut_slice());
    drop((gates, ups, normed, normed_gradient, share));

    let (read_gradient, output) = layers.output.backward(&kept.read, stream)?;
    let projected = Projected {
        queries: &kept.queries,
        keys: &kept.keys,
        values: &kept.values,
    };
    let attended = Attended {
        read: &kept.read,
        log_sums: &kept.log_sums,
        read_gradient: &read_gradient,
    };
    let [mut queries, mut keys, values] = attend_gradient(Heads::of(config), around.texts, projected, attended)?;
    around.turn(&mut queries, config.query_size(), true);
    around.turn(&mut keys, config.kv_size(), true);
    let of_norm = (
        kept.before.as_slice(),
        attention_norm.as_slice(),
        kept.attention_inverses.as_slice(),
    );
    let normed = Numbers::new(rms_norm_again(of_norm.0, of_norm.1, of_norm.2));
    let (mut normed_gradient, query) = layers.query.backward(&normed, &queries)?;
    let (share, key) = layers.key.backward(&normed, &keys)?;
    add(normed_gradient.as_mut_slice(), share.as_slice());
    let (share, value) = layers.value.backward(&normed, &values)?;
    add(normed_gradient.as_mut_slice(), share.as_slice());
    let attention_norm = rms_norm_gradient(of_norm, normed_gradient.as_slice(), stream.as_mut_slice());
    Ok(BlockGradient {
        attention_norm,
        feed_forward_norm,
        linears: Linears {
            query,
            key,
            value,
            output,
            gate,
            up,
            down,
        },
    })
}
