//! What tests outside of this folder need to see of training, and the same network out of the tensor library's cells
//! and operations, with its own gradients, as the measure of ours.

use super::Trained;
use super::batch::Batch;
use super::model::{Model, zero_state};
use super::plan::{Row, plan};
use super::run::Run;
use crate::network::Network;
use crate::settings::{Cell, Loss, Settings};
use crate::token::{CLASSES, HEADS, Token};
use crate::weights::{CellWeights, Linear, Weights, leaves};
use candle_core::{DType, Device, Tensor, Var};
use candle_nn::rnn::{GRUState, LSTMState};
use candle_nn::{GRUConfig, LSTMConfig, RNN, VarBuilder};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Trains in whatever thread pool this is called in.
pub(crate) fn train_here(settings: &Settings, train: &[Vec<Token>]) -> Trained {
    let run = Run::new(settings, train, &[], None).unwrap();
    run.go(&mut |_| ControlFlow::Continue(())).unwrap()
}

/// Mean loss of a network on sequences that are read in pieces of this length.
pub(crate) fn validation_loss(network: &Network, window: usize, sequences: &[Vec<Token>]) -> f64 {
    let settings = Settings {
        window,
        ..network.settings().clone()
    };
    let run = Run::of(&settings, network.stored(), sequences);
    run.validate().unwrap().unwrap().loss
}

/// The network as variables of the tensor library.
fn variables(settings: &Settings, values: &[Vec<f32>]) -> Weights<Var> {
    let mut values = values.iter();
    let built = Weights::build(settings, |leaf| {
        Var::from_tensor(&Tensor::from_slice(values.next().unwrap(), leaf.shape, &Device::Cpu)?)
    });
    built.unwrap()
}

fn linear(layer: &Linear<Var>, input: &Tensor) -> Tensor {
    input
        .matmul(&layer.weight.t().unwrap())
        .unwrap()
        .broadcast_add(&layer.bias)
        .unwrap()
}

/// A layer by the library's own cell; `moves` holds ones and zeros, (rows, 1) for each step.
fn layer(settings: &Settings, weights: &CellWeights<Var>, steps: &[Tensor], moves: &[Tensor]) -> Vec<Tensor> {
    let named = [
        ("weight_ih_l0", &weights.input.weight),
        ("weight_hh_l0", &weights.state.weight),
        ("bias_ih_l0", &weights.input.bias),
        ("bias_hh_l0", &weights.state.bias),
    ];
    let named: HashMap<_, _> = named
        .map(|(name, tensor)| (name.to_owned(), tensor.as_tensor().clone()))
        .into();
    let builder = VarBuilder::from_tensors(named, DType::F32, &Device::Cpu);
    let (n_rows, n_inputs) = steps[0].dims2().unwrap();
    let hidden = settings.hidden;
    let mix = |moves: &Tensor, new: &Tensor, old: &Tensor| {
        (old + (new - old).unwrap().broadcast_mul(moves).unwrap()).unwrap()
    };
    let mut outputs = Vec::new();
    match settings.cell {
        Cell::Gru => {
            let cell = candle_nn::gru(n_inputs, hidden, GRUConfig::default(), builder).unwrap();
            let mut state = cell.zero_state(n_rows).unwrap();
            for (step, moves) in steps.iter().zip(moves) {
                let new = cell.step(step, &state).unwrap();
                state = GRUState {
                    h: mix(moves, &new.h, &state.h),
                };
                outputs.push(state.h.clone());
            }
        }
        Cell::Lstm => {
            let cell = candle_nn::lstm(n_inputs, hidden, LSTMConfig::default(), builder).unwrap();
            let mut state = cell.zero_state(n_rows).unwrap();
            for (step, moves) in steps.iter().zip(moves) {
                let new = cell.step(step, &state).unwrap();
                state = LSTMState::new(mix(moves, new.h(), state.h()), mix(moves, new.c(), state.c()));
                outputs.push(state.h().clone());
            }
        }
    }
    outputs
}

/// Scores of all heads side by side, one row for each target.
fn scores(settings: &Settings, weights: &Weights<Var>, batch: &Batch) -> Tensor {
    let cpu = &Device::Cpu;
    let mut embedded = Vec::new();
    for (table, ids) in weights.embeddings.iter().zip(&batch.ids) {
        embedded.push(
            table
                .index_select(&Tensor::new(ids.as_slice(), cpu).unwrap(), 0)
                .unwrap(),
        );
    }
    let projected = linear(&weights.projection, &Tensor::cat(&embedded, 1).unwrap())
        .relu()
        .unwrap();
    let by_step = |all: &Tensor| -> Vec<Tensor> {
        (0..batch.n_steps)
            .map(|step| all.narrow(0, step * batch.n_rows, batch.n_rows).unwrap())
            .collect()
    };
    let moves: Vec<f32> = batch.moves.iter().map(|&moves| f32::from(u8::from(moves))).collect();
    let moves = by_step(&Tensor::from_vec(moves, (batch.n_steps * batch.n_rows, 1), cpu).unwrap());
    let mut steps = by_step(&projected);
    for cell in &weights.cells {
        steps = layer(settings, cell, &steps, &moves);
    }
    let top = match settings.loss {
        Loss::EveryStep => Tensor::cat(&steps, 0).unwrap(),
        Loss::LastStep => steps.pop().unwrap(),
    };
    let seen = match &weights.given {
        None => top.clone(),
        Some(given) => {
            let op_types: Vec<u32> = batch
                .targets
                .iter()
                .map(|target| target.map_or(0, |classes| u32::from(classes[0])))
                .collect();
            let embedded = given
                .embedding
                .index_select(&Tensor::new(op_types, cpu).unwrap(), 0)
                .unwrap();
            let both = Tensor::cat(&[&top, &embedded], 1).unwrap();
            let matrix = Tensor::cat(&[given.hidden.weight.as_tensor(), given.op_type.as_tensor()], 1).unwrap();
            let sum = both
                .matmul(&matrix.t().unwrap())
                .unwrap()
                .broadcast_add(&given.hidden.bias)
                .unwrap();
            sum.relu().unwrap()
        }
    };
    Tensor::cat(&[linear(&weights.op_type, &top), linear(&weights.details, &seen)], 1).unwrap()
}

