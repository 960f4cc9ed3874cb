//! Where a predicted action goes (spec chapter 03, 4.4).

use napsim_trajectories::CellAddress;

use super::Tables;
use super::symbol::Symbol;
use crate::feature::{Feature, Movement, Place};
use crate::history::Continuation;
use crate::reconstruct::Area;

/// Actions of one keyword whose steps are looked at.
const PROGRESSION_ACTIONS: usize = 4;

/// The area of an action of that symbol after a history; none after an empty one.
pub(super) fn area(tables: &Tables, symbol: &Symbol, history: &Continuation<'_>) -> Option<Area> {
    let last = history.last()?;
    match symbol.place {
        Place::Movement(movement) => {
            let (rows, cols) = step_of(movement, typical_step(tables, last, symbol));
            let (height, width) = tables
                .typical
                .shape(symbol.keyword)
                .unwrap_or((last.height, last.width));
            Some(Area {
                height,
                width,
                ..Area::of(last).moved(rows, cols)
            })
        }
        Place::Shape { height, width } => {
            let keyword = tables.symbols.keyword(symbol)?;
            let start = progression(keyword, history).unwrap_or_else(|| {
                let (rows, cols) = typical_step(tables, last, symbol);
                Area::of(last).moved(rows, cols).start
            });
            Some(Area { start, height, width })
        }
    }
}

/// The most frequent step between the keywords, or none at all where they never followed each other.
fn typical_step(tables: &Tables, last: &Feature, symbol: &Symbol) -> (i64, i64) {
    let from = tables.symbols.keyword_id(&last.keyword);
    from.and_then(|from| tables.typical.step(from, symbol.keyword))
        .unwrap_or_default()
}

/// The typical step where it is one of the predicted class, or else the canonical step of the class.
fn step_of(movement: Movement, typical: (i64, i64)) -> (i64, i64) {
    if Movement::of(typical.0, typical.1, false) == movement {
        typical
    } else {
        movement.canonical_step()
    }
}

/// One step beyond the last actions of a keyword, if they lie in equal steps; not held on the sheet.
fn progression(keyword: &str, history: &Continuation<'_>) -> Option<CellAddress> {
    // Latest first.
    let starts: Vec<CellAddress> = history
        .latest_of(keyword)
        .take(PROGRESSION_ACTIONS)
        .map(|feature| feature.start)
        .collect();
    let steps = || {
        starts
            .iter()
            .zip(starts.iter().skip(1))
            .map(|(later, earlier)| (later.row - earlier.row, later.col - earlier.col))
    };
    let (last, step) = (starts.first()?, steps().next()?);
    let is_regular = steps().all(|other| other == step);
    is_regular.then(|| CellAddress::new(last.row + step.0, last.col + step.1))
}
