//! A recurrent layer over all steps of a batch, as one operation with its own gradient.
//!
//! Written out of single tensor operations, a layer would be a graph of hundreds of small nodes, and taking each
//! gradient would copy whole sequences. Here a step is one matrix product and one pass over the rows.

mod rows;

use crate::settings::Cell;
use candle_core::{CpuStorage, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};
use std::sync::{Arc, OnceLock};

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
    /// The state after the last step.
    pub(crate) last: LayerState,
}

/// The layer: from the gates' share of the input (steps × rows, gates), the matrix and the bias of the state's share to the
/// hidden units (steps × rows, hidden).
pub(crate) struct Scan {
    pub(crate) cell: Cell,
    pub(crate) hidden: usize,
    pub(crate) n_rows: usize,
    /// The state before the first step; no gradient goes there.
    pub(crate) start: LayerState,
    /// For each step and row whether it moves the state.
    pub(crate) moves: Arc<Vec<bool>>,
    /// Filled by the forward pass.
    pub(crate) kept: Arc<OnceLock<Kept>>,
}

impl Scan {
    fn n_gates(&self) -> usize {
        self.cell.gates() * self.hidden
    }

    /// One step of all rows: from the units before to the units after.
    fn step(&self, step: Step<'_>, memory: &mut [f32]) {
        let hidden = self.hidden;
        let before = step.before.chunks_exact(hidden).zip(step.moves);
        let gates = step.input.chunks_exact(self.n_gates()).zip(step.state.chunks_exact(self.n_gates()));
        let after = step.after.chunks_exact_mut(hidden);
        let kept = step.kept.chunks_exact_mut(rows::kept(self.cell) * hidden);
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

    fn forward(&self, input: &[f32], matrix: &[f32], bias: &[f32]) -> Result<(Vec<f32>, Kept)> {
        let n_units = self.n_rows * self.hidden;
        let matrix = Tensor::from_slice(matrix, (self.n_gates(), self.hidden), &Device::Cpu)?;
        let matrix = matrix.t()?.contiguous()?;
        let mut output = vec![0.0; self.moves.len() * self.hidden];
        let mut activations = vec![0.0; output.len() * rows::kept(self.cell)];
        let mut memory = self.start.memory.clone();
        let mut units = self.start.units.clone();
        let steps = output
            .chunks_exact_mut(n_units)
            .zip(activations.chunks_exact_mut(n_units * rows::kept(self.cell)))
            .zip(input.chunks_exact(self.n_rows * self.n_gates()))
            .zip(self.moves.chunks_exact(self.n_rows));
        for (((after, kept), input), moves) in steps {
            let mut state = product(&units, self.n_rows, &matrix)?;
            for row in state.chunks_exact_mut(self.n_gates()) {
                row.iter_mut().zip(bias).for_each(|(gate, bias)| *gate += bias);
            }
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
        Ok((output, Kept { activations, last }))
    }

    /// Gradients of the gates' share of the input and of the state, from the gradient of the output.
    fn backward(&self, output: &[f32], gradient: &[f32], matrix: &Tensor, kept: &Kept) -> Result<(Vec<f32>, Vec<f32>)> {
        let hidden = self.hidden;
        let n_units = self.n_rows * hidden;
        let n_kept = rows::kept(self.cell) * hidden;
        let mut of_input = vec![0.0; self.moves.len() * self.n_gates()];
        let mut of_state = of_input.clone();
        // Of the units and the memory after the step that is looked at, as far as it comes from later steps.
        let mut later = vec![0.0; n_units];
        let mut later_memory = vec![0.0; self.start.memory.len()];
        let before = before(&self.start.units, output);
        let steps = before
            .chunks_exact(n_units)
            .zip(gradient.chunks_exact(n_units))
            .zip(kept.activations.chunks_exact(self.n_rows * n_kept))
            .zip(of_input.chunks_exact_mut(self.n_rows * self.n_gates()))
            .zip(of_state.chunks_exact_mut(self.n_rows * self.n_gates()))
            .zip(self.moves.chunks_exact(self.n_rows));
        for (((((before, gradient), kept), of_input), of_state), moves) in steps.rev() {
            later.iter_mut().zip(gradient).for_each(|(later, here)| *later += here);
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
            let through_gates = product(of_state, self.n_rows, matrix)?;
            later.iter_mut().zip(through_gates).for_each(|(later, share)| *later += share);
        }
        Ok((of_input, of_state))
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

/// The numbers of a contiguous tensor.
fn numbers<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    let Some((from, to)) = layout.contiguous_offsets() else {
        bail!("a recurrent layer takes contiguous tensors");
    };
    Ok(storage.as_slice::<f32>()?.get(from..to).unwrap_or_default())
}

impl CustomOp3 for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn cpu_fwd(
        &self,
        input: &CpuStorage,
        input_layout: &Layout,
        matrix: &CpuStorage,
        matrix_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let input = numbers(input, input_layout)?;
        let matrix = numbers(matrix, matrix_layout)?;
        let (output, kept) = self.forward(input, matrix, numbers(bias, bias_layout)?)?;
        self.kept.set(kept).map_err(|_| candle_core::Error::msg("a scan runs once"))?;
        let shape = Shape::from((self.moves.len(), self.hidden));
        Ok((CpuStorage::F32(output), shape))
    }

    fn bwd(
        &self,
        input: &Tensor,
        matrix: &Tensor,
        bias: &Tensor,
        output: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(kept) = self.kept.get() else {
            bail!("a gradient before the scan");
        };
        let output: Vec<f32> = output.flatten_all()?.to_vec1()?;
        let gradient: Vec<f32> = gradient.flatten_all()?.to_vec1()?;
        let (of_input, of_state) = self.backward(&output, &gradient, matrix, kept)?;
        let mut of_bias = vec![0.0_f32; self.n_gates()];
        for row in of_state.chunks_exact(self.n_gates()) {
            of_bias.iter_mut().zip(row).for_each(|(sum, share)| *sum += share);
        }
        let cpu = &Device::Cpu;
        let of_state = Tensor::from_vec(of_state, input.shape(), cpu)?;
        let before = Tensor::from_vec(before(&self.start.units, &output), (self.moves.len(), self.hidden), cpu)?;
        Ok((
            Some(Tensor::from_vec(of_input, input.shape(), cpu)?),
            Some(of_state.t()?.matmul(&before)?),
            Some(Tensor::from_vec(of_bias, bias.shape(), cpu)?),
        ))
    }
}