/// The scores of one head.
fn head(scores: &Tensor, idx: usize) -> Tensor {
    let from: usize = CLASSES[..idx].iter().sum();
    scores.narrow(1, from, CLASSES[idx]).unwrap().contiguous().unwrap()
}

/// The mean loss over the targets.
fn mean_loss(scores: &Tensor, batch: &Batch) -> Tensor {
    let rows: Vec<u32> = (0..)
        .zip(&batch.targets)
        .filter_map(|(row, target)| target.map(|_| row))
        .collect();
    let counted = scores
        .index_select(&Tensor::new(rows, &Device::Cpu).unwrap(), 0)
        .unwrap();
    let mut loss = Tensor::new(0.0_f32, &Device::Cpu).unwrap();
    for idx in 0..HEADS {
        let targets: Vec<u32> = batch
            .targets
            .iter()
            .flatten()
            .map(|classes| u32::from(classes[idx]))
            .collect();
        let targets = Tensor::new(targets, &Device::Cpu).unwrap();
        let entropy = candle_nn::loss::cross_entropy(&head(&counted, idx), &targets).unwrap();
        loss = (loss + (entropy * if idx == 0 { 2.0 } else { 1.0 }).unwrap()).unwrap();
    }
    loss
}

/// Log-probabilities of all heads after the last `window` tokens, by the tensor library, given the op type.
pub(crate) fn log_probabilities(network: &Network, tokens: &[Token], op_type: u8) -> Vec<f32> {
    let settings = Settings {
        loss: Loss::LastStep,
        ..network.settings().clone()
    };
    let row = Row {
        sequence: 0,
        begin: tokens.len().saturating_sub(settings.window),
        end: tokens.len(),
        carried: None,
    };
    let mut sequence = tokens.to_vec();
    sequence.push(Token::from_classes(op_type, [0; 4], 0).unwrap());
    let batch = Batch::new(&settings, &[sequence], &[row]);
    let scores = scores(&settings, &variables(&settings, network.stored()), &batch);
    let logs = |idx| candle_nn::ops::log_softmax(&head(&scores, idx), 1).unwrap();
    (0..HEADS)
        .flat_map(|idx| logs(idx).flatten_all().unwrap().to_vec1::<f32>().unwrap())
        .collect()
}

/// Compares loss and gradients of a batch with those of the tensor library.
pub(crate) fn check_gradients(settings: &Settings, sequences: &[Vec<Token>]) {
    let short = Settings {
        epochs_max: 1,
        ..settings.clone()
    };
    let values = train_here(&short, sequences).network.stored().to_vec();
    let batches = plan(settings, sequences, None);
    let rows = batches.first().unwrap();
    let batch = Batch::new(settings, sequences, rows);
    let model = Model::new(settings, &values);
    let forward = model.forward(&batch, zero_state(settings, rows.len()), None).unwrap();
    let variables = variables(settings, &values);
    let loss = mean_loss(&scores(settings, &variables, &batch), &batch);
    let ours = forward.loss_sum / batch.n_targets() as f64;
    let theirs = f64::from(loss.to_scalar::<f32>().unwrap());
    assert!((ours - theirs).abs() < 1e-5 * theirs, "{settings:?}: {ours} {theirs}");

    let gradients = loss.backward().unwrap();
    let ours = model.backward(&batch, forward).unwrap();
    let pairs = ours.in_order().into_iter().zip(variables.in_order());
    for ((ours, variable), leaf) in pairs.zip(leaves(settings)) {
        let theirs = gradients
            .get(variable.as_tensor())
            .expect("a gradient reaches every tensor");
        let theirs: Vec<f32> = theirs.flatten_all().unwrap().to_vec1().unwrap();
        assert_eq!(ours.len(), theirs.len(), "{}", leaf.name);
        let largest = theirs.iter().fold(0.0_f32, |largest, slope| largest.max(slope.abs()));
        assert!(largest > 0.0, "{}", leaf.name);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            let difference = (ours - theirs).abs();
            assert!(
                difference < 1e-4 * largest + 1e-6,
                "{settings:?} {}: {ours} {theirs}",
                leaf.name
            );
        }
    }
}
