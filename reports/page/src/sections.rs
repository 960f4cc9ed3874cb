//! The sections of the page. Each shows what its data allow and says why where they don't.

mod breakdowns;
mod confidence;
mod cost;
mod kinds;
mod mistakes;
mod overview;
mod replay;
mod setting_values;
mod settings;
mod streaks;
mod trajectories;
mod user_time;
mod why;

use maud::{Markup, html};
use napsim_charts::{AxisScale, Heading, NumberFormat};
use napsim_reports::comparison::settings_of;

use crate::Report;
use crate::choice::Page;
use crate::figure::Figure;
use crate::markup::{sentence, shown};

/// One section of the page.
pub(crate) struct Section {
    /// Where links lead.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What the section is about, in a sentence.
    lead: String,
    parts: Vec<Markup>,
}

impl Section {
    fn new(id: &'static str, title: &'static str, lead: impl Into<String>) -> Self {
        Self {
            id,
            title,
            lead: lead.into(),
            parts: Vec::new(),
        }
    }

    fn figure(&mut self, figure: &Figure) {
        self.parts.push(figure.markup());
    }

    fn figures(&mut self, figures: impl IntoIterator<Item = Figure>) {
        self.parts.extend(figures.into_iter().map(|figure| figure.markup()));
    }

    fn part(&mut self, part: Markup) {
        self.parts.push(part);
    }

    /// Says that something is not shown, and why.
    fn absent(&mut self, why: &str) {
        self.parts.push(html! { p class="absent" { (sentence(why)) } });
    }

    pub(crate) fn markup(&self) -> Markup {
        html! {
            section id=(self.id) aria-labelledby={ (self.id) "-title" } {
                h2 id={ (self.id) "-title" } { (self.title) }
                @if !self.lead.is_empty() { p class="lead" { (sentence(&self.lead)) } }
                @for part in &self.parts { (part) }
            }
        }
    }
}

/// All sections in their order.
pub(crate) fn all(page: &Page<'_>) -> Vec<Section> {
    let sections = [
        Some(overview::section(page)),
        settings::section(page),
        Some(streaks::section(page)),
        Some(kinds::section(page)),
        Some(breakdowns::section(page)),
        Some(confidence::section(page)),
        Some(mistakes::section(page)),
        Some(cost::section(page)),
        user_time::section(page),
        Some(trajectories::section(page)),
        Some(replay::section(page)),
    ];
    sections.into_iter().flatten().collect()
}

/// Protocol, corpus and settings that all runs share.
pub(crate) fn subtitle(report: &Report) -> Markup {
    const ALWAYS: [&str; 6] = ["corpus", "predictor", "policy", "mode", "stride", "context"];
    let of_runs: Vec<_> = report.runs.iter().map(|run| settings_of(&run.compared.setup)).collect();
    let is_shared = |pair: &&(&'static str, String)| of_runs.iter().all(|settings| settings.contains(pair));
    let shared = of_runs.first().into_iter().flatten().filter(is_shared);
    let mut parts: Vec<(&str, String)> = vec![("protocol", report.comparison.protocol.clone())];
    parts.extend(
        shared
            .filter(|(setting, value)| ALWAYS.contains(setting) && !value.is_empty())
            .cloned(),
    );
    html! {
        @for (place, (setting, value)) in parts.iter().enumerate() {
            @if place > 0 { " · " }
            (setting) " " (shown(value))
        }
        @if report.runs.len() > 1 { " · " (report.runs.len()) " runs" }
    }
}

/// The mark of a series, as legends have it.
pub(crate) fn key(look: usize) -> Markup {
    const SHAPES: [&str; 7] = [
        "M1.5 1.5h9v9h-9z",
        "M6 .5l5.5 10h-11z",
        "M6 0l6 6-6 6-6-6z",
        "M6 11.5l5.5-10h-11z",
        "M3 0l3 3 3-3 3 3-3 3 3 3-3 3-3-3-3 3-3-3 3-3-3-3z",
        "M4 0h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
        "M3 1h6l3 5-3 5h-6l-3-5z",
    ];
    let class = format!("key s{}", look % napsim_charts::LOOKS + 1);
    html! {
        svg class=(class) viewBox="0 0 12 12" aria-hidden="true" {
            @match look.checked_sub(1).and_then(|place| SHAPES.get(place)) {
                Some(shape) => path d=(shape) {},
                None => circle cx="6" cy="6" r="5" {},
            }
        }
    }
}

/// A chart that is named after its question.
fn heading(question: &str) -> Heading {
    Heading::new(question, "")
}

/// An axis of rates that begins at 0 and ends where the data end.
fn rate_axis(title: &str) -> napsim_charts::Axis {
    napsim_charts::Axis {
        title: title.to_owned(),
        scale: AxisScale::Linear {
            domain: None,
            zero: true,
        },
        format: NumberFormat::Percent,
    }
}
