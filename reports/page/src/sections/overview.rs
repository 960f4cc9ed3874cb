//! Overview: which run is best, by how much, and whether that is chance.

mod verdict;

use maud::{Markup, html};
use napsim_charts::{Axis, AxisScale, ForestChart, ForestRow, NumberFormat, Series};
use napsim_reports::Metric;
use napsim_reports::comparison::{PairedFigures, RunFigures};

use super::{Section, heading, rate_axis, why};
use crate::choice::Page;
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, sentence};
use crate::words;

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new("overview", "Overview", "");
    section.part(verdict::card(page));
    if let Some(tiles) = tiles(page) {
        section.part(tiles);
    }
    section.figure(&runs(page));
    if !page.report.comparison.differences.is_empty() {
        section.figure(&differences(page));
    }
    section.figures(why::figure(page));
    section
}

/// The figures of the best run at a glance.
fn tiles(page: &Page<'_>) -> Option<Markup> {
    let best = page.best()?;
    let means = &best.figures.means;
    let mut tiles: Vec<(String, &str)> = vec![
        (
            words::percent_or_dash(means.uas),
            "user actions saved (UAS, mean over trajectories)",
        ),
        (
            words::percent_or_dash(means.ar),
            "of predictions accepted (AR, mean over trajectories)",
        ),
        (
            words::percent_or_dash(means.precision),
            "precision (mean over trajectories)",
        ),
    ];
    if means.pcov.is_some() {
        tiles.push((
            words::percent_or_dash(means.pcov),
            "of predictable properties produced (pCov)",
        ));
    }
    if let Some(undo) = means.undo_actions {
        tiles.push((NumberFormat::Count.text(undo), "undo actions"));
    }
    let basis = best.run.analysis.basis();
    tiles.push((
        NumberFormat::Count.text(crate::markup::exact(basis.trajectories)),
        "trajectories",
    ));
    tiles.push((
        NumberFormat::Count.text(crate::markup::exact(basis.predictions)),
        "predictions",
    ));
    Some(html! {
        @if !page.is_single() { p class="of" { (sentence(&format!("The figures of {}:", words::name(best.name())))) } }
        div class="tiles" {
            @for (value, what) in tiles { div class="tile" { b { (value) } span { (what) } } }
        }
    })
}

/// Forest plot and table of all runs.
fn runs(page: &Page<'_>) -> Figure {
    let comparison = &page.report.comparison;
    let metric = comparison.settings.metric;
    let level = words::level(comparison.settings.level);
    let question = if page.is_single() {
        "How much does the predictor save?".to_owned()
    } else {
        format!("Which run has the highest {}?", metric.title())
    };
    let mut ordered: Vec<_> = page.all().collect();
    ordered.sort_by_key(|(idx, _, figures)| (figures.rank.unwrap_or(usize::MAX), *idx));
    let row = |(idx, _, figures): &(usize, _, &RunFigures)| {
        let shown = page.shown.iter().find(|shown| shown.idx == *idx);
        let text = match (figures.mean, figures.interval) {
            (Some(mean), Some(interval)) => format!("{} [{}]", words::percent(mean), words::interval(&interval)),
            (Some(mean), None) => words::percent(mean),
            _ => "no figure".to_owned(),
        };
        ForestRow {
            series: Series {
                look: shown.map_or(7, |shown| shown.look),
                ..Series::new(label(figures), 0)
            },
            value: figures.mean,
            interval: figures.interval.map(|interval| (interval.low, interval.high)),
            note: format!("{}: {text}", figures.name),
            text,
            strong: figures.rank == Some(1),
            reference: None,
        }
    };
    let chart = ForestChart {
        heading: heading(&question),
        values: rate_axis(&format!("{}, mean over trajectories", metric.title())),
        rows: ordered.iter().map(row).collect(),
        guide: None,
        text_title: format!("mean [{level} interval]"),
    };
    Figure {
        id: "runs",
        answer: String::new(),
        definition: format!(
            "Each row is a run: the mean of {} over its trajectories and a {level} interval of that mean, by a bootstrap over \
             trajectories. Overlapping intervals do not mean that two runs are alike: since the runs share their trajectories, the \
             paired differences below tell more. {}",
            metric.title(),
            meaning(metric)
        ),
        charts: vec![chart.svg()],
        tall: true,
        notes: page.note_on_runs().into_iter().collect(),
        fine_print: comparison.notes(),
        open: true,
        table: table(page, &ordered),
        question,
    }
}

