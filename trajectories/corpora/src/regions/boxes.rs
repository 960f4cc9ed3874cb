//! Disjoint boxes: merging those that intersect, and finding the box of each cell, in one sweep down the sheet.

use std::collections::BTreeMap;

use napsim_trajectories::{Bounds, CellAddress};

use super::facts::Facts;

/// Sweeps before everything on common rows is joined, so that boxes built to intersect for ever stay cheap.
const SWEEPS_MAX: usize = 16;

/// The box around two boxes.
pub(super) fn union(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        first_row: a.first_row.min(b.first_row),
        first_col: a.first_col.min(b.first_col),
        last_row: a.last_row.max(b.last_row),
        last_col: a.last_col.max(b.last_col),
    }
}

/// Boxes that all cover the sweep's row: disjoint, so their columns are in order.
#[derive(Default)]
struct Active {
    by_first_col: BTreeMap<i64, (Bounds, u32)>,
}

impl Active {
    /// Takes out all boxes that touch these columns; those that ended above `row` are dropped on the way.
    fn take_overlapping(&mut self, new: &Bounds) -> Vec<(Bounds, u32)> {
        let mut taken = Vec::new();
        while let Some((first_col, (found, id))) = self
            .by_first_col
            .range(..=new.last_col)
            .next_back()
            .map(|(col, entry)| (*col, *entry))
            .filter(|(_, (found, _))| found.last_col >= new.first_col)
        {
            self.by_first_col.remove(&first_col);
            if found.last_row >= new.first_row {
                taken.push((found, id));
            }
        }
        taken
    }

    fn insert(&mut self, bounds: Bounds, id: u32) {
        self.by_first_col.insert(bounds.first_col, (bounds, id));
    }

    /// The box over a cell.
    fn find(&self, at: CellAddress) -> Option<u32> {
        let (_, (bounds, id)) = self.by_first_col.range(..=at.col).next_back()?;
        bounds.contains_cell(at).then_some(*id)
    }
}

/// Joins boxes that intersect until none do; the result is in reading order.
pub(super) fn disjoint(mut boxes: Vec<Bounds>) -> Vec<Bounds> {
    boxes.sort_unstable();
    for _ in 0..SWEEPS_MAX {
        let before = boxes.len();
        boxes = sweep(&boxes);
        boxes.sort_unstable();
        if boxes.len() == before {
            return boxes;
        }
    }
    bands(&boxes)
}

/// One sweep over sorted boxes. A box that grew may newly intersect one that the sweep has left behind.
fn sweep(boxes: &[Bounds]) -> Vec<Bounds> {
    let mut active = Active::default();
    let mut joined: Vec<Option<Bounds>> = Vec::with_capacity(boxes.len());
    for new in boxes {
        let mut grown = *new;
        // Growing sideways may reach further boxes of the same row.
        loop {
            let taken = active.take_overlapping(&Bounds {
                first_row: new.first_row,
                ..grown
            });
            if taken.is_empty() {
                break;
            }
            for (other, id) in taken {
                grown = union(grown, other);
                if let Some(slot) = usize::try_from(id).ok().and_then(|id| joined.get_mut(id)) {
                    *slot = None;
                }
            }
        }
        active.insert(grown, u32::try_from(joined.len()).unwrap_or(u32::MAX));
        joined.push(Some(grown));
    }
    joined.into_iter().flatten().collect()
}

/// Joins all boxes that share a row.
fn bands(sorted: &[Bounds]) -> Vec<Bounds> {
    let mut bands: Vec<Bounds> = Vec::new();
    for new in sorted {
        match bands.last_mut() {
            Some(last) if new.first_row <= last.last_row => *last = union(*last, *new),
            _ => bands.push(*new),
        }
    }
    bands
}

/// The first pair of intersecting boxes for each box that intersects one before it, as indices.
pub(super) fn intersections(boxes: &[Bounds]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by_key(|idx| boxes.get(*idx));
    let mut active = Active::default();
    let mut found = Vec::new();
    for idx in order {
        let Some(new) = boxes.get(idx) else { continue };
        let id = u32::try_from(idx).unwrap_or(u32::MAX);
        let taken = active.take_overlapping(new);
        if let Some((_, other)) = taken.first() {
            let other = usize::try_from(*other).unwrap_or(idx);
            found.push((other.min(idx), other.max(idx)));
        }
        let widest = taken
            .into_iter()
            .chain([(*new, id)])
            .max_by_key(|(bounds, _)| bounds.last_row);
        if let Some((bounds, id)) = widest {
            active.insert(bounds, id);
        }
    }
    found
}

