//! Kinds of action: what is done, what is proposed, what of it is accepted.

mod heat;

use napsim_analysis::KindShares;
use napsim_analysis::published::{self, Published};
use napsim_analysis::shares::KindShare;
use napsim_charts::{Axis, Bar, BarChart, BarGroup, BarReference, NumberFormat, Series};

use super::{Section, heading};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "kinds",
        "Kinds of action",
        "The paper's nine kinds. Contents and formulas are input; number formats are format; wrapping and orientation count as align.",
    );
    if let Some(best) = page.best() {
        section.figure(&shares(best));
    }
    section.figure(&heat::figure(page));
    section.figure(&over(page));
    section
}

/// One of the four shares of a kind: how it is called, the share, and the published one.
type Share = (
    &'static str,
    fn(&KindShare) -> Option<f64>,
    fn(&KindShare) -> Option<Published>,
);

const SHARES: [Share; 4] = [
    (
        "done in the trajectories",
        |row| row.truth_share,
        |row| row.published?.truth,
    ),
    ("proposed", |row| row.proposed_share, |row| row.published?.proposed),
    ("accepted", |row| row.accepted_share, |row| row.published?.accepted),
    ("rejected", |row| row.rejected_share, |row| row.published?.rejected),
];

fn shares(best: Shown<'_>) -> Figure {
    let question = "Is proposed what people do?";
    let shares: KindShares = best.run.analysis.kind_shares();
    let group = |(look, (label, share, _)): (usize, &Share)| BarGroup {
        series: Series::new(*label, look),
        bars: shares.rows.iter().map(|row| share(row).map(Bar::new)).collect(),
    };
    let mut chart = BarChart::shares(
        heading(question),
        "kind-shares",
        shares.rows.iter().map(|row| row.kind.name().to_owned()).collect(),
        "share of actions",
        SHARES.iter().enumerate().map(group).collect(),
    );
    for (category, row) in shares.rows.iter().enumerate() {
        for (group, (label, _, published)) in SHARES.iter().enumerate() {
            if let Some(published) = published(row) {
                chart.references.push(BarReference {
                    category,
                    group: Some(group),
                    value: published.value,
                    name: published::LABEL.to_owned(),
                    note: format!("{}: {} {label}, {}", published::LABEL, row.kind.name(), published.text),
                });
            }
        }
    }
    Figure {
        id: "kind-shares",
        question: question.to_owned(),
        answer: over_and_under(best.name(), &shares),
        definition: format!(
            "For {}: the share of each kind among the actions of the trajectories, among all proposed actions, and among those of \
             accepted and of rejected predictions. A proposal of three actions counts three times. Marks: what the paper names of \
             GPT-5, on its own trajectories.",
            words::name(best.name())
        ),
        charts: vec![chart.svg()],
        table: shares_table(&shares),
        ..Figure::default()
    }
}

fn shares_table(shares: &KindShares) -> Table {
    let mut table = Table::new([
        "kind",
        "#done",
        "#done, share",
        "#proposed",
        "#proposed, share",
        "#accepted",
        "#accepted, share",
        "#rejected",
        "#rejected, share",
        "#accepted of proposed",
        "#proposed − done",
        "#saved",
        "#undo actions",
    ]);
    for row in &shares.rows {
        table.rows.push(Row::of(vec![
            Cell::text(row.kind.name()),
            Cell::count(row.truth),
            Cell::percent(row.truth_share),
            Cell::count(row.proposed),
            Cell::percent(row.proposed_share),
            Cell::count(row.accepted),
            Cell::percent(row.accepted_share),
            Cell::count(row.rejected),
            Cell::percent(row.rejected_share),
            Cell::percent(row.acceptance_rate),
            Cell::points(row.over),
            Cell::count(row.removed),
            Cell::count(row.undo),
        ]));
    }
    table
}

/// Which kinds are proposed most too often and most too rarely.
fn over_and_under(name: &str, shares: &KindShares) -> String {
    let known: Vec<(&str, f64)> = shares
        .rows
        .iter()
        .filter_map(|row| Some((row.kind.name(), row.over?)))
        .collect();
    let most = known.iter().max_by(|left, right| left.1.total_cmp(&right.1));
    let least = known.iter().min_by(|left, right| left.1.total_cmp(&right.1));
    match (most, least) {
        (Some((over, more)), Some((under, less))) if *more > 0.0 && *less < 0.0 => format!(
            "{} proposes {over} too often ({} more of its proposals than of the user's actions) and {under} too rarely ({} less).",
            words::name(name),
            words::points(*more),
            words::points(*less)
        ),
        _ => String::new(),
    }
}

fn over(page: &Page<'_>) -> Figure {
    let question = "What is proposed too often, and what too rarely?";
    let all: Vec<_> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.kind_shares()))
        .collect();
    let rows = all
        .first()
        .map(|(_, shares)| shares.rows.as_slice())
        .unwrap_or_default();
    let kinds: Vec<&str> = rows.iter().map(|row| row.kind.name()).collect();
    let of = |shares: &KindShares, kind: &str| {
        shares
            .rows
            .iter()
            .find(|row| row.kind.name() == kind)
            .and_then(|row| row.over)
    };
    let group = |(shown, shares): &(&Shown<'_>, KindShares)| BarGroup {
        series: shown.series(),
        bars: kinds.iter().map(|kind| of(shares, kind).map(Bar::new)).collect(),
    };
    let mut chart = BarChart::shares(
        heading(question),
        "kind-over",
        kinds.iter().map(|kind| (*kind).to_owned()).collect(),
        "",
        all.iter().map(group).collect(),
    );
    chart.values = Axis::linear(
        "share of proposed actions − share of the user's actions, in points",
        NumberFormat::Points,
    );
    for (category, row) in rows.iter().enumerate() {
        let known = row
            .published
            .and_then(|shares| Some((shares.proposed?.value, shares.truth?.value)));
        chart.references.extend(known.map(|(proposed, truth)| BarReference {
            category,
            group: None,
            value: proposed - truth,
            name: published::LABEL.to_owned(),
            note: format!("{}: {}", published::LABEL, NumberFormat::Points.text(proposed - truth)),
        }));
    }
    let mut table = Table::new(["run", "kind", "#proposed − done"]);
    for (shown, shares) in &all {
        for row in &shares.rows {
            let cells = vec![
                Cell::text(shown.name()),
                Cell::text(row.kind.name()),
                Cell::points(row.over),
            ];
            table.rows.push(Row::of_run(&shown.group(), cells));
        }
    }
    Figure {
        id: "kind-over",
        question: question.to_owned(),
        answer: "Bars above the line: proposed more often than people do it. Below: less often.".to_owned(),
        definition: "The share of a kind among all proposed actions, less its share among the actions of the trajectories. Marks: the \
                     paper's GPT-5, on its own trajectories."
            .to_owned(),
        charts: vec![chart.svg()],
        table,
        ..Figure::default()
    }
}
