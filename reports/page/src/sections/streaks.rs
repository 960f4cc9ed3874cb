//! Acceptance streaks: how many accepted predictions come in a row, and whether that is more than chance.

mod turns;

use napsim_analysis::{RateInterval, Streaks, published};
use napsim_charts::{
    Axis, AxisScale, Bar, BarChart, BarGroup, BarReference, ForestChart, ForestRow, IntervalShape, Line, LineShape,
    NumberFormat, Point, Reference, XyChart,
};

use super::{Section, heading, rate_axis};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// The survival curve ends where fewer streaks than this share are left, or at the longest length that it shows.
const SHARE_MIN: f64 = 0.004;
/// The longest length that it shows, and the shortest that it reaches to, so that the published mark has a place.
const LENGTHS: (u32, u32) = (8, 25);
/// More runs than this make a chart of expectations unreadable; only the best one's is shown then.
const EXPECTED_MAX: usize = 2;

/// A shown run and its streaks.
type Of<'a, 'p> = (&'p Shown<'a>, Streaks);

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "streaks",
        "Acceptance streaks",
        "A streak is a run of accepted predictions within one trajectory with no rejected one between them: stretches where the \
         user only has to nod. What the user does between them, and calls without a suggestion, do not end it.",
    );
    let all: Vec<Of<'_, '_>> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.streaks()))
        .collect();
    if all.iter().all(|(_, streaks)| streaks.streaks.n == 0) {
        section.absent("No prediction was accepted, so there are no streaks.");
        return section;
    }
    section.figure(&survival(&all));
    section.figure(&lengths(&all));
    section.figure(&means(&all));
    section.figure(&after(&all));
    section.figures(turns::figures(&all));
    section
}

/// The best run that has streaks.
fn first<'a, 'o, 'p>(all: &'o [Of<'a, 'p>]) -> Option<&'o Of<'a, 'p>> {
    all.iter().find(|(_, streaks)| streaks.streaks.n > 0)
}

fn ends(interval: Option<RateInterval>) -> Option<(f64, f64)> {
    interval.map(|interval| (interval.low, interval.high))
}

fn survival(all: &[Of<'_, '_>]) -> Figure {
    let question = "How likely is it that a streak goes on?";
    let often = all
        .iter()
        .flat_map(|(_, streaks)| &streaks.survival)
        .filter(|point| point.share >= SHARE_MIN);
    let longest = often
        .map(|point| point.length)
        .max()
        .unwrap_or(1)
        .clamp(LENGTHS.0, LENGTHS.1);
    let measured = |(shown, streaks): &Of<'_, '_>| Line {
        series: shown.series(),
        shape: LineShape::Steps,
        marks: false,
        points: points(streaks, longest, |point| (point.share, ends(point.interval))),
        ..Line::default()
    };
    let mut lines: Vec<Line> = all.iter().map(measured).collect();
    let n_expected = if all.len() > EXPECTED_MAX { 1 } else { all.len() };
    let named = all.iter().filter(|(_, streaks)| streaks.streaks.n > 0).take(n_expected);
    lines.extend(named.map(|(shown, streaks)| {
        let mut series = shown.series();
        series.name = format!("{}, if order were chance", series.name);
        Line {
            series,
            shape: LineShape::Steps,
            dashed: true,
            points: points(streaks, longest, |point| (point.expected, None)),
            ..Line::default()
        }
    }));
    let chart = XyChart {
        heading: heading(question),
        x: Axis {
            title: "length of the streak, in predictions".to_owned(),
            scale: AxisScale::Linear {
                domain: Some((1.0, f64::from(longest))),
                zero: false,
            },
            format: NumberFormat::Count,
        },
        y: Axis::share("share of streaks at least that long"),
        lines,
        references: vec![Reference {
            x: f64::from(published::STREAKS.long),
            y: published::STREAKS.share_long,
            name: published::LABEL.to_owned(),
            note: format!(
                "{}: {} at least {} long",
                published::LABEL,
                words::percent(published::STREAKS.share_long),
                published::STREAKS.long
            ),
        }],
        guides: Vec::new(),
    };
    let mut table = Table::new([
        "run",
        "#length",
        "#streaks",
        "#share",
        "#low",
        "#high",
        "#expected",
        "#expected, pooled rate",
    ]);
    for (shown, streaks) in all {
        for point in &streaks.survival {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::count(point.length.into()),
                    Cell::count(point.n),
                    Cell::percent(Some(point.share)),
                    Cell::percent(point.interval.map(|interval| interval.low)),
                    Cell::percent(point.interval.map(|interval| interval.high)),
                    Cell::percent(Some(point.expected)),
                    Cell::percent(Some(point.expected_pooled)),
                ],
            ));
        }
    }
    let answer = first(all).map_or_else(String::new, |(shown, streaks)| {
        let at_two = streaks.survival.iter().find(|point| point.length == 2);
        at_two.map_or_else(
            || format!("No streak of {} is longer than one prediction.", words::name(shown.name())),
            |point| {
                format!(
                    "{} of the streaks of {} go on to a second acceptance; if acceptances came in random order, {} would.",
                    words::percent(point.share),
                    words::name(shown.name()),
                    words::percent(point.expected)
                )
            },
        )
    });
    let mut notes: Vec<String> = Vec::new();
    if all.iter().any(|(_, streaks)| streaks.streaks.longest > longest) {
        notes.push(format!("The chart ends at {longest}; the CSV goes on to the longest."));
    }
    Figure {
        id: "streak-survival",
        question: question.to_owned(),
        answer,
        definition: "For each length, the share of streaks at least that long, with a 95 % interval by a bootstrap over \
                     trajectories. The dashed line is what to expect if each trajectory's acceptances and rejections came in random \
                     order: it lies above what one rate for all would give, since trajectories differ. The CSV has that one, too. \
                     Mark: the paper says that 5 % of GPT-5's streaks are at least seven long."
            .to_owned(),
        charts: vec![chart.svg()],
        notes,
        table,
        ..Figure::default()
    }
}

