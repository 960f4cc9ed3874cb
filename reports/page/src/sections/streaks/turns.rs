//! What starts and what ends streaks.

use napsim_analysis::streaks::Turn;
use napsim_charts::{Bar, BarChart, BarGroup, Series};

use super::super::heading;
use super::{Of, first};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table, exact};
use crate::words;

/// The charts for the best run that has streaks.
pub(super) fn figures(all: &[Of<'_, '_>]) -> Vec<Figure> {
    let Some((shown, streaks)) = first(all) else {
        return Vec::new();
    };
    let name = shown.name();
    vec![turns(name, &streaks.by_kind, &streaks.by_trigger), ends(all)]
}

fn turns(name: &str, by_kind: &[Turn], by_trigger: &[Turn]) -> Figure {
    let question = "What starts and ends streaks?";
    let chart = |title: &str, id: &str, turns: &[Turn]| {
        let kinds: Vec<&Turn> = turns.iter().filter(|turn| turn.starts + turn.ends > 0).collect();
        let group = |label: &str, look, share: fn(&Turn) -> Option<f64>| BarGroup {
            series: Series::new(label, look),
            bars: kinds.iter().map(|turn| share(turn).map(Bar::new)).collect(),
        };
        let chart = BarChart::shares(
            heading(title).sized(560.0, 330.0),
            id,
            kinds.iter().map(|turn| turn.kind.name().to_owned()).collect(),
            title,
            vec![
                group("starts with", 0, |turn| turn.start_share),
                group("is ended by a rejected", 1, |turn| turn.end_share),
            ],
        );
        chart.svg()
    };
    let mut table = Table::new(["of", "kind", "#starts", "#share of starts", "#ends", "#share of ends"]);
    for (of, turns) in [("proposal", by_kind), ("last user action", by_trigger)] {
        for turn in turns {
            table.rows.push(Row::of(vec![
                Cell::text(of),
                Cell::text(turn.kind.name()),
                Cell::count(turn.starts),
                Cell::percent(turn.start_share),
                Cell::count(turn.ends),
                Cell::percent(turn.end_share),
            ]));
        }
    }
    let most = |share: fn(&Turn) -> Option<f64>| {
        let known = by_kind.iter().filter_map(|turn| Some((turn.kind.name(), share(turn)?)));
        known.max_by(|left, right| left.1.total_cmp(&right.1))
    };
    let answer = most(|turn| turn.start_share).map_or_else(String::new, |(start, share)| {
        let end = most(|turn| turn.end_share).map_or_else(String::new, |(end, share)| {
            format!(
                "; most often a rejected {end} proposal ends them ({})",
                words::percent(share)
            )
        });
        format!(
            "Streaks of {} most often start with {start} ({}){end}.",
            words::name(name),
            words::percent(share)
        )
    });
    Figure {
        id: "streak-turns",
        question: question.to_owned(),
        answer,
        definition: format!(
            "For {}: the kind of the proposal that a streak starts with, and of the rejected proposal that ends it (left); the same by \
             the kind of the user's last action before it (right). The kind of a proposal is that of its first action.",
            words::name(name)
        ),
        charts: vec![
            chart("share, by kind of the proposal", "turn-kind", by_kind),
            chart("share, by kind of the user's last action", "turn-trigger", by_trigger),
        ],
        table,
        ..Figure::default()
    }
}

/// What ended the streaks of each run.
fn ends(all: &[Of<'_, '_>]) -> Figure {
    let question = "Do streaks end by rejection, or because nothing is left to do?";
    let known: Vec<_> = all.iter().filter(|(_, streaks)| streaks.streaks.n > 0).collect();
    let labels = known
        .first()
        .map(|(_, streaks)| streaks.ends.rows().map(|(label, _)| label))
        .unwrap_or_default();
    let group = |(place, label): (usize, &str)| BarGroup {
        series: Series::new(label, place),
        bars: known
            .iter()
            .map(|(_, streaks)| {
                let n = streaks.ends.rows().get(place).map_or(0, |(_, n)| *n);
                (streaks.streaks.n > 0).then(|| Bar::new(exact(n) / exact(streaks.streaks.n)))
            })
            .collect(),
    };
    let height = 110.0 + 34.0 * f64::from(u32::try_from(known.len()).unwrap_or_default());
    let mut chart = BarChart::shares(
        heading(question).sized(760.0, height),
        "streak-ends",
        known.iter().map(|(shown, _)| shown.name().to_owned()).collect(),
        "",
        labels
            .iter()
            .enumerate()
            .map(|(place, label)| group((place, label)))
            .collect(),
    );
    chart.stacked = true;
    chart.lying = true;
    chart.values = napsim_charts::Axis::share("share of streaks");
    let mut table = Table::new(["run", "ended by", "#streaks"]);
    for (shown, streaks) in &known {
        for (label, n) in streaks.ends.rows() {
            let cells = vec![Cell::text(shown.name()), Cell::text(label), Cell::count(n)];
            table.rows.push(Row::of_run(&shown.group(), cells));
        }
    }
    Figure {
        id: "streak-ends",
        question: question.to_owned(),
        definition: "What came after the last acceptance of each streak.".to_owned(),
        charts: vec![chart.svg()],
        table,
        ..Figure::default()
    }
}
