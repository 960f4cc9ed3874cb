//! Sheet state, comparison, future rewriting and the on-policy rollout.
//!
//! The crate reads no clock, environment, file or network and starts no thread. Its only output is the
//! event stream of [`event`].

pub mod apply;
pub mod counts;
pub mod event;
pub mod policy;
pub mod predictor;
pub mod settings;
pub mod state;
