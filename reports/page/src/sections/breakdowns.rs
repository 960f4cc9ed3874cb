//! When predictions are accepted: after which action, how far along, how long, how far away, in which way of working.

use napsim_analysis::{Breakdown, BreakdownRow, By, published};
use napsim_charts::{Axis, IntervalShape, Line, LineShape, NumberFormat, Point, Reference, XyChart};

use super::{Section, heading, rate_axis};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// Rows with fewer predictions than this are not named as best or worst.
const FEW: u64 = 20;

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "when",
        "When predictions are accepted",
        "The acceptance rate by the situation of the prediction. Bars are 95 % intervals by a bootstrap over trajectories; where fewer \
         than five trajectories have any, and where all or none are accepted, they are Wilson's.",
    );
    for (id, by) in [
        ("trigger", By::Trigger),
        ("progress", By::Progress),
        ("length", By::Length),
        ("distance", By::Distance),
    ] {
        section.figure(&figure(page, id, by));
    }
    let profiles = of_runs(page, By::Profile);
    let n_profiles = profiles.iter().map(|(_, of)| of.rows.len()).max().unwrap_or_default();
    if n_profiles > 1 {
        section.figure(&drawn("profile", By::Profile, &profiles));
    } else {
        section.absent(
            "By way of working: the corpus holds no workbook that was reconstructed in several ways, so there is nothing to tell apart.",
        );
    }
    section
}

fn of_runs<'a, 'p>(page: &'p Page<'a>, by: By) -> Vec<(&'p Shown<'a>, Breakdown)> {
    page.shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.breakdown(by)))
        .collect()
}

fn figure(page: &Page<'_>, id: &'static str, by: By) -> Figure {
    drawn(id, by, &of_runs(page, by))
}

/// The labels that any run has predictions for, or that the paper has a figure for, in the order of the scale.
fn labels(all: &[(&Shown<'_>, Breakdown)]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for row in all.iter().flat_map(|(_, of)| &of.rows) {
        if !labels.contains(&row.label) {
            labels.push(row.label.clone());
        }
    }
    let has_any = |label: &String| {
        all.iter().any(|(_, of)| {
            of.rows
                .iter()
                .any(|row| &row.label == label && (row.predictions > 0 || row.published.is_some()))
        })
    };
    labels.retain(has_any);
    labels
}

fn drawn(id: &'static str, by: By, all: &[(&Shown<'_>, Breakdown)]) -> Figure {
    let labels = labels(all);
    let place = |row: &BreakdownRow| {
        let place = labels.iter().position(|label| *label == row.label)?;
        u32::try_from(place).ok().map(f64::from)
    };
    // Lines join what has an order.
    let is_scale = matches!(by, By::Progress | By::Length);
    let line = |(shown, of): &(&Shown<'_>, Breakdown)| Line {
        series: shown.series(),
        shape: if is_scale {
            LineShape::Straight
        } else {
            LineShape::Apart
        },
        intervals: IntervalShape::Bars,
        marks: true,
        dashed: false,
        points: of
            .rows
            .iter()
            .filter_map(|row| point(shown, row, place(row)?))
            .collect(),
    };
    let first = all.first().map(|(_, of)| of.rows.as_slice()).unwrap_or_default();
    let reference = |row: &BreakdownRow| {
        let published = row.published?;
        Some(Reference {
            x: place(row)?,
            y: published.value,
            name: published::LABEL.to_owned(),
            note: format!("{}: {} ({})", published::LABEL, published.text, published.source),
        })
    };
    let chart = XyChart {
        heading: heading(by.question()),
        x: Axis::bands(axis_title(by), labels.clone()),
        y: rate_axis("acceptance rate"),
        lines: all.iter().map(line).collect(),
        references: first.iter().filter_map(reference).collect(),
        guides: Vec::new(),
    };
    let mut notes: Vec<String> = Vec::new();
    if by == By::Progress {
        notes.push(
            "The paper does not say where “early” ends and “late” begins; its marks stand at the first and the last tenth.".to_owned(),
        );
    }
    Figure {
        id,
        question: by.question().to_owned(),
        answer: answer(all),
        definition: by.definition().to_owned(),
        charts: vec![chart.svg()],
        notes,
        table: table(all),
        ..Figure::default()
    }
}

fn axis_title(by: By) -> &'static str {
    match by {
        By::Trigger => "kind of the user's last action",
        By::Progress => "share of the work that was done",
        By::Length => "actions in the proposal",
        By::Distance => "rows or columns from the user's last action",
        By::Profile => "way of working",
        _ => "",
    }
}

fn point(shown: &Shown<'_>, row: &BreakdownRow, x: f64) -> Option<Point> {
    Some(Point {
        interval: row.interval.map(|interval| (interval.low, interval.high)),
        note: format!(
            "{} · {}: {} accepted of {}",
            shown.name(),
            row.label,
            words::percent(row.rate?),
            words::counted(row.predictions, "prediction")
        ),
        ..Point::new(x, row.rate?)
    })
}

/// Where the best run fares best and worst, among rows with enough predictions.
fn answer(all: &[(&Shown<'_>, Breakdown)]) -> String {
    let Some((shown, of)) = all.first() else {
        return String::new();
    };
    let known: Vec<(&BreakdownRow, f64)> = of
        .rows
        .iter()
        .filter(|row| row.predictions >= FEW)
        .filter_map(|row| Some((row, row.rate?)))
        .collect();
    let best = known.iter().max_by(|left, right| left.1.total_cmp(&right.1));
    let worst = known.iter().min_by(|left, right| left.1.total_cmp(&right.1));
    match (best, worst) {
        (Some((best, high)), Some((worst, low))) if high > low => {
            let apart = match (best.interval, worst.interval) {
                (Some(best), Some(worst)) if best.low > worst.high => "",
                _ => " – the intervals overlap, so this may be chance",
            };
            format!(
                "{}: most at {} ({}), least at {} ({}){apart}.",
                words::name(shown.name()),
                words::name(&best.label),
                words::percent(*high),
                words::name(&worst.label),
                words::percent(*low)
            )
        }
        _ => format!(
            "Too few predictions of {} to tell situations apart.",
            words::name(shown.name())
        ),
    }
}

fn table(all: &[(&Shown<'_>, Breakdown)]) -> Table {
    let mut table = Table::new([
        "run",
        "situation",
        "#predictions",
        "#accepted",
        "#rate",
        "#low",
        "#high",
        "interval",
        "#precision",
        "#proposed actions",
        "#saved",
        "#undo actions",
        "#published",
    ]);
    for (shown, of) in all {
        for row in &of.rows {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::text(row.label.clone()),
                    Cell::count(row.predictions),
                    Cell::count(row.accepted),
                    Cell::percent(row.rate),
                    Cell::percent(row.interval.map(|interval| interval.low)),
                    Cell::percent(row.interval.map(|interval| interval.high)),
                    row.interval
                        .map_or(Cell::Empty, |interval| Cell::text(interval.method.name())),
                    Cell::percent(row.precision_mean),
                    Cell::count(row.proposed_actions),
                    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
                    Cell::number(Some(row.ops_saved as f64), NumberFormat::Number),
                    Cell::count(row.undo_actions),
                    Cell::percent(row.published.map(|published| published.value)),
                ],
            ));
        }
    }
    table
}
