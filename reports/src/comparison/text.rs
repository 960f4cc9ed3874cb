//! A comparison as a person reads it on a terminal.

use super::Comparison;
use super::notes::notes;
use super::settings::{otherwise, settings_of_run};
use super::sheet::{Sheet, differences, figures};
use crate::printable::printable;
use crate::table::{align, table, wrapped};

/// The tables of a comparison and what is to be known about them.
pub fn text(comparison: &Comparison, width: u16) -> String {
    let mut text = String::new();
    for parts in heading(comparison) {
        text.push_str(&wrapped(parts, width));
        text.push('\n');
    }
    let sheet = figures(comparison);
    let is_narrow = natural_width(&sheet) > usize::from(width);
    if is_narrow && let Some(settings) = sheet.settings_alone() {
        // What does not fit beside the figures stands above them.
        text.push_str(&shown(&settings, width));
        text.push('\n');
    }
    text.push_str(&shown(&if is_narrow { sheet.without_settings() } else { sheet }, width));
    if !comparison.differences.is_empty() {
        text.push('\n');
        text.push_str(&caption(comparison));
        text.push('\n');
        text.push_str(&shown(&differences(comparison), width));
    }
    for note in notes(comparison) {
        text.push_str(&printable(&note, false));
        text.push('\n');
    }
    text
}

/// The protocol and the settings that all runs share, those left away that are the same as ever; then, if there are
/// such, the settings of runs whose names say nothing of them.
pub(super) fn heading(comparison: &Comparison) -> Vec<Vec<String>> {
    const ALWAYS: [&str; 5] = ["corpus", "predictor", "policy", "mode", "stride"];
    let mut parts = vec![format!("protocol {}", printable(&comparison.protocol, false))];
    let of_runs: Vec<_> = comparison.runs.iter().map(settings_of_run).collect();
    for (setting, value) in of_runs.first().into_iter().flatten() {
        let is_shared = of_runs
            .iter()
            .all(|settings| settings.contains(&(*setting, value.clone())));
        if is_shared && ALWAYS.contains(setting) {
            parts.push(format!("{setting} {}", printable(value, false)));
        }
    }
    let mut others = otherwise(&comparison.runs)
        .into_iter()
        .map(|(setting, value)| format!("{setting} {}", printable(&value, false)));
    let first = others.next().map(|first| format!("where names do not say: {first}"));
    let others: Vec<String> = first.into_iter().chain(others).collect();
    [parts, others].into_iter().filter(|parts| !parts.is_empty()).collect()
}

/// The heading on one line.
pub(super) fn heading_line(comparison: &Comparison) -> String {
    let lines: Vec<String> = heading(comparison).iter().map(|parts| parts.join(", ")).collect();
    lines.join("; ")
}

/// What the differences are of.
pub(super) fn caption(comparison: &Comparison) -> String {
    let title = comparison.settings.metric.title();
    comparison.baseline.as_ref().map_or_else(
        || format!("difference in {title}, run - against, in points"),
        |baseline| format!("difference in {title} from `{}`, in points", printable(baseline, false)),
    )
}

fn shown(sheet: &Sheet, width: u16) -> String {
    let mut table = table(width);
    table.set_header(&sheet.header);
    for row in &sheet.rows {
        table.add_row(row.iter().map(|cell| printable(cell, false)));
    }
    align(&mut table, sheet.figures.clone(), 2);
    if let Some(names) = table.column_mut(0) {
        // Names of variants are settings with commas between them.
        names.set_delimiter(',');
    }
    format!("{}\n", table.trim_fmt())
}

/// Columns that the table takes where no cell is broken.
fn natural_width(sheet: &Sheet) -> usize {
    const BETWEEN: usize = 2;
    let widest = |column: usize| {
        let cells = sheet.rows.iter().filter_map(|row| row.get(column));
        cells
            .chain(sheet.header.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    (0..sheet.header.len()).map(|column| widest(column) + BETWEEN).sum()
}
