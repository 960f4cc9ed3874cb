//! Courses of trajectories as text for a terminal.

use napsim_reports::table::{counts_table, percent};

use super::{Answer, Progress};
use crate::bars::sparkline;

/// How many blocks a curve has.
const BLOCKS: u32 = 24;

/// One line a trajectory: how much is left to do while the user does what would be the whole work by hand. By hand it goes
/// down evenly to the end; the sooner it is down, the more was saved.
pub fn text(courses: &[Progress], width: u16) -> String {
    let header = [
        "trajectory",
        "actions",
        "by user",
        "UAS",
        "accepted",
        "rejected",
        "left to do",
    ]
    .map(str::to_owned);
    let rows: Vec<Vec<String>> = courses
        .iter()
        .map(|course| {
            let n_marks = |answer| {
                course
                    .marks
                    .iter()
                    .filter(|mark| mark.answer == answer)
                    .count()
                    .to_string()
            };
            let shares: Vec<Option<f64>> = course.shares_left(BLOCKS).into_iter().map(Some).collect();
            vec![
                course.name.clone(),
                course.actions.to_string(),
                course.user_steps.to_string(),
                percent(course.uas),
                n_marks(Answer::Accepted),
                n_marks(Answer::Rejected),
                sparkline(&shares),
            ]
        })
        .collect();
    counts_table(&header, &rows, width)
}
