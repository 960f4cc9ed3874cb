//! The user's time saved, beside the user's actions saved; only where a model of the user is given.

use napsim_analysis::TimeSaved;
use napsim_charts::{Axis, AxisScale, Bar, BarChart, BarGroup, ForestChart, ForestRow, NumberFormat, Series};

use super::{Section, heading};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

pub(super) fn section(page: &Page<'_>) -> Option<Section> {
    let model = page.report.user_model.as_ref()?;
    let mut section = Section::new(
        "time",
        "Time saved",
        "Actions saved are not time saved: proposals have to be read, and rejected ones interrupt. This reckons with a model of the \
         user, whose parameters are assumptions; the documentation names its sources.",
    );
    let all: Vec<(&Shown<'_>, TimeSaved)> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.time_saved(model)))
        .collect();
    section.figure(&shares(&all));
    section.figure(&parts(&all));
    section.part(maud::html! {
        details class="card" {
            summary { "Parameters of the model" }
            pre { (serde_json::to_string_pretty(model).unwrap_or_default()) }
        }
    });
    Some(section)
}

fn shares(all: &[(&Shown<'_>, TimeSaved)]) -> Figure {
    let question = "How much of the user's time is saved?";
    let row = |(shown, of): &(&Shown<'_>, TimeSaved)| {
        let text = format!(
            "{} · {}",
            words::percent_or_dash(of.share_mean),
            words::percent_or_dash(of.uas_mean)
        );
        ForestRow {
            series: shown.series(),
            value: of.share_mean,
            interval: of.share_interval.as_ref().map(|interval| (interval.low, interval.high)),
            note: format!("{}: {text}", shown.name()),
            text,
            ..ForestRow::default()
        }
    };
    let chart = ForestChart {
        heading: heading(question),
        values: Axis {
            title: "share of time saved, mean over trajectories".to_owned(),
            scale: AxisScale::Linear {
                domain: None,
                zero: true,
            },
            format: NumberFormat::Percent,
        },
        rows: all.iter().map(row).collect(),
        guide: Some((0.0, "no time saved".to_owned())),
        text_title: "time · actions (UAS)".to_owned(),
    };
    Figure {
        id: "time-saved",
        question: question.to_owned(),
        answer: all.first().map_or_else(String::new, |(shown, of)| {
            format!(
                "{} saves {} of the user's actions and {} of the user's time.",
                words::name(shown.name()),
                words::percent_or_dash(of.uas_mean),
                words::percent_or_dash(of.share_mean)
            )
        }),
        definition: "Time for the trajectory by hand, less the time for the user's remaining actions, for reading and accepting \
                     proposals, and for interruptions by rejected ones; as a share of the time by hand."
            .to_owned(),
        charts: vec![chart.svg()],
        table: shares_table(all),
        ..Figure::default()
    }
}

fn shares_table(all: &[(&Shown<'_>, TimeSaved)]) -> Table {
    let mut table = Table::new([
        "run",
        "#trajectories",
        "#time saved, mean",
        "#low",
        "#high",
        "#time saved, pooled",
        "#UAS",
        "#manual s",
        "#actions s",
        "#review s",
        "#accept s",
        "#interruption s",
        "#saved s",
    ]);
    for (shown, of) in all {
        let total = &of.total;
        let seconds = [
            total.manual_s,
            total.actions_s,
            total.review_s,
            total.accept_s,
            total.interruption_s,
            total.saved_s,
        ];
        let mut cells = vec![
            Cell::text(shown.name()),
            Cell::count(of.units_with_time),
            Cell::percent(of.share_mean),
            Cell::percent(of.share_interval.as_ref().map(|interval| interval.low)),
            Cell::percent(of.share_interval.as_ref().map(|interval| interval.high)),
            Cell::percent(of.share_pooled),
            Cell::percent(of.uas_mean),
        ];
        cells.extend(seconds.map(|seconds| Cell::number(Some(seconds), NumberFormat::Number)));
        table.rows.push(Row::of_run(&shown.group(), cells));
    }
    table
}

fn parts(all: &[(&Shown<'_>, TimeSaved)]) -> Figure {
    let question = "Where does the user's time go?";
    type Part = (&'static str, fn(&TimeSaved) -> f64);
    const PARTS: [Part; 4] = [
        ("own actions", |of| of.total.actions_s),
        ("reading proposals", |of| of.total.review_s),
        ("accepting", |of| of.total.accept_s),
        ("interruptions", |of| of.total.interruption_s),
    ];
    let group = |(place, (label, part)): (usize, &Part)| BarGroup {
        series: Series::new(*label, place),
        bars: all
            .iter()
            .map(|(_, of)| (of.total.manual_s > 0.0).then(|| Bar::new(part(of) / of.total.manual_s)))
            .collect(),
    };
    let height = 120.0 + 34.0 * f64::from(u32::try_from(all.len()).unwrap_or_default());
    let mut chart = BarChart::shares(
        heading(question).sized(760.0, height),
        "time-parts",
        all.iter().map(|(shown, _)| shown.name().to_owned()).collect(),
        "",
        PARTS.iter().enumerate().map(group).collect(),
    );
    chart.stacked = true;
    chart.lying = true;
    chart.values = Axis::linear(
        "share of the time by hand (100 % is no help at all)",
        NumberFormat::Percent,
    );
    let mut table = Table::new(["run", "part", "#seconds"]);
    for (shown, of) in all {
        for (label, part) in PARTS {
            let cells = vec![
                Cell::text(shown.name()),
                Cell::text(label),
                Cell::number(Some(part(of)), NumberFormat::Number),
            ];
            table.rows.push(Row::of_run(&shown.group(), cells));
        }
    }
    Figure {
        id: "time-parts",
        question: question.to_owned(),
        definition:
            "All trajectories together. A bar that ends beyond 100 % takes longer than working without a predictor."
                .to_owned(),
        charts: vec![chart.svg()],
        table,
        ..Figure::default()
    }
}
