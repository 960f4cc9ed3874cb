//! The survival curve: how likely it is that a streak goes on.

use napsim_analysis::{Streaks, published};
use napsim_charts::{Axis, AxisScale, Line, LineShape, NumberFormat, Point, Reference, XyChart};

use super::super::heading;
use super::{Of, ends, first};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// The survival curve ends where fewer streaks than this share are left, or at the longest length that it shows.
const SHARE_MIN: f64 = 0.004;
/// The longest length that it shows, and the shortest that it reaches to, so that the published mark has a place.
const LENGTHS: (u32, u32) = (8, 25);
/// More runs than this make a chart of expectations unreadable; only the best one's is shown then.
const EXPECTED_MAX: usize = 2;

pub(super) fn figure(all: &[Of<'_, '_>]) -> Figure {
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
        lines: lines(all, longest),
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
    let mut notes: Vec<String> = Vec::new();
    if all.iter().any(|(_, streaks)| streaks.streaks.longest > longest) {
        notes.push(format!("The chart ends at {longest}; the CSV goes on to the longest."));
    }
    Figure {
        id: "streak-survival",
        question: question.to_owned(),
        answer: answer(all),
        definition: "For each length, the share of streaks at least that long, with a 95 % interval by a bootstrap over \
                     trajectories. The dashed line is what to expect if each trajectory's acceptances and rejections came in random \
                     order: it lies above what one rate for all would give, since trajectories differ. The CSV has that one, too. \
                     Mark: the paper says that 5 % of GPT-5's streaks are at least seven long."
            .to_owned(),
        charts: vec![chart.svg()],
        notes,
        table: survival_table(all),
        ..Figure::default()
    }
}

/// The measured curves, and dashed what chance would give.
fn lines(all: &[Of<'_, '_>], longest: u32) -> Vec<Line> {
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
    lines
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

fn answer(all: &[Of<'_, '_>]) -> String {
    first(all).map_or_else(String::new, |(shown, streaks)| {
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
    })
}

/// One row a run and length.
fn survival_table(all: &[Of<'_, '_>]) -> Table {
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
    table
}
