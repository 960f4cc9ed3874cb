//! Forward and backward passes of a whole model over several texts.

use std::ops::Range;

use candle_core::{Result, bail};

use super::adapter::{Adapters, Dropout, LayerGradient};
use super::block::{self, Kept, Surroundings, Weights};
use super::block_gradient;
use super::entropy::entropy;
use super::kernels::{Rotation, add, rms_norm, rms_norm_gradient};
use super::leaves::Model;
use super::product::{Numbers, product};
use crate::config::LlamaConfig;

/// Texts with what should follow their tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// The tokens of all texts, one text after the other.
    pub(crate) tokens: Vec<u32>,
    /// The tokens of each text.
    pub(crate) texts: Vec<Range<usize>>,
    /// Places of the tokens after which something should follow, in ascending order, and what.
    pub(crate) targets: Vec<(usize, u32)>,
}

impl Batch {
    /// Adds a text; the tokens from this one on are to be learned.
    pub(crate) fn push(&mut self, tokens: impl Iterator<Item = u32>, first_target: usize) {
        let start = self.tokens.len();
        self.tokens.extend(tokens);
        self.texts.push(start..self.tokens.len());
        // The first token follows nothing.
        for (idx, &token) in self.tokens.iter().enumerate().skip(start + first_target.max(1)) {
            self.targets.push((idx - 1, token));
        }
    }
}

/// Texts of one length, for the tensor library.
#[derive(Debug)]
pub(crate) struct Padded {
    /// Tokens of the longest text.
    pub(crate) n_tokens: usize,
    /// The tokens of all texts, each followed by as much of token 0 as the longest is longer.
    pub(crate) tokens: Vec<u32>,
    /// Places of the tokens after which something should follow.
    pub(crate) places: Vec<u32>,
    /// What should follow.
    pub(crate) targets: Vec<u32>,
}

impl Batch {
    /// The batch with all texts as long as the longest.
    pub(crate) fn padded(&self) -> Padded {
        let n_tokens = self.texts.iter().map(Range::len).max().unwrap_or(0);
        let mut padded = Padded {
            n_tokens,
            tokens: Vec::with_capacity(n_tokens * self.texts.len()),
            places: Vec::with_capacity(self.targets.len()),
            targets: Vec::with_capacity(self.targets.len()),
        };
        let mut targets = self.targets.iter().peekable();
        for (idx, text) in self.texts.iter().enumerate() {
            let tokens = self.tokens.get(text.clone()).unwrap_or_default();
            padded.tokens.extend(tokens);
            padded.tokens.resize((idx + 1) * n_tokens, 0);
            while let Some((place, target)) = targets.next_if(|(place, _)| *place < text.end) {
                let place = idx * n_tokens + place - text.start;
                padded.places.push(u32::try_from(place).unwrap_or(u32::MAX));
                padded.targets.push(*target);
            }
        }
        padded
    }
}

/// A model with its adapters, all as they are at the moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<'a> {
    pub(crate) config: &'a LlamaConfig,
    pub(crate) model: &'a Model<Numbers>,
    pub(crate) adapters: Option<&'a Adapters<Numbers>>,
}

/// The loss of a batch and its gradient.
#[derive(Debug)]
pub(crate) struct Learned {
    /// The sum over the targets, in nats.
    pub(crate) loss: f64,
    /// The gradient of everything that is trained, in the order of the adapters or else of the model.
    pub(crate) gradient: Vec<Numbers>,
}

impl<'a> State<'a> {
    /// The sum of the losses of all targets, in nats.
    pub(crate) fn loss(&self, batch: &Batch) -> Result<f64> {
        let rotation = self.rotation(&batch.texts);
        let (stream, _) = self.forward(self.around(&rotation, &batch.texts), &batch.tokens, None, false)?;
        let (rows, targets) = self.target_rows(&stream, batch);
        let (normed, _) = rms_norm(rows.as_slice(), self.model.norm.as_slice(), self.epsilon());
        let (width, table) = (self.config.hidden_size, self.table());
        Ok(entropy(&Numbers::new(normed), width, table, &targets, None)?.loss)
    }

