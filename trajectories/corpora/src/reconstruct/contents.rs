//! The pieces that bring contents into cells.

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, CellAddress, Edit, Value};
use rustc_hash::FxHashSet;

use super::blocks;
use super::fills::{self, Drag, Wanted};
use super::piece::{Category, Piece, Rule, Work};
use super::profile::Profile;
use super::target::{CELLS_PER_ACTION_MAX, SHEET_NAME, Target, TargetCell, Writing};

/// The pieces for the contents of a sheet.
///
/// `given` are cells that copied blocks bring rightly; `closed` are cells that no drag may touch.
pub(super) fn plan(
    target: &Target,
    profile: &Profile,
    bodies: &[Bounds],
    given: &FxHashSet<CellAddress>,
    closed: &FxHashSet<CellAddress>,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut open: FxHashSet<CellAddress> = target
        .cells
        .iter()
        .filter(|cell| cell.content.is_some() && !given.contains(&cell.at))
        .map(|cell| cell.at)
        .collect();
    for drag in drags(target, profile, &open, closed) {
        for at in drag.filled() {
            open.remove(&at);
        }
        pieces.push(drag_piece(&drag));
    }
    if let Some(cells_min) = profile.paste_cells_min {
        for block in blocks::find(target, &open, bodies, u64::from(cells_min)) {
            if let Some(piece) = pasted_block(target, &block, &open) {
                for at in block.cells() {
                    open.remove(&at);
                }
                pieces.push(piece);
            }
        }
    }
    pieces.extend(
        target
            .cells
            .iter()
            .filter(|cell| open.contains(&cell.at))
            .filter_map(typed_cell),
    );
    pieces
}

fn drags(
    target: &Target,
    profile: &Profile,
    open: &FxHashSet<CellAddress>,
    closed: &FxHashSet<CellAddress>,
) -> Vec<Drag> {
    if !profile.drag_formulas && !profile.drag_values {
        return Vec::new();
    }
    let wanted = Wanted {
        formulas: profile.drag_formulas,
        values: profile.drag_values,
        cells_min: profile.drag_cells_min as usize,
    };
    let free = open.difference(closed).copied().collect();
    fills::detect(target, &free, wanted)
}

fn drag_piece(drag: &Drag) -> Piece {
    let edit = Edit::Autofill {
        source: format!("{SHEET_NAME}!{}", drag.source).into(),
    };
    Piece::new(edit, drag.destination, Work::Drag(*drag), Category::Content, Rule::Drag)
}

/// One INPUT over a whole block, blanks left out by nulls; none if one of its contents comes otherwise.
fn pasted_block(target: &Target, block: &Bounds, open: &FxHashSet<CellAddress>) -> Option<Piece> {
    if block.n_cells() > CELLS_PER_ACTION_MAX || block.n_cells() < 2 {
        return None;
    }
    let mut rows = Vec::new();
    for row in block.first_row..=block.last_row {
        let mut values = Vec::new();
        for col in block.first_col..=block.last_col {
            let at = CellAddress::new(row, col);
            if target.merged.contains_key(&at) {
                return None;
            }
            values.push(match target.content(at) {
                None => Value::Null,
                Some((value, Writing::Typed)) if open.contains(&at) => value.clone(),
                Some(_) => return None,
            });
        }
        rows.push(Value::list(values));
    }
    let edit = Edit::Input {
        value: Value::list(rows),
    };
    Some(write(edit, *block, Rule::PastedBlock))
}

fn typed_cell(cell: &TargetCell) -> Option<Piece> {
    let (value, writing) = cell.content.as_ref()?;
    let value = value.clone();
    let edit = match writing {
        Writing::Typed => Edit::Input { value },
        Writing::Set => Edit::Value { value, datatype: None },
    };
    Some(write(edit, Bounds::of_cell(cell.at), Rule::Cell))
}

fn write(edit: Edit, bounds: Bounds, rule: Rule) -> Piece {
    Piece::new(edit, bounds, Work::Write(Property::Value), Category::Content, rule)
}

/// The cells at which a person comes to contents: those typed, and the first ones of blocks and drags.
pub(super) fn placed_at(pieces: &[Piece]) -> FxHashSet<CellAddress> {
    let contents = pieces.iter().filter(|piece| piece.category == Category::Content);
    contents.map(|piece| piece.at).collect()
}
