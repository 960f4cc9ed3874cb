//! The options of `napsim run`.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use napsim_predictors::Context;
use napsim_reports::{Gate, Mode};
use napsim_sim::engine::Engine;
use napsim_sim::protocol::Protocol;
use napsim_sim::settings::{StepLimit, Trigger};

use super::values;
use crate::cli::external::ExternalArgs;
use crate::cli::remote::RemoteArgs;

/// Measure a predictor on a corpus.
///
/// Prints UAS, acceptance rate, precision and coverage; `napsim explain` says what they are.
#[derive(Debug, Args)]
#[command(about = "Measure a predictor on a corpus", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// File, folder or glob pattern with trajectories; without it the built-in corpus.
    #[arg(default_value = "napsim-52")]
    pub(crate) corpus: PathBuf,

    /// Predictor to measure, with options: `online-ngram?max_n=4` (see `napsim list predictors`).
    #[arg(long, value_name = "NAME", default_value = "online-ngram")]
    pub(crate) predictor: String,

    /// When the user takes a proposal: a name or a rule such as 'precision >= 0.9 and saved >= 1'.
    #[arg(long, value_name = "NAME|RULE", default_value = "greedy")]
    pub(crate) policy: String,

    /// Rules of measurement.
    #[arg(long, value_name = "NAME", default_value = "nape-1", value_parser = values::protocol)]
    pub(crate) protocol: Protocol,

    /// One action a call and again until refused, or as many as the predictor likes once a user action.
    #[arg(long, value_enum, default_value_t = ModeArg::Single)]
    pub(crate) mode: ModeArg,

    /// Ask after every N-th action.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stride: u32,

    /// Ask only after certain actions: `after:merge,align`, `run:3`, `kind-change`, `area-change`; repeatable.
    #[arg(long, value_name = "TRIGGER", value_parser = values::trigger)]
    pub(crate) trigger: Vec<Trigger>,

    /// Actions of the history that the predictor knows [default: the predictor's own].
    #[arg(long, value_name = "N|all")]
    pub(crate) context: Option<Context>,

    /// Oldest actions that a language model forgets at once; 1 moves its context with every action, as published, which
    /// is slow [default: the predictor's own].
    #[arg(long, value_name = "N")]
    pub(crate) context_block: Option<NonZeroU32>,

    /// How the predictor finds values: `v1` as published, `v2` by value models [default: the predictor's own].
    #[arg(long, value_name = "v1|v2")]
    pub(crate) values: Option<String>,

    /// Least probability of being taken with which a trained predictor proposes, from 0 to 1 [default: its model's].
    #[arg(long, value_name = "P")]
    pub(crate) confidence: Option<String>,

    /// Most proposed actions kept a call [default: 1 in single mode, no limit in multi mode].
    #[arg(long, value_name = "N")]
    pub(crate) max_actions: Option<NonZeroU32>,

    /// Most user actions a trajectory: a number, a share of its length, the smaller of both, or `none`.
    #[arg(long, value_name = "LIMIT", default_value = "1200,120%", value_parser = values::step_limit)]
    pub(crate) step_limit: StepLimit,

    /// Most undo actions when a future is rewritten.
    #[arg(long, value_name = "N", default_value_t = 250)]
    pub(crate) undo_max: u32,

    /// Acceptances in a row that may fail to shorten the future before a rollout is stopped.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) chain_max: u32,

    /// Seed of everything random in a predictor.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Trajectories at a time [default: the number of cores, or all where models are asked over HTTP]; makes no difference to
    /// any figure.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU32>,

    /// How proposals are judged; `plain` is slow, for checking, and makes no difference to any figure.
    #[arg(long, value_enum, default_value_t = EngineArg::Fast)]
    pub(crate) engine: EngineArg,

    /// Keep the record of the run in this folder; the same command goes on where an interrupted one stopped.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Forget another run that the folder of `--out` holds.
    #[arg(long, requires = "out")]
    pub(crate) force: bool,

    /// Write one JSON line a call to this file; `-` is the standard output, and the table goes elsewhere.
    #[arg(long, value_name = "FILE")]
    pub(crate) log_calls: Option<PathBuf>,

    /// Fail with exit code 10 unless the run keeps this: 'uas >= 0.12', 'precision > 20% and uas.low >= 0.1'; repeatable.
    #[arg(long, value_name = "RULE", value_parser = Gate::from_str)]
    pub(crate) gate: Vec<Gate>,

    /// Skip malformed lines of trajectories and count them.
    #[arg(long)]
    pub(crate) lenient: bool,

    /// Print one line a trajectory before the table.
    #[arg(long)]
    pub(crate) per_trajectory: bool,

    /// Print one JSON object (schema napsim-run/1) instead of tables.
    #[arg(long)]
    pub(crate) json: bool,

    /// Say where the time went: after the table on the standard error, or under `timings` in the JSON object.
    #[arg(long)]
    pub(crate) timings: bool,

    /// Show no progress.
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Language models that others serve.
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,

    /// Predictors outside of the program.
    #[command(flatten)]
    pub(crate) external: ExternalArgs,
}

impl RunArgs {
    /// Whether the log of calls takes the standard output.
    pub(super) fn logs_to_stdout(&self) -> bool {
        self.log_calls.as_deref().is_some_and(|path| path.as_os_str() == "-")
    }
}

const EXAMPLES: &str = "\
Examples:
  napsim run
  napsim run my/trajectories --per-trajectory
  napsim run my/trajectories --out runs/first --log-calls calls.jsonl
  napsim run 'data/*.json' --predictor 'online-ngram?max_n=4' --policy 'precision >= 0.9'
  napsim run --predictor 'best-of(online-ngram,xgboost,lstm)'
  napsim run --mode multi --stride 4 --trigger after:input,autofill --json
  napsim run --predictor openai/gpt-5-mini --prices prices.toml --dry-run
  napsim run --predictor openai/gpt-5-mini --prices prices.toml --budget-usd 5 --out runs/mini
  napsim run --predictor local/my-model --base-url http://127.0.0.1:8080/v1
  napsim run --predictor 'exec:python3 my_predictor.py' --out runs/mine";

/// The engines by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EngineArg {
    /// Works out only what a proposal can change.
    Fast,
    /// Works out whole states anew for every proposal.
    Plain,
}

impl EngineArg {
    /// The engine that is meant.
    pub(crate) fn engine(self) -> Engine {
        match self {
            Self::Fast => Engine::Fast,
            Self::Plain => Engine::Plain,
        }
    }
}

/// The modes by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModeArg {
    /// One action a call, asked again after an acceptance until refused.
    Single,
    /// The predictor decides its own length.
    Multi,
}

impl ModeArg {
    /// The mode that is meant.
    pub(crate) fn mode(self) -> Mode {
        match self {
            Self::Single => Mode::Single,
            Self::Multi => Mode::Multi,
        }
    }
}
