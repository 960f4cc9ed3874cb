//! `napsim compare`: runs and variants on the same trajectories, with intervals and tests.

use std::str::FromStr;

use clap::Args;
use napsim_reports::gate::Gate;

use super::comparing::{self, ComparingArgs};
use super::sources::{self, SourceArgs};
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Compare runs on the trajectories that they have in common.
///
/// Means over trajectories have confidence intervals; differences are paired by trajectory and tested, with p-values
/// adjusted for the number of comparisons. docs/STATISTICS.md says how.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    sources: SourceArgs,

    #[command(flatten)]
    comparing: ComparingArgs,

    /// Fail with exit code 10 unless every run keeps this: 'uas >= 0.12', 'precision > 20% and uas.low >= 0.1'; repeatable.
    #[arg(long, value_name = "RULE", value_parser = Gate::from_str)]
    gate: Vec<Gate>,
}

const EXAMPLES: &str = "\
Examples:
  napsim compare runs/first runs/second
  napsim compare runs/* --baseline runs/first --metric precision
  napsim compare experiments/paper/stride.toml --export latex > table.tex
  napsim compare napsim-store/experiments/stride-1234abcd.json
  napsim compare runs/mine --gate 'uas >= 12%'

Exit codes: 0 compared, 2 bad input, 10 a gate was missed, 20 some runs are incomplete.";

/// Prints the comparison.
pub(super) fn compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let settings = args.comparing.statistics.settings_of(&sources)?;
    let runs = sources::compared(&sources);
    let missed = comparing::conclude(&runs, &settings, &args.comparing, &args.gate)?;
    Ok(match sources::ending(&sources) {
        Exit::Complete if missed => Exit::GateMissed,
        exit => exit,
    })
}
