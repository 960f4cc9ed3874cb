//! `napsim status`: how far an experiment has come.

use clap::Args;

use super::experiment::ExperimentArgs;
use super::plan::{PlanTable, planned};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Say how far an experiment has come.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    experiment: ExperimentArgs,

    /// Print one JSON object (schema napsim-plan-summary/1) instead of a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim status experiments/paper/stride.toml
  napsim status my.toml --store /shared/units --json

Exit codes: 0 every unit is done, 2 bad input, 20 some are missing or failed.";

/// Prints how many units of each variant are done.
pub(super) fn status(args: &StatusArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let planned = match planned(&args.experiment, &interruption) {
        Ok(planned) => planned,
        Err(failure) => return interruption.or(failure),
    };
    let everything = vec![true; planned.units.len()];
    let table = PlanTable::new(&planned, &everything);
    if args.json {
        console::print(&table.to_json()?)?;
    } else {
        console::print_untrusted(&table.text())?;
        console::say(&format!("napsim: {}", table.sentence(&args.experiment.store.store)));
    }
    Ok(planned.ending(if table.is_complete() {
        Exit::Complete
    } else {
        Exit::Incomplete
    }))
}
