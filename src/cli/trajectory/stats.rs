//! Counts of actions by kind.

use napsim_reports::table::{count, counts_table};
use napsim_trajectories::{Group, Trajectory};

/// One line a trajectory, and one for all of them where there are several.
pub(super) fn table(trajectories: &[&Trajectory], width: u16) -> String {
    let mut header = vec!["trajectory".to_owned(), "all".to_owned()];
    header.extend(Group::ALL.iter().map(|group| heading(*group).to_owned()));
    let mut rows: Vec<Vec<String>> = trajectories
        .iter()
        .map(|trajectory| row(&trajectory.name, &[*trajectory]))
        .collect();
    if trajectories.len() > 1 {
        rows.push(row("all", trajectories));
    }
    counts_table(&header, &rows, width)
}

fn row(name: &str, trajectories: &[&Trajectory]) -> Vec<String> {
    let actions = || trajectories.iter().flat_map(|trajectory| &trajectory.actions);
    let number = |n: usize| count(u64::try_from(n).unwrap_or(u64::MAX));
    let of_group = |group: &Group| number(actions().filter(|action| action.group() == *group).count());
    [name.to_owned(), number(actions().count())]
        .into_iter()
        .chain(Group::ALL.iter().map(of_group))
        .collect()
}

/// The group's name, or as much of it as makes a narrow column.
fn heading(group: Group) -> &'static str {
    match group {
        Group::Format => "form.",
        Group::Border => "bord.",
        Group::Autofill => "auto.",
        other => other.name(),
    }
}
