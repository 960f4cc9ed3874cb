//! Measuring: rollouts of a variant, on several threads, shared by runs and experiments.

pub(super) mod estimate;
pub(super) mod programs;
pub(super) mod progress;
pub(super) mod rollout;
pub(super) mod spending;
pub(super) mod threads;
pub(super) mod timed;
pub(super) mod variant;
