//! What a region is (spec 04, 2.2.3, step 4).

use napsim_trajectories::Bounds;

use super::boxes::Assignment;
use super::cut::{TITLE_ROWS_MAX, is_prominent};
use super::facts::{Content, Facts};
use super::table;
use super::{Region, RegionKind};

/// The largest area of a free-standing calculation, in cells.
const CALCULATION_CELLS_MAX: u64 = 60;

/// The mean length of a text, in characters, above which texts are prose.
const PROSE_CHARS: usize = 25;

/// The region of a box, titles not yet marked.
pub(super) fn region(facts: &Facts<'_>, id: u32, range: Bounds, members: &[u32]) -> Region {
    let rows = facts.rows(members);
    let parts = table::parts(facts, &range, &rows);
    let counts = Counts::of(facts, members);
    let has_head = parts.header.is_some();
    let is_table = range.height() >= 2
        && range.width() >= 2
        && has_head
        && counts.covered.saturating_mul(10) >= range.n_cells().saturating_mul(6);
    let kind =
        if counts.formulas * 2 >= counts.values && counts.formulas > 0 && range.n_cells() <= CALCULATION_CELLS_MAX {
            RegionKind::FormulaCalculation
        } else if is_table && range.width() > 2 {
            // A wide table of sentences is a table all the same.
            RegionKind::DataTable
        } else if counts.is_prose(&range) {
            RegionKind::TextDescription
        } else if is_table {
            RegionKind::DataTable
        } else {
            RegionKind::Miscellaneous
        };
    let parts = if kind == RegionKind::DataTable {
        parts
    } else {
        table::Parts::default()
    };
    Region {
        id,
        range,
        kind,
        closing: Vec::new(),
        header: parts.header,
        labels: parts.labels,
        total: parts.total,
    }
}

/// Counts over the valued cells of a region.
#[derive(Default)]
struct Counts {
    values: usize,
    texts: usize,
    formulas: usize,
    /// Characters of all texts together.
    chars: usize,
    /// Cells with a value or in a merge with one, and empty cells of a drawn grid.
    covered: u64,
}

impl Counts {
    fn of(facts: &Facts<'_>, members: &[u32]) -> Self {
        let mut counts = Self::default();
        for fact in facts.pick(members) {
            if !fact.is_valued() {
                counts.covered += u64::from(fact.shows && !fact.is_filled());
                continue;
            }
            counts.values += 1;
            counts.formulas += usize::from(fact.content == Content::Formula);
            if fact.content == Content::Text {
                counts.texts += 1;
                counts.chars += fact.text().map_or(0, |text| text.chars().count());
            }
            let n_cells = facts.merge_at(fact.at).map_or(1, Bounds::n_cells);
            counts.covered = counts.covered.saturating_add(n_cells);
        }
        counts
    }

    fn is_prose(&self, range: &Bounds) -> bool {
        let mostly_text = self.values > 0 && self.texts * 10 >= self.values * 8;
        let is_column = range.width() == 1 && self.texts == self.values;
        mostly_text && (is_column || self.chars > self.texts * PROSE_CHARS)
    }
}

/// Marks the regions that are titles: a few lines of one prominent text each at the head of the sheet or of a block.
///
/// Regions are in reading order.
pub(super) fn mark_titles(facts: &Facts<'_>, assignment: &Assignment, regions: &mut [Region]) {
    let ranges: Vec<Bounds> = regions.iter().map(|region| region.range).collect();
    for region in regions {
        if is_title(facts, assignment.members(region.id)) && heads(facts, &ranges, &region.range) {
            region.kind = RegionKind::SheetTitleHeader;
            (region.header, region.labels, region.total) = (None, None, None);
        }
    }
}

fn is_title(facts: &Facts<'_>, members: &[u32]) -> bool {
    // Enough to tell for any number of cells.
    let mut valued = facts.pick(members).filter(|fact| fact.is_valued());
    let Some(first) = valued.next().filter(|first| is_prominent(facts, first)) else {
        return false;
    };
    let mut row = first.at.row;
    for (n, next) in valued.enumerate() {
        if n + 2 > TITLE_ROWS_MAX || next.at.row == row || next.content != Content::Text {
            return false;
        }
        row = next.at.row;
    }
    true
}

/// Whether a range lies at the head of the sheet, or at most one blank row above a region.
fn heads(facts: &Facts<'_>, ranges: &[Bounds], range: &Bounds) -> bool {
    let below = |row: i64| {
        let found = ranges.partition_point(|other| (other.first_row, other.last_col) < (row, range.first_col));
        let first = ranges.get(found);
        first.is_some_and(|other| other.first_row == row && other.first_col <= range.last_col)
    };
    Some(range.first_row) == facts.first_row() || below(range.last_row + 1) || below(range.last_row + 2)
}
