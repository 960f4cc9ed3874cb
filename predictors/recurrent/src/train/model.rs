//! The network as variables of the tensor library: the forward pass of a batch, with the graph for its gradient.

use super::batch::Batch;
use super::loss::{HeadsLoss, Tally};
use super::scan::{LayerState, Scan};
use crate::error::RecurrentError;
use crate::settings::{Cell, Loss, Settings};
use crate::token::{CLASSES, HEADS};
use crate::weights::{Linear, Weights};
use candle_core::{Device, Result, Tensor, Var};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use std::sync::{Arc, OnceLock};

/// The variables of a network.
pub(crate) struct Model {
    settings: Settings,
    pub(crate) weights: Weights<Var>,
}

/// What comes out of a batch.
pub(crate) struct Forward {
    /// Mean loss over the targets, from which gradients can be taken.
    pub(crate) loss: Tensor,
    /// Sum of the losses of the targets.
    pub(crate) loss_sum: f64,
    /// How often each head was right.
    pub(crate) hits: [usize; HEADS],
    /// State of each layer after the last step.
    pub(crate) last: Vec<LayerState>,
}

impl Model {
    /// Variables with these values.
    pub(crate) fn new(settings: &Settings, values: &[Vec<f32>]) -> std::result::Result<Self, RecurrentError> {
        let mut values = values.iter();
        let weights = Weights::build(settings, |leaf| {
            let values = values.next().map_or(&[][..], Vec::as_slice);
            Var::from_tensor(&Tensor::from_slice(values, leaf.shape, &Device::Cpu)?)
        })?;
        let settings = settings.clone();
        Ok(Self { settings, weights })
    }

    /// The zero state of so many rows.
    pub(crate) fn zero_state(&self, n_rows: usize) -> Vec<LayerState> {
        let n_units = n_rows * self.settings.hidden;
        let state = LayerState {
            units: vec![0.0; n_units],
            memory: match self.settings.cell {
                Cell::Gru => Vec::new(),
                Cell::Lstm => vec![0.0; n_units],
            },
        };
        vec![state; self.settings.layers]
    }

    /// Runs a batch from these states; with dropout where a source of randomness is given.
    pub(crate) fn forward(
        &self,
        batch: &Batch,
        start: Vec<LayerState>,
        dropout: Option<&mut ChaCha8Rng>,
    ) -> Result<Forward> {
        let ((op_types, details), last) = self.scores(batch, start, dropout)?;
        let (op_type_loss, op_type) = heads_loss(&op_types, batch, 0..1, 2.0)?;
        let (details_loss, details) = heads_loss(&details, batch, 1..HEADS, 1.0)?;
        let mut hits = [0; HEADS];
        for (hits, counted) in hits.iter_mut().zip(op_type.hits.iter().chain(&details.hits)) {
            *hits = *counted;
        }
        Ok(Forward {
            loss: (op_type_loss + details_loss)?,
            loss_sum: op_type.loss + details.loss,
            hits,
            last,
        })
    }

    /// Scores of the op type and of the other heads, one row for each target, and the state of each layer after the last step.
    pub(crate) fn scores(
        &self,
        batch: &Batch,
        start: Vec<LayerState>,
        dropout: Option<&mut ChaCha8Rng>,
    ) -> Result<((Tensor, Tensor), Vec<LayerState>)> {
        let (hidden, last) = self.hidden(batch, start, dropout)?;
        let counted = match self.settings.loss {
            Loss::EveryStep => hidden,
            Loss::LastStep => hidden.narrow(0, (batch.n_steps - 1) * batch.n_rows, batch.n_rows)?,
        };
        let op_types = apply(&self.weights.op_type, &counted)?;
        let details = apply(&self.weights.details, &self.seen_by_details(batch, counted)?)?;
        Ok(((op_types, details), last))
    }

