//! The border merger (spec 02, section 8): single sides into grids, boxes and lines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use napsim_trajectories::action::{BorderLine, BorderSide};
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, RangeError};

use super::rectangles::{GrowFirst, grown};

/// The four sides in the order in which lines are collected.
const SIDES: [BorderSide; 4] = [BorderSide::Left, BorderSide::Right, BorderSide::Top, BorderSide::Bottom];

/// Merges border actions: flagged ones first as one batch, then the others.
///
/// A box swallows every other side of its cells (Q29), and grids and boxes may rely on sides of neighbours (Q30).
/// Inside and diagonal borders are ignored (Q28).
///
/// # Errors
/// [`RangeError`] when a range cannot be walked over.
pub fn merge_borders(actions: &[Action]) -> Result<Vec<Action>, RangeError> {
    let mut merged = Vec::new();
    for flagged in [true, false] {
        let mut sheets: Vec<(Arc<str>, Borders)> = Vec::new();
        for action in actions.iter().filter(|action| action.is_inverse() == flagged) {
            let Edit::Border { side, line } = action.edit() else {
                continue;
            };
            let name = action.range().sheet();
            let idx = sheets.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                sheets.push((name.clone(), Borders::default()));
                sheets.len() - 1
            });
            if let Some((_, borders)) = sheets.get_mut(idx) {
                borders.draw(&action.range().walk()?, *side, line);
            }
        }
        for (name, borders) in sheets {
            for (bounds, side, line) in borders.merged() {
                let range = Range::from_bounds(name.clone(), bounds);
                merged.push(Action::new(range, Edit::Border { side, line }).with_inverse(flagged));
            }
        }
    }
    Ok(merged)
}

/// The lines on the four sides of a cell, as indices of distinct styles, in the order of [`SIDES`].
type CellSides = [Option<usize>; 4];

const LEFT: usize = 0;
const RIGHT: usize = 1;
const TOP: usize = 2;
const BOTTOM: usize = 3;

/// Cells by the side that they have a line on, in order of first appearance.
type CellsBySide = Vec<(usize, BTreeSet<CellAddress>)>;

/// A merged border: where, which sides, and with what line.
type Merged = (Bounds, BorderSide, BorderLine);

/// The borders of one sheet.
#[derive(Default)]
struct Borders {
    /// Distinct lines; a cleared border is one of them.
    styles: Vec<BorderLine>,
    /// Sides that actions put on each active cell.
    own: BTreeMap<CellAddress, CellSides>,
}

impl Borders {
    fn draw(&mut self, bounds: &Bounds, side: BorderSide, line: &BorderLine) {
        let style = self.styles.iter().position(|known| known == line).unwrap_or_else(|| {
            self.styles.push(line.clone());
            self.styles.len() - 1
        });
        for cell in bounds.cells() {
            let edges = [
                cell.col == bounds.first_col,
                cell.col == bounds.last_col,
                cell.row == bounds.first_row,
                cell.row == bounds.last_row,
            ];
            let drawn = match side {
                BorderSide::All => [true; 4],
                BorderSide::Outside => edges,
                BorderSide::Left => [edges[LEFT], false, false, false],
                BorderSide::Right => [false, edges[RIGHT], false, false],
                BorderSide::Top => [false, false, edges[TOP], false],
                BorderSide::Bottom => [false, false, false, edges[BOTTOM]],
                _ => [false; 4],
            };
            // An outside border makes every cell of its range active, also inner ones without a side.
            if side == BorderSide::Outside || drawn.contains(&true) {
                let sides = self.own.entry(cell).or_default();
                for (slot, drawn) in sides.iter_mut().zip(drawn) {
                    if drawn {
                        *slot = Some(style);
                    }
                }
            }
        }
    }

