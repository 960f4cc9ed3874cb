//! Blocks that are made by copying an alike one.

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, CellAddress, Edit};
use rustc_hash::FxHashSet;

use super::piece::{Category, Piece, Rule, Work};
use super::profile::Copying;
use super::target::{SHEET_NAME, Target};
use crate::regions::Annotation;

/// Copies, and what they bring rightly.
#[derive(Debug, Default)]
pub(super) struct Copies {
    pub pieces: Vec<Piece>,
    /// Cells all of whose formats (number formats aside) the copies bring.
    pub formats: FxHashSet<CellAddress>,
    /// Cells whose contents the copies bring rightly.
    pub contents: FxHashSet<CellAddress>,
    /// Merged ranges that the copies bring.
    pub merges: FxHashSet<Bounds>,
    /// Cells that no drag may touch, since it would have to come after the copy and before its formats.
    pub closed: FxHashSet<CellAddress>,
}

/// A block worth copying shows at least so many formats.
const LOOKS_MIN: usize = 3;

/// Plans copies for the groups of alike regions.
pub(super) fn plan(target: &Target, copying: Copying, annotation: &Annotation) -> Copies {
    let mut copies = Copies::default();
    if copying == Copying::Never {
        return copies;
    }
    let mut taken: Vec<Bounds> = Vec::new();
    for group in &annotation.similar {
        let Some((source, others)) = group.ranges.split_first() else {
            continue;
        };
        for to in others {
            let free = source != to && !source.overlaps(to) && !taken.iter().any(|range| range.overlaps(to));
            // A source that was itself copied would be a chain; it is as good to copy its own source.
            let source_is_own = !copies.pieces.iter().any(|piece| piece.bounds.overlaps(source));
            if free && source_is_own && is_alike(target, source, to) {
                taken.push(*to);
                taken.push(*source);
                let contents = copying == Copying::All && brings_contents(target, source, to);
                copies.add(target, source, to, contents);
                taken.retain(|range| range != source);
            }
        }
    }
    copies
}

impl Copies {
    fn add(&mut self, target: &Target, source: &Bounds, to: &Bounds, contents: bool) {
        let edit = Edit::Paste {
            source: format!("{SHEET_NAME}!{source}").into(),
            mode: if contents { "all" } else { "formats" }.into(),
        };
        let work = Work::Copy {
            source: *source,
            contents,
        };
        let category = if contents { Category::Content } else { Category::Fill };
        self.pieces.push(Piece::new(edit, *to, work, category, Rule::Copy));
        for at in to.cells() {
            self.formats.insert(at);
            if contents {
                self.closed.insert(at);
                if same_content(target, moved(at, to, source), at) {
                    self.contents.insert(at);
                }
            }
        }
        let inside = target.merges.iter().filter(|merge| to.contains(merge));
        self.merges.extend(inside.copied());
    }
}

fn moved(at: CellAddress, from: &Bounds, to: &Bounds) -> CellAddress {
    CellAddress::new(
        at.row - from.first_row + to.first_row,
        at.col - from.first_col + to.first_col,
    )
}

/// Whether two ranges show the same formats (number formats aside) and merges throughout.
fn is_alike(target: &Target, source: &Bounds, to: &Bounds) -> bool {
    if source.height() != to.height() || source.width() != to.width() {
        return false;
    }
    let merges_of = |range: &Bounds| -> Option<FxHashSet<Bounds>> {
        let touching = target.merges.iter().filter(|merge| merge.overlaps(range));
        touching
            .map(|merge| {
                range.contains(merge).then_some(Bounds {
                    first_row: merge.first_row - range.first_row,
                    first_col: merge.first_col - range.first_col,
                    last_row: merge.last_row - range.first_row,
                    last_col: merge.last_col - range.first_col,
                })
            })
            .collect()
    };
    let (Some(a), Some(b)) = (merges_of(source), merges_of(to)) else {
        return false;
    };
    let mut n_looks = 0;
    a == b
        && source.cells().all(|at| {
            let there = moved(at, source, to);
            let looks = |at: CellAddress| {
                let looks = target.cell(at).map(|cell| cell.looks.as_slice()).unwrap_or_default();
                looks
                    .iter()
                    .copied()
                    .filter(|id| target.look(*id).property != Property::NumberFormat)
            };
            n_looks += looks(at).count();
            looks(at).eq(looks(there))
        })
        && n_looks >= LOOKS_MIN
}

/// Whether a copy of the contents saves typing and leaves nothing to be cleared.
fn brings_contents(target: &Target, source: &Bounds, to: &Bounds) -> bool {
    let mut n_same = 0_u64;
    let mut n = 0_u64;
    for at in source.cells() {
        let there = moved(at, source, to);
        match (target.content(at), target.content(there)) {
            (Some(_), None) => return false,
            (Some(_), Some(_)) => {
                n += 1;
                n_same += u64::from(same_content(target, at, there));
            }
            (None, _) => {}
        }
    }
    n_same >= 2 && n_same * 4 >= n
}

fn same_content(target: &Target, a: CellAddress, b: CellAddress) -> bool {
    match (target.content(a), target.content(b)) {
        (Some((a, _)), Some((b, _))) => a.strictly_equals(b),
        _ => false,
    }
}
