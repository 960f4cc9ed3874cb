//! Moving large formats behind the content that they are for.

use napsim_trajectories::Action;

use super::format::huge_format_early;
use super::view::View;
use crate::refine::mechanical::is_cell_format;

/// The sequence with every large early format moved right behind the last content of its range, where nothing stands
/// in the way: only typing, formats of other kinds and whatever lies outside the range may be passed.
pub(super) fn delay_huge_formats(actions: &[Action]) -> Vec<Action> {
    let view = View::of(actions);
    let mut moves: Vec<(usize, usize)> = Vec::new();
    for finding in huge_format_early(&view) {
        let Some(from) = finding.action_idx else { continue };
        let Some(format) = actions.get(from).filter(|action| is_cell_format(action)) else {
            continue;
        };
        let last = view.fill_times(format.range().sheet(), &format.range().bounds()).max();
        let Some(to) = last.filter(|to| *to > from) else {
            continue;
        };
        let passed = actions.get(from + 1..=to).unwrap_or_default();
        if passed.iter().all(|other| may_pass(format, other)) {
            moves.push((from, to));
        }
    }
    let moved = |idx: usize| moves.iter().any(|(from, _)| *from == idx);
    let mut delayed = Vec::with_capacity(actions.len());
    for (idx, action) in actions.iter().enumerate() {
        if !moved(idx) {
            delayed.push(action.clone());
        }
        // Formats that come to stand at one place keep their order.
        let arrivals = moves.iter().filter(|(_, to)| *to == idx);
        delayed.extend(arrivals.filter_map(|(from, _)| actions.get(*from).cloned()));
    }
    delayed
}

fn may_pass(format: &Action, other: &Action) -> bool {
    let elsewhere =
        format.range().sheet() != other.range().sheet() || !format.range().bounds().overlaps(&other.range().bounds());
    let same_kind = format.keyword() == other.keyword();
    // A fill or a paste elsewhere may still copy from here.
    let local = other.is_content() || is_cell_format(other);
    local && (elsewhere || !same_kind)
}
