//! Seed blocks: connected components of what shows, with small gaps closed (spec 04, 2.2.3, step 2).

use std::collections::BTreeMap;

use napsim_trajectories::Bounds;

use super::boxes::{disjoint, union};
use super::facts::Facts;

/// Rows of merges that are walked over beside four for each cell; merges beyond are boxes of their own.
const MERGE_ROWS_MAX: usize = 1 << 16;

/// Rounds of closing gaps; each may bring further boxes within reach.
const CLOSING_ROUNDS_MAX: usize = 8;

/// The boxes around blocks of cells, disjoint and in reading order; each holds a cell, and none cuts a merge.
pub(super) fn boxes(facts: &Facts<'_>) -> Vec<Bounds> {
    let runs = runs(facts);
    let mut boxes = components(&runs);
    let merges = facts.merges.iter().copied();
    boxes = disjoint(boxes.into_iter().chain(merges).collect());
    for _ in 0..CLOSING_ROUNDS_MAX {
        let before = boxes.len();
        boxes = disjoint(close_gaps(facts, &boxes));
        if boxes.len() == before {
            break;
        }
    }
    holding(facts, boxes)
}

/// The boxes that hold a cell.
fn holding(facts: &Facts<'_>, boxes: Vec<Bounds>) -> Vec<Bounds> {
    let assignment = super::boxes::Assignment::of(facts, &boxes);
    let with_ids = (0_u32..).zip(boxes);
    with_ids
        .filter(|(id, _)| !assignment.members(*id).is_empty())
        .map(|(_, bounds)| bounds)
        .collect()
}

/// Cells next to each other in one row.
#[derive(Clone, Copy)]
struct Run {
    row: i64,
    first_col: i64,
    last_col: i64,
}

