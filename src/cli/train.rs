//! `napsim train`: models made of other people's trajectories.

mod args;
mod checkpoint;
mod conclusion;
pub(super) mod curve;
mod date;
mod lstm;
mod ngram;
mod output;
mod progress;
mod smollm;
mod words;
mod xgboost;

use clap::Subcommand;

use words::words;

use crate::exit::{Exit, Failure};

/// Train a predictor on trajectories.
///
/// The data are corpora and files of sequences as `napsim corpus build` and `napsim corpus generate` make them. Sequences
/// for testing are left alone; on those for validation the model is measured. The same data, settings, seed and date give
/// the same bytes, whatever the number of threads.
#[derive(Debug, Subcommand)]
#[command(about = "Train a predictor on trajectories")]
pub(super) enum TrainCommand {
    Ngram(ngram::NgramArgs),
    Xgboost(xgboost::XgboostArgs),
    Lstm(lstm::LstmArgs),
    Smollm(Box<smollm::SmollmArgs>),
}

/// Trains what is asked for.
pub(super) fn train(command: &TrainCommand) -> Result<Exit, Failure> {
    match command {
        TrainCommand::Ngram(args) => ngram::train(args),
        TrainCommand::Xgboost(args) => xgboost::train(args),
        TrainCommand::Lstm(args) => lstm::train(args),
        TrainCommand::Smollm(args) => smollm::train(args),
    }
}
