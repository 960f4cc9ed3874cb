//! Experiment files: what is to be measured, with sweeps over settings.
//!
//! An experiment file (TOML or YAML) names a corpus and settings, and what of them is to be varied. [`Experiment::read`]
//! makes it into [`Variant`]s: one choice of settings each, under a name of its own. A setting is an option of
//! `napsim run`; which ones there are the caller says ([`KnownSettings`]), and their values are its to read.
//!
//! The crate reads no file, clock or environment: it is handed text and the name to use in messages.

mod error;
mod experiment;
mod known;
mod limits;
pub mod nearest;
mod overrides;
mod read;
pub mod reference;
mod tree;

pub use crate::error::{ExperimentError, Place, Problem};
pub use crate::experiment::{CORPUS_DEFAULT, Experiment, Variant};
pub use crate::known::{KnownSettings, Setting};
pub use crate::limits::{
    DEPTH_MAX, FILE_BYTES_MAX, NAME_CHARS_MAX, NODES_MAX, REPEATS_MAX, VARIANT_NAME_CHARS_MAX, VARIANTS_MAX,
};
pub use crate::overrides::{Override, OverrideError};
pub use crate::tree::Syntax;
