//! Recorded rollouts step by step.
//!
//! The crate reads and writes no file and no clock.

pub mod display;
