//! The parts of a data table: head rows, label column and total rows.

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, Value};

use super::facts::{Content, Fact, Facts, Row};
use super::references::references;

/// At most so many rows make a head.
const HEAD_ROWS_MAX: usize = 4;

/// At most so many rows sum a table up.
const TOTAL_ROWS_MAX: usize = 4;

/// The parts of a table, each where it was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    pub(super) header: Option<Bounds>,
    pub(super) labels: Option<Bounds>,
    pub(super) total: Option<Bounds>,
}

/// The parts of a block of cells as if it were a table.
pub(super) fn parts(facts: &Facts<'_>, range: &Bounds, rows: &[Row<'_>]) -> Parts {
    let rows: Vec<Row<'_>> = rows
        .iter()
        .filter(|row| row.valued(facts).next().is_some())
        .copied()
        .collect();
    let n_head = n_head_rows(facts, &rows);
    let n_total = n_total_rows(facts, rows.get(n_head..).unwrap_or_default());
    let body = rows.get(n_head..rows.len() - n_total).unwrap_or_default();
    let header = n_head
        .checked_sub(1)
        .and_then(|last| rows.get(last))
        .map(|last| Bounds {
            last_row: last_row_of(facts, last).min(range.last_row),
            ..*range
        });
    let total = rows
        .get(rows.len() - n_total..)
        .and_then(<[_]>::first)
        .map(|first| Bounds {
            first_row: first.row,
            ..*range
        });
    let header = header.filter(|header| {
        let end = total.map_or(range.last_row, |total| total.first_row - 1);
        header.last_row <= end
    });
    Parts {
        header,
        labels: labels(facts, range, body),
        total,
    }
}

/// The last row that the merges beginning in a row reach.
fn last_row_of(facts: &Facts<'_>, row: &Row<'_>) -> i64 {
    let merges = facts.pick(row.members).filter_map(|fact| facts.merge_at(fact.at));
    merges.map(|merge| merge.last_row).fold(row.row, i64::max)
}

/// How many leading rows are a head.
fn n_head_rows(facts: &Facts<'_>, rows: &[Row<'_>]) -> usize {
    let all_text =
        |row: &Row<'_>| row.valued(facts).all(|fact| fact.content == Content::Text) || names_years(facts, row);
    let n_values = |row: &Row<'_>| row.valued(facts).count();
    let leading = rows
        .iter()
        .take(HEAD_ROWS_MAX + 1)
        .take_while(|row| all_text(row))
        .count();
    let is_whole = leading == rows.len() || leading > HEAD_ROWS_MAX;
    let Some((first, rest)) = rows.split_first() else {
        return 0;
    };
    if leading == 0 || is_whole {
        // Years as heads, or a table of words: only the looks tell.
        let differs = |a: &Row<'_>, b: &Row<'_>| looks(facts, a) && !looks(facts, b);
        return usize::from(n_values(first) > 1 && rest.first().is_some_and(|second| differs(first, second)));
    }
    // A line of one text above the numbers is the name of a group, unless it spans columns above a further line.
    let spans = |row: &Row<'_>| row.valued(facts).any(|fact| facts.merge_at(fact.at).is_some());
    let head = rows.get(..leading).unwrap_or_default();
    let last_wide = head.iter().rposition(|row| n_values(row) > 1);
    let n = last_wide.map_or_else(|| usize::from(spans(first)), |last| last + 1);
    // Below a dressed line, plain lines of text are body already.
    let dressed = head
        .iter()
        .take(n)
        .rposition(|row| n_values(row) > 1 && looks(facts, row));
    dressed.map_or(n, |last| last + 1)
}

