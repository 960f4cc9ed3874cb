//! The pieces that format cells and merge them.

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_sim::state_actions::side_of;
use napsim_trajectories::{Bounds, CellAddress, Edit};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::borders::Lines;
use super::piece::{Category, Piece, Rule, Work};
use super::profile::{Profile, Reading};
use super::rectangles::{Growth, Rectangle, cover};
use super::target::{CELLS_PER_ACTION_MAX, LookId, Target};

/// Rectangles of at most so many cells may be given cell by cell.
const CELL_BY_CELL_MAX: u64 = 8;

/// Cells whose property comes with a copy or a drag, so that no piece of its own is wanted.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// Cells all of whose formats below `Format` come along.
    pub formats: FxHashSet<CellAddress>,
    /// Single properties of cells that come along.
    pub properties: FxHashSet<(Property, CellAddress)>,
}

/// How rectangles of a profile grow.
pub(super) fn growth_of(profile: &Profile) -> Growth {
    match profile.reading {
        Reading::Rows => Growth::Down,
        Reading::Columns => Growth::Right,
    }
}

/// One piece for each merged range, except those that a copy brings.
pub(super) fn merges(target: &Target, copied: &FxHashSet<Bounds>) -> Vec<Piece> {
    let merge = |bounds: &Bounds| {
        Piece::new(
            Edit::Merge { on: true },
            *bounds,
            Work::Merge,
            Category::Merge,
            Rule::Merge,
        )
    };
    let own = target.merges.iter().filter(|bounds| !copied.contains(*bounds));
    own.map(merge).collect()
}

/// The pieces for every format but borders.
pub(super) fn formats(target: &Target, profile: &Profile, carried: &Carried, rng: &mut ChaCha8Rng) -> Vec<Piece> {
    let mut by_property: BTreeMap<Property, Vec<(CellAddress, LookId)>> = BTreeMap::new();
    for cell in &target.cells {
        for id in &cell.looks {
            let property = target.look(*id).property;
            let comes_along = carried.properties.contains(&(property, cell.at))
                || (property != Property::NumberFormat && carried.formats.contains(&cell.at));
            if side_of(property).is_none() && !comes_along {
                by_property.entry(property).or_default().push((cell.at, *id));
            }
        }
    }
    let ghosts = if profile.format_before_merge {
        ghosts(target, carried)
    } else {
        BTreeMap::new()
    };
    let mut pieces = Vec::new();
    for (property, real) in by_property {
        let mut same = SameText::default();
        let beneath = ghosts.get(&property).map(Vec::as_slice).unwrap_or_default();
        let cells = real.iter().chain(beneath);
        let cells: Vec<_> = cells.map(|(at, id)| (*at, same.of(target, *id))).collect();
        for mut rectangle in cover(&cells, growth_of(profile), profile.base_and_exceptions) {
            if shrink_to_real(target, property, &mut rectangle, &mut same) {
                push_rectangle(target, property, &rectangle, profile, rng, &mut pieces);
            }
        }
    }
    pieces
}

/// Merged ranges beyond this many cells have no ghosts.
const GHOST_CELLS_MAX: u64 = 500;

/// Inner cells of merged ranges that show nothing of a property although the first cell does.
///
/// A person who formats first and merges afterwards formats them too, and merging takes it away again.
fn ghosts(target: &Target, carried: &Carried) -> BTreeMap<Property, Vec<(CellAddress, LookId)>> {
    let mut ghosts: BTreeMap<Property, Vec<(CellAddress, LookId)>> = BTreeMap::new();
    let small = |merge: &&Bounds| merge.n_cells() <= GHOST_CELLS_MAX;
    for merge in target.merges.iter().filter(small) {
        let anchor = merge.first_cell();
        if carried.formats.contains(&anchor) {
            continue;
        }
        for id in target
            .cell(anchor)
            .map(|cell| cell.looks.as_slice())
            .unwrap_or_default()
        {
            let property = target.look(*id).property;
            let inner = || merge.cells().filter(|at| *at != anchor);
            if side_of(property).is_none() && inner().all(|at| target.look_at(at, property).is_none()) {
                ghosts.entry(property).or_default().extend(inner().map(|at| (at, *id)));
            }
        }
    }
    ghosts
}

