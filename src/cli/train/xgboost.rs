//! `napsim train xgboost`.

mod v1;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use napsim_training::ranking::{BoostedSettings, RankingSettings};
use napsim_training::xgboost::train as train_five;
use napsim_training::xgboost_ranking::train_ranking;

use super::args::TrainingArgs;
use super::conclusion::{conclude, failure};
use super::progress::TrainingBar;
use crate::exit::{Exit, Failure};
use v1::V1Args;

/// Train gradient-boosted trees with XGBoost.
///
/// Features v2: a simulated user works through training sequences, the trees as far as they are grown propose, and at some
/// moments every candidate for the next action is judged by what it would save. From these the trees learn which candidate
/// to offer, and on the validation sequences how sure they may be.
///
/// Features v1: as published, trees for the kind of the next action and for its row, column, height and width, from a
/// description of the last actions alone.
///
/// Needs libxgboost and takes minutes; using the model needs nothing.
#[derive(Debug, Args)]
#[command(about = "Train gradient-boosted trees with XGBoost", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct XgboostArgs {
    #[command(flatten)]
    training: TrainingArgs,

    /// What the trees look at, and so what they can say.
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Features::V2)]
    features: Features,

    /// Rounds at most; fewer where more do not help on the validation sequences [default: 160 for v2, 60 for v1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: Option<u32>,

    /// Splits from root to leaf of a tree.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=15))]
    depth: u32,

    /// Training sequences that the simulated user works through [default: 600].
    #[arg(long, value_name = "N", help_heading = "Features v2")]
    sequences: Option<usize>,

    /// Validation sequences that early stopping and confidence are fitted to [default: 100].
    #[arg(long, value_name = "N", help_heading = "Features v2")]
    valid_sequences: Option<usize>,

    #[command(flatten, next_help_heading = "Features v1")]
    v1: V1Args,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train xgboost --corpus made-up --out trees.model
  napsim train xgboost --corpus train.jsonl --sequences 1000 --rounds 300 --out large.model
  napsim train xgboost --corpus train.jsonl --features v1 --published --out published.model
  napsim run --predictor 'xgboost?model=trees.model'";

/// What the trees look at.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Features {
    /// The published vector of the last actions; trees say what comes next.
    V1,
    /// Candidates for the next action with what stands around them; trees rank them.
    V2,
}

impl XgboostArgs {
    fn v2(&self) -> Result<BoostedSettings, Failure> {
        if let Some(option) = self.v1.given() {
            return Err(foreign(option, Features::V1));
        }
        let defaults = BoostedSettings::default();
        Ok(BoostedSettings {
            ranking: RankingSettings {
                n_train: self.sequences.unwrap_or(600),
                n_valid: self.valid_sequences.unwrap_or(100),
                ..RankingSettings::default()
            },
            n_rounds: self.rounds.unwrap_or(defaults.n_rounds),
            depth_max: self.depth,
            ..defaults
        })
    }

    /// The first option given that means something to the ranking alone.
    fn given_v2(&self) -> Option<&'static str> {
        let given = [
            ("--sequences", self.sequences.is_some()),
            ("--valid-sequences", self.valid_sequences.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }
}

/// The refusal of an option that means nothing to the features asked for.
fn foreign(option: &str, features: Features) -> Failure {
    let features = features.to_possible_value();
    let features = features.as_ref().map_or("", |value| value.get_name());
    Failure::Input(anyhow!(
        "failed to use {option}: it is an option of --features {features}"
    ))
}

/// Trains, writes the model and prints its card.
pub(super) fn train(args: &XgboostArgs) -> Result<Exit, Failure> {
    let job = args.training.job()?;
    let bar = TrainingBar::new(args.training.data.quiet);
    let threads = args.training.data.threads()?;
    let trained = match args.features {
        Features::V1 => {
            if let Some(option) = args.given_v2() {
                return Err(foreign(option, Features::V2));
            }
            let settings = args.v1.settings(args.rounds, args.depth);
            threads.install(|| train_five(&job, settings, &|progress| bar.show(progress)))
        }
        Features::V2 => {
            let settings = args.v2()?;
            threads.install(|| train_ranking(&job, &settings, &|progress| bar.show(progress)))
        }
    };
    bar.finish();
    conclude(&args.training, &trained.map_err(|error| failure(&error))?)
}