/// Whether a row holds at least two years and otherwise only texts.
fn names_years(facts: &Facts<'_>, row: &Row<'_>) -> bool {
    let is_year = |fact: &Fact<'_>| {
        let value = fact.cell.get(Property::Value);
        fact.content == Content::Number && value.is_some_and(|value| matches!(value, Value::Int(1900..=2100)))
    };
    let mut n_years = 0;
    let fits = row.valued(facts).all(|fact| {
        n_years += u32::from(is_year(fact));
        fact.content == Content::Text || is_year(fact)
    });
    fits && n_years >= 2
}

/// Whether most of a row's values are bold or filled.
fn looks(facts: &Facts<'_>, row: &Row<'_>) -> bool {
    let (n_values, n_dressed) = row.valued(facts).fold((0_u32, 0_u32), |(values, dressed), fact| {
        (values + 1, dressed + u32::from(fact.is_bold() || fact.is_filled()))
    });
    n_dressed * 10 >= n_values * 6
}

/// How many rows at the end sum up those above.
fn n_total_rows(facts: &Facts<'_>, body: &[Row<'_>]) -> usize {
    let candidates = body.get(1..).unwrap_or_default();
    let sums = candidates
        .iter()
        .rev()
        .take(TOTAL_ROWS_MAX)
        .take_while(|row| row.valued(facts).any(|fact| sums_column(fact)) || is_named_total(facts, row));
    let n = sums.count();
    if n == 0 {
        return 0;
    }
    // Running sums in every row are no totals.
    let body_left = body.get(..body.len() - n).unwrap_or_default();
    let runs_on = body_left.len() > 1
        && body_left
            .last()
            .is_some_and(|row| row.valued(facts).any(|fact| sums_column(fact)));
    if runs_on { 0 } else { n }
}

/// Whether a formula works on at least two cells of its own column above itself.
fn sums_column(fact: &Fact<'_>) -> bool {
    let at = fact.at;
    fact.formula().is_some_and(|formula| {
        references(formula).any(|reference| {
            let range = reference.range;
            range.first_col == at.col && range.last_col == at.col && range.height() > 1 && range.last_row < at.row
        })
    })
}

/// Whether the row's first text says that it is a total and the row looks like one.
fn is_named_total(facts: &Facts<'_>, row: &Row<'_>) -> bool {
    let Some(text) = row.valued(facts).next().and_then(Fact::text) else {
        return false;
    };
    let text = text.to_lowercase();
    let named = TOTAL_WORDS.iter().any(|word| text.starts_with(word));
    let lined = |fact: &Fact<'_>| fact.cell.get(Property::BorderTop).is_some_and(Value::is_truthy);
    let data = row.valued(facts).any(|fact| fact.content.is_data());
    named
        && data
        && row
            .valued(facts)
            .any(|fact| fact.is_bold() || fact.is_filled() || lined(fact))
}

/// Beginnings of words for totals, in lower case.
const TOTAL_WORDS: [&str; 20] = [
    "total",
    "sum",
    "subtotal",
    "grand total",
    "average",
    "mean",
    "summe",
    "gesamt",
    "durchschnitt",
    "somme",
    "moyenne",
    "suma",
    "totale",
    "media",
    "razem",
    "toplam",
    "σύνολο",
    "итого",
    "合計",
    "المجموع",
];

/// The first column beside the body, where most of its values are texts.
fn labels(facts: &Facts<'_>, range: &Bounds, body: &[Row<'_>]) -> Option<Bounds> {
    let (first, last) = (body.first()?, body.last()?);
    let mut n_values = 0_usize;
    let mut n_texts = 0_usize;
    for fact in body.iter().flat_map(|row| row.valued(facts).take(1)) {
        if fact.at.col == range.first_col {
            n_values += 1;
            n_texts += usize::from(fact.content == Content::Text);
        }
    }
    let is_label = n_texts * 10 >= n_values * 6 && n_values * 2 >= body.len() && range.width() > 1;
    is_label.then_some(Bounds {
        first_row: first.row,
        last_row: last.row,
        first_col: range.first_col,
        last_col: range.first_col,
    })
}