/// Shrinks a rectangle to the cells that really show its look; false if there are none.
fn shrink_to_real(target: &Target, property: Property, rectangle: &mut Rectangle<LookId>, same: &mut SameText) -> bool {
    let mut real: Option<Bounds> = None;
    for at in rectangle.bounds.cells() {
        let shows = target.look_at(at, property).map(|id| same.of(target, id));
        if shows != Some(rectangle.look) {
            continue;
        }
        let bounds = real.get_or_insert(Bounds::of_cell(at));
        bounds.first_row = bounds.first_row.min(at.row);
        bounds.first_col = bounds.first_col.min(at.col);
        bounds.last_row = bounds.last_row.max(at.row);
        bounds.last_col = bounds.last_col.max(at.col);
    }
    let Some(real) = real else { return false };
    rectangle.bounds = real;
    rectangle.exceptions.retain(|at| real.contains_cell(*at));
    true
}

/// Looks that print alike are one, though they came from differing values.
#[derive(Default)]
struct SameText {
    known: FxHashMap<String, LookId>,
    by_id: FxHashMap<LookId, LookId>,
}

impl SameText {
    fn of(&mut self, target: &Target, id: LookId) -> LookId {
        let known = &mut self.known;
        *self
            .by_id
            .entry(id)
            .or_insert_with(|| *known.entry(format!("{:?}", target.look(id).edit)).or_insert(id))
    }
}

fn push_rectangle(
    target: &Target,
    property: Property,
    rectangle: &Rectangle<LookId>,
    profile: &Profile,
    rng: &mut ChaCha8Rng,
    pieces: &mut Vec<Piece>,
) {
    let edit = &target.look(rectangle.look).edit;
    let piece = |bounds: Bounds, rule: Rule| {
        Piece::new(
            edit.clone(),
            bounds,
            Work::Write(property),
            Category::of(property),
            rule,
        )
    };
    let n_cells = rectangle.bounds.n_cells();
    let is_plain = rectangle.exceptions.is_empty();
    let small = is_plain && (2..=CELL_BY_CELL_MAX).contains(&n_cells);
    if small && rng.random_ratio(profile.cell_by_cell_permille.min(1000), 1000) {
        let cells = rectangle.bounds.cells().map(Bounds::of_cell);
        pieces.extend(cells.map(|bounds| piece(bounds, Rule::CellByCell)));
        return;
    }
    let rule = if is_plain { Rule::Rectangle } else { Rule::Base };
    for bounds in within_limit(&rectangle.bounds) {
        let mut piece = piece(bounds, rule);
        piece.exceptions = rectangle
            .exceptions
            .iter()
            .copied()
            .filter(|at| bounds.contains_cell(*at))
            .collect();
        pieces.push(piece);
    }
}

/// A rectangle in parts that one action may cover each.
fn within_limit(bounds: &Bounds) -> Vec<Bounds> {
    if bounds.n_cells() <= CELLS_PER_ACTION_MAX {
        return vec![*bounds];
    }
    let (mut first, mut second) = (*bounds, *bounds);
    if bounds.height() > 1 {
        first.last_row = bounds.first_row + bounds.height() / 2 - 1;
        second.first_row = first.last_row + 1;
    } else {
        first.last_col = bounds.first_col + bounds.width() / 2 - 1;
        second.first_col = first.last_col + 1;
    }
    let mut parts = within_limit(&first);
    parts.extend(within_limit(&second));
    parts
}

/// The pieces that draw borders; `blocks` are ranges that a person may frame as a whole.
pub(super) fn borders(target: &Target, profile: &Profile, carried: &Carried, blocks: &[Bounds]) -> Vec<Piece> {
    let blocks = profile.boxes.then_some(blocks);
    let (strokes, lines) = Lines::of(target, &carried.formats).strokes(
        blocks,
        growth_of(profile),
        profile.format_before_merge.then_some(target),
    );
    let mut pieces = Vec::new();
    for stroke in strokes {
        let Some(look) = lines.look(stroke.line) else { continue };
        let Edit::Border { line, .. } = &target.look(look).edit else {
            continue;
        };
        let edit = Edit::Border {
            side: stroke.side,
            line: line.clone(),
        };
        let work = Work::Write(Property::Borders);
        let mut piece = Piece::new(edit, stroke.bounds, work, Category::Border, Rule::Border);
        piece.under_next = stroke.under_next;
        piece.before_merges = stroke.before_merges;
        pieces.push(piece);
    }
    pieces
}
