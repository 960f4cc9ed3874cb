//! Rules about typing.

use napsim_trajectories::{Action, Edit, Value, shift_references};

use super::references::references;
use super::view::{View, finding};
use super::{Finding, Severity};

/// Cells from which on a block typed at once counts as large.
const LARGE_BLOCK_CELLS: u64 = 64;

/// Formulas typed in a row from which on a fill is missed.
const FILL_MIN: usize = 4;

pub(super) fn formula_first(view: &View<'_>) -> Vec<Finding> {
    let formulas = view
        .numbered()
        .filter_map(|(idx, action)| formula_of(action).map(|formula| (idx, action, formula)));
    let early = formulas.filter(|(idx, action, formula)| {
        let times = references(formula)
            .into_iter()
            .flat_map(|bounds| view.fill_times(action.range().sheet(), &bounds).collect::<Vec<_>>());
        // Without any reference that is ever filled there is nothing to wait for.
        times.min().is_some_and(|first| first > *idx)
    });
    let found = early.map(|(idx, action, formula)| {
        let reason = format!(
            "`{}` is typed into {} before anything it refers to",
            clip(formula),
            action.range()
        );
        Finding {
            edit: Some(format!("type the inputs of {} before it", action.range())),
            ..finding("formula-first", Severity::Warning, idx, reason)
        }
    });
    found.collect()
}

pub(super) fn mixed_array(view: &View<'_>) -> Vec<Finding> {
    let is_mixed = |value: &Value| {
        let Value::List(rows) = value else { return false };
        let cells = || {
            rows.iter().flat_map(|row| {
                if let Value::List(values) = row {
                    values.to_vec()
                } else {
                    Vec::new()
                }
            })
        };
        let is_formula = |value: &Value| value.as_text().is_some_and(|text| text.starts_with('='));
        cells().any(|value| is_formula(&value)) && cells().any(|value| !is_formula(&value) && value.is_truthy())
    };
    let large = view.numbered().filter(|(_, action)| {
        action.range().bounds().n_cells() > LARGE_BLOCK_CELLS
            && matches!(action.edit(), Edit::Input { value } if is_mixed(value))
    });
    let found = large.map(|(idx, action)| {
        let reason = format!("{} is typed at once with formulas among other content", action.range());
        finding("mixed-array", Severity::Warning, idx, reason)
    });
    found.collect()
}

pub(super) fn fill_missed(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(rest) = view.actions.get(start..).filter(|rest| !rest.is_empty()) {
        let length = 1 + rest
            .iter()
            .zip(rest.iter().skip(1))
            .take_while(|(a, b)| continues(a, b))
            .count();
        if length >= FILL_MIN {
            let reason = format!("{length} formulas in a row are typed that a fill would make");
            let last = rest
                .get(length - 1)
                .map(|action| action.range().to_string())
                .unwrap_or_default();
            let first = rest
                .first()
                .map(|action| action.range().to_string())
                .unwrap_or_default();
            found.push(Finding {
                edit: Some(format!("type {first} and fill it to {last}")),
                ..finding("fill-missed", Severity::Warning, start, reason)
            });
        }
        start += length;
    }
    found
}

/// Whether the second action types, right of or below the first, the same formula with its references moved along.
fn continues(a: &Action, b: &Action) -> bool {
    let (Some(first), Some(second)) = (formula_of(a), formula_of(b)) else {
        return false;
    };
    let (from, to) = (a.range().bounds(), b.range().bounds());
    let step = (to.first_row - from.first_row, to.first_col - from.first_col);
    let single = a.range().is_single_cell() && b.range().is_single_cell();
    single && a.range().sheet() == b.range().sheet() && matches!(step, (1, 0) | (0, 1)) && {
        shift_references(first, step.0, step.1) == *second
    }
}

/// The formula that an action types into one cell.
fn formula_of(action: &Action) -> Option<&str> {
    let text = match action.edit() {
        Edit::Input { value } | Edit::Value { value, .. } => value.as_text()?,
        Edit::Formula { text } => text.as_deref()?,
        _ => return None,
    };
    (text.starts_with('=') && text.len() > 1).then_some(text)
}

fn clip(text: &str) -> String {
    text.chars().take(60).collect()
}
