//! Undo actions: how many a trajectory needs, and of what.

use napsim_analysis::UndoCounts;
use napsim_charts::{Axis, Bar, BarChart, BarGroup, NumberFormat, Series};

use super::heading;
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

pub(super) fn figures(page: &Page<'_>) -> Vec<Figure> {
    let all: Vec<(&Shown<'_>, UndoCounts)> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.undo()))
        .collect();
    let mut figures = vec![histogram(&all)];
    figures.extend(
        all.iter()
            .find(|(_, of)| of.total > 0)
            .map(|(shown, of)| sorts(shown, of)),
    );
    figures
}

fn histogram(all: &[(&Shown<'_>, UndoCounts)]) -> Figure {
    let question = "How many corrections does a trajectory need?";
    let bins: Vec<&str> = all
        .first()
        .map(|(_, of)| of.histogram.iter().map(|bin| bin.label).collect())
        .unwrap_or_default();
    let share = |of: &UndoCounts, place: usize| {
        let whole: u64 = of.histogram.iter().map(|bin| bin.units).sum();
        let bin = of.histogram.get(place)?;
        (whole > 0).then(|| exact(bin.units) / exact(whole))
    };
    let group = |(shown, of): &(&Shown<'_>, UndoCounts)| BarGroup {
        series: shown.series(),
        bars: (0..bins.len()).map(|place| share(of, place).map(Bar::new)).collect(),
    };
    let mut chart = BarChart::shares(
        heading(question),
        "undo",
        bins.iter().map(|bin| (*bin).to_owned()).collect(),
        "share of trajectories",
        all.iter().map(group).collect(),
    );
    chart.category_title = "undo actions".to_owned();
    let mut table = Table::new(["run", "undo actions", "#trajectories", "#share"]);
    for (shown, of) in all {
        for (place, bin) in of.histogram.iter().enumerate() {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::text(bin.label),
                    Cell::count(bin.units),
                    Cell::percent(share(of, place)),
                ],
            ));
        }
    }
    let answer = all.first().map_or_else(String::new, |(shown, of)| {
        format!(
            "{}: {} in all; {} of the trajectories need fewer than 10.",
            words::name(shown.name()),
            words::counted(of.total, "undo action"),
            words::percent_or_dash(of.share_below_10)
        )
    });
    let mut notes: Vec<String> = Vec::new();
    notes.extend(all.first().map(|(_, of)| format!("For comparison, {}.", of.published)));
    Figure {
        id: "undo",
        question: question.to_owned(),
        answer,
        definition: "Undo actions are what the user has to do to reset what accepted proposals did wrong. They are part of the user's \
                     actions and so count against UAS."
            .to_owned(),
        charts: vec![chart.svg()],
        notes,
        table,
        ..Figure::default()
    }
}

fn sorts(shown: &Shown<'_>, of: &UndoCounts) -> Figure {
    let question = "What has to be corrected?";
    let chart = |title: &str, id: &str, rows: &[napsim_analysis::undo::UndoRow]| {
        let height = 70.0 + 24.0 * f64::from(u32::try_from(rows.len()).unwrap_or_default());
        let mut chart = BarChart::shares(
            heading(title).sized(560.0, height),
            id,
            rows.iter().map(|row| row.label.clone()).collect(),
            "",
            vec![BarGroup {
                series: Series::new("", 1),
                bars: rows.iter().map(|row| Some(Bar::new(exact(row.n)))).collect(),
            }],
        );
        chart.lying = true;
        chart.values = Axis::linear(title, NumberFormat::Count);
        chart.svg()
    };
    let mut table = Table::new(["of", "what", "#undo actions", "#share"]);
    for (by, rows) in [("kind", &of.by_kind), ("action", &of.by_property)] {
        for row in rows {
            let cells = vec![
                Cell::text(by),
                Cell::text(row.label.clone()),
                Cell::count(row.n),
                Cell::percent(row.share),
            ];
            table.rows.push(Row::of(cells));
        }
    }
    Figure {
        id: "undo-sorts",
        question: question.to_owned(),
        answer: of.by_property.first().map_or_else(String::new, |row| {
            format!(
                "{}: most often {} ({}).",
                words::name(shown.name()),
                words::name(&row.label),
                words::percent_or_dash(row.share)
            )
        }),
        definition: format!(
            "The undo actions of {}, by the kind of action and by the name of the action that resets a property.",
            words::name(shown.name())
        ),
        charts: vec![
            chart("undo actions by kind", "undo-kind", &of.by_kind),
            chart("undo actions by action", "undo-action", &of.by_property),
        ],
        table,
        ..Figure::default()
    }
}