    /// The loss of a batch and the gradient of its sum times `scale`.
    pub(crate) fn learn(&self, batch: &Batch, scale: f32, dropout: Option<Dropout>) -> Result<Learned> {
        let width = self.config.hidden_size;
        let rotation = self.rotation(&batch.texts);
        let around = self.around(&rotation, &batch.texts);
        let (stream, mut kept) = self.forward(around, &batch.tokens, dropout, true)?;

        let (rows, targets) = self.target_rows(&stream, batch);
        let (normed, inverses) = rms_norm(rows.as_slice(), self.model.norm.as_slice(), self.epsilon());
        let entropy = entropy(&Numbers::new(normed), width, self.table(), &targets, Some(scale))?;
        let (normed_gradient, table) = entropy.gradients.unwrap_or((Vec::new(), Numbers::zeros(0)));
        let mut rows_gradient = vec![0.0; rows.as_slice().len()];
        let of_norm = (rows.as_slice(), self.model.norm.as_slice(), inverses.as_slice());
        let norm = rms_norm_gradient(of_norm, &normed_gradient, &mut rows_gradient);

        let mut stream = Numbers::zeros(stream.as_slice().len());
        for (row, (place, _)) in rows_gradient.chunks_exact(width).zip(&batch.targets) {
            if let Some(to) = stream.as_mut_slice().get_mut(place * width..(place + 1) * width) {
                to.copy_from_slice(row);
            }
        }
        let mut blocks = Vec::with_capacity(self.model.blocks.len());
        for idx in (0..self.model.blocks.len()).rev() {
            let (Some(weights), Some(kept)) = (self.block(idx, dropout), kept.pop()) else {
                bail!("block {idx} was not passed");
            };
            blocks.push(block_gradient::backward(around, weights, kept, &mut stream)?);
        }
        blocks.reverse();
        let gradient = match self.adapters {
            Some(_) => adapters_in_order(blocks),
            None => self.in_order(&batch.tokens, &stream, blocks, norm, table),
        };
        Ok(Learned {
            loss: entropy.loss,
            gradient,
        })
    }

    /// The residual stream after the last block, and what the backward pass needs where it is asked for.
    fn forward(
        &self,
        around: Surroundings<'_>,
        tokens: &[u32],
        dropout: Option<Dropout>,
        keep: bool,
    ) -> Result<(Numbers, Vec<Kept>)> {
        let mut stream = Numbers::new(embed(&self.model.embedding, self.config.hidden_size, tokens)?);
        let mut all_kept = Vec::new();
        for idx in 0..self.model.blocks.len() {
            let Some(weights) = self.block(idx, dropout) else {
                continue;
            };
            let (after, kept) = block::forward(around, weights, stream)?;
            stream = after;
            all_kept.extend(Some(kept).filter(|_| keep));
        }
        Ok((stream, all_kept))
    }

    /// The rows after which something should follow, and what.
    fn target_rows(&self, stream: &Numbers, batch: &Batch) -> (Numbers, Vec<u32>) {
        let width = self.config.hidden_size;
        let mut rows = Vec::with_capacity(batch.targets.len() * width);
        for (place, _) in &batch.targets {
            let row = stream.as_slice().get(place * width..(place + 1) * width);
            rows.extend_from_slice(row.unwrap_or_default());
        }
        (
            Numbers::new(rows),
            batch.targets.iter().map(|(_, target)| *target).collect(),
        )
    }

