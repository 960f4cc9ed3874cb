//! Configurations of the published system, converted to experiment files.
//!
//! What means the same here is written in our words, the published defaults included where ours differ. Everything else is
//! listed with its line and the reason, never dropped in silence.

mod config;
mod keys;
mod notes;
mod predictor;
mod settings;
mod sweeps;
mod write;

use std::path::Path;

use self::config::Config;
pub use self::notes::Note;
use self::notes::Notes;
use crate::error::ExperimentError;
use crate::read::file_name;
use crate::tree::{self, Syntax};

/// An experiment file made from a configuration of the published system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted {
    /// The experiment file, in TOML; its first lines repeat the notes.
    pub toml: String,
    /// What could not be converted, or means something that one ought to know, in the order of the file.
    pub notes: Vec<Note>,
}

/// Converts a configuration in YAML of the published system, for batches or sweeps. `file` is what messages call it.
///
/// Only text that is no YAML, or no table, is an error: keys without a meaning here become notes.
pub fn convert(yaml: &str, file: &str) -> Result<Converted, ExperimentError> {
    let entries = tree::read(yaml, Syntax::Yaml).map_err(|fault| fault.in_file(file, &[]))?;
    let mut notes = Notes::default();
    let config = Config::read(&entries, &mut notes);
    let base = settings::base(&config.base, &mut notes);
    let sweeps = sweeps::convert(&config, &mut notes);
    let stem = file_name(Path::new(file));
    let name = config.name(&stem, &mut notes);
    let notes = notes.in_order();
    Ok(Converted {
        toml: write::experiment(&name, file, &base, &sweeps, &notes),
        notes,
    })
}

#[cfg(test)]
mod tests;
