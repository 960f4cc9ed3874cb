//! `napsim show`: the figures of a recorded run.

use std::path::PathBuf;

use clap::Args;
use napsim_reports::RunReport;

use super::{output, records};
use crate::console;
use crate::exit::{Exit, Failure};

/// Print the figures of a recorded run again.
///
/// They are derived from the records of its trajectories.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShowArgs {
    /// Folder that the run was kept in (`napsim run --out`).
    run: PathBuf,

    /// Print one line a trajectory before the table.
    #[arg(long)]
    per_trajectory: bool,

    /// Print one JSON object (schema napsim-run/1) instead of tables.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim show runs/first
  napsim show runs/first --per-trajectory
  napsim show runs/first --json

Exit codes: 0 complete, 20 where trajectories failed or the run is not finished.";

/// Prints the figures; those of a run that is not finished as far as it has come.
pub(super) fn show(args: &ShowArgs) -> Result<Exit, Failure> {
    let (folder, manifest) = records::open(&args.run)?;
    let results = records::results(&folder, &manifest)?;
    let timings = folder.timings();
    let n_missing = manifest.units.len() - results.len();
    let report = RunReport::new(&manifest.setup, &results, timings.wall_s).with_missing(n_missing);
    let time = Some(timings.total());
    output::figures(&report, time, args.json, args.per_trajectory, false)?;
    let exit = output::say_failures(&report);
    if n_missing > 0 {
        console::say(&format!(
            "napsim: the run is not finished: {n_missing} of {} trajectories are not done",
            manifest.units.len()
        ));
        return Ok(Exit::Incomplete);
    }
    Ok(exit)
}