    /// The gradients of all tensors of the model, in its order.
    fn in_order(
        &self,
        tokens: &[u32],
        stream: &Numbers,
        blocks: Vec<block_gradient::BlockGradient>,
        norm: Vec<f32>,
        table: Numbers,
    ) -> Vec<Numbers> {
        let width = self.config.hidden_size;
        let (mut embedding, head) = match self.model.head {
            Some(_) => (Numbers::zeros(self.model.embedding.as_slice().len()), Some(table)),
            None => (table, None),
        };
        for (row, token) in stream.as_slice().chunks_exact(width).zip(tokens) {
            let at = *token as usize * width;
            let to = embedding.as_mut_slice().get_mut(at..at + width);
            add(to.unwrap_or_default(), row);
        }
        let mut all = vec![embedding];
        for block in blocks {
            all.push(Numbers::new(block.attention_norm));
            all.push(Numbers::new(block.feed_forward_norm));
            all.extend(
                block
                    .linears
                    .into_order()
                    .into_iter()
                    .filter_map(|linear| match linear {
                        LayerGradient::Weight(weight) => Some(weight),
                        LayerGradient::Adapter(_) => None,
                    }),
            );
        }
        all.push(Numbers::new(norm));
        all.extend(head);
        all
    }

    fn block(&self, idx: usize, dropout: Option<Dropout>) -> Option<Weights<'a>> {
        let of_block = |adapters: &'a Adapters<Numbers>| {
            let linears = adapters.blocks.get(idx)?;
            Some((linears, adapters.rank, adapters.scale))
        };
        Some(Weights {
            block: self.model.blocks.get(idx)?,
            adapters: self.adapters.and_then(of_block),
            dropout: dropout.map(|dropout| dropout.of_layer(idx)),
        })
    }

    fn around<'b>(&'b self, rotation: &'b Rotation, texts: &'b [Range<usize>]) -> Surroundings<'b> {
        Surroundings {
            config: self.config,
            rotation,
            texts,
        }
    }

    fn rotation(&self, texts: &[Range<usize>]) -> Rotation {
        Rotation::new(self.config, texts.iter().map(Range::len).max().unwrap_or(0))
    }

    /// The output layer.
    fn table(&self) -> &'a Numbers {
        self.model.head.as_ref().unwrap_or(&self.model.embedding)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the tensor library computes with single numbers, too"
    )]
    fn epsilon(&self) -> f32 {
        self.config.rms_norm_eps as f32
    }
}

/// The gradients of all adapters, in their order.
fn adapters_in_order(blocks: Vec<block_gradient::BlockGradient>) -> Vec<Numbers> {
    let linears = blocks.into_iter().flat_map(|block| block.linears.into_order());
    let matrices = linears.filter_map(|linear| match linear {
        LayerGradient::Weight(_) => None,
        LayerGradient::Adapter(adapter) => Some([adapter.inward, adapter.outward]),
    });
    matrices.flatten().collect()
}

/// The rows of the embedding for these tokens.
fn embed(table: &Numbers, width: usize, tokens: &[u32]) -> Result<Vec<f32>> {
    let mut rows = Vec::with_capacity(tokens.len() * width);
    for &token in tokens {
        let at = token as usize * width;
        let Some(row) = table.as_slice().get(at..at + width) else {
            bail!("token {token} is not in the vocabulary");
        };
        rows.extend_from_slice(row);
    }
    Ok(rows)
}

/// The logits that follow each token of a text.
pub(crate) fn logits(
    config: &LlamaConfig,
    model: &Model<Numbers>,
    adapters: Option<&Adapters<Numbers>>,
    tokens: &[u32],
) -> Result<Vec<f32>> {
    let state = State {
        config,
        model,
        adapters,
    };
    let text = 0..tokens.len();
    let texts = std::slice::from_ref(&text);
    let rotation = state.rotation(texts);
    let (stream, _) = state.forward(state.around(&rotation, texts), tokens, None, false)?;
    let (normed, _) = rms_norm(stream.as_slice(), model.norm.as_slice(), state.epsilon());
    let width = config.hidden_size;
    let normed = Numbers::new(normed);
    let logits = product(normed.rows(width), state.table().rows(width).t())?;
    Ok(logits.as_slice().to_vec())
}
