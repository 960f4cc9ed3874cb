//! `napsim model`: trained models looked at.

pub(super) mod card;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_predictors::{Model, ModelKind};

use crate::exit::{Exit, Failure};

/// Look at trained models.
#[derive(Debug, Subcommand)]
pub(super) enum ModelCommand {
    Show(ShowArgs),
}

/// Print what a model is and how it came about.
#[derive(Debug, Args)]
#[command(
    about = "Print what a model is and how it came about",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(super) struct ShowArgs {
    /// File of a model.
    model: PathBuf,

    /// Print the card as JSON, schema `napsim-model-card/1`.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim model show ngram.model
  napsim model show ngram.model --json";

/// Does what is asked with models.
pub(super) fn model(command: &ModelCommand) -> Result<Exit, Failure> {
    match command {
        ModelCommand::Show(args) => {
            card::print(&open(&args.model)?, args.json)?;
            Ok(Exit::Complete)
        }
    }
}

/// The model that a user names.
fn open(spec: &Path) -> Result<Model, Failure> {
    let name = spec.to_str().and_then(ModelKind::from_name);
    if let Some(kind) = name.filter(|_| !spec.exists()) {
        return Err(Failure::Input(anyhow!(
            "no model `{kind}` comes with the program; give the file of one"
        )));
    }
    Model::load(spec).map_err(|error| Failure::Input(anyhow!("failed to {error}")))
}
