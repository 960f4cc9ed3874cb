//! Border sides gathered into border actions, without adding or losing one (spec 04, 2.6.4).

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_sim::state_actions::side_of;
use napsim_trajectories::action::BorderSide;
use napsim_trajectories::{Bounds, CellAddress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::rectangles::{Growth, cover};
use super::target::{CELLS_PER_ACTION_MAX, LookId, Target};

/// One border action: a side of a range, drawn with the line of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    pub side: BorderSide,
    pub bounds: Bounds,
    pub line: LineId,
    /// Whether sides of it are drawn over afterwards by the next stroke.
    pub under_next: bool,
    /// Whether it draws over merged ranges before they are merged.
    pub before_merges: bool,
}

/// A line: weight, style and colour, whatever its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LineId(pub u32);

/// The sides of a box in the order left, right, top, bottom.
const SIDES: [Property; 4] = Property::BOX_SIDES;

const LEFT: usize = 0;
const RIGHT: usize = 1;
const TOP: usize = 2;
const BOTTOM: usize = 3;

/// The lines of the four sides of a cell that are still to be drawn.
type Sides = [Option<LineId>; 4];

/// Every border side of a sheet, by cell.
pub(super) struct Lines {
    open: FxHashMap<CellAddress, Sides>,
    diagonal: Vec<(CellAddress, BorderSide, LineId)>,
    /// A look that draws each line.
    looks: Vec<LookId>,
}

impl Lines {
    /// The border sides of a target, without the cells left out.
    pub(super) fn of(target: &Target, left_out: &FxHashSet<CellAddress>) -> Self {
        let mut known: FxHashMap<String, LineId> = FxHashMap::default();
        let mut by_look: FxHashMap<LookId, LineId> = FxHashMap::default();
        let mut lines = Self {
            open: FxHashMap::default(),
            diagonal: Vec::new(),
            looks: Vec::new(),
        };
        for cell in target.cells.iter().filter(|cell| !left_out.contains(&cell.at)) {
            for id in &cell.looks {
                let look = target.look(*id);
                let Some(side) = side_of(look.property) else { continue };
                let line = *by_look.entry(*id).or_insert_with(|| {
                    *known.entry(line_text(&look.edit)).or_insert_with(|| {
                        lines.looks.push(*id);
                        LineId(u32::try_from(lines.looks.len() - 1).unwrap_or(u32::MAX))
                    })
                });
                match SIDES.iter().position(|known| *known == look.property) {
                    Some(idx) => {
                        if let Some(slot) = lines.open.entry(cell.at).or_default().get_mut(idx) {
                            *slot = Some(line);
                        }
                    }
                    None => lines.diagonal.push((cell.at, side, line)),
                }
            }
        }
        lines
    }

    /// A look that draws a line.
    pub(super) fn look(&self, line: LineId) -> Option<LookId> {
        self.looks.get(line.0 as usize).copied()
    }

    fn sides(&self, at: CellAddress) -> Sides {
        self.open.get(&at).copied().unwrap_or_default()
    }

    fn side(&self, at: CellAddress, side: usize) -> Option<LineId> {
        self.sides(at).get(side).copied().flatten()
    }

    /// The cells with an open side, in order.
    fn cells(&self) -> Vec<CellAddress> {
        // Sorting takes the map's order away.
        let mut cells: Vec<CellAddress> = self.open.keys().copied().collect();
        cells.sort_unstable();
        cells
    }

    fn close(&mut self, at: CellAddress, side: usize) {
        if let Some(sides) = self.open.get_mut(&at) {
            if let Some(slot) = sides.get_mut(side) {
                *slot = None;
            }
            if sides.iter().all(Option::is_none) {
                self.open.remove(&at);
            }
        }
    }

    /// The strokes that draw every side; `blocks` are ranges that a person may frame as a whole, if that is done at all.
    ///
    /// With `under` merged ranges of it, grids are drawn before those are merged where that gives the same.
    pub(super) fn strokes(
        mut self,
        blocks: Option<&[Bounds]>,
        growth: Growth,
        under: Option<&Target>,
    ) -> (Vec<Stroke>, Self) {
        let mut strokes = Vec::new();
        if let Some(target) = under {
            self.grids_under_merges(target, growth, &mut strokes);
        }
        if let Some(blocks) = blocks {
            for block in blocks.iter().copied().chain(self.boxed(growth)) {
                self.grid_in_frame(&block, &mut strokes);
            }
        }
        self.grids(growth, &mut strokes);
        self.frames(&mut strokes);
        for side in 0..SIDES.len() {
            self.strips(side, &mut strokes);
        }
        for (at, side, line) in std::mem::take(&mut self.diagonal) {
            strokes.push(Stroke {
                side,
                bounds: Bounds::of_cell(at),
                line,
                under_next: false,
                before_merges: false,
            });
        }
        (strokes, self)
    }

