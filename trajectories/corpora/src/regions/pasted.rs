//! Blocks that look pasted (spec 04, 2.2.3, step 6).

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, Value};

use super::boxes::Assignment;
use super::facts::{Content, Fact, Facts};
use super::{PasteNature, Pasted, Region, RegionKind};

/// The fewest cells of a pasted block.
const CELLS_MIN: u64 = 32;

/// The pasted blocks of all data tables, in reading order within each.
pub(super) fn pasted(facts: &Facts<'_>, assignment: &Assignment, regions: &[Region]) -> Vec<Pasted> {
    let tables = regions.iter().filter(|region| region.kind == RegionKind::DataTable);
    tables
        .flat_map(|region| blocks(facts, region, assignment.members(region.id)))
        .collect()
}

/// Constants below each other in one column.
struct Run {
    first_row: i64,
    last_row: i64,
    col: i64,
    content: Content,
}

/// Blocks of constants in the body, which is the table without its head and label column.
fn blocks(facts: &Facts<'_>, region: &Region, members: &[u32]) -> Vec<Pasted> {
    let Some(mut body) = region.body() else {
        return Vec::new();
    };
    if region.labels.is_some() {
        body.first_col += 1;
    }
    let mut columns: BTreeMap<i64, Vec<&Fact<'_>>> = BTreeMap::new();
    for fact in facts.pick(members).filter(|fact| body.contains_cell(fact.at)) {
        columns.entry(fact.at.col).or_default().push(fact);
    }
    let runs = columns.values().flat_map(|column| runs(column));
    let mut runs: Vec<Run> = runs.collect();
    runs.sort_by_key(|run| (run.first_row, run.last_row, run.col));
    let heights: Vec<(i64, i64)> = runs.iter().map(|run| (run.first_row, run.last_row)).collect();
    let is_ragged = heights.windows(2).any(|pair| matches!(pair, [a, b] if a != b));
    let groups = runs.chunk_by(|a, b| (a.first_row, a.last_row, a.col + 1) == (b.first_row, b.last_row, b.col));
    let mut blocks: Vec<Pasted> = groups.filter_map(|group| block(group, is_ragged)).collect();
    blocks.sort_by_key(|block| block.range);
    blocks
}

/// Runs of equal rows in neighbouring columns as a block, if it is large enough.
fn block(group: &[Run], is_ragged: bool) -> Option<Pasted> {
    let (first, last) = (group.first()?, group.last()?);
    let range = Bounds {
        first_row: first.first_row,
        first_col: first.col,
        last_row: first.last_row,
        last_col: last.col,
    };
    let varied = group.iter().any(|run| run.content != first.content);
    let nature = if varied {
        PasteNature::Full
    } else if range.height() == 1 {
        PasteNature::RowWise
    } else if range.width() == 1 || is_ragged {
        PasteNature::ColumnWise
    } else {
        PasteNature::Full
    };
    (range.n_cells() >= CELLS_MIN).then_some(Pasted { range, nature })
}

/// The runs of constants in a column, without those that a drag would make.
fn runs(column: &[&Fact<'_>]) -> Vec<Run> {
    let constants: Vec<&Fact<'_>> = column
        .iter()
        .filter(|fact| fact.is_valued() && fact.content != Content::Formula)
        .copied()
        .collect();
    let pieces = constants.chunk_by(|a, b| a.at.row + 1 == b.at.row);
    let runs = pieces.filter_map(|piece| {
        let (first, last) = (piece.first()?, piece.last()?);
        let run = Run {
            first_row: first.at.row,
            last_row: last.at.row,
            col: first.at.col,
            content: piece.iter().map(|fact| fact.content).min()?,
        };
        (!is_progression(piece)).then_some(run)
    });
    runs.collect()
}

/// Whether at least three values repeat, or count up or down evenly, be it behind a text.
fn is_progression(values: &[&Fact<'_>]) -> bool {
    let value = |fact: &&Fact<'_>| fact.cell.get(Property::Value).cloned().unwrap_or(Value::Null);
    let Some(first) = values.first().filter(|_| values.len() >= 3).map(value) else {
        return false;
    };
    if values.iter().all(|fact| value(fact).strictly_equals(&first)) {
        return true;
    }
    let parts: Option<Vec<(String, f64)>> = values.iter().map(|fact| text_and_number(&value(fact))).collect();
    let Some(parts) = parts else { return false };
    let texts_repeat = parts.windows(2).all(|pair| matches!(pair, [a, b] if a.0 == b.0));
    let mut steps = parts.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(b.1 - a.1),
        _ => None,
    });
    let Some(step) = steps.next() else { return false };
    texts_repeat && steps.all(|next| (next - step).abs() <= step.abs() * 1e-9)
}

/// A number, or a text with a number at its end.
fn text_and_number(value: &Value) -> Option<(String, f64)> {
    match value {
        Value::Text(text) => {
            let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = text.get(stem.len()..)?;
            Some((stem.to_owned(), digits.parse().ok()?))
        }
        Value::Bool(_) => None,
        other => Some((String::new(), other.as_number()?)),
    }
}
