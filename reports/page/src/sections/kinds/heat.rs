//! Acceptance by run and kind of action.

use napsim_analysis::{Breakdown, BreakdownRow, By};
use napsim_charts::{HeatCell, HeatMap, NumberFormat};

use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::sections::heading;
use crate::words;

/// Cells with fewer predictions than this are drawn weaker.
const FEW: u64 = 10;

type Of<'a, 'p> = (&'p Shown<'a>, Breakdown);

pub(super) fn figure(page: &Page<'_>) -> Figure {
    let question = "Which kinds does each run get accepted?";
    let of_run = |shown| -> Of<'_, '_> {
        let shown: &Shown<'_> = shown;
        (shown, shown.run.analysis.breakdown(By::Kind))
    };
    let all: Vec<Of<'_, '_>> = page.shown.iter().map(of_run).collect();
    let columns = columns(&all);
    let cells: Vec<Vec<Option<HeatCell>>> = all
        .iter()
        .map(|of| columns.iter().map(|kind| cell(of, kind)).collect())
        .collect();
    let highest = cells
        .iter()
        .flatten()
        .flatten()
        .map(|cell| cell.value)
        .fold(0.0, f64::max);
    let table = table(&all, &columns);
    let chart = HeatMap {
        heading: heading(question),
        rows: page
            .shown
            .iter()
            .map(|shown| (shown.name().to_owned(), shown.group()))
            .collect(),
        columns,
        cells,
        domain: (0.0, highest.max(0.05)),
        format: NumberFormat::Percent,
    };
    Figure {
        id: "kind-heat",
        question: question.to_owned(),
        answer: all.first().and_then(best_kind).unwrap_or_default(),
        definition: format!(
            "Accepted / predictions by the kind of the first proposed action. The darker, the more; pale italics stand for fewer than \
             {FEW} predictions. The numbers have intervals."
        ),
        charts: vec![chart.svg()],
        table,
        ..Figure::default()
    }
}

/// The kinds that any run has predictions of.
fn columns(all: &[Of<'_, '_>]) -> Vec<String> {
    let has_any = |label: &String| {
        all.iter()
            .any(|of| row(of, label).is_some_and(|row| row.predictions > 0))
    };
    let first = all.first().map(|(_, of)| of.rows.as_slice()).unwrap_or_default();
    first.iter().map(|row| row.label.clone()).filter(has_any).collect()
}

fn row<'o>((_, of): &'o Of<'_, '_>, kind: &str) -> Option<&'o BreakdownRow> {
    of.rows.iter().find(|row| row.label == kind)
}

fn cell(of: &Of<'_, '_>, kind: &str) -> Option<HeatCell> {
    let row = row(of, kind)?;
    let (accepted, predictions) = (
        NumberFormat::Count.text(exact(row.accepted)),
        words::counted(row.predictions, "prediction"),
    );
    Some(HeatCell {
        value: row.rate?,
        text: String::new(),
        note: format!("{} · {kind}: {accepted} of {predictions}", of.0.name()),
        weak: row.predictions < FEW,
    })
}

fn best_kind((shown, of): &Of<'_, '_>) -> Option<String> {
    let enough = of.rows.iter().filter(|row| row.predictions >= FEW);
    let known = enough.filter_map(|row| Some((&row.label, row.rate?)));
    let (label, rate) = known.max_by(|left, right| left.1.total_cmp(&right.1))?;
    Some(format!(
        "{} fares best with {label}: {} accepted.",
        words::name(shown.name()),
        words::percent(rate)
    ))
}

fn table(all: &[Of<'_, '_>], columns: &[String]) -> Table {
    let mut table = Table::new(["run", "kind", "#predictions", "#accepted", "#rate", "#low", "#high"]);
    for of in all {
        for row in columns.iter().filter_map(|kind| row(of, kind)) {
            table.rows.push(Row::of_run(
                &of.0.group(),
                vec![
                    Cell::text(of.0.name()),
                    Cell::text(row.label.clone()),
                    Cell::count(row.predictions),
                    Cell::count(row.accepted),
                    Cell::percent(row.rate),
                    Cell::percent(row.interval.map(|interval| interval.low)),
                    Cell::percent(row.interval.map(|interval| interval.high)),
                ],
            ));
        }
    }
    table
}
