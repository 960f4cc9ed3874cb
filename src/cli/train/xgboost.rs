//! `napsim train xgboost`.

use clap::{Args, ValueEnum};
use napsim_predictors::feature::RangeMode;
use napsim_training::xgboost::{UnknownAs, XgboostSettings, train as train_xgboost};

use super::args::TrainingArgs;
use super::conclusion::{conclude, failure};
use super::progress::TrainingBar;
use crate::exit::{Exit, Failure};

/// Train boosted trees: which kind of action comes next, and where.
///
/// Grows, by XGBoost, trees for the kind of the next action and for its row, column, height and width, from a description
/// of the last actions. XGBoost (libxgboost) must be installed to train; it is not needed to predict. Takes minutes.
#[derive(Debug, Args)]
#[command(
    about = "Train boosted trees: which kind of action comes next, and where",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct XgboostArgs {
    #[command(flatten)]
    training: TrainingArgs,

    /// What the trees look at: `v1` is the published vector of the last actions.
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Features::V1)]
    features: Features,

    /// Whether ranges are described by movement or by position and size.
    #[arg(long, value_name = "MODE", value_enum, default_value_t = Mode::Relative)]
    range_mode: Mode,

    /// How many of the last actions the trees look at.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = window)]
    window: usize,

    /// Train exactly as published: 200 rounds at a learning rate of 0.1, no early stop, all rows, AUTOFILL labelled as
    /// ALIGN_HORIZONTAL. Slow on much data, and the file is large.
    #[arg(
        long,
        conflicts_with_all = ["rounds", "depth", "learning_rate", "patience", "rows_max", "unknown_as"]
    )]
    published: bool,

    /// Most rounds; each adds a tree for every kind of action and every range number.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,

    /// Most splits from the root of a tree to a leaf.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=15))]
    depth: u32,

    /// What each tree's answer is multiplied by, above 0 and at most 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.25, value_parser = share)]
    learning_rate: f32,

    /// Stop after so many rounds that do not help on the validation sequences; 0 never stops early.
    #[arg(long, value_name = "N", default_value_t = 5)]
    patience: u32,

    /// Most actions to learn from; where there are more, so many are drawn. 0 takes all.
    #[arg(long, value_name = "N", default_value_t = 150_000)]
    rows_max: u32,

    /// Learn from the first so many sequences of three actions or more; 0 takes all.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    max_sequences: u32,

    /// How kinds of actions that the features do not know (AUTOFILL) are labelled.
    #[arg(long, value_name = "LABEL", value_enum, default_value_t = Unknown::OwnClass)]
    unknown_as: Unknown,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 2000 --out made-up
  napsim train xgboost --corpus made-up --out trees.model
  napsim train xgboost --corpus train.jsonl --published --out published.model
  napsim run --predictor 'xgboost?model=trees.model'";

/// What the trees look at.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Features {
    /// The published vector.
    V1,
}

/// How ranges are described.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// By the step from the action before.
    Relative,
    /// By position and size.
    Absolute,
}

/// How unknown kinds are labelled.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Unknown {
    /// As ALIGN_HORIZONTAL.
    Published,
    /// As a kind of their own, of which none is ever proposed.
    OwnClass,
}

fn window(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=100).contains(number));
    number.ok_or_else(|| "give a whole number from 1 to 100".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| *number > 0.0 && *number <= 1.0);
    number.ok_or_else(|| "give a number above 0 and at most 1".to_owned())
}

impl XgboostArgs {
    fn settings(&self) -> XgboostSettings {
        let or_all = |n: u32| usize::try_from(n).ok().filter(|n| *n > 0);
        let same_for_both = XgboostSettings {
            range_mode: match self.range_mode {
                Mode::Relative => RangeMode::Relative,
                Mode::Absolute => RangeMode::Absolute,
            },
            window: self.window,
            sequences_max: or_all(self.max_sequences),
            ..XgboostSettings::published()
        };
        if self.published {
            return same_for_both;
        }
        XgboostSettings {
            n_rounds: self.rounds,
            depth_max: self.depth,
            learning_rate: self.learning_rate,
            patience: Some(self.patience).filter(|n| *n > 0),
            rows_max: or_all(self.rows_max),
            unknown_as: match self.unknown_as {
                Unknown::Published => UnknownAs::Published,
                Unknown::OwnClass => UnknownAs::OwnClass,
            },
            ..same_for_both
        }
    }
}

/// Trains, writes the model and prints its card.
pub(super) fn train(args: &XgboostArgs) -> Result<Exit, Failure> {
    let job = args.training.job()?;
    let settings = match args.features {
        Features::V1 => args.settings(),
    };
    let bar = TrainingBar::new(args.training.quiet);
    let trained = args
        .training
        .threads()?
        .install(|| train_xgboost(&job, settings, &|progress| bar.show(progress)));
    bar.finish();
    conclude(&args.training, &trained.map_err(|error| failure(&error))?)
}
