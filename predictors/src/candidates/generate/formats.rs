//! Formats: recent ones on recent places, those of the neighbours, and steps that go on.

use napsim_trajectories::Keyword;

use super::{column_run, is_format, latest_formats, row_run};
use crate::candidates::edits::{EditId, TextId};
use crate::candidates::place::Place;
use crate::candidates::pool::{Evidence, Pool, Source, ValueModel};
use crate::candidates::scene::{Scene, Step};
use crate::candidates::sketch::slot;

/// Different formats that are tried.
const FORMATS: usize = 8;
/// Different keywords whose steps are continued.
const KEYWORDS: usize = 5;

pub(super) fn propose(scene: &mut Scene, last: Step, pool: &mut Pool) {
    let formats = latest_formats(scene, FORMATS);
    same_place(scene, last, &formats, pool);
    aligned(scene, last, &formats, pool);
    neighbours(scene, last, pool);
    progressions(scene, pool);
}

/// The places of the last actions and the runs around the last one.
fn recent_places(scene: &Scene, last: Step) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(6);
    let mut add = |place: Place| {
        if !places.contains(&place) {
            places.push(place);
        }
    };
    for step in scene.steps().iter().rev().take(4) {
        add(step.place);
    }
    let Place { sheet, row, col, .. } = last.place;
    add(row_run(scene, sheet, row, col));
    add(column_run(scene, sheet, row, col));
    places
}

fn same_place(scene: &Scene, last: Step, formats: &[(EditId, usize)], pool: &mut Pool) {
    let n_steps = scene.steps().len();
    for (ahead, place) in (0..).zip(recent_places(scene, last)) {
        for (edit, position) in formats {
            let evidence = Evidence::of(Source::SamePlace).aged(n_steps - position);
            pool.add(*edit, place, Evidence { ahead, ..evidence });
        }
    }
}

/// Each recent format on its last place, moved to the row or to the column of the last action.
fn aligned(scene: &Scene, last: Step, formats: &[(EditId, usize)], pool: &mut Pool) {
    let n_steps = scene.steps().len();
    for (edit, position) in formats {
        let Some(step) = scene.steps().get(*position) else {
            continue;
        };
        let evidence = Evidence::of(Source::Aligned).aged(n_steps - position);
        let at_row = Place {
            row: last.place.row,
            ..step.place
        };
        let at_col = Place {
            col: last.place.col,
            ..step.place
        };
        for place in [at_row, at_col] {
            if place != step.place {
                pool.add(*edit, place, evidence);
            }
        }
    }
}

/// Formats that the cells above and to the left have and the last place lacks.
fn neighbours(scene: &Scene, last: Step, pool: &mut Pool) {
    let Place { sheet, row, col, .. } = last.place;
    let own = scene.look(sheet, row, col);
    for (row_by, col_by) in [(-1, 0), (0, -1), (-2, 0)] {
        let look = scene.look(sheet, row + row_by, col + col_by);
        for (position, format) in look.formats.iter().enumerate() {
            if *format == TextId::FRESH || own.formats.get(position) == Some(format) {
                continue;
            }
            let Some(edit) = edit_of(scene, position, *format) else {
                continue;
            };
            let evidence = Evidence::of(Source::Neighbours).valued(ValueModel::Neighbour, 0.5);
            pool.add(edit, last.place, evidence);
        }
    }
}

/// The edit with which a slot got its value, among the latest of its keyword.
pub fn edit_of(scene: &Scene, position: usize, text: TextId) -> Option<EditId> {
    let keyword = Keyword::ALL
        .iter()
        .position(|keyword| slot(*keyword) == Some(position))?;
    let mut latest = scene.latest_of(keyword).take(24);
    latest
        .find(|step| scene.edits.get(step.edit).text == text)
        .map(|step| step.edit)
}

/// The last two steps of a keyword, gone on.
fn progressions(scene: &Scene, pool: &mut Pool) {
    let n_steps = scene.steps().len();
    let mut keywords: Vec<usize> = Vec::with_capacity(KEYWORDS);
    for step in scene.steps().iter().rev().take(60) {
        if is_format(step.keyword_idx) && !keywords.contains(&step.keyword_idx) {
            keywords.push(step.keyword_idx);
            if keywords.len() == KEYWORDS {
                break;
            }
        }
    }
    for keyword in keywords {
        let mut latest = scene.latest_of(keyword);
        let (Some(last), Some(before)) = (latest.next(), latest.next()) else {
            continue;
        };
        let (rows, cols) = (last.place.row - before.place.row, last.place.col - before.place.col);
        if (rows, cols) == (0, 0) || last.place.sheet != before.place.sheet {
            continue;
        }
        let Some(place) = last.place.moved(rows, cols) else {
            continue;
        };
        let age = n_steps - scene.positions(keyword).last().copied().unwrap_or_default();
        let confirmed = latest
            .next()
            .is_some_and(|earlier| earlier.place.moved(rows, cols) == Some(before.place));
        let evidence = Evidence {
            match_length: if confirmed { 2 } else { 1 },
            ..Evidence::of(Source::Progression).aged(age)
        };
        pool.add(last.edit, place, evidence);
        if before.edit != last.edit {
            pool.add(before.edit, place, evidence);
        }
    }
}
