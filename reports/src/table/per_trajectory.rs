//! The table with one line a trajectory.

use napsim_sim::event::Outcome;

use super::{align, count, percent, table};
use crate::printable::printable;
use crate::report::{RunReport, TrajectoryReport};

/// One line a trajectory in corpus order, with marks where a rollout did not simply complete.
pub fn per_trajectory(report: &RunReport, width: u16) -> String {
    let mut table = table(width);
    table.set_header([
        "trajectory",
        "actions",
        "user",
        "pred.",
        "acc.",
        "UAS",
        "prec.",
        "undo",
        "",
    ]);
    for row in &report.per_trajectory {
        table.add_row([
            printable(&row.name, false).into_owned(),
            count(row.actions.into()),
            count(row.user_steps.into()),
            count(row.predictions.into()),
            count(row.accepted.into()),
            percent(row.uas),
            percent(row.precision),
            count(row.undo_actions.into()),
            marks(row),
        ]);
    }
    align(&mut table, 1..8, 1);
    let mut text = table.trim_fmt();
    text.push('\n');
    for (mark, meaning) in MEANINGS {
        if report.per_trajectory.iter().any(|row| marks(row).contains(mark)) {
            text.push_str(&format!("{mark} {meaning}\n"));
        }
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

const MEANINGS: [(char, &str); 3] = [
    (
        '*',
        "truncated: a limit stopped it; UAS counts what a step limit left as saved",
    ),
    (
        '~',
        "diverged: an acceptance could not be carried out and was taken back",
    ),
    ('!', "failed"),
];

fn marks(row: &TrajectoryReport) -> String {
    let mut marks = String::new();
    if row.truncated {
        marks.push('*');
    }
    match row.outcome {
        Outcome::Diverged => marks.push('~'),
        Outcome::Failed => marks.push('!'),
        Outcome::Complete | Outcome::Truncated => {}
    }
    marks
}
