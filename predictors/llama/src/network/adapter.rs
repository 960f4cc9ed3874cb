//! Low-rank adapters beside linear layers whose weights stay as they are (LoRA).

use rand::{RngCore as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::kernels::add;
use super::leaves::{Leaf, Linears, Model};
use super::product::{Numbers, product};
use crate::config::LlamaConfig;

/// Two narrow matrices whose product is added to the weights of a linear layer.
#[derive(Clone, Debug)]
pub(crate) struct Adapter<T> {
    /// `[rank, inputs]`.
    pub(crate) inward: T,
    /// `[outputs, rank]`.
    pub(crate) outward: T,
}

/// The adapters of a model.
#[derive(Clone, Debug)]
pub(crate) struct Adapters<T> {
    pub(crate) rank: usize,
    /// What the product is multiplied by.
    pub(crate) scale: f32,
    pub(crate) blocks: Vec<Linears<Adapter<T>>>,
}

impl<T> Adapters<T> {
    /// Makes both matrices of every linear layer.
    pub(crate) fn build(config: &LlamaConfig, rank: usize, scale: f32, mut make: impl FnMut(&Leaf) -> T) -> Self {
        let made = Self::try_build(config, rank, scale, |leaf| {
            Ok::<_, std::convert::Infallible>(make(leaf))
        });
        match made {
            Ok(adapters) => adapters,
            Err(never) => match never {},
        }
    }

    /// Makes both matrices of every linear layer, or fails.
    pub(crate) fn try_build<E>(
        config: &LlamaConfig,
        rank: usize,
        scale: f32,
        mut make: impl FnMut(&Leaf) -> Result<T, E>,
    ) -> Result<Self, E> {
        let mut adapter = |leaf: &Leaf| {
            let stem = leaf.name.strip_suffix(".weight").unwrap_or(&leaf.name);
            let (outputs, inputs) = match leaf.shape.as_slice() {
                [outputs, inputs] => (*outputs, *inputs),
                _ => (0, 0),
            };
            let mut make = |name: &str, shape: [usize; 2]| {
                make(&Leaf {
                    name: format!("{stem}.{name}.weight"),
                    shape: shape.to_vec(),
                    is_norm: false,
                    to_residual: false,
                })
            };
            Ok(Adapter {
                inward: make("lora_A", [rank, inputs])?,
                outward: make("lora_B", [outputs, rank])?,
            })
        };
        let block = |block| Linears::build(config, block, &mut adapter);
        Ok(Self {
            rank,
            scale,
            blocks: (0..config.num_hidden_layers).map(block).collect::<Result<_, _>>()?,
        })
    }

    /// All matrices, in a fixed order.
    pub(crate) fn in_order(&self) -> Vec<&T> {
        let linears = self.blocks.iter().flat_map(Linears::in_order);
        linears
            .flat_map(|adapter| [&adapter.inward, &adapter.outward])
            .collect()
    }

    /// All matrices to be changed, in a fixed order.
    pub(crate) fn in_order_mut(&mut self) -> Vec<&mut T> {
        let linears = self.blocks.iter_mut().flat_map(Linears::in_order_mut);
        linears
            .flat_map(|adapter| [&mut adapter.inward, &mut adapter.outward])
            .collect()
    }

    /// All matrices, in a fixed order.
    pub(crate) fn into_order(self) -> Vec<T> {
        let linears = self.blocks.into_iter().flat_map(Linears::into_order);
        linears.flat_map(|adapter| [adapter.inward, adapter.outward]).collect()
    }
}

/// Adds the products of the adapters to the weights beside which they stand.
pub(crate) fn merge(model: &mut Model<Numbers>, adapters: &Adapters<Numbers>) -> candle_core::Result<()> {
    for (block, adapters_of_block) in model.blocks.iter_mut().zip(&adapters.blocks) {
        let pairs = block
            .linears
            .in_order_mut()
            .into_iter()
            .zip(adapters_of_block.in_order());
        for (weight, adapter) in pairs {
            let rank = adapters.rank;
            let inputs = adapter.inward.as_slice().len() / rank.max(1);
            let mut share = product(adapter.outward.rows(rank), adapter.inward.rows(inputs))?;
            for number in share.as_mut_slice() {
                *number *= adapters.scale;
            }
            add(weight.as_mut_slice(), share.as_slice());
        }
    }
    Ok(())
}

/// Numbers left out at random in front of adapters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dropout {
    /// The share that is left out.
    pub(crate) share: f64,
    pub(crate) seed: u64,
    /// Which of the seed's streams is meant: another one for each step, batch and layer.
    pub(crate) stream: u64,
}

