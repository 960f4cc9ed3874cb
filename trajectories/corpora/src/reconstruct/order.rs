//! The order in which a person comes to the pieces, as far as the constraints let them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use napsim_trajectories::{Bounds, CellAddress};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::constraints::Constraints;
use super::piece::{Category, Piece, Work};
use super::profile::{Moment, Profile, Reading, Scope};
use super::target::SHEET_NAME;
use crate::regions::{Annotation, Region};

/// Where a piece stands in a person's own order: smaller comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    at_end: bool,
    region: u32,
    moment: u8,
    is_header_typed_last: bool,
    major: i64,
    minor: i64,
    tie: u32,
    seq: u32,
}

/// The key of each piece.
pub(super) fn keys(
    pieces: &[Piece],
    contents: &FxHashSet<CellAddress>,
    profile: &Profile,
    annotation: &Annotation,
    rng: &mut ChaCha8Rng,
) -> Vec<Key> {
    let places = Places::of(annotation);
    let numbered = (0_u32..).zip(pieces);
    numbered
        .map(|(seq, piece)| {
            let moment = moment_of(piece, profile);
            let region = places.region_at(piece.at);
            let at = if moment == Moment::AfterRange {
                last_content(piece, contents, profile.reading)
            } else {
                piece.at
            };
            let (row, col) = (at.row, at.col);
            let (major, minor) = match profile.reading {
                Reading::Rows => (row, col),
                Reading::Columns => (col, row),
            };
            let in_header = |region: &&Region| region.header.is_some_and(|header| header.contains_cell(piece.at));
            Key {
                at_end: moment == Moment::AtEnd,
                region: match profile.scope {
                    Scope::Sheet => 0,
                    Scope::Regions => places.rank_at(piece.at),
                },
                moment: match moment {
                    _ if profile.closing_last && region.is_some_and(|region| closes(piece, region)) => 3,
                    Moment::FrameFirst => 0,
                    Moment::AtPlace | Moment::AfterRange | Moment::AfterLine => 1,
                    Moment::AfterRegion | Moment::AtEnd => 2,
                },
                is_header_typed_last: profile.header_last
                    && moment != Moment::FrameFirst
                    && region.is_some_and(|r| in_header(&r)),
                major,
                minor: if moment == Moment::AfterLine { i64::MAX } else { minor },
                tie: tie_of(piece, profile.shuffled, rng),
                seq,
            }
        })
        .collect()
}

/// Whether a piece is one of the final touches of a region.
fn closes(piece: &Piece, region: &Region) -> bool {
    let keyword = piece.action(&SHEET_NAME.into()).keyword();
    let mut closing = region.closing.iter();
    piece.category != Category::Content
        && closing.any(|closing| closing.keyword == keyword && closing.range.contains(&piece.bounds))
}

/// The last cell of a piece's range that is typed, pasted or dragged to, in the order of reading.
fn last_content(piece: &Piece, contents: &FxHashSet<CellAddress>, reading: Reading) -> CellAddress {
    let filled = piece.bounds.cells().filter(|at| contents.contains(at));
    let last = match reading {
        Reading::Rows => filled.max(),
        Reading::Columns => filled.max_by_key(|at| (at.col, at.row)),
    };
    last.unwrap_or(piece.at)
}

fn moment_of(piece: &Piece, profile: &Profile) -> Moment {
    if matches!(piece.work, Work::Copy { .. }) {
        return Moment::AtPlace;
    }
    let timing = &profile.timing;
    match piece.category {
        Category::Content => Moment::AtPlace,
        Category::Merge => timing.merge,
        Category::NumberFormat => timing.number_format,
        Category::Fill => timing.fill,
        Category::Border => timing.border,
        Category::Font => timing.font,
        Category::Alignment => timing.alignment,
    }
}

/// At one place contents mostly come first, then a drag, then formats in about this order (spec 04, 8.4).
fn tie_of(piece: &Piece, shuffled: bool, rng: &mut ChaCha8Rng) -> u32 {
    let base = match (piece.work, piece.category) {
        (Work::Copy { .. }, _) => return 0,
        (Work::Drag(_), _) => return 45,
        (_, Category::Content) => 10,
        (_, Category::NumberFormat) => 50,
        (_, Category::Fill) => 55,
        (_, Category::Merge) => 60,
        (_, Category::Font) => 65,
        (_, Category::Alignment) => 75,
        (_, Category::Border) => 90,
    };
    let drawn = rng.random_range(0..12);
    base + if shuffled { drawn } else { 0 }
}

