//! `napsim train xgboost`.

use clap::Args;
use napsim_training::ranking::{BoostedSettings, RankingSettings};
use napsim_training::xgboost_ranking::train_ranking;

use super::args::TrainingArgs;
use super::conclusion::{conclude, failure};
use super::progress::TrainingBar;
use crate::exit::{Exit, Failure};

/// Train gradient-boosted trees with XGBoost.
///
/// A simulated user works through training sequences, the trees as far as they are grown propose, and at some moments
/// every candidate for the next action is judged by what it would save. From these the trees learn which candidate to
/// offer, and on the validation sequences how sure they may be. Needs libxgboost; using the model does not.
#[derive(Debug, Args)]
#[command(about = "Train gradient-boosted trees", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct XgboostArgs {
    #[command(flatten)]
    training: TrainingArgs,

    /// Training sequences that the simulated user works through.
    #[arg(long, value_name = "N", default_value_t = 600)]
    sequences: usize,

    /// Validation sequences that early stopping and confidence are fitted to.
    #[arg(long, value_name = "N", default_value_t = 100)]
    valid_sequences: usize,

    /// Trees at most; fewer where more do not help on the validation sequences.
    #[arg(long, value_name = "N", default_value_t = 160, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,

    /// Splits from root to leaf of a tree.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=15))]
    depth: u32,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train xgboost --corpus made-up --out trees.model
  napsim train xgboost --corpus train.jsonl --sequences 1000 --rounds 300 --out large.model
  napsim run --predictor 'xgboost?model=trees.model'";

/// Trains, writes the model and prints its card.
pub(super) fn train(args: &XgboostArgs) -> Result<Exit, Failure> {
    let job = args.training.job()?;
    let settings = BoostedSettings {
        ranking: RankingSettings {
            n_train: args.sequences,
            n_valid: args.valid_sequences,
            ..RankingSettings::default()
        },
        n_rounds: args.rounds,
        depth_max: args.depth,
        ..BoostedSettings::default()
    };
    let bar = TrainingBar::new(args.training.quiet);
    let trained = args
        .training
        .threads()?
        .install(|| train_ranking(&job, &settings, &|progress| bar.show(progress)));
    bar.finish();
    conclude(&args.training, &trained.map_err(|error| failure(&error))?)
}
