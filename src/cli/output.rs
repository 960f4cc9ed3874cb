//! What commands about a run have to say in the end.

use napsim_reports::RunReport;
use napsim_reports::table::{self, PredictionTime};
use napsim_sim::event::Outcome;

use crate::console;
use crate::exit::{Exit, Failure};

/// The figures on the standard output, or the tables on the standard error where the output is taken.
pub(super) fn figures(
    report: &RunReport,
    time: Option<PredictionTime>,
    json: bool,
    per_trajectory: bool,
    output_is_taken: bool,
) -> Result<(), Failure> {
    if json {
        let object = serde_json::to_string(report).map_err(Failure::environment)?;
        return console::print(&format!("{object}\n"));
    }
    let width = console::width();
    let mut text = String::new();
    if per_trajectory {
        text.push_str(&table::per_trajectory(report, width));
        text.push('\n');
    }
    text.push_str(&table::summary(report, time, width));
    if output_is_taken {
        console::say(text.trim_end());
        return Ok(());
    }
    console::print(&text)
}

/// Says which trajectories failed, and what exit code follows.
pub(super) fn say_failures(report: &RunReport) -> Exit {
    /// More are only counted.
    const NAMES_SHOWN_MAX: usize = 5;
    let failed: Vec<_> = report
        .per_trajectory
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
        .collect();
    if failed.is_empty() {
        return Exit::Complete;
    }
    for row in failed.iter().filter(|row| row.aborted).take(NAMES_SHOWN_MAX) {
        console::say(&format!(
            "napsim: {}: {}",
            row.name,
            row.error.as_deref().unwrap_or_default()
        ));
    }
    let names: Vec<&str> = failed
        .iter()
        .map(|row| row.name.as_str())
        .take(NAMES_SHOWN_MAX)
        .collect();
    let more = if failed.len() > names.len() { ", …" } else { "" };
    let n_all = report.per_trajectory.len();
    console::say(&format!(
        "napsim: {} of {n_all} trajectories failed: {}{more}",
        failed.len(),
        names.join(", ")
    ));
    Exit::Incomplete
}