    fn merged(&self) -> Vec<Merged> {
        let mut merged = Vec::new();
        for cells in self.regions() {
            let mut region = Region::new(self, &cells);
            region.take_grids(&mut merged);
            region.take_boxes(&mut merged);
            region.take_lines(&mut merged);
        }
        merged
    }

    /// Connected components of active cells, ordered by their smallest cell.
    fn regions(&self) -> Vec<BTreeSet<CellAddress>> {
        let mut unseen: BTreeSet<CellAddress> = self.own.keys().copied().collect();
        let mut regions = Vec::new();
        while let Some(first) = unseen.pop_first() {
            let mut region = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                for neighbour in neighbours(cell) {
                    if unseen.remove(&neighbour) {
                        region.insert(neighbour);
                        open.push(neighbour);
                    }
                }
            }
            regions.push(region);
        }
        regions
    }

    /// A cell's sides with missing ones taken from the neighbours' own facing sides.
    fn completed(&self, cell: CellAddress) -> CellSides {
        let own = |cell: CellAddress| self.own.get(&cell).copied().unwrap_or_default();
        let [left, right, above, below] = neighbours(cell).map(own);
        let mine = own(cell);
        [
            mine[LEFT].or(left[RIGHT]),
            mine[RIGHT].or(right[LEFT]),
            mine[TOP].or(above[BOTTOM]),
            mine[BOTTOM].or(below[TOP]),
        ]
    }
}

/// Left, right, upper and lower neighbour.
fn neighbours(cell: CellAddress) -> [CellAddress; 4] {
    [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(rows, cols)| CellAddress::new(cell.row + rows, cell.col + cols))
}

/// One region on its way into merged borders.
struct Region<'a> {
    borders: &'a Borders,
    completed: BTreeMap<CellAddress, CellSides>,
    done: BTreeSet<CellAddress>,
}

impl<'a> Region<'a> {
    fn new(borders: &'a Borders, cells: &BTreeSet<CellAddress>) -> Self {
        let completed = cells.iter().map(|cell| (*cell, borders.completed(*cell))).collect();
        Self {
            borders,
            completed,
            done: BTreeSet::new(),
        }
    }

    fn line(&self, style: usize) -> BorderLine {
        self.borders
            .styles
            .get(style)
            .cloned()
            .unwrap_or_else(BorderLine::cleared)
    }

    fn sides(&self, cell: CellAddress) -> CellSides {
        self.completed.get(&cell).copied().unwrap_or_default()
    }

    fn is_grid_of(&self, cell: CellAddress, style: usize) -> bool {
        self.sides(cell) == [Some(style); 4]
    }

    /// Cells with one line on all four sides become grids.
    fn take_grids(&mut self, merged: &mut Vec<Merged>) {
        let mut groups: Vec<(usize, BTreeSet<CellAddress>)> = Vec::new();
        for (cell, sides) in &self.completed {
            let Some(style) = sides[LEFT].filter(|style| *sides == [Some(*style); 4]) else {
                continue;
            };
            match groups.iter_mut().find(|(known, _)| *known == style) {
                Some((_, cells)) => {
                    cells.insert(*cell);
                }
                None => groups.push((style, BTreeSet::from([*cell]))),
            }
        }
        for (style, mut cells) in groups {
            while let Some(first) = cells.first().copied() {
                let bounds = grown(first, GrowFirst::Right, |cell| cells.contains(&cell));
                for cell in bounds.cells() {
                    cells.remove(&cell);
                    self.done.insert(cell);
                }
                merged.push((bounds, BorderSide::All, self.line(style)));
            }
        }
    }

    /// Rectangles whose outline is one line become boxes.
    fn take_boxes(&mut self, merged: &mut Vec<Merged>) {
        let cells: Vec<CellAddress> = self.completed.keys().copied().collect();
        for cell in cells {
            if self.done.contains(&cell) {
                continue;
            }
            let sides = self.sides(cell);
            let Some(style) = sides[TOP].or(sides[LEFT]).or(sides[BOTTOM]).or(sides[RIGHT]) else {
                continue;
            };
            if let Some(bounds) = self.find_box(cell, style) {
                self.done.extend(bounds.cells());
                merged.push((bounds, BorderSide::Outside, self.line(style)));
            }
        }
    }

