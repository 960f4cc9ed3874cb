//! A made-up trajectory of any length in which every action touches few cells.
//!
//! Somebody keeps a ledger of eight columns, row by row: a text, five numbers, a sum and a remark. Every tenth row is a
//! merged, bold heading. In between come number formats, fills, borders, sums dragged from the row above, pasted formats
//! and late corrections. The sheet grows downwards only, and no action touches more than sixteen cells.

use napsim_trajectories::Action;

/// The first `n_actions` actions of the ledger.
pub(crate) fn ledger(n_actions: usize) -> Vec<Action> {
    let mut actions = Vec::with_capacity(n_actions + 16);
    for row in 1.. {
        if actions.len() >= n_actions {
            break;
        }
        actions.extend(lines(row).iter().map(|line| parse(line)));
    }
    actions.truncate(n_actions);
    actions
}

#[expect(
    clippy::panic,
    reason = "a bench whose own lines cannot be read has nothing to measure"
)]
fn parse(line: &str) -> Action {
    Action::parse(line).unwrap_or_else(|error| panic!("`{line}`: {error}"))
}

/// The lines of one row of the ledger.
fn lines(row: usize) -> Vec<String> {
    if row % 10 == 1 { heading(row) } else { entry(row) }
}

fn heading(row: usize) -> Vec<String> {
    vec![
        format!("INPUT | A{row} | \"Part {}\"", row / 10 + 1),
        format!("MERGE | A{row}:H{row} | true"),
        format!("FONT_BOLD | A{row}:H{row} | true"),
        format!("ALIGN_HORIZONTAL | A{row}:H{row} | center"),
    ]
}

fn entry(row: usize) -> Vec<String> {
    let above = row - 1;
    let mut lines = vec![format!("INPUT | A{row} | \"Account {}\"", row * 7 % 10_007)];
    for (col, name) in ["B", "C", "D", "E", "F"].into_iter().enumerate() {
        lines.push(format!("INPUT | {name}{row} | {}", (row * 31 + col * 17) % 5_003));
    }
    if row % 10 == 2 {
        lines.push(format!("INPUT | G{row} | \"=SUM(B{row}:F{row})\""));
    } else {
        lines.push(format!("AUTOFILL | G{above}:G{row} | G{above}"));
    }
    let remark = match row % 3 {
        0 => "open",
        1 => "paid",
        _ => "late",
    };
    lines.push(format!("INPUT | H{row} | \"{remark}\""));
    match row % 10 {
        2 => lines.push(format!("NUMBER_FORMAT | B{row}:G{row} | #,##0.00")),
        3 => lines.push(format!("PASTE_FROM | A{row}:H{row} | A{above}:H{above} | formats")),
        5 => lines.push(format!("FILL_COLOR | A{above}:H{row} | #F2F2F2")),
        7 => lines.push(format!("BORDER_BOTTOM | A{row}:H{row} | Thin, Continuous, #808080")),
        9 => lines.push(format!("INPUT | C{above} | {}", row % 997)),
        _ => {}
    }
    lines
}
