//! `napsim breakdown`: predictions told apart by kind, trigger, length, progress and more.

use clap::Args;
use napsim_analysis::{By, breakdown};

use super::analysed;
use super::sources::SourceArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

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
    let interruption = Interruption::listen()?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let analysed = match analysed::all(&sources, args.quiet, &interruption) {
        Ok(analysed) => analysed,
        Err(failure) => return interruption.or(failure),
    };
    let of_runs = analysed.iter().map(|run| (run, run.analysis.breakdown(args.by)));
    if args.csv {
        analysed::print_csv(of_runs.map(|(run, breakdown)| breakdown.csv().under("run", &run.name)))?;
    } else if args.json {
        for (run, breakdown) in of_runs {
            analysed::print_json(run, &breakdown)?;
        }
    } else {
        for (run, breakdown) in of_runs {
            let text = breakdown::text(&breakdown, console::width());
            console::print_untrusted(&analysed::headed(run, analysed.len() > 1, &text))?;
        }
    }
    Ok(analysed::ending(&sources))
}