    /// Output of the last recurrent layer, (steps × rows, hidden).
    fn hidden(
        &self,
        batch: &Batch,
        start: Vec<LayerState>,
        mut dropout: Option<&mut ChaCha8Rng>,
    ) -> Result<(Tensor, Vec<LayerState>)> {
        let mut embedded = Vec::with_capacity(HEADS);
        for (table, ids) in self.weights.embeddings.iter().zip(&batch.ids) {
            let ids = Tensor::from_slice(ids, ids.len(), &Device::Cpu)?;
            embedded.push(table.index_select(&ids, 0)?);
        }
        let mut output = apply(&self.weights.projection, &Tensor::cat(&embedded, 1)?)?.relu()?;
        let moves = Arc::new(batch.moves.clone());
        let mut last = Vec::with_capacity(self.settings.layers);
        for (layer, (cell, start)) in self.weights.cells.iter().zip(start).enumerate() {
            if let Some(random) = dropout.as_deref_mut().filter(|_| layer > 0) {
                output = drop_out(&output, self.settings.dropout, random)?;
            }
            let kept = Arc::new(OnceLock::new());
            let scan = Scan {
                cell: self.settings.cell,
                hidden: self.settings.hidden,
                n_rows: batch.n_rows,
                start,
                moves: moves.clone(),
                kept: kept.clone(),
            };
            let gates = apply(&cell.input, &output)?;
            output = gates.apply_op3(&cell.state.weight, &cell.state.bias, scan)?;
            last.push(kept.get().map(|kept| kept.last.clone()).unwrap_or_default());
        }
        Ok((output, last))
    }

    /// What range and value-type heads read: the hidden units, with conditional heads together with the true op type.
    fn seen_by_details(&self, batch: &Batch, hidden: Tensor) -> Result<Tensor> {
        let Some(given) = &self.weights.given else {
            return Ok(hidden);
        };
        let op_types = batch.targets.iter().map(|target| target.map_or(0, |[op_type, ..]| u32::from(op_type)));
        let op_types = Tensor::from_iter(op_types, &Device::Cpu)?;
        let share = given.embedding.matmul(&given.op_type.t()?)?.index_select(&op_types, 0)?;
        (apply(&given.hidden, &hidden)? + share)?.relu()
    }
}

/// A linear layer.
fn apply(linear: &Linear<Var>, input: &Tensor) -> Result<Tensor> {
    input.matmul(&linear.weight.t()?)?.broadcast_add(&linear.bias)
}

/// The loss of the heads in this range.
fn heads_loss(
    scores: &Tensor,
    batch: &Batch,
    heads: std::ops::Range<usize>,
    weight: f32,
) -> Result<(Tensor, Tally)> {
    let tally = Arc::new(OnceLock::new());
    let of_heads = |classes: &[u8; HEADS]| classes.get(heads.clone()).map(<[u8]>::to_vec);
    let loss = HeadsLoss {
        classes: CLASSES.get(heads.clone()).unwrap_or_default().to_vec(),
        weight,
        targets: batch.targets.iter().map(|target| target.as_ref().and_then(of_heads)).collect(),
        tally: tally.clone(),
    };
    let mean = scores.contiguous()?.apply_op1(loss)?;
    Ok((mean, tally.get().cloned().unwrap_or_default()))
}

/// Sets a random share of the numbers to zero and scales the rest up to make good for it.
fn drop_out(input: &Tensor, share: f64, random: &mut ChaCha8Rng) -> Result<Tensor> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the range of u32")]
    let threshold = (share * f64::from(u32::MAX)) as u32;
    #[expect(clippy::cast_possible_truncation, reason = "a factor")]
    let scale = (1.0 / (1.0 - share)) as f32;
    let n_numbers = input.elem_count();
    let kept = (0..n_numbers).map(|_| if random.next_u32() < threshold { 0.0 } else { scale });
    input.mul(&Tensor::from_vec(kept.collect(), input.shape(), &Device::Cpu)?)
}
