//! `napsim compare`: runs and variants on the same trajectories, with intervals and tests.

use std::str::FromStr;

use clap::Args;
use napsim_reports::comparison::ComparedRun;
use napsim_reports::gate::Gate;

use super::comparing::{self, ComparingArgs, SourceArgs};
use super::experiment::ExperimentArgs;
use super::plan::planned;
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
  napsim compare runs/mine --gate 'uas >= 12%'

Exit codes: 0 compared, 2 bad input, 10 a gate was missed, 20 some runs are incomplete.";

/// Prints the comparison.
pub(super) fn compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let several = args.sources.sources.len() > 1;
    let mut runs: Vec<ComparedRun> = Vec::new();
    let mut settings = args.comparing.settings_of_runs();
    for source in &args.sources.sources {
        if !comparing::is_experiment(source) {
            runs.push(comparing::recorded(source)?);
            continue;
        }
        let experiment = ExperimentArgs {
            file: source.clone(),
            set: Vec::new(),
            store: args.sources.store.clone(),
        };
        let planned = match planned(&experiment, &interruption) {
            Ok(planned) => planned,
            Err(failure) => return interruption.or(failure),
        };
        if !several {
            settings = args.comparing.settings(&planned)?;
        }
        let prefix = several.then_some(planned.experiment.name.as_str());
        runs.extend(comparing::runs_of(&planned, prefix));
    }
    let missed = comparing::conclude(&runs, &settings, &args.comparing, &args.gate)?;
    let failed = |run: &ComparedRun| {
        let failed = napsim_sim::event::Outcome::Failed;
        run.repeats
            .iter()
            .flatten()
            .any(|result| result.summary.outcome == failed)
    };
    let is_incomplete = runs.iter().any(|run| run.missing > 0 || failed(run));
    Ok(if is_incomplete {
        Exit::Incomplete
    } else if missed {
        Exit::GateMissed
    } else {
        Exit::Complete
    })
}
