//! What a network expects next, as log-probabilities.

use super::{Network, State, apply};
use crate::error::RecurrentError;
use crate::math::{arg_max, log_softmax};
use crate::token::{OP_TYPES, RANGE_BUCKETS, VALUE_TYPES};

/// Log-probabilities of the range quantities and the value type.
#[derive(Debug, Clone, PartialEq)]
pub struct Details {
    /// Row, column, height, width; each over the buckets.
    pub ranges: [[f32; RANGE_BUCKETS]; 4],
    /// Over the value types.
    pub value_type: [f32; VALUE_TYPES],
}

/// Log-probabilities of the next token.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// Over the op types; the last one stands for all unknown types.
    pub op_type: [f32; OP_TYPES],
    /// Ranges and value type; with conditional heads those given the most probable op type.
    pub details: Details,
    /// What conditional heads need for another op type: the layer below them, without the op type's share.
    shared: Vec<f32>,
}

impl Scores {
    /// The most probable op type, the first of equals.
    #[must_use]
    pub fn best_op_type(&self) -> u8 {
        u8::try_from(arg_max(&self.op_type)).unwrap_or_default()
    }
}

impl Network {
    /// What comes next.
    #[must_use]
    pub fn scores(&self, state: &State) -> Scores {
        let top = self.top(state);
        let mut op_type = [0.0; OP_TYPES];
        fill(&mut op_type, apply(&self.ready.weights.op_type, top).iter());
        log_softmax(&mut op_type);
        let (shared, details) = match &self.ready.weights.given {
            None => (Vec::new(), self.read_details(top)),
            Some(given) => {
                let shared = apply(&given.hidden, top);
                let details = self.given(&shared, arg_max(&op_type));
                (shared, details)
            }
        };
        Scores {
            op_type,
            details,
            shared,
        }
    }

    /// Ranges and value type of the next token if its op type were this one. Independent heads don't care.
    ///
    /// # Errors
    /// [`RecurrentError::OpType`] for an op type above 28.
    pub fn scores_given(&self, state: &State, op_type: u8) -> Result<Details, RecurrentError> {
        if usize::from(op_type) >= OP_TYPES {
            return Err(RecurrentError::OpType(op_type));
        }
        let top = self.top(state);
        Ok(match &self.ready.weights.given {
            None => self.read_details(top),
            Some(given) => self.given(&apply(&given.hidden, top), usize::from(op_type)),
        })
    }

    /// The same as [`Network::scores_given`], from scores that are there already: a third less work.
    ///
    /// # Errors
    /// [`RecurrentError::OpType`] for an op type above 28.
    pub fn details_given(&self, scores: &Scores, op_type: u8) -> Result<Details, RecurrentError> {
        if usize::from(op_type) >= OP_TYPES {
            return Err(RecurrentError::OpType(op_type));
        }
        if self.ready.weights.given.is_none() {
            return Ok(scores.details.clone());
        }
        Ok(self.given(&scores.shared, usize::from(op_type)))
    }

    /// Adds the share of the op type and reads the heads.
    fn given(&self, shared: &[f32], op_type: usize) -> Details {
        let table = self.ready.given.chunks_exact(shared.len().max(1));
        let share = table.skip(op_type).take(1).flatten();
        let layer: Vec<f32> = shared
            .iter()
            .zip(share)
            .map(|(unit, share)| (unit + share).max(0.0))
            .collect();
        self.read_details(&layer)
    }

    /// The five heads on what they see.
    fn read_details(&self, seen: &[f32]) -> Details {
        let scores = apply(&self.ready.weights.details, seen);
        let mut rest = scores.iter();
        let mut ranges = [[0.0; RANGE_BUCKETS]; 4];
        for range in &mut ranges {
            fill(range, rest.by_ref());
            log_softmax(range);
        }
        let mut value_type = [0.0; VALUE_TYPES];
        fill(&mut value_type, rest);
        log_softmax(&mut value_type);
        Details { ranges, value_type }
    }
}

/// Takes as many scores as there is room for.
fn fill<'a>(room: &mut [f32], scores: impl Iterator<Item = &'a f32>) {
    for (place, score) in room.iter_mut().zip(scores) {
        *place = *score;
    }
}
