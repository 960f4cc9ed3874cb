//! `napsim import-config`: experiments out of configs of the published system.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use napsim_experiments::reference::convert;
use napsim_reports::store::write_file_whole;

use crate::console;
use crate::exit::{Exit, Failure};

/// Make an experiment out of a config of the published system.
///
/// What has the same meaning is taken over; what has not is listed on the standard error, line by line.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ImportConfigArgs {
    /// Config in YAML of a batch evaluation or a sweep.
    file: PathBuf,

    /// Write the experiment to this file instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  napsim import-config stride_ablation.yaml > stride.toml
  napsim import-config batch.yaml -o batch.toml";

/// Converts a config.
pub(super) fn import_config(args: &ImportConfigArgs) -> Result<Exit, Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::Input(anyhow!("failed to read {name}: {error}")))?;
    let converted = convert(&text, &name).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
    for note in &converted.notes {
        let line = note.line.map_or_else(String::new, |line| format!(":{line}"));
        console::say(&format!("napsim: {name}{line}: {}: {}", note.key, note.why));
    }
    match &args.out {
        None => console::print(&converted.toml)?,
        Some(path) => {
            write_file_whole(path, converted.toml.as_bytes())?;
            console::say(&format!("napsim: written to {}", path.display()));
        }
    }
    Ok(Exit::Complete)
}
