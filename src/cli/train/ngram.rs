//! `napsim train ngram`.

use clap::{Args, ValueEnum};
use napsim_predictors::feature::RangeMode;
use napsim_predictors::ngram::MAX_N_MAX;
use napsim_training::ngram::{NgramSettings, train as train_ngram};
use napsim_training::ranking::RankingSettings;

use super::args::TrainingArgs;
use super::conclusion::{conclude, failure};
use super::progress::TrainingBar;
use crate::exit::{Exit, Failure};

/// Train an n-gram: what most often follows the last actions.
///
/// Counts, for every sequence of up to `--max-n` abstract actions, what came next. A prediction takes the longest sequence
/// that the data know. Takes seconds.
#[derive(Debug, Args)]
#[command(
    about = "Train an n-gram: what most often follows the last actions",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct NgramArgs {
    #[command(flatten)]
    training: TrainingArgs,

    /// Whether actions are told apart by movement or by size.
    #[arg(long, value_name = "MODE", value_enum, default_value_t = Mode::Relative)]
    range_mode: Mode,

    /// Longest sequence of actions that is counted.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = max_n)]
    max_n: usize,

    /// Leave out what occurs fewer than so many times, which makes the model smaller.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,

    /// Training sequences that a simulated user works through to learn which candidates to offer; 0 leaves that out, so
    /// that only the published decoding (`values=v1`) is possible.
    #[arg(long, value_name = "N", default_value_t = 60)]
    sequences: usize,

    /// Validation sequences that the confidence is fitted to.
    #[arg(long, value_name = "N", default_value_t = 40)]
    valid_sequences: usize,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train ngram --corpus made-up --out ngram.model
  napsim train ngram --corpus train.jsonl more.jsonl.gz --min-count 3 --out small.model
  napsim run --predictor 'ngram?model=small.model'";

/// How ranges enter the symbols.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// By the step from the action before.
    Relative,
    /// By their size.
    Absolute,
}

fn max_n(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_N_MAX).contains(number));
    number.ok_or_else(|| format!("give a whole number from 1 to {MAX_N_MAX}"))
}

/// Trains, writes the model and prints its card.
pub(super) fn train(args: &NgramArgs) -> Result<Exit, Failure> {
    let job = args.training.job()?;
    let settings = NgramSettings {
        range_mode: match args.range_mode {
            Mode::Relative => RangeMode::Relative,
            Mode::Absolute => RangeMode::Absolute,
        },
        max_n: args.max_n,
        min_count: args.min_count,
        ranking: (args.sequences > 0).then(|| RankingSettings {
            n_train: args.sequences,
            n_valid: args.valid_sequences,
            ..RankingSettings::default()
        }),
    };
    let bar = TrainingBar::new(args.training.data.quiet);
    let trained = args
        .training
        .data
        .threads()?
        .install(|| train_ngram(&job, &settings, &|progress| bar.show(progress)));
    bar.finish();
    conclude(&args.training, &trained.map_err(|error| failure(&error))?)
}
