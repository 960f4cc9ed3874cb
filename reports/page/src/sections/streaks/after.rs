//! Whether one acceptance brings the next.

use napsim_analysis::Streaks;
use napsim_analysis::streaks::AfterRate;
use napsim_charts::{Axis, IntervalShape, Line, LineShape, NumberFormat, Point, XyChart};

use super::super::{heading, rate_axis};
use super::{Of, ends, first};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

/// Predictions by what became of the one before.
const CATEGORIES: [&str; 3] = ["after an acceptance", "after a rejection", "first of a trajectory"];

/// The rates of these, in the same order.
fn rates(streaks: &Streaks) -> [AfterRate; 3] {
    [streaks.after.accepted, streaks.after.rejected, streaks.after.first]
}

pub(super) fn figure(all: &[Of<'_, '_>]) -> Figure {
    let question = "Does one acceptance bring the next?";
    let line = |(shown, streaks): &Of<'_, '_>| {
        let known = rates(streaks).into_iter().zip([0.0, 1.0, 2.0]);
        let points = known.filter_map(|(rate, x)| {
            Some(Point {
                interval: ends(rate.interval),
                ..Point::new(x, rate.rate?)
            })
        });
        Line {
            series: shown.series(),
            shape: LineShape::Apart,
            intervals: IntervalShape::Bars,
            marks: true,
            dashed: false,
            points: points.collect(),
        }
    };
    let chart = XyChart {
        heading: heading(question).sized(760.0, 320.0),
        x: Axis::bands("", CATEGORIES.map(str::to_owned).into()),
        y: rate_axis("acceptance rate"),
        lines: all.iter().map(line).collect(),
        references: Vec::new(),
        guides: Vec::new(),
    };
    let answer = first(all).and_then(|(shown, streaks)| {
        let (after, otherwise) = (streaks.after.accepted.rate?, streaks.after.rejected.rate?);
        Some(format!(
            "{}: {} of the predictions that follow an acceptance are accepted, and {} of those that follow a rejection.",
            words::name(shown.name()),
            words::percent(after),
            words::percent(otherwise)
        ))
    });
    Figure {
        id: "streak-after",
        question: question.to_owned(),
        answer: answer.unwrap_or_default(),
        definition: "Acceptance of predictions by what became of the one before in the same trajectory. Bars are 95 % intervals by a \
                     bootstrap over trajectories (Wilson's where fewer than five have any). The runs test (Wald and Wolfowitz) \
                     counts stretches of equal outcome within trajectories and compares them with random orders of the same \
                     acceptances, so that trajectories which are easy as a whole do not count as streaks."
            .to_owned(),
        charts: vec![chart.svg()],
        notes: all.first().and_then(|(_, streaks)| streaks.runs_test.as_ref()).map(|test| test.verdict().to_owned()).into_iter().collect(),
        fine_print: fine_print(all),
        table: table(all),
        ..Figure::default()
    }
}

fn table(all: &[Of<'_, '_>]) -> Table {
    let mut table = Table::new([
        "run",
        "prediction",
        "#predictions",
        "#accepted",
        "#rate",
        "#low",
        "#high",
    ]);
    for (shown, streaks) in all {
        for (rate, label) in rates(streaks).into_iter().zip(CATEGORIES) {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::text(label),
                    Cell::count(rate.predictions),
                    Cell::count(rate.accepted),
                    Cell::percent(rate.rate),
                    Cell::percent(rate.interval.map(|interval| interval.low)),
                    Cell::percent(rate.interval.map(|interval| interval.high)),
                ],
            ));
        }
    }
    table
}

/// The runs test of each run.
fn fine_print(all: &[Of<'_, '_>]) -> Vec<String> {
    let of_run = |(shown, streaks): &Of<'_, '_>| {
        let test = streaks.runs_test.as_ref()?;
        Some(format!(
            "Runs test, {}: {} stretches of equal outcome where chance would give {} ({}). {}",
            words::name(shown.name()),
            NumberFormat::Count.text(exact(test.runs)),
            NumberFormat::Number.text(test.expected),
            words::p_value(Some(test.p)),
            test.verdict()
        ))
    };
    all.iter().filter_map(of_run).collect()
}
