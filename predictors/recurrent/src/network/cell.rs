//! One step of a recurrent layer.

use crate::math::{affine, sigmoid, tanh};
use crate::settings::Cell;
use crate::weights::CellWeights;

/// Numbers of state in a layer: the hidden units, and for an LSTM as many cell units after them.
pub(crate) const fn units(cell: Cell, hidden: usize) -> usize {
    match cell {
        Cell::Gru => hidden,
        Cell::Lstm => 2 * hidden,
    }
}

/// Room for the gates of one step.
pub(crate) struct Gates {
    cell: Cell,
    hidden: usize,
    from_input: Vec<f32>,
    from_state: Vec<f32>,
}

impl Gates {
    pub(crate) fn new(cell: Cell, hidden: usize) -> Self {
        Self {
            cell,
            hidden,
            from_input: vec![0.0; cell.gates() * hidden],
            from_state: vec![0.0; cell.gates() * hidden],
        }
    }

    /// Moves the units of a layer on by one input.
    pub(crate) fn step(&mut self, weights: &CellWeights<Vec<f32>>, input: &[f32], units: &mut [f32]) {
        let (state, memory) = units.split_at_mut(self.hidden);
        affine(&weights.input.weight, &weights.input.bias, input, &mut self.from_input);
        affine(&weights.state.weight, &weights.state.bias, state, &mut self.from_state);
        match self.cell {
            Cell::Gru => self.gru(state),
            Cell::Lstm => self.lstm(state, memory),
        }
    }

    /// Gates in the order reset, update, new.
    fn gru(&mut self, state: &mut [f32]) {
        let (gates, new) = self.from_input.split_at_mut(2 * self.hidden);
        let (gates_of_state, new_of_state) = self.from_state.split_at(2 * self.hidden);
        for (gate, from_state) in gates.iter_mut().zip(gates_of_state) {
            *gate = sigmoid(*gate + from_state);
        }
        let (reset, update) = gates.split_at(self.hidden);
        for ((new, reset), from_state) in new.iter_mut().zip(reset).zip(new_of_state) {
            *new = tanh(*new + reset * from_state);
        }
        for ((unit, new), update) in state.iter_mut().zip(new).zip(update) {
            *unit = (1.0 - update) * *new + update * *unit;
        }
    }

    /// Gates in the order input, forget, new, output.
    fn lstm(&mut self, state: &mut [f32], memory: &mut [f32]) {
        for (gate, from_state) in self.from_input.iter_mut().zip(&self.from_state) {
            *gate += from_state;
        }
        let (input_forget, new_output) = self.from_input.split_at(2 * self.hidden);
        let (input, forget) = input_forget.split_at(self.hidden);
        let (new, output) = new_output.split_at(self.hidden);
        let gates = input.iter().zip(forget).zip(new).zip(output);
        for ((unit, cell), (((input, forget), new), output)) in state.iter_mut().zip(memory).zip(gates) {
            *cell = sigmoid(*forget) * *cell + sigmoid(*input) * tanh(*new);
            *unit = sigmoid(*output) * tanh(*cell);
        }
    }
}
