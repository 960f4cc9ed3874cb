//! Cost: tokens, money and time, and what they buy.

use napsim_charts::{Axis, AxisScale, ForestChart, ForestRow, Line, LineShape, NumberFormat, Point, Series, XyChart};
use napsim_reports::Latencies;

use super::{Section, heading, rate_axis};
use crate::ReportRun;
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

/// Tokens that all predictions of a run took, answers that were kept from before included.
pub(super) fn tokens(run: &ReportRun) -> u64 {
    let usage = run.compared.repeats.iter().flatten().map(|unit| unit.summary.usage);
    usage.map(|usage| usage.input_tokens + usage.output_tokens).sum()
}

/// What the run cost, where prices are known; the sum over repeats.
pub(super) fn money(run: &ReportRun) -> Option<f64> {
    let costs = run
        .figures
        .iter()
        .filter_map(|figures| figures.cost.as_ref()?.money.as_ref()?.parse::<f64>().ok());
    costs.reduce(|sum, cost| sum + cost)
}

fn currency(run: &ReportRun) -> Option<&str> {
    run.figures
        .iter()
        .find_map(|figures| figures.cost.as_ref()?.currency.as_deref())
}

/// Seconds a call of the predictor.
pub(super) fn mean_seconds(run: &ReportRun) -> Option<f64> {
    run.times.as_ref()?.total().mean()
}

/// How long calls took, single ones where that was kept.
fn latencies(run: &ReportRun) -> Latencies {
    let mut all = Latencies::default();
    for unit in run.times.iter().flat_map(|times| &times.per_trajectory) {
        all.merge(&unit.latencies);
    }
    all
}

fn actions(run: &ReportRun) -> f64 {
    exact(
        run.compared
            .repeats
            .iter()
            .flatten()
            .map(|unit| u64::from(unit.summary.actions))
            .sum(),
    )
}

/// A way to count what a run costs.
struct Price {
    id: &'static str,
    question: &'static str,
    axis: String,
    definition: &'static str,
    format: NumberFormat,
    of: fn(&ReportRun) -> Option<f64>,
}

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "cost",
        "Cost",
        "What a saved action costs in money, tokens and waiting.",
    );
    let has = |price: &Price| page.report.runs.iter().any(|run| (price.of)(run).is_some());
    let currency = page.report.runs.iter().find_map(currency).unwrap_or("money");
    let prices = [
        Price {
            id: "pareto-money",
            question: "What does saving cost in money?",
            axis: format!("{currency} for 100 actions of the trajectories"),
            definition: "What all answers would cost at the prices that were given for this page, those too that were kept from before.",
            format: NumberFormat::Number,
            of: |run| Some(100.0 * money(run)? / actions(run)).filter(|price| *price > 0.0),
        },
        Price {
            id: "pareto-tokens",
            question: "What does saving cost in tokens?",
            axis: "tokens for each action of the trajectories".to_owned(),
            definition: "Tokens read and written by language models, as the models report them.",
            format: NumberFormat::Number,
            of: |run| Some(exact(tokens(run)) / actions(run)).filter(|price| *price > 0.0),
        },
        Price {
            id: "pareto-time",
            question: "What does saving cost in waiting?",
            axis: "time of a call of the predictor".to_owned(),
            definition: "Wall time of the calls of the predictor, learning from the history included, on the machine that measured. Times \
                         differ between machines and between runs; no other figure depends on them.",
            format: NumberFormat::Seconds,
            of: mean_seconds,
        },
    ];
    let known: Vec<&Price> = prices.iter().filter(|price| has(price)).collect();
    if known.is_empty() {
        section.absent("No tokens, prices or times were kept with these runs. `napsim run --out` keeps times.");
    }
    for price in known {
        section.figure(&pareto(page, price));
    }
    if page.shown.iter().any(|shown| !latencies(shown.run).is_empty()) {
        section.figure(&latency(page));
    }
    section
}

/// A run, what it costs, and its mean.
type Priced<'a> = (&'a ReportRun, f64, f64);

/// The runs that no other beats in both; the cheapest first, as all are.
fn frontier<'a>(all: &[Priced<'a>]) -> Vec<Priced<'a>> {
    let mut frontier: Vec<Priced<'a>> = Vec::new();
    for candidate in all {
        if frontier.last().is_none_or(|last| candidate.2 > last.2) {
            frontier.push(*candidate);
        }
    }
    frontier
}

fn pareto(page: &Page<'_>, price: &Price) -> Figure {
    let metric = page.report.comparison.settings.metric.title();
    let mut all: Vec<Priced<'_>> = page
        .all()
        .filter_map(|(_, run, figures)| Some((run, (price.of)(run)?, figures.mean?)))
        .collect();
    all.sort_by(|left, right| left.1.total_cmp(&right.1).then(right.2.total_cmp(&left.2)));
    let frontier = frontier(&all);
    let chart = XyChart {
        heading: heading(price.question),
        x: Axis {
            title: price.axis.clone(),
            scale: AxisScale::Log,
            format: price.format,
        },
        y: rate_axis(metric),
        lines: pareto_lines(page, price, &all, &frontier),
        references: Vec::new(),
        guides: Vec::new(),
    };
    let names: Vec<String> = frontier
        .iter()
        .map(|(run, _, _)| words::name(&run.compared.name))
        .collect();
    Figure {
        id: price.id,
        question: price.question.to_owned(),
        answer: if all.len() > 1 {
            format!(
                "Nothing saves more for less than {}.",
                words::list_of_at_most(&names, 4)
            )
        } else {
            String::new()
        },
        definition: format!(
            "Each mark is a run. The dashed line joins the runs that no other beats in both {metric} and cost. {}",
            price.definition
        ),
        charts: vec![chart.svg()],
        table: pareto_table(price, metric, &all, &frontier),
        ..Figure::default()
    }
}

