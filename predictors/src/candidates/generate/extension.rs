//! Wider formats: a recent one on the rest of its row, column or block, and formats that are common everywhere.

use std::sync::OnceLock;

use napsim_trajectories::{Action, Edit};

use super::{RUN_MAX, is_format, row_run};
use crate::candidates::place::Place;
use crate::candidates::pool::{Evidence, Pool, Source, ValueModel};
use crate::candidates::scene::{Scene, Step};

/// Formats that are extended.
const EXTENDED: usize = 3;

pub(super) fn propose(scene: &mut Scene, last: Step, pool: &mut Pool) {
    let n_steps = scene.steps().len();
    let mut seen = Vec::new();
    for position in (0..n_steps).rev().take(30) {
        let Some(step) = scene.steps().get(position).copied() else {
            continue;
        };
        if !is_format(step.keyword_idx) || seen.contains(&step.edit) {
            continue;
        }
        seen.push(step.edit);
        let evidence = Evidence::of(Source::Extension).aged(n_steps - position);
        for (ahead, place) in (0..).zip(extensions(scene, step.place)) {
            pool.add(step.edit, place, Evidence { ahead, ..evidence });
        }
        if seen.len() == EXTENDED {
            break;
        }
    }
    common(scene, last, pool);
}

/// A place extended along its row, its column and over the block; the rest alone and the whole.
fn extensions(scene: &Scene, place: Place) -> Vec<Place> {
    let Place { sheet, row, col, .. } = place;
    let (last_row, last_col) = (place.last_row(), place.last_col());
    let right = scene.run(sheet, (row, last_col), (0, 1), RUN_MAX);
    let down = scene.run(sheet, (last_row, col), (1, 0), RUN_MAX);
    let mut places = Vec::with_capacity(5);
    let (rows, cols) = ((row, last_row), (col, last_col));
    if right > 0 {
        places.push(Place::spanning(sheet, rows, (last_col + 1, last_col + right)));
        places.push(Place::spanning(sheet, rows, (col, last_col + right)));
    }
    if down > 0 {
        places.push(Place::spanning(sheet, (last_row + 1, last_row + down), cols));
        places.push(Place::spanning(sheet, (row, last_row + down), cols));
    }
    if right > 0 && down > 0 {
        places.push(Place::spanning(sheet, (row, last_row + down), (col, last_col + right)));
    }
    places
}

/// Common formats on the place of the last action, the filled cells of its row, and the block around it.
fn common(scene: &mut Scene, last: Step, pool: &mut Pool) {
    let Place { sheet, row, col, .. } = last.place;
    let line = row_run(scene, sheet, row, col);
    let up = scene.run(sheet, (row, line.col), (-1, 0), RUN_MAX);
    let header = row_run(scene, sheet, row - up, line.col);
    let cols = (line.col, line.last_col().max(header.last_col()));
    let block = Place::spanning(sheet, (row - up, row), cols);
    let places = [last.place, line, header, block];
    if scene.common.is_empty() {
        scene.common = common_edits().iter().map(|edit| scene.edits.intern(edit)).collect();
    }
    for edit in &scene.common {
        for (ahead, place) in (0..).zip(places) {
            let evidence = Evidence::of(Source::Common).valued(ValueModel::Common, 0.3);
            pool.add(*edit, place, Evidence { ahead, ..evidence });
        }
    }
}

/// Formats that people use in every kind of sheet.
fn common_edits() -> &'static [Edit] {
    static EDITS: OnceLock<Vec<Edit>> = OnceLock::new();
    EDITS.get_or_init(|| {
        let texts = [
            "FONT_BOLD | A1 | true",
            "ALIGN_HORIZONTAL | A1 | center",
            "ALIGN_VERTICAL | A1 | center",
            "WRAP_TEXT | A1 | true",
            "MERGE | A1:B1 | true",
            "BORDER_ALL | A1 | Thin, Continuous, #000000",
        ];
        let actions = texts.iter().filter_map(|text| Action::parse(text).ok());
        actions.map(|action| action.edit().clone()).collect()
    })
}