/// The name of a run, marked where the run is not whole.
fn label(figures: &RunFigures) -> String {
    if figures.is_complete() {
        figures.name.clone()
    } else {
        format!("{} (incomplete)", figures.name)
    }
}

fn meaning(metric: Metric) -> &'static str {
    match metric {
        Metric::Uas => {
            "UAS, user actions saved: the share of a trajectory's actions that the user did not have to carry out, corrections of \
             accepted proposals counted against it."
        }
        Metric::AcceptanceRate => "AR, acceptance rate: accepted predictions of a trajectory / all its predictions.",
        Metric::Precision => {
            "Precision: the share of the properties changed by a proposal that end up as the user wants them, mean over predictions."
        }
        Metric::Pcov => {
            "pCov: the share of the predictable properties of the final sheet that accepted predictions produced."
        }
        Metric::PcovAttempted => "pCov over all predictions, accepted or not.",
    }
}

fn table(page: &Page<'_>, ordered: &[(usize, &crate::ReportRun, &RunFigures)]) -> Table {
    let metric = page.report.comparison.settings.metric;
    let has_tokens = ordered.iter().any(|(_, run, _)| super::cost::tokens(run) > 0);
    let has_money = ordered.iter().any(|(_, run, _)| super::cost::money(run).is_some());
    let has_time = ordered
        .iter()
        .any(|(_, run, _)| super::cost::mean_seconds(run).is_some());
    let others: Vec<Metric> = Metric::ALL.into_iter().filter(|other| *other != metric).collect();
    let mut titles: Vec<String> = vec![
        "run".into(),
        "#rank".into(),
        format!("#{}", metric.title()),
        "#low".into(),
        "#high".into(),
    ];
    titles.extend(others.iter().map(|other| format!("#{}", other.title())));
    titles.push("#undo actions".into());
    titles.extend(has_tokens.then(|| "#tokens".into()));
    titles.extend(has_money.then(|| "#cost".into()));
    titles.extend(has_time.then(|| "#time of a call".into()));
    titles.extend([format!("#{}, pooled", metric.title()), "#AR, pooled".into()]);
    titles.extend(["#trajectories", "#failed", "#missing"].map(str::to_owned));
    let mut table = Table::new(titles);
    for (_, run, figures) in ordered {
        let count = |n: usize| Cell::count(u64::try_from(n).unwrap_or(u64::MAX));
        let mut cells = vec![
            Cell::text(figures.name.clone()),
            figures.rank.map_or(Cell::Empty, count),
            Cell::percent(figures.mean),
            Cell::percent(figures.interval.map(|interval| interval.low)),
            Cell::percent(figures.interval.map(|interval| interval.high)),
        ];
        cells.extend(others.iter().map(|other| Cell::percent(figures.means.get(*other))));
        cells.push(Cell::number(figures.means.undo_actions, NumberFormat::Number));
        cells.extend(has_tokens.then(|| Cell::count(super::cost::tokens(run))));
        cells.extend(has_money.then(|| Cell::number(super::cost::money(run), NumberFormat::Number)));
        cells.extend(has_time.then(|| Cell::number(super::cost::mean_seconds(run), NumberFormat::Seconds)));
        cells.extend([Cell::percent(figures.pooled), Cell::percent(figures.means.ar_pooled)]);
        cells.extend([figures.trajectories, figures.failed, figures.missing].map(count));
        table.rows.push(Row {
            strong: figures.rank == Some(1),
            ..Row::of(cells)
        });
    }
    table
}