    /// The tallest, then widest valid box that starts at a cell.
    fn find_box(&self, first: CellAddress, style: usize) -> Option<Bounds> {
        let goes_on = |cell: CellAddress, side: usize| {
            !self.done.contains(&cell) && self.sides(cell).get(side).copied().flatten() == Some(style)
        };
        let mut reach = Bounds::of_cell(first);
        while goes_on(CellAddress::new(first.row, reach.last_col + 1), TOP) {
            reach.last_col += 1;
        }
        while goes_on(CellAddress::new(reach.last_row + 1, first.col), LEFT) {
            reach.last_row += 1;
        }
        for last_row in (first.row..=reach.last_row).rev() {
            for last_col in (first.col..=reach.last_col).rev() {
                let bounds = Bounds {
                    last_row,
                    last_col,
                    ..Bounds::of_cell(first)
                };
                if self.is_box(&bounds, style) {
                    return Some(bounds);
                }
            }
        }
        None
    }

    fn is_box(&self, bounds: &Bounds, style: usize) -> bool {
        bounds.cells().all(|cell| {
            let sides = self.sides(cell);
            let edges = [
                (cell.col == bounds.first_col, sides[LEFT]),
                (cell.col == bounds.last_col, sides[RIGHT]),
                (cell.row == bounds.first_row, sides[TOP]),
                (cell.row == bounds.last_row, sides[BOTTOM]),
            ];
            let interior = edges.iter().all(|(edge, _)| !edge);
            !self.done.contains(&cell)
                && edges.iter().all(|(edge, side)| !edge || *side == Some(style))
                && !(interior && self.is_grid_of(cell, style))
        })
    }

    /// What is left becomes lines along rows and columns.
    fn take_lines(&self, merged: &mut Vec<Merged>) {
        let mut styles: Vec<(usize, CellsBySide)> = Vec::new();
        for cell in self.completed.keys().filter(|cell| !self.done.contains(cell)) {
            let own = self.borders.own.get(cell).copied().unwrap_or_default();
            for (side, style) in own
                .iter()
                .enumerate()
                .filter_map(|(side, style)| style.map(|style| (side, style)))
            {
                let by_side = entry(&mut styles, style);
                entry(by_side, side).insert(*cell);
            }
        }
        for (style, by_side) in styles {
            for (side, cells) in by_side {
                self.fuse(side, style, cells, merged);
            }
        }
    }

    /// Tops and bottoms fuse along the row, lefts and rights down the column; each cell is used once.
    fn fuse(&self, side: usize, style: usize, mut cells: BTreeSet<CellAddress>, merged: &mut Vec<Merged>) {
        let Some(name) = SIDES.get(side).copied() else { return };
        while let Some(first) = cells.pop_first() {
            let mut bounds = Bounds::of_cell(first);
            if side == TOP || side == BOTTOM {
                while cells.remove(&CellAddress::new(first.row, bounds.last_col + 1)) {
                    bounds.last_col += 1;
                }
            } else {
                while cells.remove(&CellAddress::new(bounds.last_row + 1, first.col)) {
                    bounds.last_row += 1;
                }
            }
            merged.push((bounds, name, self.line(style)));
        }
    }
}

/// The value under a key of a list of pairs, made at the end where it is missing.
fn entry<V: Default>(pairs: &mut Vec<(usize, V)>, key: usize) -> &mut V {
    let idx = pairs.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        pairs.push((key, V::default()));
        pairs.len() - 1
    });
    #[expect(clippy::indexing_slicing, reason = "the index was just found or made")]
    let (_, value) = &mut pairs[idx];
    value
}