/// A dashed edge, and a mark a run.
fn pareto_lines(page: &Page<'_>, price: &Price, all: &[Priced<'_>], frontier: &[Priced<'_>]) -> Vec<Line> {
    let metric = page.report.comparison.settings.metric.title();
    let edge = Line {
        series: Series::new("nothing saves more for less", 7),
        shape: LineShape::Steps,
        dashed: true,
        points: frontier
            .iter()
            .map(|(_, cost, mean)| Point::new(*cost, *mean))
            .collect(),
        ..Line::default()
    };
    let point = |(run, cost, mean): &Priced<'_>| Point {
        note: format!(
            "{}: {metric} {}, {}",
            run.compared.name,
            words::percent(*mean),
            price.format.text(*cost)
        ),
        label: napsim_charts::shortened(&run.compared.name, 11.0, 180.0).into_owned(),
        ..Point::new(*cost, *mean)
    };
    let dots = |of: &Priced<'_>| {
        let shown = page.shown.iter().find(|shown| shown.name() == of.0.compared.name);
        Line {
            // Runs that have no look of their own share the last one.
            series: shown.map_or_else(
                || Series::new("", 7),
                |shown| Series {
                    name: String::new(),
                    ..shown.series()
                },
            ),
            shape: LineShape::Apart,
            marks: true,
            points: vec![point(of)],
            ..Line::default()
        }
    };
    let mut lines = vec![edge];
    lines.extend(all.iter().map(dots));
    lines
}

fn pareto_table(price: &Price, metric: &str, all: &[Priced<'_>], frontier: &[Priced<'_>]) -> Table {
    let mut table = Table::new([
        "run".to_owned(),
        format!("#{}", price.axis),
        format!("#{metric}"),
        "on the edge".to_owned(),
    ]);
    for (run, cost, mean) in all {
        let is_on = frontier
            .iter()
            .any(|(other, _, _)| other.compared.name == run.compared.name);
        table.rows.push(Row::of(vec![
            Cell::text(run.compared.name.clone()),
            Cell::number(Some(*cost), price.format),
            Cell::percent(Some(*mean)),
            Cell::text(if is_on { "yes" } else { "no" }),
        ]));
    }
    table
}

/// Quantiles of times, and the titles of their columns.
const SHARES: [(f64, &str); 5] = [
    (0.05, "#5 %"),
    (0.5, "#median"),
    (0.9, "#90 %"),
    (0.95, "#95 %"),
    (0.99, "#99 %"),
];

fn latency(page: &Page<'_>) -> Figure {
    let question = "How long does the user wait for a proposal?";
    let rows: Vec<(&Shown<'_>, Latencies)> = page
        .shown
        .iter()
        .map(|shown| (shown, latencies(shown.run)))
        .filter(|(_, times)| !times.is_empty())
        .collect();
    let row = |(shown, times): &(&Shown<'_>, Latencies)| {
        let at = |share| times.quantile(share).unwrap_or_default();
        let text = [0.5, 0.95, 0.99]
            .map(|share| NumberFormat::Seconds.text(at(share)))
            .join(" · ");
        ForestRow {
            series: shown.series(),
            value: Some(at(0.5)),
            interval: Some((at(0.05), at(0.95))),
            note: format!("{}: {text}", shown.name()),
            text,
            ..ForestRow::default()
        }
    };
    let chart = ForestChart {
        heading: heading(question),
        values: Axis {
            title: "time of a call".to_owned(),
            scale: AxisScale::Log,
            format: NumberFormat::Seconds,
        },
        rows: rows.iter().map(row).collect(),
        guide: None,
        text_title: "median · 95 % · 99 %".to_owned(),
    };
    Figure {
        id: "latency",
        question: question.to_owned(),
        answer: "Mark: the median call; bar: from the fastest 5 % to the slowest 5 %. Within the times at the right, half, 95 % and \
                 99 % of the calls ended."
            .to_owned(),
        definition: "Times of single calls of the predictor on the machine that measured, learning from the history not included. They \
                     are kept in steps of 9 %, and no other figure depends on them."
            .to_owned(),
        charts: vec![chart.svg()],
        table: latency_table(&rows),
        ..Figure::default()
    }
}

fn latency_table(rows: &[(&Shown<'_>, Latencies)]) -> Table {
    let titles = ["run", "#calls", "#mean"]
        .into_iter()
        .chain(SHARES.iter().map(|(_, title)| *title));
    let mut table = Table::new(titles);
    for (shown, times) in rows {
        let mut cells = vec![
            Cell::text(shown.name()),
            Cell::count(times.n_calls()),
            Cell::number(mean_seconds(shown.run), NumberFormat::Seconds),
        ];
        cells.extend(
            SHARES
                .iter()
                .map(|(share, _)| Cell::number(times.quantile(*share), NumberFormat::Seconds)),
        );
        table.rows.push(Row::of_run(&shown.group(), cells));
    }
    table
}
