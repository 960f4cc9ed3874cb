//! Prediction: the network as plain slices, one token at a time.
//!
//! No tensor library in here: for a single token, starting its kernels costs more than the arithmetic.
//! Tests hold it to the forward pass of training.

mod cell;
mod scores;

pub use scores::{Details, Scores};

use crate::error::RecurrentError;
use crate::math::{affine, dot};
use crate::settings::{Padding, Settings};
use crate::storage::{decode, encode};
use crate::token::Token;
use crate::weights::{Linear, Weights, leaves};
use serde::{Deserialize, Serialize};

/// Numbers of one tensor, row by row.
type Values = Vec<f32>;

/// A trained network. Immutable; share it behind an [`Arc`](std::sync::Arc).
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    settings: Settings,
    /// The tensors in the order of their names' list, as they are stored.
    stored: Vec<Values>,
    ready: Ready,
}

/// What prediction reads: the tensors, with what doesn't depend on the state multiplied out.
#[derive(Debug, Clone)]
struct Ready {
    /// For each of the six ids, its share of the projection, one row for each id.
    projected: Vec<Values>,
    weights: Weights<Values>,
    /// For each op type, its share of the layer below range and value-type heads; empty for independent heads.
    given: Values,
}

impl PartialEq for Ready {
    /// It follows from the stored tensors.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The hidden state after some tokens. Cheap to clone.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// For each layer the hidden units, and for an LSTM its cell units after them.
    units: Box<[f32]>,
}

/// Header of a network's file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    settings: Settings,
}

impl Network {
    /// A network of these tensors.
    pub(crate) fn new(settings: Settings, stored: Vec<Values>) -> Self {
        let weights = Weights::from_values(&settings, &stored);
        let ready = Ready {
            projected: project(&settings, &weights),
            given: weights.given.as_ref().map_or_else(Vec::new, |given| {
                multiply(&given.embedding, &given.op_type, settings.op_type_embedding)
            }),
            weights,
        };
        Self {
            settings,
            stored,
            ready,
        }
    }

    /// The settings it was trained with.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Numbers that were learnt.
    #[must_use]
    pub fn n_parameters(&self) -> usize {
        self.stored.iter().map(Vec::len).sum()
    }

    /// Tensors in their order.
    #[cfg(test)]
    pub(crate) fn stored(&self) -> &[Values] {
        &self.stored
    }

    /// Reads what [`Network::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`RecurrentError::Container`] for what is no whole safetensors file, [`RecurrentError::Header`] and
    /// [`RecurrentError::Version`] for a foreign or newer one, [`RecurrentError::Setting`] and [`RecurrentError::Tensor`]
    /// for settings and tensors that are wrong or don't go together.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecurrentError> {
        let (Header { settings }, mut decoded) = decode::<Header>(bytes)?;
        settings.check()?;
        let stored = decoded.group("", &leaves(&settings))?;
        decoded.finish()?;
        Ok(Self::new(settings, stored))
    }

    /// The network as a safetensors file, with its settings in the metadata. Equal networks give equal bytes.
    ///
    /// # Errors
    /// [`RecurrentError::Header`] or [`RecurrentError::Container`] when it can't be written down.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RecurrentError> {
        let header = Header {
            settings: self.settings.clone(),
        };
        encode(&header, &leaves(&self.settings), &[("", &self.stored)])
    }

    /// The state before the first token: all zero.
    #[must_use]
    pub fn start(&self) -> State {
        let per_layer = cell::units(self.settings.cell, self.settings.hidden);
        State {
            units: vec![0.0; per_layer * self.settings.layers].into(),
        }
    }

    /// Moves a state on by one token. Padding leaves it alone where padding is masked.
    ///
    /// A state of a network of other sizes gives meaningless but defined results.
    pub fn advance(&self, state: &mut State, token: Token) {
        if token.is_padding() && self.settings.padding == Padding::Masked {
            return;
        }
        let mut input = self.project(token);
        let per_layer = cell::units(self.settings.cell, self.settings.hidden);
        let mut gates = cell::Gates::new(self.settings.cell, self.settings.hidden);
        for (weights, units) in self
            .ready
            .weights
            .cells
            .iter()
            .zip(state.units.chunks_exact_mut(per_layer))
        {
            gates.step(weights, &input, units);
            input.clear();
            input.extend(units.iter().take(self.settings.hidden));
        }
    }

    /// The rectified projection of a token's embeddings.
    fn project(&self, token: Token) -> Values {
        let mut sums = self.ready.weights.projection.bias.clone();
        for (table, id) in self.ready.projected.iter().zip(token.ids()) {
            let row = table.chunks_exact(sums.len()).nth(usize::from(id)).unwrap_or_default();
            for (sum, share) in sums.iter_mut().zip(row) {
                *sum += share;
            }
        }
        for sum in &mut sums {
            *sum = sum.max(0.0);
        }
        sums
    }

    /// The state after the last `window` of these tokens, from the zero state; too short a window has padding before it.
    #[must_use]
    pub fn read_window(&self, tokens: &[Token]) -> State {
        let window = self.settings.window;
        let mut state = self.start();
        for _ in tokens.len()..window {
            self.advance(&mut state, Token::PADDING);
        }
        for &token in tokens.iter().skip(tokens.len().saturating_sub(window)) {
            self.advance(&mut state, token);
        }
        state
    }

    /// What comes next after the last `window` of these tokens, read anew from the zero state: the published way.
    #[must_use]
    pub fn scores_of_window(&self, tokens: &[Token]) -> Scores {
        self.scores(&self.read_window(tokens))
    }

    /// Hidden units of the last layer.
    fn top<'a>(&self, state: &'a State) -> &'a [f32] {
        let per_layer = cell::units(self.settings.cell, self.settings.hidden);
        let last = state.units.chunks_exact(per_layer).last().unwrap_or_default();
        last.split_at_checked(self.settings.hidden).map_or(last, |(top, _)| top)
    }
}

/// A linear layer's output.
fn apply(linear: &Linear<Values>, input: &[f32]) -> Values {
    let mut output = vec![0.0; linear.bias.len()];
    affine(&linear.weight, &linear.bias, input, &mut output);
    output
}

/// Each row of one matrix times each row of another, both of this width.
fn multiply(left: &[f32], right: &[f32], width: usize) -> Values {
    let rows = left.chunks_exact(width);
    rows.flat_map(|row| right.chunks_exact(width).map(move |column| dot(row, column)))
        .collect()
}

/// The projection of every id of every table.
fn project(settings: &Settings, weights: &Weights<Values>) -> Vec<Values> {
    let mut from = 0;
    let tables = weights.embeddings.iter().zip(settings.embedding_widths());
    let projected = tables.map(|(table, width)| {
        let rows = weights.projection.weight.chunks_exact(settings.embedded());
        let columns: Values = rows
            .flat_map(|row| row.iter().skip(from).take(width).copied())
            .collect();
        from += width;
        multiply(table, &columns, width)
    });
    projected.collect()
}
