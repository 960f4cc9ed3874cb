//! A breakdown as text for a terminal.

use std::fmt::Write as _;

use napsim_reports::table::{count, counts_table, percent};

use super::{Breakdown, BreakdownRow};
use crate::bars::{bar, sparkline};
use crate::by::By;

/// From this width on there is room for bars.
const WIDTH_OF_BARS: u16 = 92;

/// The table, a bar for each acceptance rate where there is room, and what has to be known beside it.
pub fn text(breakdown: &Breakdown, width: u16) -> String {
    let has_published = breakdown.rows.iter().any(|row| row.published.is_some());
    let mut header = vec![
        breakdown.by.name().to_owned(),
        "predictions".to_owned(),
        "accepted".to_owned(),
        "AR".to_owned(),
        "95 %".to_owned(),
        "precision".to_owned(),
        "saved".to_owned(),
        "undo".to_owned(),
    ];
    if has_published {
        header.push("GPT-5*".to_owned());
    }
    let has_bars = width >= WIDTH_OF_BARS;
    if has_bars {
        header.push(String::new());
    }
    let rows: Vec<Vec<String>> = breakdown
        .rows
        .iter()
        .chain([&breakdown.all])
        .map(|row| cells(row, has_published, has_bars))
        .collect();
    let mut text = format!("{}\n", breakdown.by.question());
    text.push_str(&counts_table(&header, &rows, width));
    if breakdown.by == By::Progress {
        let rates: Vec<Option<f64>> = breakdown.rows.iter().map(|row| row.rate).collect();
        let _ = writeln!(text, "AR from beginning to end {}", sparkline(&rates));
    }
    if has_published {
        text.push_str("* published\n");
    }
    for note in breakdown.basis.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

fn cells(row: &BreakdownRow, has_published: bool, has_bars: bool) -> Vec<String> {
    let interval = row.interval.map_or_else(String::new, |interval| {
        format!("{:.1}–{:.1}", 100.0 * interval.low, 100.0 * interval.high)
    });
    let mut cells = vec![
        row.label.clone(),
        count(row.predictions),
        count(row.accepted),
        percent(row.rate),
        interval,
        percent(row.precision_mean),
        row.ops_saved.to_string(),
        count(row.undo_actions),
    ];
    if has_published {
        cells.push(
            row.published
                .map_or_else(String::new, |published| percent(Some(published.value))),
        );
    }
    if has_bars {
        cells.push(format!("{:<10}", bar(row.rate.unwrap_or_default(), 10)));
    }
    cells
}
