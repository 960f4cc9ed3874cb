//! Who proposes candidates, one after the other.

mod cursor;
mod extension;
mod fill;
mod formats;
mod replay;

use napsim_trajectories::Keyword;

pub use formats::edit_of;

use super::edits::{ContentKind, EditId};
use super::place::Place;
use super::pool::{Candidate, Pool};
use super::scene::{Scene, Step};
use super::sketch::slots_at;
use crate::values::{self, Suggestion};

/// Buffers that generation reuses.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    /// What could be typed into each cell that was asked about, one after the other.
    suggestions: Vec<Suggestion>,
    /// The cells with where their suggestions begin and end.
    cells: Vec<((u16, i32, i32), usize, usize)>,
}

impl Generator {
    /// What could be typed into a cell, worked out once a moment.
    fn suggestions(&mut self, scene: &mut Scene, cell: (u16, i32, i32)) -> &[Suggestion] {
        let known = self.cells.iter().find(|(known, ..)| *known == cell);
        let (begin, end) = match known {
            Some((_, begin, end)) => (*begin, *end),
            None => {
                let begin = self.suggestions.len();
                values::content(scene, cell, &mut self.suggestions);
                self.cells.push((cell, begin, self.suggestions.len()));
                (begin, self.suggestions.len())
            }
        };
        self.suggestions.get(begin..end).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.suggestions.clear();
        self.cells.clear();
    }
}

/// How far a run of filled cells is followed.
pub(super) const RUN_MAX: i32 = 120;

/// Fills the pool with everything that might come next; candidates that would change nothing are left out.
pub fn generate(scene: &mut Scene, generator: &mut Generator, pool: &mut Pool) {
    pool.clear();
    generator.clear();
    let Some(last) = scene.last().copied() else { return };
    replay::propose(scene, generator, last, pool);
    cursor::propose(scene, generator, pool);
    formats::propose(scene, last, pool);
    extension::propose(scene, last, pool);
    fill::propose(scene, pool);
    pool.retain(|candidate| candidate.place.is_on_sheet() && changes_something(scene, candidate));
}

/// The last action that typed content.
pub(super) fn last_typed(scene: &Scene) -> Option<Step> {
    scene
        .steps()
        .iter()
        .rev()
        .take(40)
        .find(|step| step.content != ContentKind::None)
        .copied()
}

/// The filled cells of a row around a cell.
pub(super) fn row_run(scene: &Scene, sheet: u16, row: i32, col: i32) -> Place {
    let left = scene.run(sheet, (row, col), (0, -1), RUN_MAX);
    let right = scene.run(sheet, (row, col), (0, 1), RUN_MAX);
    Place::spanning(sheet, (row, row), (col - left, col + right))
}

/// The filled cells of a column around a cell.
pub(super) fn column_run(scene: &Scene, sheet: u16, row: i32, col: i32) -> Place {
    let up = scene.run(sheet, (row, col), (-1, 0), RUN_MAX);
    let down = scene.run(sheet, (row, col), (1, 0), RUN_MAX);
    Place::spanning(sheet, (row - up, row + down), (col, col))
}

/// The latest different formats, latest first, with the position where each was done last.
pub(super) fn latest_formats(scene: &Scene, n: usize) -> Vec<(EditId, usize)> {
    let mut found: Vec<(EditId, usize)> = Vec::with_capacity(n);
    for (position, step) in scene.steps().iter().enumerate().rev().take(120) {
        if !is_format(step.keyword_idx) || found.iter().any(|(edit, _)| *edit == step.edit) {
            continue;
        }
        found.push((step.edit, position));
        if found.len() == n {
            break;
        }
    }
    found
}

/// Whether a keyword formats cells one by one or merges them: everything but content, fills and pastes.
pub(super) fn is_format(keyword_idx: usize) -> bool {
    !matches!(
        Keyword::ALL.get(keyword_idx),
        None | Some(Keyword::Input | Keyword::Value | Keyword::Formula | Keyword::Autofill | Keyword::PasteFrom)
    )
}

/// How many cells of a place are looked at to tell whether something changes.
const CELLS_LOOKED_AT: usize = 64;

fn changes_something(scene: &Scene, candidate: &Candidate) -> bool {
    let Candidate { edit, place, .. } = *candidate;
    let known = scene.edits.get(edit);
    match known.content {
        ContentKind::Grid => return true,
        ContentKind::None => {}
        _ => {
            return place
                .cells()
                .take(CELLS_LOOKED_AT)
                .any(|(row, col)| scene.look(place.sheet, row, col).content != Some(edit));
        }
    }
    match known.keyword {
        Keyword::Merge | Keyword::Unmerge => !place.is_cell(),
        Keyword::Autofill | Keyword::PasteFrom => true,
        keyword => place.cells().take(CELLS_LOOKED_AT).any(|(row, col)| {
            let slots = slots_at(keyword, place, row, col);
            let look = scene.look(place.sheet, row, col);
            let mut formats = look.formats.iter().enumerate();
            formats.any(|(slot, format)| slots >> slot & 1 == 1 && *format != known.text)
        }),
    }
}
