//! `napsim breakdown`: predictions told apart by kind, trigger, length, progress and more.

use clap::Args;
use napsim_analysis::{Breakdown, By, breakdown};

use super::analysed::{self, Form};
use super::sources::SourceArgs;
use crate::exit::{Exit, Failure};

/// Say which predictions are accepted, by kind, trigger, length and more.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BreakdownArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// What tells predictions apart: kind, trigger (the user's last action), length (proposed actions), progress (through the
    /// trajectory), confidence, distance (from the user's last action), predictor, policy, mode, stride, context, max-actions,
    /// profile (way of working) or trajectory.
    #[arg(long, value_name = "WHAT", default_value = "kind", value_parser = by)]
    by: By,

    /// Print one JSON object a run (schema napsim-breakdown/1), one a line.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV.
    #[arg(long)]
    csv: bool,

    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim breakdown runs/first --by trigger
  napsim breakdown runs/first runs/second --by length --csv > lengths.csv
  napsim breakdown experiments/paper/stride.toml --by progress --json

Exit codes: 0 shown, 2 bad input, 20 some runs are incomplete.";

fn by(name: &str) -> Result<By, String> {
    By::from_name(name).ok_or_else(|| format!("write one of {}", By::ALL.map(By::name).join(", ")))
}

/// Prints the breakdown of each run.
pub(super) fn breakdown(args: &BreakdownArgs) -> Result<Exit, Failure> {
    let form = match (args.csv, args.json) {
        (true, _) => Form::Csv(&Breakdown::csv),
        (false, true) => Form::Json,
        (false, false) => Form::Text(breakdown::text),
    };
    analysed::show(&args.sources, args.quiet, |analysis| analysis.breakdown(args.by), &form)
}
