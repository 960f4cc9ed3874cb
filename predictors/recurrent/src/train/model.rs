//! The network on a whole batch: forward, and back with the gradient of every tensor.

use super::batch::Batch;
use super::linear::{add, by_outputs, by_rows, over_rows, rectify, rectify_gradient};
use super::loss::HeadsLoss;
use super::scan::{Kept, LayerState, Scan};
use crate::settings::{Cell, Loss, Settings};
use crate::token::{CLASSES, HEADS, OP_TYPES};
use crate::weights::{CellWeights, Given, Weights};
use candle_core::Result;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

/// A network that learns.
pub(crate) struct Model<'a> {
    settings: &'a Settings,
    weights: Weights<Vec<f32>>,
}

/// What comes out of a batch, and what its gradient needs.
pub(crate) struct Forward {
    /// Sum of the losses of the targets.
    pub(crate) loss_sum: f64,
    /// How often each head was right.
    pub(crate) hits: [usize; HEADS],
    /// State of each layer after the last step.
    pub(crate) last: Vec<LayerState>,
    embedded: Vec<f32>,
    projected: Vec<f32>,
    layers: Vec<Layer>,
    /// Output of the last layer where there may be targets.
    top: Vec<f32>,
    /// The rectified layer below conditional heads.
    given: Option<Vec<f32>>,
    /// Gradients of the scores.
    of_op_type: Vec<f32>,
    of_details: Vec<f32>,
}

/// A recurrent layer's part of a forward pass.
struct Layer {
    scan: Scan,
    input: Vec<f32>,
    /// Factors that the input was multiplied by, if any.
    dropout: Option<Vec<f32>>,
    kept: Kept,
}

impl<'a> Model<'a> {
    /// A network with these values.
    pub(crate) fn new(settings: &'a Settings, values: &[Vec<f32>]) -> Self {
        Self {
            settings,
            weights: Weights::from_values(settings, values),
        }
    }

    /// Runs a batch from these states; with dropout where a source of randomness is given.
    pub(crate) fn forward(
        &self,
        batch: &Batch,
        start: Vec<LayerState>,
        mut dropout: Option<&mut ChaCha8Rng>,
    ) -> Result<Forward> {
        let embedded = self.embed(batch);
        let mut projected = self.weights.projection.forward(&embedded)?;
        rectify(&mut projected);
        let mut layers: Vec<Layer> = Vec::with_capacity(self.settings.layers);
        for (cell, start) in self.weights.cells.iter().zip(start) {
            let mut input = layers.last().map_or(&projected, |below| &below.kept.output).clone();
            let random = dropout.as_deref_mut().filter(|_| !layers.is_empty());
            let dropout = random.map(|random| drop_out(&mut input, self.settings.dropout, random));
            let scan = Scan {
                cell: self.settings.cell,
                hidden: self.settings.hidden,
                n_rows: batch.n_rows,
                start,
            };
            let kept = scan.forward(&cell.input.forward(&input)?, &cell.state, &batch.moves)?;
            layers.push(Layer {
                scan,
                input,
                dropout,
                kept,
            });
        }
        let output = layers.last().map_or(&[][..], |layer| &layer.kept.output);
        let top = output.get(self.uncounted(batch)..).unwrap_or_default().to_vec();
        let given = self.below_details(batch, &top)?;
        let op_type = heads_loss(self.weights.op_type.forward(&top)?, batch, 0..1, 2.0);
        let seen = given.as_ref().unwrap_or(&top);
        let details = heads_loss(self.weights.details.forward(seen)?, batch, 1..HEADS, 1.0);
        let mut hits = [0; HEADS];
        for (hits, counted) in hits.iter_mut().zip(op_type.hits.iter().chain(&details.hits)) {
            *hits = *counted;
        }
        Ok(Forward {
            loss_sum: op_type.loss + details.loss,
            hits,
            last: layers.iter().map(|layer| layer.kept.last.clone()).collect(),
            embedded,
            projected,
            layers,
            top,
            given,
            of_op_type: op_type.gradient,
            of_details: details.gradient,
        })
    }

    /// Numbers of the last layer's output before those that can have a target.
    fn uncounted(&self, batch: &Batch) -> usize {
        match self.settings.loss {
            Loss::EveryStep => 0,
            Loss::LastStep => batch.n_steps.saturating_sub(1) * batch.n_rows * self.settings.hidden,
        }
    }

    /// The six embeddings of every step, side by side.
    fn embed(&self, batch: &Batch) -> Vec<f32> {
        let width = self.settings.embedded();
        let mut embedded = vec![0.0; batch.moves.len() * width];
        let mut from = 0;
        let tables = self.weights.embeddings.iter().zip(self.settings.embedding_widths());
        for ((table, n_columns), ids) in tables.zip(&batch.ids) {
            for (row, &id) in embedded.chunks_exact_mut(width).zip(ids) {
                let entry = table.chunks_exact(n_columns).nth(id as usize).unwrap_or_default();
                row.iter_mut()
                    .skip(from)
                    .zip(entry)
                    .for_each(|(place, number)| *place = *number);
            }
            from += n_columns;
        }
        embedded
    }

    /// Gradients of the tables from those of the embeddings.
    fn embed_gradient(&self, batch: &Batch, of_embedded: &[f32]) -> Vec<Vec<f32>> {
        let width = self.settings.embedded();
        let mut from = 0;
        let tables = self.weights.embeddings.iter().zip(self.settings.embedding_widths());
        let gradients = tables.zip(&batch.ids).map(|((table, n_columns), ids)| {
            let mut gradient = vec![0.0; table.len()];
            for (row, &id) in of_embedded.chunks_exact(width).zip(ids) {
                let entry = gradient
                    .chunks_exact_mut(n_columns)
                    .nth(id as usize)
                    .unwrap_or_default();
                entry
                    .iter_mut()
                    .zip(row.iter().skip(from))
                    .for_each(|(sum, slope)| *sum += slope);
            }
            from += n_columns;
            gradient
        });
        gradients.collect()
    }

