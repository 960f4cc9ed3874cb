//! Value models: what could be typed into a cell, and how a source or table goes on, each with a confidence.
//!
//! The published predictors take the last value of the same keyword, whatever its type, shape and place (spec chapter
//! 03, 2.1 and Q4). These look at the cells around the target.

mod grid;
mod series;
mod source;

use napsim_trajectories::{Value, shift_references};

use crate::candidates::{ContentKind, EditId, Scene, ValueModel};

pub use grid::resized;
pub use source::moved_source;

/// A cell: sheet, row, column.
type Cell = (u16, i32, i32);

/// How many cells of a run a series is read from.
const RUN_MAX: i32 = 5;
/// How many cells above are searched for the same value.
const COLUMN_MAX: i32 = 40;

/// An edit that may be typed, with the model that says so and how sure it is.
pub type Suggestion = (EditId, ValueModel, f32);

/// Appends what could be typed into a cell, by its column and its row; the same edit may occur twice.
pub fn content(scene: &mut Scene, cell: Cell, out: &mut Vec<Suggestion>) {
    let mut guesses = Vec::new();
    for by in [(-1, 0), (0, -1)] {
        along(scene, cell, by, &mut guesses, out);
    }
    cycle(scene, cell, out);
    beside(scene, cell, out);
    for (value, model, confidence) in guesses {
        out.push((scene.edits.input(value), model, confidence));
    }
}

/// Content of the cell so many steps away.
fn edit_at(scene: &Scene, (sheet, row, col): Cell, by: (i32, i32), n: i32) -> Option<EditId> {
    scene.look(sheet, row + by.0 * n, col + by.1 * n).content
}

/// The run of cells in one direction: its series, its last value again, or its formula moved.
fn along(scene: &Scene, cell: Cell, by: (i32, i32), guesses: &mut Vec<series::Guess>, out: &mut Vec<Suggestion>) {
    let run: Vec<EditId> = (1..=RUN_MAX).map_while(|n| edit_at(scene, cell, by, n)).collect();
    let Some(first) = run.first() else { return };
    match scene.edits.get(*first).content {
        ContentKind::Formula => guesses.extend(moved_formula(scene, &run, by)),
        _ => {
            let values: Vec<&Value> = run.iter().map_while(|id| scene.edits.value(*id)).collect();
            guesses.extend(series::next(&values));
            let same = run.iter().take_while(|id| *id == first).count();
            let confidence = [0.1, 0.1, 0.4, 0.6, 0.8, 0.9].get(same).copied().unwrap_or(0.9);
            out.push((*first, ValueModel::Neighbour, confidence));
        }
    }
}

/// The formula of the neighbour with its references moved; surer where the one before was moved the same way.
fn moved_formula(scene: &Scene, run: &[EditId], by: (i32, i32)) -> Option<series::Guess> {
    let formula = |n: usize| match scene.edits.value(*run.get(n)?)? {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    };
    let (rows, cols) = (i64::from(-by.0), i64::from(-by.1));
    let last = formula(0)?;
    let confirmed = formula(1).is_some_and(|before| shift_references(&before, rows, cols) == *last);
    let next = shift_references(&last, rows, cols);
    Some((
        Value::text(next),
        ValueModel::Formula,
        if confirmed { 0.9 } else { 0.5 },
    ))
}

/// The value that followed the value above when it stood higher in the column.
fn cycle(scene: &Scene, cell: Cell, out: &mut Vec<Suggestion>) {
    let Some(above) = edit_at(scene, cell, (-1, 0), 1) else {
        return;
    };
    let mut counts: Vec<(EditId, f32)> = Vec::new();
    let mut n_filled = 0;
    for n in 1..=COLUMN_MAX {
        let Some(edit) = edit_at(scene, cell, (-1, 0), n) else {
            break;
        };
        n_filled += 1;
        let follows = n >= 2 && edit == above;
        if follows && let Some(next) = edit_at(scene, cell, (-1, 0), n - 1) {
            out.push((next, ValueModel::Cycle, if n == 2 { 0.3 } else { 0.5 }));
            break;
        }
        match counts.iter_mut().find(|(known, _)| *known == edit) {
            Some((_, count)) => *count += 1.0,
            None => counts.push((edit, 1.0)),
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few dozen cells at most")]
    let n_filled = n_filled.max(1) as f32;
    // The first of equals is the nearest one.
    let best = counts.iter().rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((edit, count)) = best.filter(|(_, count)| *count >= 2.0) {
        out.push((*edit, ValueModel::Frequent, count / n_filled));
    }
}

/// The value of this column in another row that has the same value beside it.
fn beside(scene: &Scene, cell: Cell, out: &mut Vec<Suggestion>) {
    let Some(left) = edit_at(scene, cell, (0, -1), 1) else {
        return;
    };
    let (sheet, row, col) = cell;
    let same = (1..=COLUMN_MAX).find(|n| scene.look(sheet, row - n, col - 1).content == Some(left));
    let edit = same.and_then(|n| edit_at(scene, cell, (-1, 0), n));
    if let Some(edit) = edit.filter(|edit| scene.edits.get(*edit).content != ContentKind::Formula) {
        out.push((edit, ValueModel::Beside, 0.5));
    }
}