fn points(
    streaks: &Streaks,
    longest: u32,
    value: impl Fn(&napsim_analysis::streaks::SurvivalPoint) -> (f64, Option<(f64, f64)>),
) -> Vec<Point> {
    let shown = streaks.survival.iter().filter(|point| point.length <= longest);
    shown
        .map(|point| {
            let (y, interval) = value(point);
            Point {
                interval,
                ..Point::new(f64::from(point.length), y)
            }
        })
        .collect()
}

/// Lengths up to this have bars of their own, as in the paper.
const LONG: u32 = napsim_analysis::streaks::LONG;

fn lengths(all: &[Of<'_, '_>]) -> Figure {
    let question = "How long are streaks?";
    let mut categories: Vec<String> = (1..LONG).map(|length| length.to_string()).collect();
    categories.push(format!("{LONG}+"));
    let share = |streaks: &Streaks, from: u32, to: u32| {
        let within = streaks
            .streaks
            .histogram
            .iter()
            .filter(|bin| bin.length >= from && bin.length < to);
        let n: u64 = within.map(|bin| bin.n).sum();
        (
            n,
            (streaks.streaks.n > 0).then(|| crate::markup::exact(n) / crate::markup::exact(streaks.streaks.n)),
        )
    };
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
    let mut table = Table::new(["run", "length", "#streaks", "#share"]);
    for (shown, streaks) in all {
        for (label, (from, to)) in categories.iter().zip(&bins) {
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
        table,
        ..Figure::default()
    }
}

fn means(all: &[Of<'_, '_>]) -> Figure {
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
        table,
        ..Figure::default()
    }
}

fn after(all: &[Of<'_, '_>]) -> Figure {
    let question = "Does one acceptance bring the next?";
    let categories = ["after an acceptance", "after a rejection", "first of a trajectory"];
    let rates = |streaks: &Streaks| [streaks.after.accepted, streaks.after.rejected, streaks.after.first];
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
        x: Axis::bands("", categories.map(str::to_owned).into()),
        y: rate_axis("acceptance rate"),
        lines: all.iter().map(line).collect(),
        references: Vec::new(),
        guides: Vec::new(),
    };
    let mut table = Table::new([
        "run",
        "prediction",
        "#predictions",
        "#accepted",
        "#rate",
        "#low",
        "#high",
    ]);
    let mut fine_print: Vec<String> = Vec::new();
    for (shown, streaks) in all {
        for (rate, label) in rates(streaks).into_iter().zip(categories) {
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
        if let Some(test) = &streaks.runs_test {
            fine_print.push(format!(
                "Runs test, {}: {} stretches of equal outcome where chance would give {} ({}). {}",
                words::name(shown.name()),
                NumberFormat::Count.text(crate::markup::exact(test.runs)),
                NumberFormat::Number.text(test.expected),
                words::p_value(Some(test.p)),
                test.verdict()
            ));
        }
    }
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
        fine_print,
        table,
        ..Figure::default()
    }
}
