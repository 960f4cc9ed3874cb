//! `napsim run`: measures a predictor on a corpus.

mod args;
mod plan;
mod progress;
mod rollouts;
mod timed;
mod values;

use std::time::Instant;

use napsim_reports::table::PredictionTime;
use napsim_reports::{RunReport, table};
use napsim_sim::event::Outcome;

pub(super) use args::RunArgs;
use plan::Plan;

use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Measures, prints the figures, and keeps the record if asked to.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let plan = Plan::new(args)?;
    let interruption = Interruption::listen()
        .map_err(|error| Failure::environment(anyhow::Error::new(error).context("failed to listen to signals")))?;
    let start = Instant::now();
    let units = rollouts::all(&plan, args, &interruption)?;
    let wall_s = start.elapsed().as_secs_f64();
    if let Some(signal) = interruption.signal() {
        console::say("napsim: interrupted; nothing was kept (give `--out DIR` to be able to resume)");
        return Ok(Exit::Signal(signal));
    }
    let time = PredictionTime::sum(units.iter().map(|unit| unit.time));
    let results: Vec<_> = units.into_iter().map(|unit| unit.result).collect();
    let report = RunReport::new(&plan.setup, &results, Some(wall_s));
    print(&report, time, args)?;
    Ok(conclude(&report))
}

/// The figures on the standard output.
fn print(report: &RunReport, time: PredictionTime, args: &RunArgs) -> Result<(), Failure> {
    if args.json {
        let object = serde_json::to_string(report).map_err(Failure::environment)?;
        return console::print(&format!("{object}\n"));
    }
    let width = console::width();
    let mut text = String::new();
    if args.per_trajectory {
        text.push_str(&table::per_trajectory(report, width));
        text.push('\n');
    }
    text.push_str(&table::summary(report, Some(time), width));
    console::print(&text)
}

/// Says what failed and what exit code follows from it.
fn conclude(report: &RunReport) -> Exit {
    let failed: Vec<&str> = report
        .per_trajectory
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
        .map(|row| row.name.as_str())
        .collect();
    if failed.is_empty() {
        return Exit::Complete;
    }
    for row in report.per_trajectory.iter().filter(|row| row.aborted) {
        console::say(&format!(
            "napsim: {} failed: {}",
            row.name,
            row.error.as_deref().unwrap_or_default()
        ));
    }
    let shown: Vec<&str> = failed.iter().copied().take(5).collect();
    let more = if failed.len() > shown.len() { ", …" } else { "" };
    let n_all = report.per_trajectory.len();
    console::say(&format!(
        "napsim: {} of {n_all} trajectories failed: {}{more}",
        failed.len(),
        shown.join(", ")
    ));
    Exit::Incomplete
}