/// Which box each cell lies in. Boxes are sorted and disjoint.
pub(super) struct Assignment {
    /// The box of each fact.
    of_fact: Vec<Option<u32>>,
    /// Facts by box, row by row within each.
    members: Vec<u32>,
    /// Where each box's members begin, and a last one for the end.
    starts: Vec<usize>,
}

impl Assignment {
    pub(super) fn of(facts: &Facts<'_>, boxes: &[Bounds]) -> Self {
        let of_fact = locate(facts, boxes);
        let mut starts = vec![0_usize; boxes.len() + 1];
        let idx_of = |id: &Option<u32>| id.and_then(|id| usize::try_from(id).ok());
        for id in of_fact.iter().filter_map(idx_of) {
            if let Some(count) = starts.get_mut(id + 1) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut next = starts.clone();
        let mut members = vec![0_u32; total];
        for (fact, id) in (0_u32..).zip(&of_fact) {
            if let Some(slot) = idx_of(id).and_then(|id| next.get_mut(id)) {
                if let Some(member) = members.get_mut(*slot) {
                    *member = fact;
                }
                *slot += 1;
            }
        }
        Self {
            of_fact,
            members,
            starts,
        }
    }

    /// The facts of a box, row by row.
    pub(super) fn members(&self, id: u32) -> &[u32] {
        let at = |idx: usize| self.starts.get(idx).copied().unwrap_or(0);
        let id = usize::try_from(id).unwrap_or(usize::MAX - 1);
        self.members.get(at(id)..at(id + 1)).unwrap_or_default()
    }

    /// The box of the fact with this index.
    pub(super) fn of_fact(&self, fact: usize) -> Option<u32> {
        self.of_fact.get(fact).copied().flatten()
    }
}

/// The box of each fact by index.
fn locate(facts: &Facts<'_>, boxes: &[Bounds]) -> Vec<Option<u32>> {
    locate_cells(facts.cells.iter().map(|fact| fact.at), boxes)
}

/// The box of each cell, given in reading order, in one sweep over sorted disjoint boxes.
pub(super) fn locate_cells(cells: impl Iterator<Item = CellAddress>, boxes: &[Bounds]) -> Vec<Option<u32>> {
    let mut active = Active::default();
    let mut coming = (0_u32..).zip(boxes).peekable();
    let mut located = Vec::new();
    for at in cells {
        while let Some((id, bounds)) = coming.next_if(|(_, bounds)| bounds.first_row <= at.row) {
            // Those in the way have ended above.
            active.take_overlapping(bounds);
            active.insert(*bounds, id);
        }
        located.push(active.find(at));
    }
    located
}

/// The boxes and, for cells in none of them, rectangles of just those cells; in reading order.
pub(super) fn with_leftovers(facts: &Facts<'_>, mut boxes: Vec<Bounds>) -> Vec<Bounds> {
    boxes.sort_unstable();
    let located = locate(facts, &boxes);
    let left = facts.cells.iter().zip(&located).filter(|(_, id)| id.is_none());
    boxes.extend(rectangles(left.map(|(fact, _)| fact.at)));
    boxes.sort_unstable();
    boxes
}

/// Cells, given row by row, as rectangles: runs of a row, joined downwards where they repeat.
pub(super) fn rectangles(cells: impl Iterator<Item = CellAddress>) -> Vec<Bounds> {
    let mut runs: Vec<Bounds> = Vec::new();
    for at in cells {
        match runs.last_mut() {
            Some(run) if run.first_row == at.row && run.last_col + 1 == at.col => run.last_col = at.col,
            _ => runs.push(Bounds::of_cell(at)),
        }
    }
    let mut done: Vec<Bounds> = Vec::new();
    let mut open: BTreeMap<(i64, i64), Bounds> = BTreeMap::new();
    for run in runs {
        let key = (run.first_col, run.last_col);
        match open.get_mut(&key) {
            Some(above) if above.last_row + 1 == run.first_row => above.last_row = run.last_row,
            _ => done.extend(open.insert(key, run)),
        }
    }
    done.extend(open.into_values());
    done.sort_unstable();
    done
}
