//! Runs of cells that dragging a source would fill.
//!
//! Whether a drag gives the cells their contents is asked of the simulator itself, so that what is detected here is
//! what a replay does (spec 04, 2.6.5). Runs are cut where a cell deviates.

use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, Value, shift_references};
use rustc_hash::{FxHashMap, FxHashSet};

use super::piece::{Piece, Work};
use super::target::{CELLS_PER_ACTION_MAX, SHEET_NAME, Target, Writing};

/// A drag of a source over the rest of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drag {
    pub source: Bounds,
    /// The whole destination, source included.
    pub destination: Bounds,
}

impl Drag {
    pub(super) fn is_vertical(&self) -> bool {
        self.destination.height() > self.source.height()
    }

    /// The cells that the drag fills.
    pub(super) fn filled(&self) -> impl Iterator<Item = CellAddress> + use<> {
        let source = self.source;
        self.destination.cells().filter(move |at| !source.contains_cell(*at))
    }

    /// The source cell that a filled cell takes its looks from.
    pub(super) fn source_of(&self, at: CellAddress) -> CellAddress {
        if self.is_vertical() {
            let step = (at.row - self.source.first_row).rem_euclid(self.source.height());
            CellAddress::new(self.source.first_row + step, at.col)
        } else {
            let step = (at.col - self.source.first_col).rem_euclid(self.source.width());
            CellAddress::new(at.row, self.source.first_col + step)
        }
    }
}

/// The drags of a sheet, and which cells each cell is the source of.
#[derive(Debug, Default)]
pub(super) struct Drags {
    pub all: Vec<Drag>,
    by_source: FxHashMap<CellAddress, Vec<CellAddress>>,
}

impl Drags {
    pub(super) fn of(pieces: &[Piece]) -> Self {
        let mut drags = Self::default();
        for piece in pieces {
            if let Work::Drag(drag) = piece.work {
                for at in drag.filled() {
                    drags.by_source.entry(drag.source_of(at)).or_default().push(at);
                }
                drags.all.push(drag);
            }
        }
        drags
    }

    /// Whether a look that a filled cell takes on does no harm in the cells that are filled from it in turn.
    ///
    /// Drags down start from drags along a row and never the other way, so one step is all there can be.
    pub(super) fn go_no_further(&self, target: &Target, at: CellAddress, property: Property) -> bool {
        let mut next = self.by_source.get(&at).into_iter().flatten();
        next.all(|next| target.shows_same(at, *next, property))
    }
}

/// Which contents are dragged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub formulas: bool,
    pub values: bool,
    /// How many cells a drag fills at least.
    pub cells_min: usize,
}

/// The drags of a sheet, in the order in which they can be carried out: along rows first, then down.
///
/// No cell outside `free` takes part, nor does any cell of a merged range, since a drag would copy over it.
pub(super) fn detect(target: &Target, free: &FxHashSet<CellAddress>, wanted: Wanted) -> Vec<Drag> {
    let mut cells: Vec<CellAddress> = target
        .cells
        .iter()
        .filter(|cell| matches!(cell.content, Some((_, Writing::Typed))))
        .map(|cell| cell.at)
        .filter(|at| free.contains(at) && !target.merged.contains_key(at))
        .collect();
    cells.sort_unstable_by_key(|at| (at.col, at.row));
    let mut down = Vec::new();
    for run in cells.chunk_by(|a, b| a.col == b.col && a.row + 1 == b.row) {
        drags_in(target, run, wanted, &mut down);
    }
    let down = side_by_side(down);
    let filled: FxHashSet<CellAddress> = down.iter().flat_map(Drag::filled).collect();
    cells.retain(|at| !filled.contains(at));
    cells.sort_unstable();
    let mut drags = Vec::new();
    for run in cells.chunk_by(|a, b| a.row == b.row && a.col + 1 == b.col) {
        drags_in(target, run, wanted, &mut drags);
    }
    drags.extend(down);
    drags
}

/// The drags along one run of adjacent cells.
fn drags_in(target: &Target, run: &[CellAddress], wanted: Wanted, drags: &mut Vec<Drag>) {
    let mut rest = run;
    while rest.len() > wanted.cells_min {
        let taken = longest(target, rest, wanted).map_or(1, |(n_source, n_filled)| {
            if let (Some(first), Some(source), Some(last)) =
                (rest.first(), rest.get(n_source - 1), rest.get(n_source + n_filled - 1))
            {
                drags.push(Drag {
                    source: between(*first, *source),
                    destination: between(*first, *last),
                });
            }
            n_source + n_filled
        });
        rest = rest.get(taken..).unwrap_or_default();
    }
}

fn between(first: CellAddress, last: CellAddress) -> Bounds {
    Bounds {
        last_row: last.row,
        last_col: last.col,
        ..Bounds::of_cell(first)
    }
}

