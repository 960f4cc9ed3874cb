//! Rules about borders.

use napsim_trajectories::action::{BorderLine, BorderSide};
use napsim_trajectories::{Action, Edit};

use super::view::{View, finding};
use super::{Finding, Severity};
use crate::refine::mechanical;

pub(super) fn four_sides(view: &View<'_>) -> Vec<Finding> {
    let found = mechanical::boxes(view.actions)
        .into_iter()
        .map(|(start, joined)| Finding {
            edit: Some(format!("replace actions {} to {} by `{joined}`", start + 1, start + 4)),
            ..finding(
                "four-sides",
                Severity::Warning,
                start,
                "four sides are drawn one by one".to_owned(),
            )
        });
    found.collect()
}

pub(super) fn three_sides(view: &View<'_>) -> Vec<Finding> {
    let side = |action: &Action| match action.edit() {
        Edit::Border { side, .. } if BOX.contains(side) => Some(*side),
        _ => None,
    };
    let alike = |a: &Action, b: &Action| a.range() == b.range() && line_of(a) == line_of(b);
    let mut found = Vec::new();
    let mut start = 0;
    for run in view
        .actions
        .chunk_by(|a, b| side(a).is_some() && side(b).is_some() && alike(a, b))
    {
        let mut sides: Vec<BorderSide> = run.iter().filter_map(side).collect();
        sides.sort_unstable();
        sides.dedup();
        if sides.len() == 3 {
            let reason = format!(
                "three of the four sides of {} are drawn one by one",
                run.iter().map(|a| a.range().to_string()).next().unwrap_or_default()
            );
            found.push(finding("three-sides", Severity::Hint, start, reason));
        }
        start += run.len();
    }
    found
}

const BOX: [BorderSide; 4] = [BorderSide::Left, BorderSide::Right, BorderSide::Top, BorderSide::Bottom];

fn line_of(action: &Action) -> Option<&BorderLine> {
    match action.edit() {
        Edit::Border { line, .. } => Some(line),
        _ => None,
    }
}
