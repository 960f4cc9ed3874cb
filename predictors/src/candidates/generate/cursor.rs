//! The next cell to type in: to the right, below, at the beginning of the next row or the top of the next column.

use super::{Generator, RUN_MAX, last_typed, replay::propose_content};
use crate::candidates::place::Place;
use crate::candidates::pool::{Evidence, Pool, Source};
use crate::candidates::scene::Scene;

pub(super) fn propose(scene: &mut Scene, generator: &mut Generator, pool: &mut Pool) {
    let Some(typed) = last_typed(scene) else { return };
    let Place { sheet, row, col, .. } = typed.place;
    let (last_row, last_col) = (typed.place.last_row(), typed.place.last_col());
    let left = scene.run(sheet, (row, col), (0, -1), RUN_MAX);
    let up = scene.run(sheet, (row, col), (-1, 0), RUN_MAX);
    let cells = [
        (row, last_col + 1),
        (last_row + 1, col),
        (last_row + 1, col - left),
        (row - up, last_col + 1),
    ];
    for (ahead, (row, col)) in (0..).zip(cells) {
        let evidence = Evidence {
            ahead,
            ..Evidence::of(Source::Cursor)
        };
        propose_content(scene, generator, Place::cell(sheet, row, col), evidence, pool);
    }
}