/// Regions by place, with their rank in the order of work.
struct Places<'a> {
    /// Regions by first row, with the last row that any region up to there reaches.
    by_row: Vec<(&'a Region, i64)>,
    ranks: BTreeMap<u32, u32>,
}

impl<'a> Places<'a> {
    fn of(annotation: &'a Annotation) -> Self {
        let mut regions: Vec<&Region> = annotation.regions.iter().collect();
        regions.sort_by_key(|region| (region.range.first_row, region.range.first_col));
        let mut reach = i64::MIN;
        let by_row = regions
            .iter()
            .map(|region| {
                reach = reach.max(region.range.last_row);
                (*region, reach)
            })
            .collect();
        Self {
            by_row,
            ranks: ranks(&regions, annotation),
        }
    }

    fn region_at(&self, at: CellAddress) -> Option<&'a Region> {
        let n = self
            .by_row
            .partition_point(|(region, _)| region.range.first_row <= at.row);
        let candidates = self.by_row.get(..n)?.iter().rev();
        candidates
            .take_while(|(_, reach)| *reach >= at.row)
            .map(|(region, _)| *region)
            .find(|region| region.range.contains_cell(at))
    }

    /// The rank of a cell's region; a cell outside of all goes with the next region below it.
    fn rank_at(&self, at: CellAddress) -> u32 {
        let next = || {
            let n = self
                .by_row
                .partition_point(|(region, _)| region.range.first_row < at.row);
            self.by_row.get(n).map(|(region, _)| *region)
        };
        let region = self.region_at(at).or_else(next);
        region
            .and_then(|region| self.ranks.get(&region.id).copied())
            .unwrap_or(u32::MAX)
    }
}

/// Regions from the top, each after the region that it depends on.
fn ranks(regions: &[&Region], annotation: &Annotation) -> BTreeMap<u32, u32> {
    let mut waiting: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let mut ready = BinaryHeap::new();
    for (idx, region) in regions.iter().enumerate() {
        match annotation.dependencies.get(&region.id) {
            Some(prerequisite) => waiting.entry(*prerequisite).or_default().push(idx),
            None => ready.push(Reverse(idx)),
        }
    }
    let mut ranks = BTreeMap::new();
    while let Some(Reverse(idx)) = ready.pop() {
        let Some(region) = regions.get(idx) else { continue };
        ranks.insert(region.id, u32::try_from(ranks.len()).unwrap_or(u32::MAX));
        ready.extend(waiting.remove(&region.id).into_iter().flatten().map(Reverse));
    }
    ranks
}

/// The pieces in order: always the one with the smallest key among those that nothing holds back.
///
/// None if the constraints go round in a circle.
pub(super) fn schedule(keys: &[Key], constraints: &Constraints) -> Option<Vec<usize>> {
    let mut n_before = vec![0_u32; keys.len()];
    for after in constraints.successors.iter().flatten() {
        *n_before.get_mut(*after)? += 1;
    }
    let key = |idx: usize| keys.get(idx).map(|key| Reverse((*key, idx)));
    let mut ready: BinaryHeap<_> = (0..keys.len())
        .filter(|idx| n_before.get(*idx) == Some(&0))
        .filter_map(key)
        .collect();
    let mut order = Vec::with_capacity(keys.len());
    while let Some(Reverse((_, idx))) = ready.pop() {
        order.push(idx);
        for after in constraints.successors.get(idx)? {
            let n = n_before.get_mut(*after)?;
            *n -= 1;
            if *n == 0 {
                ready.extend(key(*after));
            }
        }
    }
    (order.len() == keys.len()).then_some(order)
}

/// The ranges that a person would frame as a whole: tables, their headers and their bodies.
pub(super) fn blocks(annotation: &Annotation) -> Vec<Bounds> {
    let mut blocks = Vec::new();
    for region in &annotation.regions {
        blocks.push(region.range);
        if let Some(header) = region.header {
            let body = Bounds {
                first_row: header.last_row + 1,
                ..region.range
            };
            if body.height() > 0 {
                blocks.push(body);
            }
            blocks.push(header);
        }
    }
    blocks
}
