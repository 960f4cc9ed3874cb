//! The tables of a comparison in Markdown.

use crate::comparison::Comparison;
use crate::comparison::notes::notes;
use crate::comparison::sheet::{Sheet, differences, figures};
use crate::comparison::text::{caption, heading_line};
use crate::printable::printable;

pub(super) fn markdown(comparison: &Comparison) -> String {
    let mut text = format!("{}\n\n", escaped(&heading_line(comparison)));
    push_table(&mut text, &figures(comparison));
    if !comparison.differences.is_empty() {
        text.push_str(&format!("\n{}\n\n", escaped(&caption(comparison))));
        push_table(&mut text, &differences(comparison));
    }
    let notes = notes(comparison);
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        text.push_str(&format!("- {}\n", escaped(&note)));
    }
    text
}

fn push_table(text: &mut String, sheet: &Sheet) {
    let mut row = |cells: &[String]| {
        text.push('|');
        for cell in cells {
            text.push_str(&format!(" {cell} |"));
        }
        text.push('\n');
    };
    let escape = |cells: &[String]| -> Vec<String> { cells.iter().map(|cell| escaped(cell)).collect() };
    row(&escape(&sheet.header));
    let rule = |place| if sheet.figures.contains(&place) { "--:" } else { "---" };
    row(&(0..sheet.header.len())
        .map(|place| rule(place).to_owned())
        .collect::<Vec<_>>());
    for cells in &sheet.rows {
        row(&escape(cells));
    }
}

/// The text with everything that Markdown or HTML would take as a sign of theirs made harmless.
fn escaped(text: &str) -> String {
    let text = printable(text, false);
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Neither mentions nor links come of names.
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '$' | '!' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
