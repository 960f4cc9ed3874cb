//! The tables of a comparison in LaTeX.

use crate::comparison::Comparison;
use crate::comparison::notes::notes;
use crate::comparison::sheet::{Sheet, differences, figures};
use crate::comparison::text::{caption, heading_line};
use crate::printable::printable;

pub(super) fn latex(comparison: &Comparison) -> String {
    let mut text = "% Needs \\usepackage{booktabs}.\n".to_owned();
    text.push_str(&format!("% {}\n", heading_line(comparison)));
    push_table(&mut text, &figures(comparison));
    if !comparison.differences.is_empty() {
        text.push_str(&format!("\n% {}\n", caption(comparison)));
        push_table(&mut text, &differences(comparison));
    }
    for note in notes(comparison) {
        text.push_str(&format!("% {}\n", printable(&note, false)));
    }
    text
}

fn push_table(text: &mut String, sheet: &Sheet) {
    let column = |place| if sheet.figures.contains(&place) { 'r' } else { 'l' };
    let columns: String = (0..sheet.header.len()).map(column).collect();
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(place, cell)| {
                if sheet.figures.contains(&place) {
                    escaped(cell).replace('-', "$-$")
                } else {
                    escaped(cell)
                }
            })
            .collect();
        // A bracket at the start of a row would be taken as an argument of the row's end before it.
        format!("{{}}{} \\\\\n", cells.join(" & "))
    };
    text.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n"));
    let header: Vec<String> = sheet.header.iter().map(|cell| escaped(cell)).collect();
    text.push_str(&format!("{} \\\\\n\\midrule\n", header.join(" & ")));
    for cells in &sheet.rows {
        text.push_str(&line(cells));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
}

/// The text with every character that LaTeX takes as a sign of its own made a plain one.
fn escaped(text: &str) -> String {
    let text = printable(text, false);
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '"' => escaped.push_str("\\char34{}"),
            '`' => escaped.push_str("\\textasciigrave{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