impl Dropout {
    /// The dropout of another layer.
    pub(crate) fn of_layer(self, layer: usize) -> Self {
        Self {
            stream: self.stream.wrapping_mul(1 << 16).wrapping_add(layer as u64),
            ..self
        }
    }

    /// Sets the numbers that are left out to 0 and makes the others greater by as much; the same ones each time.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 65,536, and the lowest bits"
    )]
    fn apply(self, numbers: &mut [f32]) {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(self.stream);
        let bound = (self.share * 65_536.0) as u16;
        let rest = 1.0 / (1.0 - self.share as f32);
        for four in numbers.chunks_mut(4) {
            let mut bits = random.next_u64();
            for number in four {
                *number *= if (bits as u16) < bound { 0.0 } else { rest };
                bits >>= 16;
            }
        }
    }
}

/// A linear layer with its adapter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'a> {
    /// `[outputs, inputs]`.
    pub(crate) weight: &'a Numbers,
    pub(crate) inputs: usize,
    pub(crate) adapter: Option<(&'a Adapter<Numbers>, usize, f32)>,
    pub(crate) dropout: Option<Dropout>,
}

/// The gradient of what of a linear layer is trained.
#[derive(Debug)]
pub(crate) enum LayerGradient {
    Weight(Numbers),
    Adapter(Adapter<Numbers>),
}

impl Layer<'_> {
    /// What the layer gives for these rows.
    pub(crate) fn forward(&self, rows: &Numbers) -> candle_core::Result<Numbers> {
        let mut outputs = product(rows.rows(self.inputs), self.weight.rows(self.inputs).t())?;
        if let Some((adapter, rank, scale)) = self.adapter {
            let narrow = self.narrowed(&self.dropped(rows), adapter, scale)?;
            let share = product(narrow.rows(rank), adapter.outward.rows(rank).t())?;
            add(outputs.as_mut_slice(), share.as_slice());
        }
        Ok(outputs)
    }

    /// The gradient of the rows and that of what is trained.
    pub(crate) fn backward(&self, rows: &Numbers, given: &Numbers) -> candle_core::Result<(Numbers, LayerGradient)> {
        let outputs = self.weight.as_slice().len() / self.inputs.max(1);
        let given = given.rows(outputs);
        let mut rows_gradient = product(given, self.weight.rows(self.inputs))?;
        let Some((adapter, rank, scale)) = self.adapter else {
            let weight = product(given.t(), rows.rows(self.inputs))?;
            return Ok((rows_gradient, LayerGradient::Weight(weight)));
        };
        let dropped = self.dropped(rows);
        let narrow = self.narrowed(&dropped, adapter, scale)?;
        let outward = product(given.t(), narrow.rows(rank))?;
        let mut narrow_gradient = product(given, adapter.outward.rows(rank))?;
        for slope in narrow_gradient.as_mut_slice() {
            *slope *= scale;
        }
        let inward = product(narrow_gradient.rows(rank).t(), dropped.rows(self.inputs))?;
        let mut share = product(narrow_gradient.rows(rank), adapter.inward.rows(self.inputs))?;
        if let Some(dropout) = self.dropout {
            dropout.apply(share.as_mut_slice());
        }
        add(rows_gradient.as_mut_slice(), share.as_slice());
        Ok((rows_gradient, LayerGradient::Adapter(Adapter { inward, outward })))
    }

    fn dropped<'a>(&self, rows: &'a Numbers) -> std::borrow::Cow<'a, Numbers> {
        let Some(dropout) = self.dropout else {
            return std::borrow::Cow::Borrowed(rows);
        };
        let mut rows = rows.clone();
        dropout.apply(rows.as_mut_slice());
        std::borrow::Cow::Owned(rows)
    }

    fn narrowed(&self, dropped: &Numbers, adapter: &Adapter<Numbers>, scale: f32) -> candle_core::Result<Numbers> {
        let mut narrow = product(dropped.rows(self.inputs), adapter.inward.rows(self.inputs).t())?;
        for number in narrow.as_mut_slice() {
            *number *= scale;
        }
        Ok(narrow)
    }
}
