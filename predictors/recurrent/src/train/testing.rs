//! What tests outside of this folder need to see of training.

use super::batch::Batch;
use super::model::Model;
use super::plan::{Row, plan};
use super::run::Run;
use super::scan::{LayerState, Scan};
use super::Trained;
use crate::network::Network;
use crate::settings::{Cell, Loss, Settings};
use crate::token::{CLASSES, Token};
use crate::weights::leaves;
use candle_core::{Device, Tensor, Var};
use candle_nn::{GRUConfig, LSTMConfig, RNN, VarBuilder};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

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

/// Log-probabilities of all heads after the last `window` tokens, by the forward pass of training, given the op type.
pub(crate) fn log_probabilities(network: &Network, tokens: &[Token], op_type: u8) -> Vec<f32> {
    let settings = Settings {
        loss: Loss::LastStep,
        ..network.settings().clone()
    };
    let model = Model::new(&settings, network.stored()).unwrap();
    let row = Row {
        sequence: 0,
        begin: tokens.len().saturating_sub(settings.window),
        end: tokens.len(),
        carried: None,
    };
    let mut sequence = tokens.to_vec();
    sequence.push(Token::from_classes(op_type, [0; 4], 0).unwrap());
    let batch = Batch::new(&settings, &[sequence], &[row]);
    let (op_type, details) = model.scores(&batch, model.zero_state(1), None).unwrap().0;
    let all = Tensor::cat(&[op_type, details], 1).unwrap();
    let mut from = 0;
    let mut logs = Vec::new();
    for n_classes in CLASSES {
        let head = candle_nn::ops::log_softmax(&all.narrow(1, from, n_classes).unwrap(), 1).unwrap();
        logs.extend(head.flatten_all().unwrap().to_vec1::<f32>().unwrap());
        from += n_classes;
    }
    logs
}

/// Compares gradients with differences of the loss, for the number of largest gradient in each tensor.
pub(crate) fn check_gradients(settings: &Settings, sequences: &[Vec<Token>]) {
    let trained = train_here(&Settings { epochs_max: 1, ..settings.clone() }, sequences);
    let batches = plan(settings, sequences, None);
    let rows = batches.first().unwrap();
    let batch = Batch::new(settings, sequences, rows);
    let values = trained.network.stored().to_vec();
    let start: Vec<LayerState> = Model::new(settings, &values).unwrap().zero_state(rows.len());
    let loss = |values: &[Vec<f32>]| {
        let model = Model::new(settings, values).unwrap();
        let forward = model.forward(&batch, start.clone(), None).unwrap();
        forward.loss_sum / batch.n_targets() as f64
    };
    let model = Model::new(settings, &values).unwrap();
    let gradients = model.forward(&batch, start.clone(), None).unwrap().loss.backward().unwrap();
    for (idx, (variable, leaf)) in model.weights.in_order().into_iter().zip(leaves(settings)).enumerate() {
        let gradient = gradients.get(variable.as_tensor()).expect("a gradient reaches every tensor");
        let gradient: Vec<f32> = gradient.flatten_all().unwrap().to_vec1().unwrap();
        let at = (0..gradient.len()).max_by(|&l, &r| gradient[l].abs().total_cmp(&gradient[r].abs())).unwrap();
        assert!(gradient[at] != 0.0, "{}", leaf.name);
        let nudge = 5e-3;
        let moved = |by: f32| {
            let mut values = values.clone();
            values[idx][at] += by;
            loss(&values)
        };
        let slope = (moved(nudge) - moved(-nudge)) / f64::from(2.0 * nudge);
        let difference = (slope - f64::from(gradient[at])).abs();
        assert!(
            difference < 2e-3 + 0.03 * slope.abs(),
            "{settings:?} {}: {slope} {}",
            leaf.name,
            gradient[at]
        );
    }
}

/// Compares a layer and its gradients with the cell of the tensor library.
pub(crate) fn check_layers(settings: &Settings) {
    let cpu = Device::Cpu;
    let (n_steps, n_rows, n_inputs, hidden) = (5, 3, 7, settings.hidden);
    let n_gates = settings.cell.gates() * hidden;
    let number = |idx: usize| ((idx * 7919 % 1000) as f32 / 1000.0 - 0.5) * 1.5;
    let tensor = |n_rows: usize, width: usize, shift: usize| {
        let numbers: Vec<f32> = (shift..shift + n_rows * width).map(number).collect();
        Var::from_vec(numbers, (n_rows, width), &cpu).unwrap()
    };
    let input = tensor(n_steps * n_rows, n_inputs, 0);
    let of_input = tensor(n_gates, n_inputs, 11);
    let of_state = tensor(n_gates, hidden, 23);
    let bias_input = Var::from_tensor(&tensor(1, n_gates, 37).squeeze(0).unwrap()).unwrap();
    let bias_state = Var::from_tensor(&tensor(1, n_gates, 41).squeeze(0).unwrap()).unwrap();
    let memory = if settings.cell == Cell::Lstm { vec![0.0; n_rows * hidden] } else { Vec::new() };
    let scan = Scan {
        cell: settings.cell,
        hidden,
        n_rows,
        start: LayerState {
            units: vec![0.0; n_rows * hidden],
            memory,
        },
        moves: Arc::new(vec![true; n_steps * n_rows]),
        kept: Arc::new(OnceLock::new()),
    };
    let gates = input.matmul(&of_input.t().unwrap()).unwrap().broadcast_add(&bias_input).unwrap();
    let ours = gates.apply_op3(&of_state, &bias_state, scan).unwrap();

    let named = [
        ("weight_ih_l0", &of_input),
        ("weight_hh_l0", &of_state),
        ("bias_ih_l0", &bias_input),
        ("bias_hh_l0", &bias_state),
    ];
    let named: HashMap<_, _> = named.map(|(name, tensor)| (name.to_owned(), tensor.as_tensor().clone())).into();
    let builder = VarBuilder::from_tensors(named, candle_core::DType::F32, &cpu);
    let by_row = input.reshape((n_steps, n_rows, n_inputs)).unwrap().transpose(0, 1).unwrap();
    let states: Vec<Tensor> = match settings.cell {
        Cell::Gru => {
            let layer = candle_nn::gru(n_inputs, hidden, GRUConfig::default(), builder).unwrap();
            layer.seq(&by_row).unwrap().into_iter().map(|state| state.h().clone()).collect()
        }
        Cell::Lstm => {
            let layer = candle_nn::lstm(n_inputs, hidden, LSTMConfig::default(), builder).unwrap();
            layer.seq(&by_row).unwrap().into_iter().map(|state| state.h().clone()).collect()
        }
    };
    let theirs = Tensor::cat(&states, 0).unwrap();
    let distance = |ours: &Tensor, theirs: &Tensor| {
        let distance = (ours - theirs).unwrap().abs().unwrap().max_all().unwrap();
        distance.to_scalar::<f32>().unwrap()
    };
    assert!(distance(&ours, &theirs) < 1e-5);
    let weights = tensor(n_steps * n_rows, hidden, 53);
    let gradients = |output: &Tensor| output.mul(&weights).unwrap().sum_all().unwrap().backward().unwrap();
    let (ours, theirs) = (gradients(&ours), gradients(&theirs));
    for variable in [&input, &of_input, &of_state, &bias_input, &bias_state] {
        let distance = distance(ours.get(variable).unwrap(), theirs.get(variable).unwrap());
        assert!(distance < 1e-4, "{distance}");
    }
}
