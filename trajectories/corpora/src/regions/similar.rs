//! Regions of one shape and one look (spec 04, 2.2.3, step 7).

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, Value};

use super::boxes::Assignment;
use super::facts::{Content, Fact, Facts};
use super::{FormatPaste, Region, Similar};

/// The fewest format properties of a region worth copying.
const FORMATS_MIN: usize = 3;

/// Looks kept for each shape; further ones of that shape join none.
const LOOKS_MAX: usize = 8;

/// The cells of a region relative to its first: format properties and labels.
struct Look<'a> {
    /// In order of cell and property.
    formats: Vec<(i64, i64, Property, &'a Value)>,
    merges: Vec<Bounds>,
    /// Texts, in order of cell.
    texts: Vec<(i64, i64, &'a str)>,
}

/// Regions of one shape with at least 95 % of their format properties in common; the first of each group is the source.
pub(super) fn similar(facts: &Facts<'_>, assignment: &Assignment, regions: &[Region]) -> Vec<Similar> {
    let mut by_shape: BTreeMap<(i64, i64), Vec<&Region>> = BTreeMap::new();
    for region in regions.iter().filter(|region| region.range.n_cells() > 1) {
        let shape = (region.range.height(), region.range.width());
        by_shape.entry(shape).or_default().push(region);
    }
    let mut groups = Vec::new();
    for regions in by_shape.into_values().filter(|regions| regions.len() > 1) {
        groups.extend(groups_of(facts, assignment, &regions));
    }
    groups.sort_by_key(|group: &Similar| group.ranges.first().copied());
    groups
}

fn groups_of(facts: &Facts<'_>, assignment: &Assignment, regions: &[&Region]) -> Vec<Similar> {
    let mut sources: Vec<(Look<'_>, Vec<Bounds>, FormatPaste)> = Vec::new();
    for region in regions {
        let look = Look::of(facts, region, assignment.members(region.id));
        if look.formats.len() < FORMATS_MIN {
            continue;
        }
        let found = sources.iter_mut().find(|(source, _, _)| source.resembles(&look));
        if let Some((source, ranges, paste)) = found {
            let copied = source.copied(&look);
            // The group carries what every copy has in common.
            *paste = if ranges.len() == 1 {
                copied
            } else {
                weaker(*paste, copied)
            };
            ranges.push(region.range);
        } else if sources.len() < LOOKS_MAX {
            sources.push((look, vec![region.range], FormatPaste::Format));
        }
    }
    let groups = sources.into_iter().filter(|(_, ranges, _)| ranges.len() > 1);
    groups.map(|(_, ranges, paste)| Similar { ranges, paste }).collect()
}

fn weaker(a: FormatPaste, b: FormatPaste) -> FormatPaste {
    let strength = |paste: &FormatPaste| match paste {
        FormatPaste::Format => 0,
        FormatPaste::Template => 1,
        FormatPaste::Full => 2,
    };
    if strength(&a) <= strength(&b) { a } else { b }
}

impl<'a> Look<'a> {
    fn of(facts: &Facts<'a>, region: &Region, members: &[u32]) -> Self {
        let (row, col) = (region.range.first_row, region.range.first_col);
        let mut look = Self {
            formats: Vec::new(),
            merges: Vec::new(),
            texts: Vec::new(),
        };
        for fact in facts.pick(members) {
            let at = (fact.at.row - row, fact.at.col - col);
            look.formats
                .extend(formats(fact).map(|(property, value)| (at.0, at.1, property, value)));
            look.merges.extend(facts.merge_at(fact.at).map(|merge| Bounds {
                first_row: at.0,
                first_col: at.1,
                last_row: merge.last_row - row,
                last_col: merge.last_col - col,
            }));
            if fact.content == Content::Text {
                look.texts.extend(text_of(fact).map(|text| (at.0, at.1, text)));
            }
        }
        look.formats
            .sort_by_key(|(row, col, property, _)| (*row, *col, *property));
        look
    }

    /// Whether the merges are the same and at least 95 % of all format properties equal.
    fn resembles(&self, other: &Look<'_>) -> bool {
        if self.merges != other.merges {
            return false;
        }
        let (mut mine, mut theirs) = (self.formats.iter().peekable(), other.formats.iter().peekable());
        let (mut n_all, mut n_equal) = (0_usize, 0_usize);
        while let (Some((row, col, property, value)), Some((other_row, other_col, other_property, other_value))) =
            (mine.peek(), theirs.peek())
        {
            let order = (row, col, property).cmp(&(other_row, other_col, other_property));
            n_equal += usize::from(order.is_eq() && value.strictly_equals(other_value));
            n_all += 1;
            if order.is_le() {
                mine.next();
            }
            if order.is_ge() {
                theirs.next();
            }
        }
        n_all += mine.count() + theirs.count();
        n_equal * 20 >= n_all * 19
    }

    /// What a copy of this region carried along.
    fn copied(&self, copy: &Look<'_>) -> FormatPaste {
        let at_edge = |text: &&(i64, i64, &str)| text.0 == 0 || text.1 == 0;
        let edges_match = || self.texts.iter().filter(at_edge).eq(copy.texts.iter().filter(at_edge));
        if self.texts.is_empty() || copy.texts.is_empty() {
            FormatPaste::Format
        } else if self.texts == copy.texts {
            FormatPaste::Full
        } else if edges_match() {
            FormatPaste::Template
        } else {
            FormatPaste::Format
        }
    }
}

fn text_of<'a>(fact: &Fact<'a>) -> Option<&'a str> {
    fact.cell.get(Property::Value).and_then(Value::as_text)
}

/// The properties of a look.
fn formats<'a>(fact: &Fact<'a>) -> impl Iterator<Item = (Property, &'a Value)> + use<'a> {
    let entries = fact.cell.entries().iter();
    entries
        .filter(|(property, _)| {
            let is_content = matches!(property, Property::Value | Property::Formula | Property::Datatype);
            !is_content && !property.is_container() && *property != Property::Unknown
        })
        .map(|(property, value)| (*property, value))
}
