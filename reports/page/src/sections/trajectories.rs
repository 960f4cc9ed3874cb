//! Trajectory by trajectory: a table, curves of progress, time lines.

mod courses;

use maud::html;
use napsim_charts::NumberFormat;
use napsim_sim::event::Summary;

use super::Section;
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::{Films, words};

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "trajectories",
        "Trajectory by trajectory",
        "Which sheets a predictor helps with, and where on the way. Names lead into the replay where it has them.",
    );
    section.part(html! {
        div class="filter" {
            label for="filter" { "Show trajectories whose name holds" }
            input type="search" id="filter" autocomplete="off" spellcheck="false";
            span id="filter-count" class="note" role="status" {}
        }
    });
    section.figure(&table(page));
    section.part(courses::panels(page));
    section.part(courses::strips(page));
    section
}

/// Where the replay shows a trajectory of a run: the unit in links.
fn unit<'a>(shown: &Shown<'a>, trajectory: &str) -> Option<&'a str> {
    match &shown.run.films {
        Films::Present(films) => films
            .iter()
            .find(|film| film.trajectory == trajectory)
            .map(|film| film.unit.as_str()),
        Films::Absent(_) => None,
    }
}

fn table(page: &Page<'_>) -> Figure {
    let mut table = Table::new([
        "trajectory",
        "run",
        "outcome",
        "#actions",
        "#user actions",
        "#UAS",
        "#predictions",
        "#accepted",
        "#AR",
        "#no suggestion",
        "#failed calls",
        "#precision",
        "#saved",
        "#undo actions",
        "#tokens",
    ]);
    for shown in &page.shown {
        let n_repeats = shown.run.compared.repeats.len();
        for unit in shown.run.compared.repeats.iter().flatten() {
            table.rows.push(row(shown, &unit.summary, n_repeats));
        }
    }
    let failed: Vec<String> = page
        .shown
        .iter()
        .flat_map(|shown| shown.run.compared.repeats.iter().flatten())
        .filter_map(|unit| {
            Some(format!(
                "{}: {}",
                words::name(&unit.summary.name),
                unit.summary.error.as_ref()?
            ))
        })
        .collect();
    let mut notes: Vec<String> = Vec::new();
    if !failed.is_empty() {
        notes.push(format!(
            "Aborted, and left out of every figure: {}.",
            words::list_of_at_most(&failed, 8)
        ));
    }
    Figure {
        id: "trajectory-table",
        question: "How did each trajectory go?".to_owned(),
        answer: extremes(page),
        definition: "One row a trajectory and run (and repeat). Every figure is that of `napsim show`. Saved: user actions saved by \
                     accepted predictions when they were accepted; UAS counts what came of it in the end."
            .to_owned(),
        notes,
        open: true,
        table,
        ..Figure::default()
    }
}

fn row(shown: &Shown<'_>, summary: &Summary, n_repeats: usize) -> Row {
    let link = unit(shown, &summary.name).map(|unit| format!("#replay/{unit}/1"));
    let name = summary.name.clone();
    let run = if n_repeats > 1 {
        format!("{} (repeats)", shown.name())
    } else {
        shown.name().to_owned()
    };
    Row {
        name: Some(name.clone()),
        ..Row::of_run(
            &shown.group(),
            vec![
                link.map_or_else(|| Cell::Text(name.clone()), |link| Cell::Link(name.clone(), link)),
                Cell::Text(run),
                Cell::text(summary.outcome.name()),
                Cell::count(summary.actions.into()),
                Cell::count(summary.user_steps.into()),
                Cell::percent(summary.uas),
                Cell::count(summary.predictions.into()),
                Cell::count(summary.accepted.into()),
                Cell::percent(napsim_reports::aggregate::acceptance_rate(summary)),
                Cell::count(summary.empty.into()),
                Cell::count(summary.errors.into()),
                Cell::percent(summary.precision),
                #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
                Cell::number(Some(summary.ops_saved as f64), NumberFormat::Count),
                Cell::count(summary.undo_actions.into()),
                Cell::count(summary.usage.input_tokens + summary.usage.output_tokens),
            ],
        )
    }
}

/// Where the best run helps most and least.
fn extremes(page: &Page<'_>) -> String {
    let Some(best) = page.best() else {
        return String::new();
    };
    let units = best.run.compared.repeats.iter().flatten();
    let known: Vec<(&str, f64)> = units
        .filter_map(|unit| Some((unit.summary.name.as_str(), unit.summary.uas?)))
        .collect();
    let most = known.iter().max_by(|left, right| left.1.total_cmp(&right.1));
    let least = known.iter().min_by(|left, right| left.1.total_cmp(&right.1));
    match (most, least) {
        (Some((most, high)), Some((least, low))) if high > low => format!(
            "{} saves most in {} ({}) and least in {} ({}).",
            words::name(best.name()),
            words::name(most),
            words::percent(*high),
            words::name(least),
            words::percent(*low)
        ),
        _ => String::new(),
    }
}