/// Paired differences from the baseline.
fn differences(page: &Page<'_>) -> Figure {
    let comparison = &page.report.comparison;
    let metric = comparison.settings.metric.title();
    let level = words::level(comparison.settings.level);
    let baseline = comparison.baseline.as_deref();
    let question = baseline.map_or_else(
        || format!("How far apart are the runs in {metric}?"),
        |_| format!("How far is each run from the baseline in {metric}?"),
    );
    let mut ordered: Vec<&PairedFigures> = comparison.differences.iter().collect();
    let mean = |figures: &PairedFigures| figures.difference.mean.unwrap_or(f64::NEG_INFINITY);
    ordered.sort_by(|left, right| mean(right).total_cmp(&mean(left)));
    let row = |figures: &&PairedFigures| {
        let name = if baseline.is_some() {
            figures.run.clone()
        } else {
            format!("{} − {}", figures.run, figures.baseline)
        };
        let shown = page.shown.iter().find(|shown| shown.name() == figures.run);
        let text = figures
            .difference
            .mean
            .map_or_else(String::new, |mean| NumberFormat::Points.text(mean));
        let text = format!("{text} · {}", figures.verdict.words());
        ForestRow {
            note: format!("{name}: {text}, {}", words::p_value(figures.p_sign_flip)),
            series: Series::new(name, shown.map_or(7, |shown| shown.look)),
            value: figures.difference.mean,
            interval: figures
                .difference
                .interval
                .map(|interval| (interval.low, interval.high)),
            text,
            strong: false,
            reference: None,
        }
    };
    let chart = ForestChart {
        heading: heading(&question),
        values: Axis {
            title: "difference in percentage points".to_owned(),
            scale: AxisScale::Linear {
                domain: None,
                zero: true,
            },
            format: NumberFormat::Points,
        },
        rows: ordered.iter().map(row).collect(),
        guide: Some((0.0, "no difference".to_owned())),
        text_title: "mean · verdict".to_owned(),
    };
    let who = baseline.map_or_else(String::new, |name| format!("Baseline: {}. ", words::name(name)));
    Figure {
        id: "differences",
        answer: format!("{who}Left of the line is worse, right of it better."),
        definition: format!(
            "Differences are taken trajectory by trajectory, so that what is hard for both runs cancels out. Shown are the mean and a \
             {level} interval. The verdict is that of a sign-flip test, adjusted for the number of comparisons (Holm); “no difference \
             shown” means that the trajectories are too few to tell, not that the runs are equal."
        ),
        charts: vec![chart.svg()],
        tall: true,
        table: difference_table(&ordered),
        question,
        ..Figure::default()
    }
}

fn difference_table(ordered: &[&PairedFigures]) -> Table {
    let mut table = Table::new([
        "run",
        "against",
        "#difference",
        "#low",
        "#high",
        "#better",
        "#equal",
        "#worse",
        "#p",
        "#p (Wilcoxon)",
        "#d_z",
        "verdict",
    ]);
    for figures in ordered {
        let difference = &figures.difference;
        let count = |n: usize| Cell::count(u64::try_from(n).unwrap_or(u64::MAX));
        table.rows.push(Row::of(vec![
            Cell::text(figures.run.clone()),
            Cell::text(figures.baseline.clone()),
            Cell::points(difference.mean),
            Cell::points(difference.interval.map(|interval| interval.low)),
            Cell::points(difference.interval.map(|interval| interval.high)),
            count(difference.wins),
            count(difference.ties),
            count(difference.losses),
            Cell::number(figures.p_sign_flip, NumberFormat::Number),
            Cell::number(figures.p_wilcoxon, NumberFormat::Number),
            Cell::number(difference.cohens_dz, NumberFormat::Number),
            Cell::text(figures.verdict.words()),
        ]));
    }
    table
}
