//! Fills: a formula or series that was begun, dragged to where the block next to it ends.

use std::sync::Arc;

use napsim_trajectories::{Edit, Range};

use super::{RUN_MAX, last_typed};
use crate::candidates::edits::ContentKind;
use crate::candidates::place::Place;
use crate::candidates::pool::{Evidence, Pool, Source, ValueModel};
use crate::candidates::scene::Scene;

/// How many cells may begin a series.
const SOURCE_MAX: i32 = 2;

pub(super) fn propose(scene: &mut Scene, pool: &mut Pool) {
    let Some(typed) = last_typed(scene).filter(|typed| typed.place.is_cell()) else {
        return;
    };
    // Down beside the columns to the left and right, right beside the rows above and below.
    for (by, across) in [((1, 0), (0, 1)), ((0, 1), (1, 0))] {
        along(scene, typed.place, typed.content, by, across, pool);
    }
}

fn along(scene: &mut Scene, cell: Place, kind: ContentKind, by: (i32, i32), across: (i32, i32), pool: &mut Pool) {
    let Place { sheet, row, col, .. } = cell;
    // The runs beside the cell say where the block ends.
    let beside = |side: i32| scene.run(sheet, (row + across.0 * side, col + across.1 * side), by, RUN_MAX);
    let mut lengths = vec![beside(-1), beside(1), beside(-2)];
    lengths.sort_unstable();
    lengths.dedup();
    let is_free = |n: i32| !scene.sketch.is_filled(sheet, row + by.0 * n, col + by.1 * n);
    let longest = lengths.last().copied().unwrap_or_default();
    let n_free = (1..=longest).take_while(|n| is_free(*n)).count();
    lengths.retain(|length| *length > 0 && usize::try_from(*length).is_ok_and(|length| length <= n_free));
    let behind = scene.run(sheet, (row, col), (-by.0, -by.1), SOURCE_MAX);
    for length in lengths.into_iter().rev().take(2) {
        for n_source in 1..=(behind + 1).min(SOURCE_MAX) {
            // Two numbers make a series, one is copied; a formula or text is dragged from the last cell.
            if kind == ContentKind::Formula && n_source == 2 {
                continue;
            }
            let back = n_source - 1;
            let first = (row - by.0 * back, col - by.1 * back);
            let source = Place::spanning(sheet, (first.0, row), (first.1, col));
            let place = Place::spanning(sheet, (first.0, row + by.0 * length), (first.1, col + by.1 * length));
            let text = Range::from_bounds(Arc::from("S"), source.bounds()).text().clone();
            let edit = scene.edits.intern(&Edit::Autofill { source: text });
            let evidence = Evidence {
                ahead: u8::try_from(n_source).unwrap_or(u8::MAX),
                ..Evidence::of(Source::Fill).valued(ValueModel::Source, 0.5)
            };
            pool.add(edit, place, evidence);
        }
    }
}
