//! The options of the published trees.

use clap::{Args, ValueEnum};
use napsim_predictors::feature::RangeMode;
use napsim_training::xgboost::{UnknownAs, XgboostSettings};

/// Options that mean something to features v1 alone. None of them has a value unless it is given.
#[derive(Debug, Args)]
pub(super) struct V1Args {
    /// Train exactly as published: 200 rounds at a learning rate of 0.1, no early stop, all rows, AUTOFILL labelled as
    /// ALIGN_HORIZONTAL. Slow on much data, and the file is large.
    #[arg(long, conflicts_with_all = ["rounds", "depth", "learning_rate", "patience", "rows_max", "unknown_as"])]
    published: bool,

    /// Whether ranges are described by movement or by position and size [default: relative].
    #[arg(long, value_name = "MODE", value_enum)]
    range_mode: Option<Mode>,

    /// How many of the last actions the trees look at [default: 10].
    #[arg(long, value_name = "N", value_parser = window)]
    window: Option<usize>,

    /// What each tree's answer is multiplied by, above 0 and at most 1 [default: 0.15].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    learning_rate: Option<f32>,

    /// Stop growing trees of the kind after so many rounds that do not help on the validation sequences; those of the
    /// place go through all rounds. 0 never stops early [default: 5].
    #[arg(long, value_name = "N")]
    patience: Option<u32>,

    /// Most actions to learn from; where there are more, so many are drawn. 0 takes all [default: 150000].
    #[arg(long, value_name = "N")]
    rows_max: Option<u32>,

    /// Learn from the first so many sequences of three actions or more; 0 takes all [default: 5000].
    #[arg(long, value_name = "N")]
    max_sequences: Option<u32>,

    /// How kinds of actions that the features do not know (AUTOFILL) are labelled [default: own-class].
    #[arg(long, value_name = "LABEL", value_enum)]
    unknown_as: Option<Unknown>,
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

impl V1Args {
    /// The first of the options that is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--published", self.published),
            ("--range-mode", self.range_mode.is_some()),
            ("--window", self.window.is_some()),
            ("--learning-rate", self.learning_rate.is_some()),
            ("--patience", self.patience.is_some()),
            ("--rows-max", self.rows_max.is_some()),
            ("--max-sequences", self.max_sequences.is_some()),
            ("--unknown-as", self.unknown_as.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// What the training is told.
    pub(super) fn settings(&self, n_rounds: Option<u32>, depth_max: u32) -> XgboostSettings {
        let or_all = |n: u32| usize::try_from(n).ok().filter(|n| *n > 0);
        let defaults = if self.published {
            XgboostSettings::published()
        } else {
            XgboostSettings::default()
        };
        XgboostSettings {
            range_mode: self.range_mode.map_or(defaults.range_mode, |mode| match mode {
                Mode::Relative => RangeMode::Relative,
                Mode::Absolute => RangeMode::Absolute,
            }),
            window: self.window.unwrap_or(defaults.window),
            n_rounds: n_rounds.unwrap_or(defaults.n_rounds),
            depth_max,
            learning_rate: self.learning_rate.unwrap_or(defaults.learning_rate),
            patience: self.patience.map_or(defaults.patience, |n| Some(n).filter(|n| *n > 0)),
            rows_max: self.rows_max.map_or(defaults.rows_max, or_all),
            sequences_max: self.max_sequences.map_or(defaults.sequences_max, or_all),
            unknown_as: self.unknown_as.map_or(defaults.unknown_as, |unknown| match unknown {
                Unknown::Published => UnknownAs::Published,
                Unknown::OwnClass => UnknownAs::OwnClass,
            }),
        }
    }
}
