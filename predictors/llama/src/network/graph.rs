//! The same model as a graph of the tensor library, for devices other than the processor.
//!
//! On the processor the passes that are written out by hand are faster ([`super::pass`]); there this one is the measure of
//! them in the tests.

use candle_core::backend::BackendStorage as _;
use candle_core::{CpuStorage, CudaStorage, CustomOp2, D, Device, Layout, Result, Shape, Tensor};

use super::adapter::{Adapter, Adapters};
use super::leaves::{Block, Model};
use super::pass::{Batch, Padded};
use crate::config::LlamaConfig;

/// What later tokens get in place of a score: so little that nothing of it is left.
const MASKED: f32 = -1e9;

/// A model on a device, as it is at the moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Graph<'a> {
    pub(crate) config: &'a LlamaConfig,
    pub(crate) model: &'a Model<Tensor>,
    pub(crate) adapters: Option<&'a Adapters<Tensor>>,
    /// Share of the numbers left out in front of adapters.
    pub(crate) dropout: f64,
    pub(crate) device: &'a Device,
}

/// What all blocks of a pass share.
struct Around {
    cosines: Tensor,
    sines: Tensor,
    mask: Tensor,
}

impl Graph<'_> {
    /// The sum of the losses of all targets, in nats.
    pub(crate) fn loss(&self, batch: &Batch) -> Result<Tensor> {
        let n_texts = batch.texts.len();
        let Padded {
            n_tokens,
            tokens,
            places,
            targets,
        } = batch.padded();
        let tokens = Tensor::from_vec(tokens, n_texts * n_tokens, self.device)?;
        let hidden = self.config.hidden_size;
        let mut stream = self.model.embedding.index_select(&tokens, 0)?;
        stream = stream.reshape((n_texts, n_tokens, hidden))?;
        let around = self.around(n_tokens)?;
        for (idx, block) in self.model.blocks.iter().enumerate() {
            stream = self.block(idx, block, &around, &stream)?;
        }
        let n_targets = targets.len();
        let places = Tensor::from_vec(places, n_targets, self.device)?;
        let rows = stream.reshape((n_texts * n_tokens, hidden))?.index_select(&places, 0)?;
        let rows = self.norm(&rows, &self.model.norm)?;
        let table = self.model.head.as_ref().unwrap_or(&self.model.embedding);
        let logits = candle_nn::ops::log_softmax(&rows.matmul(&table.t()?)?, D::Minus1)?;
        let targets = Tensor::from_vec(targets, (n_targets, 1), self.device)?;
        logits.gather(&targets, 1)?.sum_all()?.neg()
    }

    fn around(&self, n_tokens: usize) -> Result<Around> {
        let (cosines, sines) = super::kernels::Rotation::new(self.config, n_tokens).into_tables();
        let half = self.config.head_dim() / 2;
        let table = |numbers| Tensor::from_vec(numbers, (1, 1, n_tokens, half), self.device);
        let row = |row: usize| (0..n_tokens).map(move |column| if column > row { MASKED } else { 0.0 });
        let mask: Vec<f32> = (0..n_tokens).flat_map(row).collect();
        Ok(Around {
            cosines: table(cosines)?,
            sines: table(sines)?,
            mask: Tensor::from_vec(mask, (1, 1, n_tokens, n_tokens), self.device)?,
        })
    }

    fn block(&self, idx: usize, block: &Block<Tensor>, around: &Around, stream: &Tensor) -> Result<Tensor> {
        let adapters = self.adapters.and_then(|adapters| adapters.blocks.get(idx));
        let linear =
            |rows: &Tensor, weight: &Tensor, adapter: Option<&Adapter<Tensor>>| self.linear(rows, weight, adapter);
        let linears = &block.linears;
        let normed = self.norm(stream, &block.attention_norm)?;
        let queries = linear(&normed, &linears.query, adapters.map(|adapters| &adapters.query))?;
        let keys = linear(&normed, &linears.key, adapters.map(|adapters| &adapters.key))?;
        let values = linear(&normed, &linears.value, adapters.map(|adapters| &adapters.value))?;
        let read = self.attend(around, &queries, &keys, &values)?;
        let output = linear(&read, &linears.output, adapters.map(|adapters| &adapters.output))?;
        let stream = (stream + output)?;
        let normed = self.norm(&stream, &block.feed_forward_norm)?;
        let gates = linear(&normed, &linears.gate, adapters.map(|adapters| &adapters.gate))?;
        let ups = linear(&normed, &linears.up, adapters.map(|adapters| &adapters.up))?;
        let inner = (gates.silu()? * ups)?;
        let down = linear(&inner, &linears.down, adapters.map(|adapters| &adapters.down))?;
        stream + down
    }

    fn norm(&self, rows: &Tensor, weights: &Tensor) -> Result<Tensor> {
        let squares = (rows.sqr()?.mean_keepdim(D::Minus1)? + self.config.rms_norm_eps)?;
        rows.broadcast_div(&squares.sqrt()?)?.broadcast_mul(weights)
    }

    fn linear(&self, rows: &Tensor, weight: &Tensor, adapter: Option<&Adapter<Tensor>>) -> Result<Tensor> {
        let (n_texts, n_tokens, width) = rows.dims3()?;
        let rows = rows.reshape((n_texts * n_tokens, width))?;
        let (outputs, _) = weight.dims2()?;
        let given = match (adapter, self.adapters) {
            (Some(adapter), Some(adapters)) => {
                let given = rows.apply_op2(weight, FrozenLinear)?;
                let dropped = match self.dropout > 0.0 {
                    true => candle_nn::ops::dropout(&rows, narrowed(self.dropout))?,
                    false => rows,
                };
                let narrow = (dropped.matmul(&adapter.inward.t()?)? * f64::from(adapters.scale))?;
                (given + narrow.matmul(&adapter.outward.t()?)?)?
            }
            _ => rows.matmul(&weight.t()?)?,
        };
        given.reshape((n_texts, n_tokens, outputs))
    }

    fn attend(&self, around: &Around, queries: &Tensor, keys: &Tensor, values: &Tensor) -> Result<Tensor> {
        let (n_texts, n_tokens, query_size) = queries.dims3()?;
        let (n_heads, n_kv, width) = (
            self.config.num_attention_heads,
            self.config.n_kv_heads(),
            self.config.head_dim(),
        );
        let by_head = |numbers: &Tensor, n_heads| {
            let numbers = numbers.reshape((n_texts, n_tokens, n_heads, width))?;
            numbers.transpose(1, 2)?.contiguous()
        };
        // Each key and value serves a group of queries.
        let for_group = |numbers: Tensor| {
            let shape = (n_texts, n_kv, n_heads / n_kv, n_tokens, width);
            let numbers = numbers.unsqueeze(2)?.broadcast_as(shape)?.contiguous()?;
            numbers.reshape((n_texts, n_heads, n_tokens, width))
        };
        let queries = turned(around, &by_head(queries, n_heads)?)?;
        let keys = for_group(turned(around, &by_head(keys, n_kv)?)?)?;
        let values = for_group(by_head(values, n_kv)?)?;
        #[expect(clippy::cast_precision_loss, reason = "heads are narrow")]
        let scale = 1.0 / (width as f64).sqrt();
        let scores = (queries.matmul(&keys.t()?)? * scale)?.broadcast_add(&around.mask)?;
        let read = candle_nn::ops::softmax(&scores, D::Minus1)?.matmul(&values)?;
        read.transpose(1, 2)?
            .contiguous()?
            .reshape((n_texts, n_tokens, query_size))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share")]
fn narrowed(share: f64) -> f32 {
    share as f32
}

/// Turns the halves of all heads against each other.
fn turned(around: &Around, heads: &Tensor) -> Result<Tensor> {
    let half = heads.dim(D::Minus1)? / 2;
    let (first, second) = (heads.narrow(D::Minus1, 0, half)?, heads.narrow(D::Minus1, half, half)?);
    let (cosines, sines) = (&around.cosines, &around.sines);
    let left = (first.broadcast_mul(cosines)? - second.broadcast_mul(sines)?)?;
    let right = (second.broadcast_mul(cosines)? + first.broadcast_mul(sines)?)?;
    Tensor::cat(&[left, right], D::Minus1)
}

/// A linear layer whose weights stay as they are: its backward pass is spared their gradient.
struct FrozenLinear;

/// Batches, rows, outputs and inputs of a product.
type Sizes = (usize, usize, usize, usize);

/// The sizes of a linear layer, and the layout of its weights transposed.
fn sizes(rows: &Layout, weight: &Layout) -> Result<(Sizes, Layout, Shape)> {
    let ((n_rows, inputs), (outputs, _)) = (rows.shape().dims2()?, weight.shape().dims2()?);
    let shape = Shape::from((n_rows, outputs));
    Ok(((1, n_rows, outputs, inputs), weight.transpose(0, 1)?, shape))
}

impl CustomOp2 for FrozenLinear {
    fn name(&self) -> &'static str {
        "frozen-linear"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (sizes, transposed, shape) = sizes(rows_layout, weight_layout)?;
        Ok((rows.matmul(weight, sizes, rows_layout, &transposed)?, shape))
    }

    fn cuda_fwd(
        &self,
        rows: &CudaStorage,
        rows_layout: &Layout,
        weight: &CudaStorage,
        weight_layout: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        let (sizes, transposed, shape) = sizes(rows_layout, weight_layout)?;
        Ok((rows.matmul(weight, sizes, rows_layout, &transposed)?, shape))
    }

    fn bwd(
        &self,
        _rows: &Tensor,
        weight: &Tensor,
        _given: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        Ok((Some(gradient.matmul(weight)?), None))
    }
}
