//! The order in which synthesised actions are done (spec chapter 02, section 9).

use napsim_trajectories::{Action, Family};

/// Sorts actions by what they do, then by place and size; full ties keep their order (Q31).
pub fn sequence(actions: &mut [Action]) {
    actions.sort_by_key(|action| {
        let bounds = action.range().bounds();
        (
            priority(action.family()),
            bounds.first_row,
            bounds.first_col,
            bounds.last_row,
            bounds.last_col,
            action.family().sort_name(),
        )
    });
}

fn priority(family: Family) -> u8 {
    match family {
        Family::Value | Family::Formula | Family::Input | Family::PasteFrom | Family::Autofill => 1,
        Family::Merge => 2,
        Family::NumberFormat => 3,
        Family::FillColor | Family::Border => 4,
        Family::Font => 5,
        Family::Align | Family::WrapText | Family::TextOrientation => 6,
    }
}