/// Source and filled cells of the drag that starts a run, if one is worth it.
fn longest(target: &Target, run: &[CellAddress], wanted: Wanted) -> Option<(usize, usize)> {
    let content = |index: usize| {
        run.get(index)
            .and_then(|at| target.content(*at))
            .map(|(value, _)| value)
    };
    let (first, second) = (content(0)?, content(1)?);
    let worth = |n: usize| (n >= wanted.cells_min.max(1)).then_some(n);
    if is_formula(first) {
        return worth(n_shifted(target, run))
            .filter(|_| wanted.formulas)
            .map(|n| (1, n));
    }
    if !wanted.values || first.loosely_equals(second) || is_formula(second) {
        return None;
    }
    match (first, second) {
        (Value::Text(_), Value::Text(_)) => worth(n_filled(target, run, 1)).map(|n| (1, n)),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            // Two numbers make a series of any two cells, so a short one proves nothing.
            worth(n_filled(target, run, 2)).filter(|n| *n >= 2).map(|n| (2, n))
        }
        _ => None,
    }
}

fn is_formula(value: &Value) -> bool {
    value.as_text().is_some_and(|text| text.starts_with('='))
}

/// How many cells after the first hold its formula, shifted.
fn n_shifted(target: &Target, run: &[CellAddress]) -> usize {
    let Some(first) = run.first() else { return 0 };
    let Some(formula) = target.content(*first).and_then(|(value, _)| value.as_text()) else {
        return 0;
    };
    let follows = |at: &&CellAddress| {
        let shifted = || shift_references(formula, at.row - first.row, at.col - first.col);
        target
            .content(**at)
            .and_then(|(value, _)| value.as_text())
            .is_some_and(|text| text.starts_with('=') && text == shifted())
    };
    let limit = usize::try_from(CELLS_PER_ACTION_MAX).unwrap_or(usize::MAX) - 1;
    run.iter().skip(1).take(limit).take_while(follows).count()
}

/// How many cells after the source a drag of its first cells would fill rightly.
///
/// Longer and longer drags are tried, so that a long run costs no more than its length.
fn n_filled(target: &Target, run: &[CellAddress], n_source: usize) -> usize {
    let limit = usize::try_from(CELLS_PER_ACTION_MAX).unwrap_or(usize::MAX);
    let mut n_tried = 4;
    loop {
        let tried = run.get(..(n_source + n_tried).min(run.len()).min(limit)).unwrap_or(run);
        let n_right = n_right(target, tried, n_source).unwrap_or(0);
        if n_right < n_tried || tried.len() < n_source + n_tried {
            return n_right;
        }
        n_tried *= 4;
    }
}

/// Drags the first cells of a run over all of it and counts the cells that come out right, up to the first wrong one.
fn n_right(target: &Target, run: &[CellAddress], n_source: usize) -> Option<usize> {
    let (first, source, last) = (run.first()?, run.get(n_source.checked_sub(1)?)?, run.last()?);
    let sheet: std::sync::Arc<str> = SHEET_NAME.into();
    let mut scratch = Workbook::default();
    let cells = scratch.touch_sheet(&sheet).cells.as_mut()?;
    for at in run.get(..n_source)? {
        let (value, _) = target.content(*at)?;
        cells.touch(CellKey::Address(*at)).set(Property::Value, value.clone());
    }
    let drag = Edit::Autofill {
        source: format!("{sheet}!{}", between(*first, *source)).into(),
    };
    let destination = Range::from_bounds(sheet.clone(), between(*first, *last));
    scratch.apply(&Action::new(destination, drag)).ok()?;
    let right = run.get(n_source..)?.iter().take_while(|at| {
        let got = scratch
            .cell(&sheet, &CellKey::Address(**at))
            .and_then(|cell| cell.get(Property::Value));
        let want = target.content(**at).map(|(value, _)| value);
        matches!((got, want), (Some(got), Some(want)) if got.strictly_equals(want))
    });
    Some(right.count())
}

/// Drags down over the same rows in neighbouring columns become one.
fn side_by_side(mut drags: Vec<Drag>) -> Vec<Drag> {
    drags.sort_unstable_by_key(|drag| {
        let (source, whole) = (drag.source, drag.destination);
        (whole.first_row, whole.last_row, source.last_row, whole.first_col)
    });
    let mut joined: Vec<Drag> = Vec::new();
    for drag in drags {
        match joined.last_mut() {
            Some(last)
                if last.destination.first_row == drag.destination.first_row
                    && last.destination.last_row == drag.destination.last_row
                    && last.source.last_row == drag.source.last_row
                    && last.destination.last_col + 1 == drag.destination.first_col
                    && last.destination.n_cells() + drag.destination.n_cells() <= CELLS_PER_ACTION_MAX =>
            {
                last.source.last_col = drag.source.last_col;
                last.destination.last_col = drag.destination.last_col;
            }
            _ => joined.push(drag),
        }
    }
    joined
}
