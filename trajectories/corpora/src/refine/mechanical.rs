//! Edits that need no judgement: dropping what does nothing and joining what belongs together.

use napsim_sim::state::Workbook;
use napsim_trajectories::action::BorderSide;
use napsim_trajectories::{Action, Bounds, Edit, Group, Range};

use super::difference::differences;
use crate::stats::replay::Replay;

/// How far after an action its counterpart is looked for.
pub(super) const REACH: usize = 12;

/// Indices of the actions that change nothing when the sequence is replayed; none of a sequence that fails.
pub(super) fn idle_actions(actions: &[Action]) -> Vec<usize> {
    let mut replay = Replay::default();
    let steps: Result<Vec<bool>, _> = actions
        .iter()
        .map(|action| replay.step(action).map(|step| step.changed))
        .collect();
    let changed = steps.unwrap_or_default();
    (0..)
        .zip(changed)
        .filter(|(_, changed)| !changed)
        .map(|(action_idx, _)| action_idx)
        .collect()
}

/// Two actions of which one can do the work of both.
pub(super) struct Join {
    /// Index of the earlier action, in whose place the joined one stands.
    pub(super) first: usize,
    /// Index of the later action, which goes.
    pub(super) second: usize,
    /// The joined action.
    pub(super) joined: Action,
}

/// Pairs of equal formats whose ranges make up a rectangle, the later of which can move up to the earlier.
pub(super) fn joins(actions: &[Action]) -> Vec<Join> {
    let mut joins = Vec::new();
    for (first, action) in actions.iter().enumerate().filter(|(_, action)| is_cell_format(action)) {
        for (second, other) in actions.iter().enumerate().skip(first + 1).take(REACH) {
            if let Some(joined) = join(action, other) {
                joins.push(Join { first, second, joined });
                break;
            }
            if !commute_with_format(action, other) {
                break;
            }
        }
    }
    joins
}

/// Four sides of one range drawn alike in succession, as one outside border.
pub(super) fn boxes(actions: &[Action]) -> Vec<(usize, Action)> {
    let windows = actions.windows(4).enumerate();
    let drawn = windows.filter_map(|(start, window)| box_of(window).map(|joined| (start, joined)));
    let mut kept: Vec<(usize, Action)> = Vec::new();
    for (start, joined) in drawn {
        if kept.last().is_none_or(|(last, _)| last + 4 <= start) {
            kept.push((start, joined));
        }
    }
    kept
}

fn box_of(window: &[Action]) -> Option<Action> {
    let mut sides = Vec::new();
    let first = window.first()?;
    for action in window {
        let (Edit::Border { side, line }, Edit::Border { line: other, .. }) = (action.edit(), first.edit()) else {
            return None;
        };
        if action.range() != first.range() || line != other {
            return None;
        }
        sides.push(*side);
    }
    sides.sort_unstable();
    let all = [BorderSide::Left, BorderSide::Right, BorderSide::Top, BorderSide::Bottom];
    let Edit::Border { line, .. } = first.edit() else {
        return None;
    };
    (sides == all).then(|| {
        let edit = Edit::Border {
            side: BorderSide::Outside,
            line: line.clone(),
        };
        Action::new(first.range().clone(), edit)
    })
}

/// Whether the action sets one property of each cell alike, so that ranges can be joined.
pub(super) fn is_cell_format(action: &Action) -> bool {
    let alike = match action.edit() {
        Edit::Border { side, .. } => *side == BorderSide::All,
        _ => matches!(action.group(), Group::Format | Group::Fill | Group::Font | Group::Align),
    };
    alike && !action.is_inverse()
}

/// Whether two cell formats are the same but for their ranges.
pub(super) fn same_format(a: &Action, b: &Action) -> bool {
    b.on_range(a.range().clone()) == *a
}

fn join(a: &Action, b: &Action) -> Option<Action> {
    if a.range().sheet() != b.range().sheet() || !same_format(a, b) {
        return None;
    }
    let union = rectangle(&a.range().walk().ok()?, &b.range().walk().ok()?)?;
    Some(a.on_range(Range::from_bounds(a.range().sheet().clone(), union)))
}

