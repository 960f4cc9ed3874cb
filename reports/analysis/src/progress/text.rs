//! Courses of trajectories as text for a terminal.

use napsim_reports::table::{counts_table, percent};

use super::{Answer, Progress};
use crate::bars::sparkline;

/// From this width on there is room for how many predictions were accepted and rejected, and for finer curves.
const WIDTH_OF_COUNTS: u16 = 110;

/// One line a trajectory: how much is left to do while the user does what would be the whole work by hand, and how much
/// has been saved until then.
pub fn text(courses: &[Progress], width: u16) -> String {
    let is_wide = width >= WIDTH_OF_COUNTS;
    let (blocks_left, blocks_saved) = if is_wide { (15, 20) } else { (9, 11) };
    let saved: Vec<Vec<f64>> = courses.iter().map(|course| course.shares_saved(blocks_saved)).collect();
    let most = saved.iter().flatten().copied().fold(0.0, f64::max);
    let mut header = vec!["trajectory", "actions", "by user", "UAS"];
    if is_wide {
        header.extend(["accepted", "rejected"]);
    }
    header.extend(["left to do", "saved so far"]);
    let header: Vec<String> = header.into_iter().map(str::to_owned).collect();
    let cells = |(course, saved): (&Progress, &Vec<f64>)| {
        let n_marks = |answer| {
            course
                .marks
                .iter()
                .filter(|mark| mark.answer == answer)
                .count()
                .to_string()
        };
        let left: Vec<Option<f64>> = course.shares_left(blocks_left).into_iter().map(Some).collect();
        let saved: Vec<Option<f64>> = saved.iter().map(|share| (most > 0.0).then(|| share / most)).collect();
        let mut cells = vec![
            course.name.clone(),
            course.actions.to_string(),
            course.user_steps.to_string(),
            percent(course.uas),
        ];
        if is_wide {
            cells.extend([Answer::Accepted, Answer::Rejected].map(n_marks));
        }
        cells.extend([sparkline(&left), sparkline(&saved)]);
        cells
    };
    let rows: Vec<Vec<String>> = courses.iter().zip(&saved).map(cells).collect();
    let mut text = counts_table(&header, &rows, width);
    if most > 0.0 {
        text.push_str("saved so far: a full block is ");
        text.push_str(&percent(Some(most)));
        text.push_str(" of the actions\n");
    }
    text
}
