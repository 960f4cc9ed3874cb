//! A chart with its question, its answer, its definition and its data.

use maud::{Markup, PreEscaped, html};

use crate::data_block;
use crate::markup::{Table, sentence};

/// Rows of a table that are shown; the CSV has all.
const ROWS_MAX: usize = 1000;

/// A chart with all that belongs to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figure {
    /// A word that no other figure of the page has.
    pub(crate) id: &'static str,
    /// What the chart answers.
    pub(crate) question: String,
    /// What the data answer, in sentences with names between backticks; nothing where nothing can be said honestly.
    pub(crate) answer: String,
    /// What is shown and how it is defined.
    pub(crate) definition: String,
    /// The charts as SVG, drawn beside each other where there are several.
    pub(crate) charts: Vec<String>,
    /// Whether the chart may be so high that it should scroll.
    pub(crate) tall: bool,
    /// What has to be known beside the chart.
    pub(crate) notes: Vec<String>,
    /// What only those want to know who look closely, such as how intervals were made.
    pub(crate) fine_print: Vec<String>,
    /// Whether the numbers are shown from the beginning.
    pub(crate) open: bool,
    /// The numbers.
    pub(crate) table: Table,
}

impl Figure {
    /// The figure as HTML.
    pub(crate) fn markup(&self) -> Markup {
        html! {
            figure id=(self.id) data-figure="" {
                h3 { (self.question) }
                @if !self.answer.is_empty() { p class="answer" { (sentence(&self.answer)) } }
                @if self.charts.len() > 1 {
                    div class=(if self.charts.len() > 2 { "two three" } else { "two" }) { @for chart in &self.charts { (self.draw(chart)) } }
                } @else {
                    @for chart in &self.charts { (self.draw(chart)) }
                }
                @for note in &self.notes { p class="note" { (sentence(note)) } }
                @if self.open { (self.numbers()) }
                figcaption { (self.tools()) }
                (data_block::csv(self.id, &self.table.csv()))
            }
        }
    }

    fn draw(&self, chart: &str) -> Markup {
        // A region that scrolls must be reachable by keyboard.
        html! {
            div class=(if self.tall { "draw tall" } else { "draw" }) tabindex="0" role="group" aria-label=(self.question) {
                (PreEscaped(chart))
            }
        }
    }

    fn tools(&self) -> Markup {
        html! {
            div class="tools" {
                button type="button" data-csv=(self.id) { "CSV" span class="visually-hidden" { " of: " (self.question) } }
                details {
                    summary { "What is shown" }
                    p class="note" { (sentence(&self.definition)) }
                }
                @if !self.fine_print.is_empty() {
                    details {
                        summary { "Notes on the statistics" }
                        @for note in &self.fine_print { p class="note" { (sentence(note)) } }
                    }
                }
                @if !self.open {
                    details {
                        summary { "Numbers" }
                        (self.numbers())
                    }
                }
            }
        }
    }

    fn numbers(&self) -> Markup {
        let n_rows = self.table.rows.len();
        html! {
            div class="scroll high" tabindex="0" role="group" aria-label="numbers" {
                (self.table.markup(&self.question, ROWS_MAX))
            }
            @if n_rows > ROWS_MAX { p class="note" { "The first " (ROWS_MAX) " of " (n_rows) " rows; the CSV has all." } }
        }
    }
}