    /// Rectangles of cells that show a line on every side, whichever it is.
    fn boxed(&self, growth: Growth) -> Vec<Bounds> {
        let boxed: Vec<(CellAddress, ())> = self
            .cells()
            .into_iter()
            .filter(|at| self.sides(*at).iter().all(Option::is_some))
            .map(|at| (at, ()))
            .collect();
        let rectangles = cover(&boxed, growth, false);
        rectangles.into_iter().map(|rectangle| rectangle.bounds).collect()
    }

    /// A block whose inner sides all show one line and whose outer ones another is drawn as a grid with a frame.
    fn grid_in_frame(&mut self, block: &Bounds, strokes: &mut Vec<Stroke>) {
        if block.height() < 2 || block.width() < 2 {
            return;
        }
        let (mut inner, mut outer) = (None, None);
        for at in block.cells() {
            for (side, is_outer) in sides_of(block, at) {
                let Some(line) = self.side(at, side) else { return };
                let seen = if is_outer { &mut outer } else { &mut inner };
                if *seen.get_or_insert(line) != line {
                    return;
                }
            }
        }
        let (Some(inner), Some(outer)) = (inner, outer) else {
            return;
        };
        strokes.push(Stroke {
            side: BorderSide::All,
            bounds: *block,
            line: inner,
            under_next: inner != outer,
            before_merges: false,
        });
        if inner != outer {
            strokes.push(Stroke {
                side: BorderSide::Outside,
                bounds: *block,
                line: outer,
                under_next: false,
                before_merges: false,
            });
        }
        for at in block.cells() {
            self.open.remove(&at);
        }
    }

    /// Grids that were drawn before some of their cells were merged.
    ///
    /// Merging leaves the outline of a range where all its cells had the same line, so a merged range with exactly its
    /// outline counts as full cells, as long as the whole of it lies in the grid.
    fn grids_under_merges(&mut self, target: &Target, growth: Growth, strokes: &mut Vec<Stroke>) {
        let mut full: Vec<(CellAddress, LineId)> = Vec::new();
        for at in self.cells().into_iter().filter(|at| !target.merged.contains_key(at)) {
            if let Some(line) = full_line(self.sides(at)) {
                full.push((at, line));
            }
        }
        let before = full.len();
        for merge in &target.merges {
            if let Some(line) = self.outline(merge) {
                full.extend(merge.cells().map(|at| (at, line)));
            }
        }
        if full.len() == before {
            return;
        }
        for rectangle in cover(&full, growth, false) {
            let bounds = rectangle.bounds;
            let inside = bounds.cells().filter_map(|at| target.merged.get(&at));
            let merges: FxHashSet<usize> = inside.copied().collect();
            let whole = |idx: &usize| target.merges.get(*idx).is_some_and(|merge| bounds.contains(merge));
            if merges.is_empty() || !merges.iter().all(whole) || bounds.n_cells() > CELLS_PER_ACTION_MAX {
                continue;
            }
            for at in bounds.cells() {
                self.open.remove(&at);
            }
            strokes.push(Stroke {
                side: BorderSide::All,
                bounds,
                line: rectangle.look,
                under_next: false,
                before_merges: true,
            });
        }
    }

    /// The line of a merged range that shows its outline and nothing else.
    fn outline(&self, merge: &Bounds) -> Option<LineId> {
        let line = self.side(merge.first_cell(), LEFT)?;
        let exact = merge.cells().all(|at| {
            let sides = sides_of(merge, at);
            sides.into_iter().all(|(side, is_outer)| {
                let shown = self.side(at, side);
                if is_outer { shown == Some(line) } else { shown.is_none() }
            })
        });
        exact.then_some(line)
    }

    /// Cells with the same line on all four sides become BORDER_ALL.
    fn grids(&mut self, growth: Growth, strokes: &mut Vec<Stroke>) {
        let full: Vec<(CellAddress, LineId)> = self
            .cells()
            .into_iter()
            .filter_map(|at| full_line(self.sides(at)).map(|line| (at, line)))
            .collect();
        for rectangle in cover(&full, growth, false) {
            for at in rectangle.bounds.cells() {
                self.open.remove(&at);
            }
            strokes.push(Stroke {
                side: BorderSide::All,
                bounds: rectangle.bounds,
                line: rectangle.look,
                under_next: false,
                before_merges: false,
            });
        }
    }

