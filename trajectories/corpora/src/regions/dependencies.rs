//! Which region is built after which (spec 04, 2.2.3, step 5).

use std::collections::BTreeMap;

use napsim_trajectories::{Bounds, CellAddress};

use super::Region;
use super::boxes::Assignment;
use super::facts::Facts;
use super::references::references;

/// Rows and columns of a large reference that are looked at, evenly spread.
const SAMPLES_MAX: i64 = 8;

/// The prerequisite of each dependent region: the one that holds most of the cells its formulas read elsewhere.
///
/// An edge on a cycle is dropped, that of the fewest cells first.
pub(super) fn dependencies(facts: &Facts<'_>, assignment: &Assignment, regions: &[Region]) -> BTreeMap<u32, u32> {
    let mut strongest: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
    for region in regions {
        let mut read: BTreeMap<u32, u64> = BTreeMap::new();
        let formulas = facts
            .pick(assignment.members(region.id))
            .filter_map(|fact| fact.formula());
        for reference in formulas.flat_map(references) {
            count_cells(facts, assignment, regions, &reference.range, &mut read);
        }
        read.remove(&region.id);
        // Of equals the first in reading order wins.
        let most = read
            .into_iter()
            .max_by_key(|(id, cells)| (*cells, std::cmp::Reverse(*id)));
        strongest.extend(most.map(|edge| (region.id, edge)));
    }
    drop_cycles(&mut strongest);
    let edges = strongest.into_iter();
    edges
        .map(|(dependent, (prerequisite, _))| (dependent, prerequisite))
        .collect()
}

/// Adds the cells of a reference to the counts of their regions; of large ones a grid of cells stands for all.
fn count_cells(
    facts: &Facts<'_>,
    assignment: &Assignment,
    regions: &[Region],
    range: &Bounds,
    read: &mut BTreeMap<u32, u64>,
) {
    let last_row = facts.last_row().unwrap_or(0).min(range.last_row);
    let n = |length: i64| length.clamp(0, SAMPLES_MAX);
    let (n_rows, n_cols) = (n(last_row - range.first_row + 1), n(range.width()));
    if n_rows == 0 || n_cols == 0 {
        return;
    }
    let area = Bounds { last_row, ..*range }.n_cells();
    let weight = area / u64::try_from(n_rows * n_cols).unwrap_or(1).max(1);
    let spread = |first: i64, last: i64, n: i64, k: i64| first + (last - first) * k / (n - 1).max(1);
    for i in 0..n_rows {
        for j in 0..n_cols {
            let at = CellAddress::new(
                spread(range.first_row, last_row, n_rows, i),
                spread(range.first_col, range.last_col, n_cols, j),
            );
            if let Some(id) = region_at(facts, assignment, regions, at) {
                *read.entry(id).or_default() += weight.max(1);
            }
        }
    }
}

/// The region over a cell: its own, or that of a neighbour in the same row.
fn region_at(facts: &Facts<'_>, assignment: &Assignment, regions: &[Region], at: CellAddress) -> Option<u32> {
    let row = facts.row(at.row);
    let found = row.start + facts.slice(row.clone()).partition_point(|fact| fact.at.col < at.col);
    let candidates = [Some(found), found.checked_sub(1)];
    let near = candidates.into_iter().flatten().filter(|idx| row.contains(idx));
    near.filter_map(|idx| assignment.of_fact(idx)).find(|id| {
        let region = usize::try_from(*id).ok().and_then(|id| regions.get(id));
        region.is_some_and(|region| region.range.contains_cell(at))
    })
}

/// Each region has at most one edge, so a walk along edges finds each cycle once.
fn drop_cycles(edges: &mut BTreeMap<u32, (u32, u64)>) {
    let starts: Vec<u32> = edges.keys().copied().collect();
    // The walk that saw each region.
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    for start in starts {
        let mut path = Vec::new();
        let mut at = start;
        while !seen.contains_key(&at) {
            seen.insert(at, start);
            path.push(at);
            match edges.get(&at) {
                Some((next, _)) => at = *next,
                None => break,
            }
        }
        let closes = edges.contains_key(&at) && seen.get(&at) == Some(&start);
        if let Some(begin) = path.iter().position(|id| *id == at).filter(|_| closes) {
            let cycle = path.get(begin..).unwrap_or_default();
            let weakest = cycle
                .iter()
                .min_by_key(|id| (edges.get(id).map_or(0, |(_, cells)| *cells), std::cmp::Reverse(**id)));
            if let Some(weakest) = weakest {
                edges.remove(weakest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[(u32, u32, u64)], expect: &[(u32, u32)]) {
        let mut map = edges.iter().map(|(from, to, cells)| (*from, (*to, *cells))).collect();
        drop_cycles(&mut map);
        let left: Vec<(u32, u32)> = map.iter().map(|(from, (to, _))| (*from, *to)).collect();
        assert_eq!(left, expect);
    }

    #[test]
    fn the_weakest_edge_of_a_cycle_goes() {
        check(&[(1, 0, 3), (2, 1, 1)], &[(1, 0), (2, 1)]);
        check(&[(0, 1, 3), (1, 0, 2)], &[(0, 1)]);
        check(&[(0, 1, 3), (1, 2, 3), (2, 0, 3), (5, 1, 1)], &[(0, 1), (1, 2), (5, 1)]);
    }
}
