//! A recurrent layer over all steps of a batch, and its gradient. A step is one matrix product and one pass over the rows.

mod rows;

use super::linear::{add, add_bias, over_rows, sum_rows};
use crate::settings::Cell;
use crate::weights::Linear;
use candle_core::{Device, Result, Tensor};

/// State of a layer for all rows of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LayerState {
    /// Hidden units of one row after the other.
    pub(crate) units: Vec<f32>,
    /// Cell units of an LSTM; for a GRU there are none.
    pub(crate) memory: Vec<f32>,
}

/// What a forward pass leaves behind.
#[derive(Debug)]
pub(crate) struct Kept {
    /// What the gradient needs of each step and row.
    activations: Vec<f32>,
    /// The hidden units after each step, (steps × rows, hidden).
    pub(crate) output: Vec<f32>,
    /// The state after the last step.
    pub(crate) last: LayerState,
}

/// The layer, but for its weights.
pub(crate) struct Scan {
    pub(crate) cell: Cell,
    pub(crate) hidden: usize,
    pub(crate) n_rows: usize,
    /// The state before the first step; no gradient goes there.
    pub(crate) start: LayerState,
}

impl Scan {
    fn n_gates(&self) -> usize {
        self.cell.gates() * self.hidden
    }

    /// One step of all rows: from the units before to the units after.
    fn step(&self, step: Step<'_>, memory: &mut [f32]) {
        let hidden = self.hidden;
        let Step {
            before,
            moves,
            input,
            state,
            after,
            kept,
        } = step;
        let before = before.chunks_exact(hidden).zip(moves);
        let gates = input
            .chunks_exact(self.n_gates())
            .zip(state.chunks_exact(self.n_gates()));
        let after = after.chunks_exact_mut(hidden);
        let kept = kept.chunks_exact_mut(rows::kept(self.cell) * hidden);
        let mut memory = memory.chunks_exact_mut(hidden);
        for ((((before, &moves), (input, state)), after), kept) in before.zip(gates).zip(after).zip(kept) {
            let memory = memory.next().unwrap_or_default();
            if !moves {
                after.copy_from_slice(before);
                continue;
            }
            match self.cell {
                Cell::Gru => rows::gru(input, state, before, after, kept),
                Cell::Lstm => rows::lstm(input, state, memory, after, kept),
            }
        }
    }

    /// From the gates' share of the input, (steps × rows, gates); `moves` says for each step and row whether it counts.
    pub(crate) fn forward(&self, input: &[f32], weights: &Linear<Vec<f32>>, moves: &[bool]) -> Result<Kept> {
        let n_units = self.n_rows * self.hidden;
        let matrix = Tensor::from_slice(&weights.weight, (self.n_gates(), self.hidden), &Device::Cpu)?;
        let matrix = matrix.t()?.contiguous()?;
        let mut output = vec![0.0; moves.len() * self.hidden];
        let mut activations = vec![0.0; output.len() * rows::kept(self.cell)];
        let mut memory = self.start.memory.clone();
        let mut units = self.start.units.clone();
        let steps = output
            .chunks_exact_mut(n_units)
            .zip(activations.chunks_exact_mut(n_units * rows::kept(self.cell)))
            .zip(input.chunks_exact(self.n_rows * self.n_gates()))
            .zip(moves.chunks_exact(self.n_rows));
        for (((after, kept), input), moves) in steps {
            let mut state = product(&units, self.n_rows, &matrix)?;
            add_bias(&mut state, &weights.bias);
            let step = Step {
                before: &units,
                moves,
                input,
                state: &state,
                after,
                kept,
            };
            self.step(step, &mut memory);
            units.copy_from_slice(after);
        }
        let last = LayerState { units, memory };
        Ok(Kept {
            activations,
            output,
            last,
        })
    }

    /// From the gradient of the output to that of the gates' share of the input and that of the weights.
    pub(crate) fn backward(
        &self,
        kept: &Kept,
        gradient: &[f32],
        weights: &Linear<Vec<f32>>,
        moves: &[bool],
    ) -> Result<(Vec<f32>, Linear<Vec<f32>>)> {
        let matrix = Tensor::from_slice(&weights.weight, (self.n_gates(), self.hidden), &Device::Cpu)?;
        let hidden = self.hidden;
        let n_units = self.n_rows * hidden;
        let n_kept = rows::kept(self.cell) * hidden;
        let mut of_input = vec![0.0; moves.len() * self.n_gates()];
        let mut of_state = of_input.clone();
        // Of the units and the memory after the step that is looked at, as far as it comes from later steps.
        let mut later = vec![0.0; n_units];
        let mut later_memory = vec![0.0; self.start.memory.len()];
        let before = before(&self.start.units, &kept.output);
        let steps = before
            .chunks_exact(n_units)
            .zip(gradient.chunks_exact(n_units))
            .zip(kept.activations.chunks_exact(self.n_rows * n_kept))
            .zip(of_input.chunks_exact_mut(self.n_rows * self.n_gates()))
            .zip(of_state.chunks_exact_mut(self.n_rows * self.n_gates()))
            .zip(moves.chunks_exact(self.n_rows));
        for (((((before, gradient), kept), of_input), of_state), moves) in steps.rev() {
            add(&mut later, gradient);
            let mut memory = later_memory.chunks_exact_mut(hidden);
            let rows = later
                .chunks_exact_mut(hidden)
                .zip(before.chunks_exact(hidden))
                .zip(kept.chunks_exact(n_kept))
                .zip(of_input.chunks_exact_mut(self.n_gates()))
                .zip(of_state.chunks_exact_mut(self.n_gates()))
                .zip(moves);
            for (((((later, before), kept), of_input), of_state), &moves) in rows {
                let memory = memory.next().unwrap_or_default();
                if !moves {
                    continue;
                }
                match self.cell {
                    Cell::Gru => rows::gru_gradient(kept, before, later, of_input, of_state),
                    Cell::Lstm => rows::lstm_gradient(kept, later, memory, of_input, of_state),
                }
            }
            add(&mut later, &product(of_state, self.n_rows, &matrix)?);
        }
        let of_weights = Linear {
            weight: over_rows(&of_state, self.n_gates(), &before, hidden)?,
            bias: sum_rows(&of_state, self.n_gates()),
        };
        Ok((of_input, of_weights))
    }
}

/// What one step reads and writes.
struct Step<'a> {
    before: &'a [f32],
    moves: &'a [bool],
    input: &'a [f32],
    state: &'a [f32],
    after: &'a mut [f32],
    kept: &'a mut [f32],
}

/// The units before each step.
fn before(start: &[f32], output: &[f32]) -> Vec<f32> {
    let n_before = output.len().saturating_sub(start.len());
    start.iter().chain(output.iter().take(n_before)).copied().collect()
}

/// Rows of numbers times a matrix.
fn product(left: &[f32], n_rows: usize, right: &Tensor) -> Result<Vec<f32>> {
    let left = Tensor::from_slice(left, (n_rows, right.dim(0)?), &Device::Cpu)?;
    left.matmul(right)?.flatten_all()?.to_vec1()
}