    /// The layer below conditional heads, which sees the true op type.
    fn below_details(&self, batch: &Batch, top: &[f32]) -> Result<Option<Vec<f32>>> {
        let Some(given) = &self.weights.given else {
            return Ok(None);
        };
        let hidden = self.settings.hidden;
        let mut layer = given.hidden.forward(top)?;
        let table = by_outputs(&given.embedding, &given.op_type, self.settings.op_type_embedding)?;
        for (row, op_type) in layer.chunks_exact_mut(hidden).zip(op_types(batch)) {
            add(row, table.chunks_exact(hidden).nth(op_type).unwrap_or_default());
        }
        rectify(&mut layer);
        Ok(Some(layer))
    }

    /// Gradients of the layer below conditional heads and of the hidden units that it reads.
    fn below_details_gradient(
        &self,
        given: &Given<Vec<f32>>,
        batch: &Batch,
        top: &[f32],
        of_layer: &[f32],
    ) -> Result<(Given<Vec<f32>>, Vec<f32>)> {
        let (hidden, width) = (self.settings.hidden, self.settings.op_type_embedding);
        let mut of_table = vec![0.0; OP_TYPES * hidden];
        for (row, op_type) in of_layer.chunks_exact(hidden).zip(op_types(batch)) {
            add(of_table.chunks_exact_mut(hidden).nth(op_type).unwrap_or_default(), row);
        }
        let (of_hidden, of_top) = given.hidden.backward(top, of_layer)?;
        let of_given = Given {
            hidden: of_hidden,
            op_type: over_rows(&of_table, hidden, &given.embedding, width)?,
            embedding: by_rows(&of_table, &given.op_type, width)?,
        };
        Ok((of_given, of_top))
    }

    /// The gradient of the mean loss by every tensor.
    pub(crate) fn backward(&self, batch: &Batch, forward: Forward) -> Result<Weights<Vec<f32>>> {
        let weights = &self.weights;
        let (op_type, mut of_top) = weights.op_type.backward(&forward.top, &forward.of_op_type)?;
        let seen = forward.given.as_ref().unwrap_or(&forward.top);
        let (details, mut of_seen) = weights.details.backward(seen, &forward.of_details)?;
        let mut of_given = None;
        if let (Some(given), Some(layer)) = (&weights.given, &forward.given) {
            rectify_gradient(&mut of_seen, layer);
            let (gradient, through) = self.below_details_gradient(given, batch, &forward.top, &of_seen)?;
            of_given = Some(gradient);
            of_seen = through;
        }
        add(&mut of_top, &of_seen);
        let mut gradient = vec![0.0; self.uncounted(batch)];
        gradient.extend(of_top);
        let mut cells = Vec::with_capacity(forward.layers.len());
        for (cell, layer) in weights.cells.iter().zip(forward.layers).rev() {
            let (of_gates, state) = layer.scan.backward(&layer.kept, &gradient, &cell.state, &batch.moves)?;
            let (input, mut of_input) = cell.input.backward(&layer.input, &of_gates)?;
            if let Some(factors) = &layer.dropout {
                of_input
                    .iter_mut()
                    .zip(factors)
                    .for_each(|(slope, factor)| *slope *= factor);
            }
            gradient = of_input;
            cells.push(CellWeights { input, state });
        }
        cells.reverse();
        rectify_gradient(&mut gradient, &forward.projected);
        let (projection, of_embedded) = weights.projection.backward(&forward.embedded, &gradient)?;
        Ok(Weights {
            embeddings: self.embed_gradient(batch, &of_embedded),
            projection,
            cells,
            op_type,
            given: of_given,
            details,
        })
    }
}

/// The zero state of so many rows.
pub(crate) fn zero_state(settings: &Settings, n_rows: usize) -> Vec<LayerState> {
    let n_units = n_rows * settings.hidden;
    let state = LayerState {
        units: vec![0.0; n_units],
        memory: match settings.cell {
            Cell::Gru => Vec::new(),
            Cell::Lstm => vec![0.0; n_units],
        },
    };
    vec![state; settings.layers]
}

/// The op types that the heads are given; what has no target has no gradient either.
fn op_types(batch: &Batch) -> impl Iterator<Item = usize> + '_ {
    batch
        .targets
        .iter()
        .map(|target| target.map_or(0, |[op_type, ..]| usize::from(op_type)))
}

/// The loss of the heads in this range.
fn heads_loss(scores: Vec<f32>, batch: &Batch, heads: std::ops::Range<usize>, weight: f32) -> super::loss::Tally {
    let loss = HeadsLoss {
        classes: CLASSES.get(heads.clone()).unwrap_or_default(),
        first: heads.start,
        weight,
        targets: &batch.targets,
    };
    loss.tally(scores)
}

/// Sets a random share of the numbers to zero and scales the rest up to make good for it; returns the factors.
fn drop_out(numbers: &mut [f32], share: f64, random: &mut ChaCha8Rng) -> Vec<f32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the range of u32"
    )]
    let threshold = (share * f64::from(u32::MAX)) as u32;
    #[expect(clippy::cast_possible_truncation, reason = "a factor")]
    let scale = (1.0 / (1.0 - share)) as f32;
    let factor = |number: &mut f32| {
        let factor = if random.next_u32() < threshold { 0.0 } else { scale };
        *number *= factor;
        factor
    };
    numbers.iter_mut().map(factor).collect()
}