/// Runs of cells that show or lie in a low merge, in reading order.
fn runs(facts: &Facts<'_>) -> Vec<Run> {
    let run = |row: i64, first_col: i64, last_col: i64| Run {
        row,
        first_col,
        last_col,
    };
    let shown = facts.cells.iter().filter(|fact| fact.shows);
    let mut runs: Vec<Run> = shown.map(|fact| run(fact.at.row, fact.at.col, fact.at.col)).collect();
    let mut rows_left = facts.cells.len() * 4 + MERGE_ROWS_MAX;
    for merge in &facts.merges {
        let height = usize::try_from(merge.height()).unwrap_or(usize::MAX);
        if height > rows_left {
            continue;
        }
        rows_left -= height;
        runs.extend((merge.first_row..=merge.last_row).map(|row| run(row, merge.first_col, merge.last_col)));
    }
    runs.sort_by_key(|run| (run.row, run.first_col));
    let mut joined: Vec<Run> = Vec::new();
    for next in runs {
        match joined.last_mut() {
            Some(last) if last.row == next.row && next.first_col <= last.last_col + 1 => {
                last.last_col = last.last_col.max(next.last_col);
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// Sets of indices that grow together.
struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    fn new(n: usize) -> Self {
        Self {
            parents: (0..n).collect(),
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while let Some(parent) = self.parents.get(at).copied().filter(|parent| *parent != at) {
            let grandparent = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parents.get_mut(at) {
                *slot = grandparent;
            }
            at = grandparent;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower index leads, so that the outcome depends on no order.
        if let Some(slot) = self.parents.get_mut(a.max(b)) {
            *slot = a.min(b);
        }
    }

    /// The box around each set, in order of the sets' first indices.
    fn boxes(&mut self, bounds: impl Iterator<Item = Bounds>) -> Vec<Bounds> {
        let mut boxes: BTreeMap<usize, Bounds> = BTreeMap::new();
        for (idx, bounds) in bounds.enumerate() {
            let root = self.root(idx);
            boxes
                .entry(root)
                .and_modify(|known| *known = union(*known, bounds))
                .or_insert(bounds);
        }
        boxes.into_values().collect()
    }
}

/// The boxes of runs that touch, be it at a corner.
fn components(runs: &[Run]) -> Vec<Bounds> {
    let mut sets = Sets::new(runs.len());
    // `above` follows the row over the current one.
    let mut above = 0;
    for (idx, run) in runs.iter().enumerate() {
        while runs
            .get(above)
            .is_some_and(|other| (other.row, other.last_col + 1) < (run.row - 1, run.first_col))
        {
            above += 1;
        }
        let row_above = runs.iter().enumerate().skip(above);
        for (other_idx, other) in row_above {
            if other.row + 1 != run.row || other.first_col > run.last_col + 1 {
                break;
            }
            sets.join(other_idx, idx);
        }
    }
    sets.boxes(runs.iter().map(|run| Bounds {
        first_row: run.row,
        first_col: run.first_col,
        last_row: run.row,
        last_col: run.last_col,
    }))
}

/// Disjoint boxes, joined across at most one blank row or column where that makes sense.
fn close_gaps(facts: &Facts<'_>, boxes: &[Bounds]) -> Vec<Bounds> {
    let mut sets = Sets::new(boxes.len());
    // Boxes of one last column have disjoint rows, and likewise for the rest, so neighbours are found by merging lists.
    let across = neighbours(boxes, |bounds| Edge {
        before: bounds.last_col,
        after: bounds.first_col,
        from: bounds.first_row,
        to: bounds.last_row,
    });
    for (left, right) in across {
        if let (Some(a), Some(b)) = (boxes.get(left), boxes.get(right))
            && belong_beside(a, b)
        {
            sets.join(left, right);
        }
    }
    let down = neighbours(boxes, |bounds| Edge {
        before: bounds.last_row,
        after: bounds.first_row,
        from: bounds.first_col,
        to: bounds.last_col,
    });
    for (upper, lower) in down {
        if let (Some(a), Some(b)) = (boxes.get(upper), boxes.get(lower))
            && belong_below(facts, a, b)
        {
            sets.join(upper, lower);
        }
    }
    sets.boxes(boxes.iter().copied())
}

/// Two blocks of different heights beside each other stay apart; a single column or row joins its neighbour.
fn belong_beside(left: &Bounds, right: &Bounds) -> bool {
    let thin = |bounds: &Bounds| bounds.width() == 1 || bounds.height() == 1;
    let level = left.first_row == right.first_row && left.last_row == right.last_row;
    level || thin(left) || thin(right)
}

/// Across a blank row the columns must be the same, but for a row of sums below its table.
fn belong_below(facts: &Facts<'_>, upper: &Bounds, lower: &Bounds) -> bool {
    if upper.first_col == lower.first_col && upper.last_col == lower.last_col {
        return true;
    }
    let within = upper.first_col <= lower.first_col && lower.last_col <= upper.last_col;
    lower.height() == 1 && upper.height() > 1 && upper.width() > 1 && within && {
        let row = facts.slice(facts.row(lower.first_row)).iter();
        let mut inside = row.filter(|fact| lower.contains_cell(fact.at));
        inside.any(|fact| fact.formula().is_some())
    }
}

/// A box seen along one axis: where it ends and begins, and its extent across.
struct Edge {
    before: i64,
    after: i64,
    from: i64,
    to: i64,
}

/// Pairs of boxes of which the second begins at most one blank line after the first ends, with a common extent.
fn neighbours(boxes: &[Bounds], edge: impl Fn(&Bounds) -> Edge) -> Vec<(usize, usize)> {
    let edges: Vec<Edge> = boxes.iter().map(edge).collect();
    let sorted_by = |line: &dyn Fn(&Edge) -> i64| {
        let mut order: Vec<(i64, i64, i64, usize)> = edges
            .iter()
            .enumerate()
            .map(|(idx, edge)| (line(edge), edge.from, edge.to, idx))
            .collect();
        order.sort_unstable();
        order
    };
    let ends = sorted_by(&|edge| edge.before);
    let starts = sorted_by(&|edge| edge.after);
    let mut pairs = Vec::new();
    for gap in [1, 2] {
        let mut end = 0;
        for (line, from, to, second) in &starts {
            let reaches = |candidate: &(i64, i64, i64, usize)| (candidate.0 + gap, candidate.2) >= (*line, *from);
            while ends.get(end).is_some_and(|candidate| !reaches(candidate)) {
                end += 1;
            }
            let matching = ends
                .iter()
                .skip(end)
                .take_while(|candidate| candidate.0 + gap == *line && candidate.1 <= *to);
            pairs.extend(matching.map(|candidate| (candidate.3, *second)));
        }
    }
    pairs.sort_unstable();
    pairs
}
