//! Why one run saves more than another: how often it proposes, how often that is accepted, and what an acceptance saves.
//!
//! Pooled over trajectories, UAS is the product of the three, so whatever makes two runs differ is in one of them.

use napsim_charts::{Axis, ForestChart, ForestRow, NumberFormat};

use super::heading;
use crate::ReportRun;
use crate::choice::{Page, Shown};
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// The three factors of pooled UAS.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Factors {
    /// Predictions an action of the trajectories.
    proposals: f64,
    /// Accepted predictions / predictions.
    accepted: f64,
    /// User actions saved an accepted prediction, corrections counted against it.
    saved: f64,
}

impl Factors {
    /// Over the trajectories of a run that have a UAS; absent where nothing was predicted or accepted.
    fn of(run: &ReportRun) -> Option<Self> {
        let mut sums = [0_u64; 4];
        for unit in run.compared.repeats.iter().flatten() {
            let summary = &unit.summary;
            if unit.is_aborted() || summary.uas.is_none() {
                continue;
            }
            let counts = [
                summary.actions,
                summary.user_steps,
                summary.predictions,
                summary.accepted,
            ];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
        let [actions, user_steps, predictions, accepted] = sums.map(crate::markup::exact);
        (actions > 0.0 && predictions > 0.0 && accepted > 0.0).then(|| Self {
            proposals: predictions / actions,
            accepted: accepted / predictions,
            saved: (actions - user_steps) / accepted,
        })
    }
}

/// One sentence on what a single run's savings are made of, or on what makes the best differ from the best of another
/// predictor or setting.
pub(super) fn sentences(page: &Page<'_>) -> Vec<String> {
    let Some(best) = page.best() else {
        return Vec::new();
    };
    // Of runs that are not ranked none is explained rather than another.
    if !page.is_single() && best.figures.rank != Some(1) {
        return Vec::new();
    }
    let Some(factors) = Factors::of(best.run) else {
        let name = words::name(best.name());
        let is_any_accepted = best.run.analysis.basis().accepted > 0;
        return vec![if is_any_accepted {
            format!("{name} has no UAS to explain, as limits stopped its rollouts.")
        } else {
            format!("{name} has no accepted prediction to explain anything by.")
        }];
    };
    let hundred = NumberFormat::Number.text(100.0 * factors.proposals);
    let mut sentences = vec![format!(
        "Why: {} proposes {hundred} times for every 100 actions, {} of all proposals are accepted, and each acceptance saves {} on \
         average.",
        words::name(best.name()),
        words::percent(factors.accepted),
        match NumberFormat::Number.text(factors.saved) {
            one if one == "1" => "1 action".to_owned(),
            other => format!("{other} actions"),
        }
    )];
    sentences.extend(against(page, best, factors));
    sentences
}

/// What sets the best apart from the next shown run that it beats.
fn against(page: &Page<'_>, best: Shown<'_>, factors: Factors) -> Option<String> {
    let others = page
        .shown
        .iter()
        .filter(|other| other.idx != best.idx && other.figures.is_complete() && best.figures.is_complete());
    let (other, theirs) = others
        .filter_map(|other| Some((other, Factors::of(other.run)?)))
        .next()?;
    let parts = [
        (
            "proposes more often",
            "proposes less often",
            factors.proposals / theirs.proposals,
        ),
        (
            "is accepted more often",
            "is accepted less often",
            factors.accepted / theirs.accepted,
        ),
        (
            "saves more an acceptance",
            "saves less an acceptance",
            factors.saved / theirs.saved,
        ),
    ];
    let mut drawn: Vec<String> = Vec::new();
    for (more, less, ratio) in parts {
        /// Ratios nearer to 1 than this make no difference worth a word.
        const ALIKE: f64 = 0.03;
        if !ratio.is_finite() || ratio <= 0.0 || (ratio - 1.0).abs() < ALIKE {
            continue;
        }
        let text = NumberFormat::Number.text(if ratio > 1.0 { ratio } else { 1.0 / ratio });
        drawn.push(format!(
            "{} (by a factor of {text})",
            if ratio > 1.0 { more } else { less }
        ));
    }
    (!drawn.is_empty()).then(|| format!("Against {}, it {}.", words::name(other.name()), words::list(&drawn)))
}

/// The three factors of the shown runs, beside each other.
pub(super) fn figure(page: &Page<'_>) -> Option<Figure> {
    let known: Vec<(&Shown<'_>, Factors)> = page
        .shown
        .iter()
        .filter_map(|shown| Some((shown, Factors::of(shown.run)?)))
        .collect();
    if known.len() < 2 {
        return None;
    }
    let question = "Where does the difference come from?";
    let chart = |title: &str, format: NumberFormat, value: fn(&Factors) -> f64| {
        let row = |(shown, factors): &(&Shown<'_>, Factors)| ForestRow {
            series: shown.series(),
            value: Some(value(factors)),
            text: format.text(value(factors)),
            note: format!("{}: {}", shown.name(), format.text(value(factors))),
            ..ForestRow::default()
        };
        let chart = ForestChart {
            heading: heading(title).sized(400.0, 120.0),
            values: Axis::linear(title, format),
            rows: known.iter().map(row).collect(),
            guide: None,
            text_title: String::new(),
        };
        chart.svg()
    };
    let mut table = Table::new([
        "run",
        "#predictions an action",
        "#accepted share",
        "#saved an acceptance",
        "#UAS, pooled",
    ]);
    for (shown, factors) in &known {
        table.rows.push(Row::of_run(
            &shown.group(),
            vec![
                Cell::text(shown.name()),
                Cell::number(Some(factors.proposals), NumberFormat::Number),
                Cell::percent(Some(factors.accepted)),
                Cell::number(Some(factors.saved), NumberFormat::Number),
                Cell::percent(Some(factors.proposals * factors.accepted * factors.saved)),
            ],
        ));
    }
    Some(Figure {
        id: "why",
        question: question.to_owned(),
        answer: "Pooled UAS is the product of these three, so a run can save more by proposing more often, by being accepted more \
                 often, or by saving more with each acceptance."
            .to_owned(),
        definition: "Predictions an action: non-empty proposals / actions of the trajectories. Accepted share: accepted / \
                     predictions, pooled. Saved an acceptance: (actions of the trajectories − user actions) / accepted \
                     predictions, so that corrections of accepted proposals count against it."
            .to_owned(),
        charts: vec![
            chart("predictions an action", NumberFormat::Number, |factors| factors.proposals),
            chart("accepted share of predictions", NumberFormat::Percent, |factors| factors.accepted),
            chart("actions saved an acceptance", NumberFormat::Number, |factors| factors.saved),
        ],
        table,
        ..Figure::default()
    })
}
