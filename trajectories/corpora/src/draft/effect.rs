//! Which actions of a trajectory change nothing.

use napsim_sim::apply::StrictError;
use napsim_sim::state::{Cell, Cells, Sheet, Workbook};
use napsim_trajectories::{Action, Bounds};

/// The indices of actions after which every value, format and merge is as it was before.
///
/// Cells and containers without content count as absent. A zero, a false and an empty text count as content.
///
/// # Errors
/// [`StrictError`] for the first action that cannot be carried out.
pub fn actions_without_effect(actions: &[Action]) -> Result<Vec<usize>, StrictError> {
    let mut state = Workbook::default();
    let mut idle = Vec::new();
    for (action_idx, action) in actions.iter().enumerate() {
        let before = state.clone();
        state.apply(action).map_err(|error| StrictError { action_idx, error })?;
        let sheet = action.range().sheet();
        // An action writes to no other sheet than its own.
        if is_same_sheet(before.sheet(sheet), state.sheet(sheet)) {
            idle.push(action_idx);
        }
    }
    Ok(idle)
}

fn is_same_sheet(before: Option<&Sheet>, after: Option<&Sheet>) -> bool {
    let merges = |sheet: Option<&Sheet>| {
        let mut merges: Vec<Bounds> = sheet.map(Sheet::merges).unwrap_or_default().to_vec();
        merges.sort_unstable();
        merges
    };
    holds_all(before, after) && holds_all(after, before) && merges(before) == merges(after)
}

/// Whether every cell of `part` is the same in `whole`.
fn holds_all(whole: Option<&Sheet>, part: Option<&Sheet>) -> bool {
    let mut cells = part
        .and_then(|sheet| sheet.cells.as_ref())
        .into_iter()
        .flat_map(Cells::sorted);
    cells.all(|(key, cell)| match whole.and_then(|sheet| sheet.cell(key)) {
        Some(other) => std::ptr::eq(&**cell, other) || is_same_cell(cell, other),
        None => is_same_cell(cell, &Cell::default()),
    })
}

/// Whether two cells hold the same, whatever the order of their properties.
fn is_same_cell(a: &Cell, b: &Cell) -> bool {
    let holds_all = |whole: &Cell, part: &Cell| {
        let mut entries = part.entries().iter().filter(|(property, _)| !property.is_container());
        entries.all(|(property, value)| {
            let mut found = whole.entries().iter().filter(|(other, _)| other == property);
            found.any(|(_, other)| other.strictly_equals(value))
        })
    };
    holds_all(a, b) && holds_all(b, a)
}
