//! The table with one line a trajectory.

use napsim_sim::event::Outcome;

use super::{align_right, count, percent, table};
use crate::printable::printable;
use crate::report::{RunReport, TrajectoryReport};

/// One line a trajectory in corpus order. A star marks a figure of a rollout that a limit stopped.
pub fn per_trajectory(report: &RunReport, width: u16) -> String {
    let mut table = table(width);
    table.set_header([
        "trajectory",
        "actions",
        "user",
        "pred.",
        "acc.",
        "UAS",
        "precision",
        "undo",
        "outcome",
    ]);
    for row in &report.per_trajectory {
        table.add_row([
            printable(&row.name, false).into_owned(),
            count(row.actions.into()),
            count(row.user_steps.into()),
            count(row.predictions.into()),
            count(row.accepted.into()),
            uas(row),
            percent(row.precision),
            count(row.undo_actions.into()),
            row.outcome.name().to_owned(),
        ]);
    }
    align_right(&mut table, 1..8);
    let mut text = table.to_string();
    text.push('\n');
    if report.per_trajectory.iter().any(|row| row.truncated) {
        text.push_str("* a limit stopped the rollout; what it left undone counts as saved\n");
    }
    for row in report
        .per_trajectory
        .iter()
        .filter(|row| row.outcome == Outcome::Failed)
    {
        let error = row.error.as_deref().unwrap_or("some calls of the predictor failed");
        text.push_str(&format!(
            "{}: {}\n",
            printable(&row.name, false),
            printable(error, false)
        ));
    }
    text
}

fn uas(row: &TrajectoryReport) -> String {
    let star = if row.truncated && row.uas.is_some() { "*" } else { "" };
    format!("{}{star}", percent(row.uas))
}
