//! Checks of an annotation against its sheet (spec 04, 2.2.1).

use std::collections::{BTreeMap, BTreeSet};

use napsim_sim::state::Sheet;
use napsim_trajectories::{Bounds, Keyword};

use super::boxes::{Assignment, intersections, locate_cells, rectangles};
use super::facts::Facts;
use super::{Annotation, Closing};

/// The largest region that passes without a warning, in cells.
const REGION_CELLS_MAX: u64 = 10_000;

/// Something wrong or remarkable in an annotation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Two regions have one id.
    #[error("two regions have the id {0}")]
    DuplicateId(u32),
    /// A range whose last corner lies before its first.
    #[error("the range {0} is reversed")]
    Reversed(Bounds),
    /// Two regions share cells.
    #[error("the regions {0} and {1} intersect")]
    Intersection(u32, u32),
    /// A dependency names a region that does not exist.
    #[error("a dependency names the region {0}, which does not exist")]
    UnknownRegion(u32),
    /// A region depends on itself, be it over others.
    #[error("the region {0} depends on itself")]
    Cycle(u32),
    /// A pasted range does not lie within one region.
    #[error("the pasted range {0} does not lie within one region")]
    PastedOutside(Bounds),
    /// A group of similar regions has fewer than two members.
    #[error("a group of similar regions has {0} members")]
    SmallGroup(usize),
    /// A final touch lies outside its region.
    #[error("the final touch on {1} lies outside region {0}")]
    ClosingOutside(u32, Bounds),
    /// A kind of action that closes no region.
    #[error("{} is no final touch", .0.text())]
    ClosingKind(Keyword),
    /// Cells with content, fill or border lie in no region.
    #[error("the cells {0} lie in no region")]
    Uncovered(Bounds),
    /// There is no region.
    #[error("there is no region")]
    NoRegion,
    /// A very large region.
    #[error("the region {0} has more than {REGION_CELLS_MAX} cells")]
    LargeRegion(u32),
    /// A region begins above the one that it depends on.
    #[error("the region {0} begins above region {1}, on which it depends")]
    DependentAbove(u32, u32),
}

impl Problem {
    /// Whether the annotation can be used all the same.
    pub fn is_warning(&self) -> bool {
        matches!(self, Self::NoRegion | Self::LargeRegion(_) | Self::DependentAbove(..))
    }
}

/// What is wrong or remarkable in an annotation of a sheet; an empty list means neither.
pub fn validate(annotation: &Annotation, sheet: &Sheet) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_regions(annotation, &mut problems);
    check_dependencies(annotation, &mut problems);
    check_pasted(annotation, &mut problems);
    let small = annotation
        .similar
        .iter()
        .map(|group| group.ranges.len())
        .filter(|n| *n < 2);
    problems.extend(small.map(Problem::SmallGroup));
    // Where regions intersect, which cells are covered is told once they no longer do.
    if !problems
        .iter()
        .any(|problem| matches!(problem, Problem::Intersection(..)))
    {
        problems.extend(uncovered(annotation, sheet).into_iter().map(Problem::Uncovered));
    }
    problems
}

fn check_regions(annotation: &Annotation, problems: &mut Vec<Problem>) {
    if annotation.regions.is_empty() {
        problems.push(Problem::NoRegion);
    }
    let mut ids = BTreeSet::new();
    for region in &annotation.regions {
        if !ids.insert(region.id) {
            problems.push(Problem::DuplicateId(region.id));
        }
        if region.range.n_cells() == 0 {
            problems.push(Problem::Reversed(region.range));
        }
        if region.range.n_cells() > REGION_CELLS_MAX {
            problems.push(Problem::LargeRegion(region.id));
        }
        for closing in &region.closing {
            if !region.range.contains(&closing.range) {
                problems.push(Problem::ClosingOutside(region.id, closing.range));
            }
            if !Closing::KEYWORDS.contains(&closing.keyword) {
                problems.push(Problem::ClosingKind(closing.keyword));
            }
        }
    }
    let ranges: Vec<Bounds> = annotation.regions.iter().map(|region| region.range).collect();
    let id_of = |idx: usize| annotation.regions.get(idx).map(|region| region.id);
    for (a, b) in intersections(&ranges) {
        problems.extend(id_of(a).zip(id_of(b)).map(|(a, b)| Problem::Intersection(a, b)));
    }
}

fn check_dependencies(annotation: &Annotation, problems: &mut Vec<Problem>) {
    let first_rows: BTreeMap<u32, i64> = annotation
        .regions
        .iter()
        .map(|region| (region.id, region.range.first_row))
        .collect();
    for (dependent, prerequisite) in &annotation.dependencies {
        for id in [dependent, prerequisite] {
            if !first_rows.contains_key(id) {
                problems.push(Problem::UnknownRegion(*id));
            }
        }
        let rows = first_rows.get(dependent).zip(first_rows.get(prerequisite));
        if rows.is_some_and(|(dependent, prerequisite)| dependent < prerequisite) {
            problems.push(Problem::DependentAbove(*dependent, *prerequisite));
        }
    }
    // Each region has one edge: the first region met again on a walk closes its cycle.
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    for start in annotation.dependencies.keys() {
        let mut at = *start;
        while !seen.contains_key(&at) {
            seen.insert(at, *start);
            match annotation.dependencies.get(&at) {
                Some(next) => at = *next,
                None => break,
            }
        }
        if annotation.dependencies.contains_key(&at) && seen.get(&at) == Some(start) {
            problems.push(Problem::Cycle(at));
        }
    }
}

fn check_pasted(annotation: &Annotation, problems: &mut Vec<Problem>) {
    let boxes = sorted_ranges(annotation);
    let mut pasted: Vec<Bounds> = annotation.pasted.iter().map(|pasted| pasted.range).collect();
    pasted.sort_unstable();
    let located = locate_cells(pasted.iter().map(Bounds::first_cell), &boxes);
    for (range, id) in pasted.iter().zip(located) {
        let region = id.and_then(|id| boxes.get(usize::try_from(id).ok()?));
        if !region.is_some_and(|region| region.contains(range)) {
            problems.push(Problem::PastedOutside(*range));
        }
    }
}

fn sorted_ranges(annotation: &Annotation) -> Vec<Bounds> {
    let mut ranges: Vec<Bounds> = annotation.regions.iter().map(|region| region.range).collect();
    ranges.sort_unstable();
    ranges
}

/// Cells with a value, a fill or a border in no region, as rectangles.
fn uncovered(annotation: &Annotation, sheet: &Sheet) -> Vec<Bounds> {
    let facts = Facts::of(sheet);
    let assignment = Assignment::of(&facts, &sorted_ranges(annotation));
    let outside = facts
        .cells
        .iter()
        .enumerate()
        .filter(|(idx, _)| assignment.of_fact(*idx).is_none());
    rectangles(outside.map(|(_, fact)| fact.at))
}
