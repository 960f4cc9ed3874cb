//! The recurrent network of the `lstm` predictor: a GRU or LSTM that reads actions as six small numbers and gives
//! log-probabilities for the six numbers of the next one.
//!
//! It knows nothing of actions, ranges or texts. [`train`](fn@train) makes a [`Network`] out of sequences of [`Token`]s;
//! a network moves a [`State`] on by one token at a time and says what it expects next.

mod error;
mod math;
mod network;
mod settings;
mod storage;
#[cfg(test)]
mod tests;
mod token;
mod train;
mod weights;

pub use error::RecurrentError;
pub use network::{Details, Network, Scores, State};
pub use settings::{Cell, Heads, Loss, Optimizer, Padding, Settings};
pub use token::{HEADS, OP_TYPES, RANGE_BUCKETS, Token, VALUE_TYPES};
pub use train::{Checkpoint, Ending, EpochReport, Measures, Progress, Trained, train};
