//! The card of a model as a person or a program reads it.

use napsim_predictors::Model;
use napsim_predictors::model::{Card, Section};
use napsim_recurrent::EpochReport;
use napsim_reports::table::{count, counts_table, percent};
use napsim_training::evaluation::{Evaluation, Tally};
use serde::Serialize;
use serde_json::Value;

use super::ranking::{RANKING, savings};
use crate::cli::train::curve::Curve;
use crate::console;
use crate::exit::Failure;

/// The metric that has a table of its own.
const NEXT_ACTION: &str = "next_action";

/// The metric that is drawn as a curve.
const EPOCHS: &str = "epochs";

/// Metrics that do not fit a line.
const NOT_LINES: [&str; 4] = [NEXT_ACTION, EPOCHS, RANKING, "losses"];

/// The card as JSON.
#[derive(Serialize)]
struct CardObject<'a> {
    schema: &'static str,
    #[serde(flatten)]
    card: &'a Card,
    sections: Vec<SectionObject<'a>>,
}

#[derive(Serialize)]
struct SectionObject<'a> {
    name: &'a str,
    bytes: usize,
}

/// Prints the card of a model.
pub(crate) fn print(model: &Model, json: bool) -> Result<(), Failure> {
    if !json {
        return console::print_untrusted(&text(model, console::width()));
    }
    let section = |section: &'_ Section| (section.name.clone(), section.content.len());
    let sections: Vec<_> = model.sections().iter().map(section).collect();
    let object = CardObject {
        schema: "napsim-model-card/1",
        card: model.card(),
        sections: sections
            .iter()
            .map(|(name, bytes)| SectionObject { name, bytes: *bytes })
            .collect(),
    };
    let object = serde_json::to_string(&object).map_err(Failure::environment)?;
    console::print(&format!("{object}\n"))
}

fn text(model: &Model, width: u16) -> String {
    let card = model.card();
    let mut text = String::new();
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name:<12} {value}\n"));
    line("kind", &format!("{}, version {}", card.kind, card.kind_version));
    line("fingerprint", &card.fingerprint);
    line(
        "trained",
        &format!("{} by napsim {}, seed {}", card.date, card.program, card.seed),
    );
    line("features", &card.features);
    for (name, value) in &card.settings {
        line(name, &plain(value));
    }
    let split = [
        ("training", card.split.train),
        ("validation", card.split.valid),
        ("testing", card.split.test),
    ];
    let split: Vec<String> = split
        .iter()
        .map(|(part, n)| format!("{} for {part}", count(*n)))
        .collect();
    line("sequences", &split.join(", "));
    for (name, value) in card
        .metrics
        .iter()
        .filter(|(name, _)| !NOT_LINES.contains(&name.as_str()))
    {
        line(name, &plain(value));
    }
    text.push('\n');
    text.push_str(&data(card, width));
    if let Some(table) = next_action(card, width) {
        text.push('\n');
        text.push_str(&table);
    }
    if let Some(table) = savings(card, width) {
        text.push('\n');
        text.push_str(&table);
    }
    if let Some(curve) = curve(card) {
        text.push('\n');
        text.push_str(&curve.text(width));
    }
    text
}

/// A value of settings or metrics; numbers with their thousands apart.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(n), _) => count(n),
            // As many digits as anybody compares.
            (None, Some(n)) => ((n * 1e4).round() / 1e4).to_string(),
            (None, None) => number.to_string(),
        },
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name} {}", plain(value)));
            members.collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    }
}

fn data(card: &Card, width: u16) -> String {
    let header = ["data", "sequences", "actions", "bad lines", "SHA-256"].map(str::to_owned);
    let rows: Vec<Vec<String>> = card
        .data
        .iter()
        .map(|source| {
            let hash: String = source.sha256.chars().take(12).collect();
            vec![
                source.name.clone(),
                count(source.n_sequences),
                count(source.n_actions),
                count(source.n_bad_lines),
                format!("{hash}…"),
            ]
        })
        .collect();
    counts_table(&header, &rows, width)
}

/// How often the next action of validation sequences was named; nothing where that was not measured.
fn next_action(card: &Card, width: u16) -> Option<String> {
    let evaluation: Evaluation = serde_json::from_value(card.metrics.get(NEXT_ACTION)?.clone()).ok()?;
    if evaluation.all.n_positions == 0 {
        return None;
    }
    let header = ["next action", "asked", "answered", "kind", "range", "value", "action"].map(str::to_owned);
    let mut rows = vec![row("all", &evaluation.all)];
    // The most frequent first.
    let mut families: Vec<_> = evaluation.families.iter().collect();
    families.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.n_positions));
    rows.extend(families.into_iter().map(|(family, tally)| row(family, tally)));
    Some(counts_table(&header, &rows, width))
}

/// Losses by epoch, where the model was trained in epochs.
fn curve(card: &Card) -> Option<Curve> {
    let epochs: Vec<EpochReport> = serde_json::from_value(card.metrics.get(EPOCHS)?.clone()).ok()?;
    Some(Curve::of(&epochs))
}

fn row(name: &str, tally: &Tally) -> Vec<String> {
    let share = |n: u64| percent((tally.n_positions > 0).then(|| as_float(n) / as_float(tally.n_positions)));
    vec![
        name.to_owned(),
        count(tally.n_positions),
        share(tally.answered),
        share(tally.kind),
        share(tally.range),
        share(tally.value),
        share(tally.action),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn as_float(n: u64) -> f64 {
    n as f64
}
