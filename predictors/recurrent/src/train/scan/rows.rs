//! One step of one row, forward and backward. Loops over slices of equal length, for the compiler to vectorise.

use crate::math::{sigmoid, tanh};
use crate::settings::Cell;

/// Numbers that the gradient needs of a step, per hidden unit.
pub(super) const fn kept(cell: Cell) -> usize {
    match cell {
        Cell::Gru => 4,
        Cell::Lstm => 6,
    }
}

/// Splits into parts of equal length.
fn parts<const N: usize>(row: &[f32]) -> [&[f32]; N] {
    let mut chunks = row.chunks_exact((row.len() / N).max(1));
    std::array::from_fn(|_| chunks.next().unwrap_or_default())
}

/// Splits into parts of equal length, to be written.
fn parts_mut<const N: usize>(row: &mut [f32]) -> [&mut [f32]; N] {
    let mut chunks = row.chunks_exact_mut((row.len() / N).max(1));
    std::array::from_fn(|_| chunks.next().unwrap_or_default())
}

/// A GRU. Gates in the order reset, update, new; keeps these and the state's share of the new units.
pub(super) fn gru(input: &[f32], state: &[f32], before: &[f32], after: &mut [f32], kept: &mut [f32]) {
    let [input_reset, input_update, input_new] = parts(input);
    let [state_reset, state_update, state_new] = parts(state);
    let [reset, update, new, share] = parts_mut(kept);
    gate(input_reset, state_reset, reset);
    gate(input_update, state_update, update);
    share.copy_from_slice(state_new);
    for (((new, input), reset), share) in new.iter_mut().zip(input_new).zip(&*reset).zip(&*share) {
        *new = tanh(input + reset * share);
    }
    for (((after, before), new), update) in after.iter_mut().zip(before).zip(&*new).zip(&*update) {
        *after = (1.0 - update) * new + update * before;
    }
}

/// An LSTM. Gates in the order input, forget, new, output; keeps these, the squashed memory and the memory before.
pub(super) fn lstm(input: &[f32], state: &[f32], memory: &mut [f32], after: &mut [f32], kept: &mut [f32]) {
    let [input_in, input_forget, input_new, input_out] = parts(input);
    let [state_in, state_forget, state_new, state_out] = parts(state);
    let [take, forget, new, out, squashed, memory_before] = parts_mut(kept);
    gate(input_in, state_in, take);
    gate(input_forget, state_forget, forget);
    gate(input_out, state_out, out);
    memory_before.copy_from_slice(memory);
    for ((new, input), state) in new.iter_mut().zip(input_new).zip(state_new) {
        *new = tanh(input + state);
    }
    for (((memory, take), forget), new) in memory.iter_mut().zip(&*take).zip(&*forget).zip(&*new) {
        *memory = forget * *memory + take * new;
    }
    for (((after, squashed), memory), out) in after.iter_mut().zip(squashed).zip(memory).zip(&*out) {
        *squashed = tanh(*memory);
        *after = out * *squashed;
    }
}

/// A logistic gate.
fn gate(input: &[f32], state: &[f32], gate: &mut [f32]) {
    for ((gate, input), state) in gate.iter_mut().zip(input).zip(state) {
        *gate = sigmoid(input + state);
    }
}

/// Gradient of [`gru`]: `later` holds that of the units after and gets the direct share of the units before.
pub(super) fn gru_gradient(
    kept: &[f32],
    before: &[f32],
    later: &mut [f32],
    of_input: &mut [f32],
    of_state: &mut [f32],
) {
    let [reset, update, new, share] = parts(kept);
    let [slope_reset, slope_update, slope_new] = parts_mut(of_input);
    let [state_reset, state_update, state_new] = parts_mut(of_state);
    let gates = later.iter().zip(update).zip(new).zip(before);
    for ((slope, slope_update), (((later, update), new), before)) in
        slope_new.iter_mut().zip(&mut *slope_update).zip(gates)
    {
        *slope = later * (1.0 - update) * (1.0 - new * new);
        *slope_update = later * (before - new) * update * (1.0 - update);
    }
    let of_new = slope_new.iter().zip(reset).zip(share);
    for ((slope, state), ((new, reset), share)) in slope_reset.iter_mut().zip(state_new).zip(of_new) {
        *slope = new * share * reset * (1.0 - reset);
        *state = new * reset;
    }
    state_reset.copy_from_slice(slope_reset);
    state_update.copy_from_slice(slope_update);
    for (later, update) in later.iter_mut().zip(update) {
        *later *= update;
    }
}

/// Gradient of [`lstm`]: `later` holds that of the units after and is emptied, `memory` goes from after to before.
pub(super) fn lstm_gradient(
    kept: &[f32],
    later: &mut [f32],
    memory: &mut [f32],
    of_input: &mut [f32],
    of_state: &mut [f32],
) {
    let [take, forget, new, out, squashed, memory_before] = parts(kept);
    let [slope_take, slope_forget, slope_new, slope_out] = parts_mut(of_input);
    let outputs = later.iter_mut().zip(out).zip(squashed);
    for ((slope, memory), ((later, out), squashed)) in slope_out.iter_mut().zip(&mut *memory).zip(outputs) {
        *memory += *later * out * (1.0 - squashed * squashed);
        *slope = *later * squashed * out * (1.0 - out);
        *later = 0.0;
    }
    let inputs = memory.iter().zip(take).zip(new);
    for ((slope_take, slope_new), ((memory, take), new)) in slope_take.iter_mut().zip(slope_new).zip(inputs) {
        *slope_take = memory * new * take * (1.0 - take);
        *slope_new = memory * take * (1.0 - new * new);
    }
    for (((slope, memory), forget), before) in slope_forget.iter_mut().zip(memory).zip(forget).zip(memory_before) {
        *slope = *memory * before * forget * (1.0 - forget);
        *memory *= forget;
    }
    of_state.copy_from_slice(of_input);
}
