//! What is saved, what is wrong, and what that costs: the taxonomy of errors, properties, undo actions.

mod undo;

use napsim_analysis::{ErrorKind, ErrorTaxonomy, FalsePositives};
use napsim_charts::{Axis, Bar, BarChart, BarGroup, NumberFormat, Series};

use super::{Section, heading};
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

/// Properties that are drawn; the numbers have all.
const PROPERTIES_MAX: usize = 14;

pub(super) fn section(page: &Page<'_>) -> Section {
    let mut section = Section::new(
        "mistakes",
        "Right, wrong, and undone",
        "What accepted proposals save and what they cost, and what is wrong with those that are rejected.",
    );
    section.figure(&errors(page));
    if let Some(best) = page.best() {
        section.figure(&saved(best));
        section.figure(&properties(best));
    }
    section.figures(undo::figures(page));
    section
}

fn errors(page: &Page<'_>) -> Figure {
    let question = "What is wrong with rejected proposals?";
    let all: Vec<(&Shown<'_>, ErrorTaxonomy)> = page
        .shown
        .iter()
        .map(|shown| (shown, shown.run.analysis.errors()))
        .collect();
    let group = |(place, kind): (usize, ErrorKind)| BarGroup {
        series: Series::new(kind.label(), place),
        bars: all
            .iter()
            .map(|(_, of)| {
                let row = of.rows.iter().find(|row| row.kind == kind)?;
                row.rejected_share.map(Bar::new)
            })
            .collect(),
    };
    let height = 130.0 + 34.0 * f64::from(u32::try_from(all.len()).unwrap_or_default());
    let mut chart = BarChart::shares(
        heading(question).sized(820.0, height),
        "errors",
        all.iter().map(|(shown, _)| shown.name().to_owned()).collect(),
        "",
        ErrorKind::ALL.into_iter().enumerate().map(group).collect(),
    );
    chart.stacked = true;
    chart.lying = true;
    chart.values = Axis::share("share of the actions of rejected predictions");
    let answer = all.first().and_then(|(shown, of)| {
        let known = of.rows.iter().filter_map(|row| Some((row, row.rejected_share?)));
        let (most, share) = known.max_by(|left, right| left.1.total_cmp(&right.1))?;
        let later = of
            .rows
            .iter()
            .find(|row| row.kind == ErrorKind::RightLater)?
            .rejected_share?;
        Some(format!(
            "{}: most often “{}” ({}). {} of the rejected actions would have been right at a later time.",
            words::name(shown.name()),
            most.kind.label(),
            words::percent(share),
            words::percent(later)
        ))
    });
    let kinds: Vec<String> = ErrorKind::ALL
        .iter()
        .map(|kind| format!("`{}`: {}", kind.label(), kind.definition()))
        .collect();
    Figure {
        id: "errors",
        question: question.to_owned(),
        answer: answer.unwrap_or_default(),
        definition: format!(
            "Each proposed action is held against what the user still had to do. {} What is left to do is followed through the recorded \
             events; where the user's remaining actions were rewritten in part, a few may be told apart otherwise than by a full \
             replay. An action of a rejected prediction may be right: the policy judges the prediction as a whole.",
            kinds.join(" ")
        ),
        charts: vec![chart.svg()],
        table: errors_table(&all),
        ..Figure::default()
    }
}

fn errors_table(all: &[(&Shown<'_>, ErrorTaxonomy)]) -> Table {
    let mut table = Table::new([
        "run",
        "what",
        "#rejected",
        "#share of rejected",
        "#accepted",
        "#share of accepted",
    ]);
    for (shown, of) in all {
        for row in &of.rows {
            table.rows.push(Row::of_run(
                &shown.group(),
                vec![
                    Cell::text(shown.name()),
                    Cell::text(row.kind.label()),
                    Cell::count(row.rejected),
                    Cell::percent(row.rejected_share),
                    Cell::count(row.accepted),
                    Cell::percent(row.accepted_share),
                ],
            ));
        }
    }
    table
}

fn saved(best: Shown<'_>) -> Figure {
    let question = "Which actions are saved, and which have to be undone?";
    let shares = best.run.analysis.kind_shares();
    let kinds: Vec<_> = shares
        .rows
        .iter()
        .filter(|row| row.removed + row.undo + row.accepted > 0)
        .collect();
    let group = |label: &str, look, count: fn(&napsim_analysis::KindShare) -> u64| BarGroup {
        series: Series::new(label, look),
        bars: kinds.iter().map(|row| Some(Bar::new(exact(count(row))))).collect(),
    };
    let mut chart = BarChart::shares(
        heading(question),
        "saved",
        kinds.iter().map(|row| row.kind.name().to_owned()).collect(),
        "",
        vec![
            group("no longer to do", 2, |row| row.removed),
            group("proposed and accepted", 0, |row| row.accepted),
            group("undo actions", 1, |row| row.undo),
        ],
    );
    chart.values = Axis::linear("actions", NumberFormat::Count);
    let mut table = Table::new(["kind", "#no longer to do", "#proposed and accepted", "#undo actions"]);
    for row in &shares.rows {
        let counts = [row.removed, row.accepted, row.undo].map(Cell::count);
        table.rows.push(Row::of(
            std::iter::once(Cell::text(row.kind.name())).chain(counts).collect(),
        ));
    }
    let (removed, undone): (u64, u64) = (
        shares.rows.iter().map(|row| row.removed).sum(),
        shares.rows.iter().map(|row| row.undo).sum(),
    );
    Figure {
        id: "saved",
        question: question.to_owned(),
        answer: format!(
            "{}: accepted proposals made {} unnecessary and added {}.",
            words::name(best.name()),
            words::counted(removed, "action"),
            words::counted(undone, "undo action")
        ),
        definition: format!(
            "For {}: actions of the user's future that accepted predictions made unnecessary, the proposed actions that did it, and \
             the undo actions that were added because of what they did wrong.",
            words::name(best.name())
        ),
        charts: vec![chart.svg()],
        table,
        ..Figure::default()
    }
}

fn properties(best: Shown<'_>) -> Figure {
    let question = "Which properties come out wrong?";
    let of = best.run.analysis.false_positives();
    let drawn: Vec<_> = of.rows.iter().take(PROPERTIES_MAX).collect();
    let group = |label: &str, look, count: fn(&napsim_analysis::false_positives::PropertyRow) -> u64| BarGroup {
        series: Series::new(label, look),
        bars: drawn
            .iter()
            .map(|row| {
                let whole = row.tp + row.fp + row.mm;
                (whole > 0).then(|| Bar {
                    note: format!(
                        "{} · {label}: {} of {}",
                        row.property,
                        NumberFormat::Count.text(exact(count(row))),
                        NumberFormat::Count.text(exact(whole))
                    ),
                    ..Bar::new(exact(count(row)) / exact(whole))
                })
            })
            .collect(),
    };
    let height = 110.0 + 26.0 * f64::from(u32::try_from(drawn.len()).unwrap_or_default());
    let mut chart = BarChart::shares(
        heading(question).sized(820.0, height),
        "properties",
        drawn.iter().map(|row| row.property.clone()).collect(),
        "",
        vec![
            group("right", 2, |row| row.tp),
            group("wrong value", 4, |row| row.mm),
            group("not wanted (false positive)", 1, |row| row.fp),
        ],
    );
    chart.stacked = true;
    chart.lying = true;
    chart.values = Axis::share("share of the properties that are present");
    let answer = of.rows.first().filter(|row| row.fp > 0).map(|row| {
        format!(
            "{}: most false positives are of {} ({}).",
            words::name(best.name()),
            words::name(&row.property),
            words::percent_or_dash(row.fp_share)
        )
    });
    Figure {
        id: "properties",
        question: question.to_owned(),
        answer: answer.unwrap_or_default(),
        definition: format!(
            "For {}, over all predictions, accepted or not: the properties in the cells that proposal and future touch, held against \
             the final sheet. The same cell counts again with each prediction, and so do properties that the proposal did not change; \
             precision in the tables counts only what a proposal changed. tp: right, fp: not wanted, fn: missing, mm: wrong value. \
             The properties with most false positives come first{}.",
            words::name(best.name()),
            if of.rows.len() > PROPERTIES_MAX {
                "; the numbers have the others"
            } else {
                ""
            }
        ),
        charts: vec![chart.svg()],
        table: properties_table(&of),
        ..Figure::default()
    }
}

fn properties_table(of: &FalsePositives) -> Table {
    let mut table = Table::new([
        "property",
        "#tp",
        "#fp",
        "#fn",
        "#mm",
        "#precision",
        "#recall",
        "#share of false positives",
    ]);
    for row in &of.rows {
        let counts = [row.tp, row.fp, row.missing, row.mm].map(Cell::count);
        let shares = [row.precision, row.recall, row.fp_share].map(Cell::percent);
        table.rows.push(Row::of(
            std::iter::once(Cell::text(row.property.clone()))
                .chain(counts)
                .chain(shares)
                .collect(),
        ));
    }
    table
}
