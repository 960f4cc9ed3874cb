//! Verification of a candidate: replay and comparison in all properties.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::Workbook;
use napsim_trajectories::{Action, Bounds};

use super::difference::{StateDifference, differences};
use super::reply::EditReply;
use super::{Feedback, RefineOptions};

/// The actions of a reply, if they can be read and carried out and reach the target but for what is declared.
pub(super) fn verify(reply: &EditReply, target: &Workbook, options: &RefineOptions) -> Result<Vec<Action>, Feedback> {
    let mut problems = Problems::new(options.problems_per_note_max);
    let mut actions = Vec::with_capacity(reply.operations.len());
    for (operation_no, text) in (1..).zip(&reply.operations) {
        match Action::parse(text) {
            Ok(action) => actions.push(action),
            Err(error) => problems.add(&format!("operation {operation_no} `{}`: {error}", clip(text))),
        }
    }
    for problem in reply.declared.problems() {
        problems.add(&problem);
    }
    if reply.declared.corrections.len() > options.corrections_max {
        problems.add(&format!("more than {} corrections", options.corrections_max));
    }
    let corrected = match reply.declared.correct(target) {
        Ok(corrected) => corrected,
        Err(wrong) => {
            for problem in wrong {
                problems.add(&problem);
            }
            target.clone()
        }
    };
    let mut state = Workbook::default();
    if problems.is_empty()
        && let Err(error) = state.apply_strict(&actions)
    {
        let text = reply
            .operations
            .get(error.action_idx)
            .map(|text| clip(text))
            .unwrap_or_default();
        problems.add(&format!("operation {} `{text}`: {}", error.action_idx + 1, error.error));
    }
    if !problems.is_empty() {
        return Err(Feedback::Invalid(problems.note("These could not be used:")));
    }
    let left: Vec<StateDifference> = differences(&state, &corrected)
        .into_iter()
        .filter(|difference| !reply.declared.covers(difference))
        .collect();
    if left.is_empty() {
        return Ok(actions);
    }
    for line in grouped(&left) {
        problems.add(&line);
    }
    Err(Feedback::Mismatch(
        problems.note("The sequence leads to another sheet than it should:"),
    ))
}

/// One line for each property and pair of values, with the ranges where they occur.
fn grouped(differences: &[StateDifference]) -> Vec<String> {
    let mut known: BTreeMap<(Arc<str>, String), usize> = BTreeMap::new();
    let mut groups: Vec<(&StateDifference, Vec<Bounds>)> = Vec::new();
    for difference in differences {
        let key = (difference.sheet.clone(), difference.what());
        let group_idx = *known.entry(key).or_insert(groups.len());
        let place = difference.place.bounds();
        match groups.get_mut(group_idx) {
            Some((_, places)) => places.push(place),
            None => groups.push((difference, vec![place])),
        }
    }
    let line = |(first, places): (&StateDifference, Vec<Bounds>)| {
        // Merges are places of their own and are not joined.
        let places = if first.property.is_some() {
            rectangles(places)
        } else {
            places
        };
        let shown = places
            .iter()
            .take(RANGES_SHOWN)
            .map(|bounds| format!("{}!{bounds}", first.sheet));
        let shown: Vec<String> = shown.collect();
        let n_more = places.len() - shown.len();
        let more = if n_more == 0 {
            String::new()
        } else {
            format!(" and {n_more} more")
        };
        format!("{}{more}: {}", shown.join(", "), first.what())
    };
    groups.into_iter().map(line).collect()
}

/// Ranges named in one line of a note.
const RANGES_SHOWN: usize = 12;

/// Cells joined along their rows, then equal pieces of successive rows joined along the columns.
fn rectangles(mut cells: Vec<Bounds>) -> Vec<Bounds> {
    cells.sort_unstable();
    let mut joined: Vec<Bounds> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(last) if last.first_row == cell.first_row && last.last_col + 1 == cell.first_col => {
                last.last_col = cell.last_col;
            }
            _ => joined.push(cell),
        }
    }
    joined.sort_unstable_by_key(|piece| (piece.first_col, piece.last_col, piece.first_row));
    let mut stacked: Vec<Bounds> = Vec::new();
    for piece in joined {
        match stacked.last_mut() {
            Some(last)
                if (last.first_col, last.last_col) == (piece.first_col, piece.last_col)
                    && last.last_row + 1 == piece.first_row =>
            {
                last.last_row = piece.last_row;
            }
            _ => stacked.push(piece),
        }
    }
    stacked.sort_unstable();
    stacked
}

fn clip(text: &str) -> String {
    text.chars().take(160).collect()
}

/// Problems for a note: the first ones in full, the others counted.
struct Problems {
    lines: Vec<String>,
    n_more: usize,
    n_max: usize,
}

impl Problems {
    fn new(n_max: usize) -> Self {
        Self {
            lines: Vec::new(),
            n_more: 0,
            n_max,
        }
    }

    fn add(&mut self, problem: &str) {
        if self.lines.len() < self.n_max {
            self.lines.push(format!("- {problem}"));
        } else {
            self.n_more += 1;
        }
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.n_more == 0
    }

    fn note(&self, heading: &str) -> String {
        let mut note = format!("{heading}\n{}", self.lines.join("\n"));
        if self.n_more > 0 {
            note.push_str(&format!("\n- and {} more", self.n_more));
        }
        note
    }
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::CellAddress;

    use super::*;

    #[test]
    fn cells_are_named_by_rectangles() {
        let cells = ["A1", "B1", "A2", "B2", "C2", "D9", "A3", "B3"];
        let bounds = cells.map(|text| Bounds::of_cell(CellAddress::from_normalised(text).unwrap()));
        let texts: Vec<String> = rectangles(bounds.to_vec()).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["A1:B1", "A2:C2", "A3:B3", "D9"]);
        let block = ["A1", "B1", "A2", "B2"].map(|text| Bounds::of_cell(CellAddress::from_normalised(text).unwrap()));
        let texts: Vec<String> = rectangles(block.to_vec()).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["A1:B2"]);
    }
}