/// The union of two ranges when it is a rectangle: alike along one axis, touching or overlapping along the other.
fn rectangle(a: &Bounds, b: &Bounds) -> Option<Bounds> {
    let touch = |a: (i64, i64), b: (i64, i64)| a.0 <= b.1 + 1 && b.0 <= a.1 + 1;
    let (rows, cols) = (
        |x: &Bounds| (x.first_row, x.last_row),
        |x: &Bounds| (x.first_col, x.last_col),
    );
    let beside = rows(a) == rows(b) && touch(cols(a), cols(b));
    let below = cols(a) == cols(b) && touch(rows(a), rows(b));
    (beside || below).then(|| Bounds {
        first_row: a.first_row.min(b.first_row),
        first_col: a.first_col.min(b.first_col),
        last_row: a.last_row.max(b.last_row),
        last_col: a.last_col.max(b.last_col),
    })
}

/// Whether a cell format of any range can move up past `between`: typing, other cell formats and the same format
/// elsewhere do not mind.
fn commute_with_format(format: &Action, between: &Action) -> bool {
    let other_format = || between.keyword() != format.keyword() || same_format(format, between);
    between.is_content() || (is_cell_format(between) && other_format())
}

/// An edit of a whole sequence.
pub(super) type Step = fn(&[Action]) -> Vec<Action>;

/// The sequence after all mechanical edits and then those in `more`, each of which leaves the final state as it is.
pub(super) fn tidy(actions: &[Action], more: &[Step]) -> Vec<Action> {
    let mut target = Workbook::default();
    if target.apply_strict(actions).is_err() {
        return actions.to_vec();
    }
    let mut tidy = actions.to_vec();
    let steps: [Step; 3] = [drop_idle, draw_boxes, join_formats];
    for step in steps.iter().chain(more) {
        let next = step(&tidy);
        let mut state = Workbook::default();
        // The rules are meant to hold; should one not, the sequence stays as it was.
        if state.apply_strict(&next).is_ok() && differences(&state, &target).is_empty() {
            tidy = next;
        }
    }
    tidy
}

fn drop_idle(actions: &[Action]) -> Vec<Action> {
    let idle = idle_actions(actions);
    let kept = actions
        .iter()
        .enumerate()
        .filter(|(action_idx, _)| idle.binary_search(action_idx).is_err());
    kept.map(|(_, action)| action.clone()).collect()
}

fn draw_boxes(actions: &[Action]) -> Vec<Action> {
    let (mut drawn, mut at) = (Vec::new(), 0);
    for (start, joined) in boxes(actions) {
        drawn.extend(actions.iter().skip(at).take(start - at).cloned());
        drawn.push(joined);
        at = start + 4;
    }
    drawn.extend(actions.iter().skip(at).cloned());
    drawn
}

/// Joins until nothing is left to join. Each round takes joins that do not share an action.
fn join_formats(actions: &[Action]) -> Vec<Action> {
    let mut actions = actions.to_vec();
    loop {
        let mut taken = vec![false; actions.len()];
        let mut gone = vec![false; actions.len()];
        let mut n_joined = 0;
        for Join { first, second, joined } in joins(&actions) {
            let free = [first, second].iter().all(|idx| taken.get(*idx) == Some(&false));
            if let (true, Some(slot)) = (free, actions.get_mut(first)) {
                *slot = joined;
                for idx in [first, second] {
                    if let Some(taken) = taken.get_mut(idx) {
                        *taken = true;
                    }
                }
                if let Some(gone) = gone.get_mut(second) {
                    *gone = true;
                }
                n_joined += 1;
            }
        }
        if n_joined == 0 {
            return actions;
        }
        let kept = actions.into_iter().zip(gone).filter(|(_, gone)| !gone);
        actions = kept.map(|(action, _)| action).collect();
    }
}
