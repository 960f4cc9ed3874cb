//! Confidence: whether it means what it says, and what would be gained by showing only the surest predictions.

use napsim_analysis::Calibration;
use napsim_charts::{Axis, Guide, GuideRun, IntervalShape, Line, LineShape, NumberFormat, Point, XyChart};

use super::{Section, heading, rate_axis};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// Most points of a risk–coverage curve that are drawn.
const CURVE_MAX: usize = 150;

type Of<'a, 'p> = (&'p Shown<'a>, Calibration);

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "confidence",
        "Confidence",
        "Whether predictors know when they are right, and what that could be used for.",
    );
    let known = page
        .shown
        .iter()
        .filter_map(|shown| Some((shown, shown.run.analysis.calibration()?)));
    let all: Vec<Of<'_, '_>> = known.collect();
    if all.is_empty() {
        section.absent("None of these predictors says how sure it is, so there is nothing to compare with.");
        return section;
    }
    section.figure(&reliability(&all));
    section.figure(&risk(&all));
    section
}

fn reliability(all: &[Of<'_, '_>]) -> Figure {
    let question = "Are confident predictions accepted more often?";
    let line = |(shown, of): &Of<'_, '_>| Line {
        series: shown.series(),
        intervals: IntervalShape::Bars,
        marks: true,
        points: of
            .bins
            .iter()
            .filter_map(|bin| {
                Some(Point {
                    interval: bin.interval.map(|interval| (interval.low, interval.high)),
                    note: format!(
                        "{} · confidence {}: {} accepted of {}",
                        shown.name(),
                        NumberFormat::Number.text(bin.confidence_mean?),
                        words::percent(bin.rate?),
                        words::counted(bin.predictions, "prediction")
                    ),
                    ..Point::new(bin.confidence_mean?, bin.rate?)
                })
            })
            .collect(),
        ..Line::default()
    };
    let precision = |(shown, of): &Of<'_, '_>| Line {
        series: shown.series(),
        marks: true,
        points: of
            .bins
            .iter()
            .filter_map(|bin| Some(Point::new(bin.confidence_mean?, bin.precision_mean?)))
            .collect(),
        ..Line::default()
    };
    let chart = |title: &str, lines: Vec<Line>| {
        let chart = XyChart {
            heading: heading(title).sized(560.0, 400.0),
            x: Axis::share("confidence"),
            y: Axis::share(title),
            lines,
            references: Vec::new(),
            guides: vec![Guide {
                run: GuideRun::Diagonal,
                label: "as sure as right".to_owned(),
            }],
        };
        chart.svg()
    };
    Figure {
        id: "reliability",
        question: question.to_owned(),
        answer: "On the dashed line, a confidence of 40 % means that 40 % are accepted. Below it predictors are too sure of themselves."
            .to_owned(),
        definition: "Predictions by confidence in tenths. Left: the share accepted, with a 95 % interval by a bootstrap over \
                     trajectories. Right: mean precision. Expected calibration error: the mean distance of a tenth's acceptance rate \
                     from its mean confidence, over predictions. Brier score: the mean of (confidence − accepted)², 0 being perfect."
            .to_owned(),
        charts: vec![
            chart("acceptance rate", all.iter().map(line).collect()),
            chart("mean precision", all.iter().map(precision).collect()),
        ],
        notes: all.iter().map(note).collect(),
        table: reliability_table(all),
        ..Figure::default()
    }
}

/// How far off a run's confidences are in all.
fn note((shown, of): &Of<'_, '_>) -> String {
    let without = if of.without > 0 {
        format!(
            " {} of its predictions have no confidence and are left out.",
            NumberFormat::Count.text(crate::markup::exact(of.without))
        )
    } else {
        String::new()
    };
    format!(
        "{}: expected calibration error {}, Brier score {}.{without}",
        words::name(shown.name()),
        NumberFormat::Number.text(of.calibration_error),
        NumberFormat::Number.text(of.brier)
    )
}

fn reliability_table(all: &[Of<'_, '_>]) -> Table {
    let mut table = Table::new([
        "run",
        "#from",
        "#to",
        "#predictions",
        "#accepted",
        "#mean confidence",
        "#rate",
        "#low",
        "#high",
        "#precision",
    ]);
    for (shown, of) in all {
        for bin in &of.bins {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::number(Some(bin.from), NumberFormat::Number),
                    Cell::number(Some(bin.to), NumberFormat::Number),
                    Cell::count(bin.predictions),
                    Cell::count(bin.accepted),
                    Cell::number(bin.confidence_mean, NumberFormat::Number),
                    Cell::percent(bin.rate),
                    Cell::percent(bin.interval.map(|interval| interval.low)),
                    Cell::percent(bin.interval.map(|interval| interval.high)),
                    Cell::percent(bin.precision_mean),
                ],
            ));
        }
    }
    table
}

fn risk(all: &[Of<'_, '_>]) -> Figure {
    let question = "What if only the surest predictions were shown?";
    let line = |(shown, of): &Of<'_, '_>| {
        let every = of.curve.len().div_ceil(CURVE_MAX).max(1);
        let last = of.curve.len().saturating_sub(1);
        let kept = of
            .curve
            .iter()
            .enumerate()
            .filter(|(place, _)| place.is_multiple_of(every) || *place == last);
        Line {
            series: shown.series(),
            shape: LineShape::Straight,
            points: kept.map(|(_, point)| Point::new(point.coverage, point.risk)).collect(),
            ..Line::default()
        }
    };
    let chart = XyChart {
        heading: heading(question),
        x: Axis::share("share of predictions shown, the surest first"),
        y: rate_axis("share of them rejected"),
        lines: all.iter().map(line).collect(),
        references: Vec::new(),
        guides: Vec::new(),
    };
    let answer = all.first().and_then(|(shown, of)| {
        let whole = of.curve.last()?;
        let half = of.curve.iter().rfind(|point| point.coverage <= 0.5)?;
        Some(format!(
            "{}: of all predictions {} are rejected; of the surest {} it is {}.",
            words::name(shown.name()),
            words::percent(whole.risk),
            words::percent(half.coverage),
            words::percent(half.risk)
        ))
    });
    Figure {
        id: "risk-coverage",
        question: question.to_owned(),
        answer: answer.unwrap_or_default(),
        definition: "Risk–coverage: predictions sorted by confidence; for each share of them, the share of rejected ones among it. It is \
                     worked out from what happened when all were shown; showing fewer would also change what comes after."
            .to_owned(),
        charts: vec![chart.svg()],
        table: risk_table(all),
        ..Figure::default()
    }
}

fn risk_table(all: &[Of<'_, '_>]) -> Table {
    let mut table = Table::new([
        "run",
        "#least confidence",
        "#predictions",
        "#shown",
        "#rejected",
        "#precision",
    ]);
    for (shown, of) in all {
        for point in &of.curve {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::number(Some(point.confidence_min), NumberFormat::Number),
                    Cell::count(point.predictions),
                    Cell::percent(Some(point.coverage)),
                    Cell::percent(Some(point.risk)),
                    Cell::percent(Some(point.precision_mean)),
                ],
            ));
        }
    }
    table
}
