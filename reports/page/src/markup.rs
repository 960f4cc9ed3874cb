//! Texts and tables in HTML. Texts of anybody's making pass through [`shown`], and only there.

use maud::{Markup, html};
use napsim_reports::printable::printable;

/// A text of anybody's making: escaped, with control characters visible, and with a direction of writing of its own.
pub(crate) fn shown(text: &str) -> Markup {
    html! { bdi { (printable(text, false)) } }
}

/// A sentence with names in it: names stand between backticks, as in the notes of comparisons, and become texts of their
/// own. A backtick within a name only ends the emphasis early.
pub(crate) fn sentence(text: &str) -> Markup {
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place.is_multiple_of(2) { (printable(part, false)) } @else { b { (shown(part)) } }
        }
    }
}

/// What stands in a cell of a table, and what it is for sorting and in the CSV.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A text of anybody's making.
    Text(String),
    /// A number, and how it is shown.
    Number(f64, String),
    /// A text with a link to a place in the page.
    Link(String, String),
    /// Nothing that is defined.
    Empty,
}

impl Cell {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A count.
    pub(crate) fn count(count: u64) -> Self {
        let value = exact(count);
        Self::Number(value, napsim_charts::NumberFormat::Count.text(value))
    }

    /// A ratio in percent.
    pub(crate) fn percent(ratio: Option<f64>) -> Self {
        Self::number(ratio, napsim_charts::NumberFormat::Percent)
    }

    /// A difference of ratios in percentage points.
    pub(crate) fn points(difference: Option<f64>) -> Self {
        Self::number(difference, napsim_charts::NumberFormat::Points)
    }

    /// A number in a format.
    pub(crate) fn number(value: Option<f64>, format: napsim_charts::NumberFormat) -> Self {
        match value {
            Some(value) if value.is_finite() => Self::Number(value, format.text(value)),
            _ => Self::Empty,
        }
    }
}

/// A count as a number. Counts beyond 2^53 do not occur.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn exact(count: u64) -> f64 {
    count as f64
}

/// A table with a header.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// Titles of the columns, and whether they hold numbers.
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// The run that it belongs to, by which it can be hidden.
    pub(crate) group: Option<String>,
    /// The name by which the filter box finds it.
    pub(crate) name: Option<String>,
    /// Whether it is set off from the others.
    pub(crate) strong: bool,
}

impl Row {
    /// A row that is always there.
    pub(crate) fn of(cells: Vec<Cell>) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }

    /// A row of a run.
    pub(crate) fn of_run(group: &str, cells: Vec<Cell>) -> Self {
        Self {
            cells,
            group: Some(group.to_owned()),
            ..Self::default()
        }
    }
}

impl Table {
    /// A table without rows; a title that begins with `#` is one of numbers, and the sign is dropped.
    pub(crate) fn new<T: AsRef<str>>(titles: impl IntoIterator<Item = T>) -> Self {
        let column = |title: T| {
            let title = title.as_ref();
            title
                .strip_prefix('#')
                .map_or((title.to_owned(), false), |title| (title.to_owned(), true))
        };
        Self {
            columns: titles.into_iter().map(column).collect(),
            rows: Vec::new(),
        }
    }

    /// The table as HTML with no more than so many rows, each column sortable.
    pub(crate) fn markup(&self, caption: &str, rows_max: usize) -> Markup {
        html! {
            table {
                caption class="visually-hidden" { (caption) }
                thead {
                    tr {
                        @for (title, is_number) in &self.columns {
                            th scope="col" class=[(!is_number).then_some("text")] data-sort=[is_number.then_some("number")] {
                                button type="button" data-sort-by="" { (printable(title, false)) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in self.rows.iter().take(rows_max) { (self.row(row)) }
                }
            }
        }
    }

    fn row(&self, row: &Row) -> Markup {
        html! {
            tr class=[row.strong.then_some("best")] data-group=[row.group.as_deref()]
                data-name=[row.name.as_deref().map(|name| printable(name, false))] {
                @for (cell, (_, is_number)) in row.cells.iter().zip(&self.columns) {
                    @match cell {
                        Cell::Text(text) => td class=[(!is_number).then_some("text")] { (shown(text)) },
                        Cell::Number(value, text) => td data-v=(value) { (text) },
                        Cell::Link(text, target) => td class="text" { a href=(target) { (shown(text)) } },
                        Cell::Empty => td data-v="" { "–" },
                    }
                }
            }
        }
    }

    /// The table as CSV, with exact numbers. Texts that a spreadsheet could take for formulas are neutralised by an
    /// apostrophe, as in `napsim export csv`.
    pub(crate) fn csv(&self) -> String {
        let mut csv = String::new();
        let titles: Vec<Cell> = self
            .columns
            .iter()
            .map(|(title, _)| Cell::text(title.clone()))
            .collect();
        for cells in std::iter::once(&titles).chain(self.rows.iter().map(|row| &row.cells)) {
            for (place, cell) in cells.iter().enumerate() {
                if place > 0 {
                    csv.push(',');
                }
                match cell {
                    Cell::Text(text) | Cell::Link(text, _) => push_quoted(&mut csv, text),
                    Cell::Number(value, _) => csv.push_str(&value.to_string()),
                    Cell::Empty => {}
                }
            }
            csv.push('\n');
        }
        csv
    }
}

fn push_quoted(csv: &mut String, text: &str) {
    // The same rule as for the tables of `napsim export csv`.
    let is_formula = text
        .trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r']);
    let needs_quotes = text.contains(['"', ',', '\n', '\r']);
    if needs_quotes {
        csv.push('"');
    }
    if is_formula {
        csv.push('\'');
    }
    csv.push_str(&text.replace('"', "\"\""));
    if needs_quotes {
        csv.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_are_shown_and_do_nothing() {
        assert_eq!(
            shown("<img onerror=x>&\u{202e}\u{0}\"").into_string(),
            "<bdi>&lt;img onerror=x&gt;&amp;\\u{202e}\\u{0}&quot;</bdi>"
        );
        assert_eq!(
            sentence("best: `<b>` (1 %)").into_string(),
            "best: <b><bdi>&lt;b&gt;</bdi></b> (1 %)"
        );
    }

    #[test]
    fn csv_has_exact_numbers_and_no_formulas() {
        let mut table = Table::new(["run", "#rate"]);
        table
            .rows
            .push(Row::of(vec![Cell::text("=1+1"), Cell::percent(Some(0.1 + 0.2))]));
        table
            .rows
            .push(Row::of(vec![Cell::text("a,\"b\"\n"), Cell::percent(None)]));
        table.rows.push(Row::of(vec![Cell::text("''-x"), Cell::count(3)]));
        assert_eq!(
            table.csv(),
            "run,rate\n'=1+1,0.30000000000000004\n\"a,\"\"b\"\"\n\",\n'''-x,3\n"
        );
    }

    #[test]
    fn tables_sort_by_exact_values() {
        let mut table = Table::new(["run", "#rate"]);
        table
            .rows
            .push(Row::of_run("0", vec![Cell::text("a"), Cell::percent(Some(0.25))]));
        let markup = table.markup("rates", 9).into_string();
        assert!(
            markup.contains(r#"<tr data-group="0"><td class="text"><bdi>a</bdi></td><td data-v="0.25">25.0"#),
            "{markup}"
        );
    }
}