    /// Closed perimeters of one line become BORDER_OUTSIDE.
    fn frames(&mut self, strokes: &mut Vec<Stroke>) {
        for corner in self.cells() {
            if let Some((bounds, line)) = self.frame_at(corner) {
                for at in perimeter(&bounds) {
                    for (side, is_outer) in sides_of(&bounds, at) {
                        if is_outer {
                            self.close(at, side);
                        }
                    }
                }
                strokes.push(Stroke {
                    side: BorderSide::Outside,
                    bounds,
                    line,
                    under_next: false,
                    before_merges: false,
                });
            }
        }
    }

    /// The frame whose first corner is a cell: as wide as its top edge goes on, as high as its left edge does.
    fn frame_at(&self, corner: CellAddress) -> Option<(Bounds, LineId)> {
        let line = self.side(corner, TOP)?;
        let is = |row: i64, col: i64, side: usize| self.side(CellAddress::new(row, col), side) == Some(line);
        if !is(corner.row, corner.col, LEFT) {
            return None;
        }
        let mut last_col = corner.col;
        while !is(corner.row, last_col, RIGHT) && is(corner.row, last_col + 1, TOP) {
            last_col += 1;
        }
        let mut last_row = corner.row;
        while !is(last_row, corner.col, BOTTOM) && is(last_row + 1, corner.col, LEFT) {
            last_row += 1;
        }
        let closed = (corner.row..=last_row).all(|row| is(row, last_col, RIGHT))
            && (corner.col..=last_col).all(|col| is(last_row, col, BOTTOM));
        let bounds = Bounds {
            last_row,
            last_col,
            ..Bounds::of_cell(corner)
        };
        closed.then_some((bounds, line))
    }

    /// What is left of one side becomes strips along it.
    fn strips(&mut self, side: usize, strokes: &mut Vec<Stroke>) {
        let Some(property) = SIDES.get(side).copied() else {
            return;
        };
        let Some(drawn) = side_of(property) else { return };
        let along_rows = matches!(drawn, BorderSide::Top | BorderSide::Bottom);
        let lane = |at: CellAddress| if along_rows { (at.row, at.col) } else { (at.col, at.row) };
        let mut lanes: BTreeMap<(i64, i64), (CellAddress, LineId)> = BTreeMap::new();
        for at in self.cells() {
            if let Some(line) = self.side(at, side) {
                lanes.insert(lane(at), (at, line));
            }
        }
        let open: Vec<(CellAddress, LineId)> = lanes.into_values().collect();
        let goes_on = |(a, line): &(CellAddress, LineId), (b, other): &(CellAddress, LineId)| {
            let ((lane_a, a), (lane_b, b)) = (lane(*a), lane(*b));
            line == other && lane_a == lane_b && a + 1 == b
        };
        for strip in open.chunk_by(goes_on) {
            let (Some((first, line)), Some((last, _))) = (strip.first(), strip.last()) else {
                continue;
            };
            strokes.push(Stroke {
                side: drawn,
                bounds: Bounds {
                    last_row: last.row,
                    last_col: last.col,
                    ..Bounds::of_cell(*first)
                },
                line: *line,
                under_next: false,
                before_merges: false,
            });
        }
        for (at, _) in open {
            self.close(at, side);
        }
    }
}

/// The line of a cell that shows it on all four sides.
fn full_line(sides: Sides) -> Option<LineId> {
    match sides {
        [Some(a), Some(b), Some(c), Some(d)] if a == b && b == c && c == d => Some(a),
        _ => None,
    }
}

/// The sides of one cell of a box, by index, and whether each is an outer side of the box.
fn sides_of(bounds: &Bounds, at: CellAddress) -> [(usize, bool); 4] {
    [
        (LEFT, at.col == bounds.first_col),
        (RIGHT, at.col == bounds.last_col),
        (TOP, at.row == bounds.first_row),
        (BOTTOM, at.row == bounds.last_row),
    ]
}

/// The cells along the edge of a box.
fn perimeter(bounds: &Bounds) -> impl Iterator<Item = CellAddress> + use<> {
    let bounds = *bounds;
    (bounds.first_row..=bounds.last_row).flat_map(move |row| {
        let edge = row == bounds.first_row || row == bounds.last_row;
        let step = if edge { 1 } else { (bounds.width() - 1).max(1) };
        let step = usize::try_from(step).unwrap_or(1);
        (bounds.first_col..=bounds.last_col)
            .step_by(step)
            .map(move |col| CellAddress::new(row, col))
    })
}

/// Weight, style and colour of a border edit, whatever its side.
fn line_text(edit: &napsim_trajectories::Edit) -> String {
    match edit {
        napsim_trajectories::Edit::Border { line, .. } => {
            format!("{:?}|{:?}|{:?}", line.weight, line.style, line.color)
        }
        _ => String::new(),
    }
}
