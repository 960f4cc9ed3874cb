//! How long streaks are: each length, and means.

use napsim_analysis::{Streaks, published};
use napsim_charts::{Axis, Bar, BarChart, BarGroup, BarReference, ForestChart, ForestRow, NumberFormat};

use super::super::heading;
use super::{Of, first};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

/// Lengths up to this have bars of their own, as in the paper.
const LONG: u32 = napsim_analysis::streaks::LONG;

pub(super) fn lengths(all: &[Of<'_, '_>]) -> Figure {
    let question = "How long are streaks?";
    let mut categories: Vec<String> = (1..LONG).map(|length| length.to_string()).collect();
    categories.push(format!("{LONG}+"));
    let bins: Vec<(u32, u32)> = (1..LONG)
        .map(|length| (length, length + 1))
        .chain([(LONG, u32::MAX)])
        .collect();
    let group = |(shown, streaks): &Of<'_, '_>| BarGroup {
        series: shown.series(),
        bars: bins
            .iter()
            .map(|(from, to)| share(streaks, *from, *to).1.map(Bar::new))
            .collect(),
    };
    let mut chart = BarChart::shares(
        heading(question),
        "streak-lengths",
        categories.clone(),
        "share of streaks",
        all.iter().map(group).collect(),
    );
    chart.category_title = "length of the streak, in predictions".to_owned();
    chart.references = vec![BarReference {
        category: categories.len() - 1,
        group: None,
        value: published::STREAKS.share_long,
        name: published::LABEL.to_owned(),
        note: format!(
            "{}: {}",
            published::LABEL,
            words::percent(published::STREAKS.share_long)
        ),
    }];
    Figure {
        id: "streak-lengths",
        question: question.to_owned(),
        answer: first(all).map_or_else(String::new, |(shown, streaks)| {
            let (_, ones) = share(streaks, 1, 2);
            format!(
                "{} of the streaks of {} are a single acceptance; the longest is {}.",
                words::percent_or_dash(ones),
                words::name(shown.name()),
                words::counted(streaks.streaks.longest.into(), "prediction")
            )
        }),
        definition:
            "Streaks by their number of accepted predictions. The share of each length among all streaks of the run."
                .to_owned(),
        charts: vec![chart.svg()],
        table: lengths_table(all, &categories, &bins),
        ..Figure::default()
    }
}

/// How many streaks have a length from the first number to below the second, and their share.
fn share(streaks: &Streaks, from: u32, to: u32) -> (u64, Option<f64>) {
    let lengths = &streaks.streaks;
    let within = lengths
        .histogram
        .iter()
        .filter(|bin| bin.length >= from && bin.length < to);
    let n: u64 = within.map(|bin| bin.n).sum();
    (n, (lengths.n > 0).then(|| exact(n) / exact(lengths.n)))
}

/// One row a run and bin.
fn lengths_table(all: &[Of<'_, '_>], categories: &[String], bins: &[(u32, u32)]) -> Table {
    let mut table = Table::new(["run", "length", "#streaks", "#share"]);
    for (shown, streaks) in all {
        for (label, (from, to)) in categories.iter().zip(bins) {
            let (n, share) = share(streaks, *from, *to);
            let cells = vec![
                Cell::text(shown.name()),
                Cell::text(label.clone()),
                Cell::count(n),
                Cell::percent(share),
            ];
            table.rows.push(Row::of_run(&shown.group(), cells));
        }
    }
    table
}

pub(super) fn means(all: &[Of<'_, '_>]) -> Figure {
    let question = "Whose streaks are longer?";
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| NumberFormat::Number.text(value));
    let row = |(shown, streaks): &Of<'_, '_>| {
        let of = &streaks.streaks;
        let text = format!(
            "{} · {} · {}",
            number(of.mean),
            number(of.median),
            words::percent_or_dash(of.share_long)
        );
        ForestRow {
            series: shown.series(),
            value: of.mean,
            note: format!("{}: {text}", shown.name()),
            text,
            reference: Some((
                published::STREAKS.mean,
                format!(
                    "{}: mean {}, median {}",
                    published::LABEL,
                    published::STREAKS.mean,
                    published::STREAKS.median
                ),
            )),
            ..ForestRow::default()
        }
    };
    let chart = ForestChart {
        heading: heading(question),
        values: Axis::linear("mean length, in predictions", NumberFormat::Number),
        rows: all.iter().map(row).collect(),
        guide: None,
        text_title: format!("mean · median · {LONG} or more"),
    };
    Figure {
        id: "streak-means",
        question: question.to_owned(),
        answer: format!(
            "Diamonds: the paper's GPT-5, mean {} and median {}; other predictors there have means of {} to {}.",
            published::STREAKS.mean,
            published::STREAKS.median,
            published::STREAKS.other_means[0],
            published::STREAKS.other_means[1]
        ),
        definition: "Mean and median length of streaks, and the share of those with seven predictions or more. The numbers have \
                     chains as well: accepted predictions with no action of the user between them."
            .to_owned(),
        charts: vec![chart.svg()],
        table: means_table(all),
        ..Figure::default()
    }
}

/// One row a run, for streaks and for chains.
fn means_table(all: &[Of<'_, '_>]) -> Table {
    let mut table = Table::new([
        "run",
        "unit",
        "#how many",
        "#mean",
        "#median",
        "#share of 7 or more",
        "#longest",
    ]);
    for (shown, streaks) in all {
        for (unit, of) in [("streaks", &streaks.streaks), ("chains", &streaks.chains)] {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::text(unit),
                    Cell::count(of.n),
                    Cell::number(of.mean, NumberFormat::Number),
                    Cell::number(of.median, NumberFormat::Number),
                    Cell::percent(of.share_long),
                    Cell::count(of.longest.into()),
                ],
            ));
        }
    }
    table
}
