//! Sheet state, comparison, future rewriting and the on-policy rollout.
//!
//! The crate reads no clock, environment, file or network and starts no thread. Its only output is the
//! event stream of [`event`].

pub mod apply;
pub mod appraise;
pub mod attribution;
pub mod compare;
pub mod corrections;
pub mod counts;
pub mod engine;
pub mod event;
pub mod fingerprint;
pub mod matching;
pub mod mergers;
pub mod plan;
pub mod policy;
pub mod predictor;
pub mod protocol;
pub mod rewrite;
pub mod rollout;
pub mod score;
pub mod sequencer;
pub mod settings;
pub mod state;
pub mod state_actions;
pub mod synthesis;
