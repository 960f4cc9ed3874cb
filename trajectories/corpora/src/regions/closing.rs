//! Final touches on tables (spec 04, 2.2.3, step 8).

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_trajectories::{CellAddress, Keyword, Value};

use super::boxes::rectangles;
use super::facts::{Fact, Facts, fill};
use super::{Closing, Region, RegionKind};

/// Final touches kept for one region.
const CLOSINGS_MAX: usize = 64;

/// Bold type, fills and font colours on at most 30 % of a table's body or on its totals, the largest areas first.
pub(super) fn closings(facts: &Facts<'_>, region: &Region, members: &[u32]) -> Vec<Closing> {
    if region.kind != RegionKind::DataTable {
        return Vec::new();
    }
    let body = region.body();
    let mut closings = Vec::new();
    for (keyword, look) in LOOKS {
        let mut in_body: BTreeMap<&str, Vec<CellAddress>> = BTreeMap::new();
        let mut in_total: BTreeMap<&str, Vec<CellAddress>> = BTreeMap::new();
        for fact in facts.pick(members) {
            let place = if body.is_some_and(|body| body.contains_cell(fact.at)) {
                &mut in_body
            } else if region.total.is_some_and(|total| total.contains_cell(fact.at)) {
                &mut in_total
            } else {
                continue;
            };
            if let Some(value) = look(fact) {
                place.entry(value).or_default().push(fact.at);
            }
        }
        let body_cells = body.map_or(0, |body| body.n_cells());
        in_body.retain(|_, cells| cells.len() as u64 * 10 <= body_cells.saturating_mul(3));
        let ranges = in_body.into_values().chain(in_total.into_values());
        let ranges = ranges.flat_map(|cells| rectangles(cells.into_iter()));
        closings.extend(ranges.map(|range| Closing { keyword, range }));
    }
    closings.sort_by_key(|closing| {
        (
            std::cmp::Reverse(closing.range.n_cells()),
            closing.range,
            closing.keyword,
        )
    });
    closings.truncate(CLOSINGS_MAX);
    closings
}

/// The value that a touch of some kind left on a cell, if any.
type LookOf = for<'a> fn(&Fact<'a>) -> Option<&'a str>;

const LOOKS: [(Keyword, LookOf); 3] = [
    (Keyword::FontBold, |fact| fact.is_bold().then_some("bold")),
    (Keyword::FillColor, |fact| fill(fact.cell)),
    (Keyword::FontColor, |fact| {
        fact.cell.get(Property::FontColor).and_then(Value::as_text)
    }),
];
