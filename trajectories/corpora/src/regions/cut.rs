//! Cuts boxes into titles and tables (spec 04, 2.2.3, step 3).

use std::collections::BTreeSet;

use napsim_trajectories::Bounds;

use super::boxes::{Assignment, locate_cells, union};
use super::facts::{Content, Fact, Facts, Row};

/// At most so many title lines are taken off the head of a box.
pub(super) const TITLE_ROWS_MAX: usize = 3;

/// The boxes, cut between rows where a title ends or a table begins; no cut goes through a merge.
pub(super) fn cut(facts: &Facts<'_>, boxes: Vec<Bounds>) -> Vec<Bounds> {
    let assignment = Assignment::of(facts, &boxes);
    let mut merges = vec![Vec::new(); boxes.len()];
    let first_cells = facts.merges.iter().map(Bounds::first_cell);
    for (merge, id) in facts.merges.iter().zip(locate_cells(first_cells, &boxes)) {
        let list = id.and_then(|id| merges.get_mut(usize::try_from(id).ok()?));
        list.into_iter().for_each(|list| list.push(*merge));
    }
    let mut parts = Vec::new();
    for ((id, bounds), merges) in (0_u32..).zip(boxes).zip(&merges) {
        let rows = facts.rows(assignment.members(id));
        let cuts = cuts(facts, &bounds, &rows, merges);
        if cuts.is_empty() {
            parts.push(bounds);
        } else {
            parts.extend(split(facts, &rows, merges, &cuts));
        }
    }
    parts.sort_unstable();
    parts
}

/// The rows at which a new part begins.
fn cuts(facts: &Facts<'_>, bounds: &Bounds, rows: &[Row<'_>], merges: &[Bounds]) -> Vec<i64> {
    let mut cuts: Vec<i64> = title_end(facts, bounds, rows).into_iter().collect();
    cuts.extend(restarts(facts, rows));
    let mut inner: BTreeSet<i64> = cuts.into_iter().filter(|cut| *cut > bounds.first_row).collect();
    // A merge keeps the rows after its first together.
    for merge in merges.iter().filter(|merge| merge.height() > 1) {
        let cut: Vec<i64> = inner.range(merge.first_row + 1..=merge.last_row).copied().collect();
        for row in cut {
            inner.remove(&row);
        }
    }
    inner.into_iter().collect()
}

/// The row after the title lines at the head of a box: lines of one prominent text each above a line of several.
fn title_end(facts: &Facts<'_>, bounds: &Bounds, rows: &[Row<'_>]) -> Option<i64> {
    if bounds.width() == 1 {
        return None;
    }
    let mut valued = rows.iter().filter(|row| row.valued(facts).next().is_some());
    let first = only(valued.next()?.valued(facts))?;
    if !is_prominent(facts, first) {
        return None;
    }
    for _ in 0..TITLE_ROWS_MAX {
        let row = valued.next()?;
        let sole = only(row.valued(facts)).filter(|fact| fact.content == Content::Text);
        if sole.is_none() {
            return Some(row.row);
        }
    }
    None
}

/// Whether a text stands out: merged sideways, in large type, or bold at the head of the sheet.
pub(super) fn is_prominent(facts: &Facts<'_>, fact: &Fact<'_>) -> bool {
    let merged = facts.merge_at(fact.at).is_some_and(|merge| merge.width() > 1);
    let large = fact.size_tenths() * 10 >= facts.median_size_tenths * 13;
    let leading = fact.is_bold() && Some(fact.at.row) == facts.first_row();
    fact.content == Content::Text && (merged || large || leading)
}

/// The one item, if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// The rows at which a table begins anew: a head over columns like those of an earlier head, or after a blank row.
fn restarts(facts: &Facts<'_>, rows: &[Row<'_>]) -> Vec<i64> {
    let valued: Vec<&Row<'_>> = rows.iter().filter(|row| row.valued(facts).next().is_some()).collect();
    let mut known: BTreeSet<Vec<(i64, bool)>> = BTreeSet::new();
    let mut restarts = Vec::new();
    for (idx, pair) in valued.windows(2).enumerate() {
        let [head, body] = pair else { continue };
        if !is_head(facts, head) {
            continue;
        }
        let types: Vec<(i64, bool)> = body
            .valued(facts)
            .map(|fact| (fact.at.col, fact.content.is_data()))
            .collect();
        if !types.iter().any(|(_, is_data)| *is_data) {
            continue;
        }
        // A line of one text above the head names the table and goes with it.
        let mut begin = idx;
        while let Some(above) = begin.checked_sub(1).and_then(|above| valued.get(above))
            && only(above.valued(facts)).is_some_and(|fact| fact.content == Content::Text)
        {
            begin -= 1;
        }
        let row_at = |idx: usize| valued.get(idx).map(|row| row.row);
        let after_blank = begin
            .checked_sub(1)
            .and_then(row_at)
            .zip(row_at(begin))
            .is_some_and(|(above, first)| above + 1 < first);
        let is_repeated = !known.insert(types);
        if begin > 0 && (is_repeated || after_blank) {
            restarts.extend(row_at(begin));
        }
    }
    restarts
}

/// Whether a row looks like the head of a table: several texts, mostly bold or filled.
pub(super) fn is_head(facts: &Facts<'_>, row: &Row<'_>) -> bool {
    let mut n_values = 0_u32;
    let mut n_texts = 0_u32;
    let mut n_dressed = 0_u32;
    for fact in row.valued(facts) {
        n_values += 1;
        n_texts += u32::from(fact.content == Content::Text);
        n_dressed += u32::from(fact.is_bold() || fact.is_filled());
    }
    n_values >= 2 && n_texts * 10 >= n_values * 8 && n_dressed * 10 >= n_values * 6
}

/// The box of each part's cells and merges.
fn split(facts: &Facts<'_>, rows: &[Row<'_>], merges: &[Bounds], cuts: &[i64]) -> Vec<Bounds> {
    let mut parts: Vec<Option<Bounds>> = vec![None; cuts.len() + 1];
    let cells = rows.iter().flat_map(|row| facts.pick(row.members));
    let cells = cells.map(|fact| Bounds::of_cell(fact.at));
    for bounds in cells.chain(merges.iter().copied()) {
        let part = cuts.partition_point(|cut| *cut <= bounds.first_row);
        if let Some(slot) = parts.get_mut(part) {
            *slot = Some(slot.map_or(bounds, |known| union(known, bounds)));
        }
    }
    parts.into_iter().flatten().collect()
}
