//! Comparison, state to actions, mergers, sequencer, synthesis and fingerprints (spec 02, sections 4 to 11).

use std::sync::Arc;

use napsim_sim::compare::{Compared, Match, Place, Record, Totals, compare};
use napsim_sim::fingerprint::Fingerprint;
use napsim_sim::mergers::{GrowFirst, merge_borders, merge_rectangles};
use napsim_sim::protocol::Protocol;
use napsim_sim::sequencer::sequence;
use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_sim::state_actions::actions_of;
use napsim_sim::synthesis::{sides_of, synthesize, undo_actions};
use napsim_trajectories::{Action, Bounds, Range, Value, json};

use super::vectors::{Vector, check_same, for_each_vector, int, object};

/// One action of a vector: a line, or a line with its inverse flag.
pub(crate) fn read_action(value: &Value) -> Result<Action, String> {
    let parse = |text: &str| Action::parse(text).map_err(|error| format!("{text}: {error}"));
    match (value, value.get("s"), value.get("inv")) {
        (Value::Text(text), ..) => parse(text),
        (_, Some(Value::Text(text)), Some(Value::Bool(inverse))) => Ok(parse(text)?.with_inverse(*inverse)),
        _ => Err(format!("not an action: {value:?}")),
    }
}

/// The actions under a key of a vector.
pub(crate) fn read_actions(vector: &Vector, key: &str) -> Result<Vec<Action>, String> {
    vector.list(key)?.iter().map(read_action).collect()
}

/// Actions in the vectors' notation: an object where the flag is not what the line alone would give.
pub(crate) fn written<'a>(actions: impl IntoIterator<Item = &'a Action>) -> Value {
    let write = |action: &Action| {
        let text = action.to_string();
        let given = Action::parse(&text).is_ok_and(|again| again.is_inverse());
        if given == action.is_inverse() {
            return Value::text(text);
        }
        let entries: Vec<(Arc<str>, Value)> = vec![
            ("s".into(), Value::text(text)),
            ("inv".into(), action.is_inverse().into()),
        ];
        Value::Object(entries.into())
    };
    Value::list(actions.into_iter().map(write).collect::<Vec<_>>())
}

/// A state, given as such or by the actions that make it.
fn read_state(value: &Value) -> Result<Workbook, String> {
    match value {
        Value::List(actions) => {
            let actions = actions.iter().map(read_action).collect::<Result<Vec<_>, _>>()?;
            let mut workbook = Workbook::default();
            workbook.apply_lenient(&actions);
            Ok(workbook)
        }
        _ => Workbook::from_json(value).map_err(|error| error.to_string()),
    }
}

/// Counts by property type in the vectors' notation.
pub(crate) fn types(totals: &Totals) -> Value {
    let entries = totals.by_type().map(|(property_type, counts)| {
        let counts = object(vec![
            ("TP", int(counts.tp)),
            ("FP", int(counts.fp)),
            ("FN", int(counts.missing)),
            ("MISMATCH", int(counts.mm)),
        ]);
        (Arc::from(property_type.name()), counts)
    });
    Value::Object(entries.collect())
}

fn difference_line(record: &Record) -> Value {
    let merged = |bounds: &Bounds| {
        Value::list(
            [bounds.first_row, bounds.first_col, bounds.last_row, bounds.last_col]
                .map(Value::Int)
                .to_vec(),
        )
    };
    let (predicted, target) = match &record.place {
        Place::Merge(bounds) => (
            (record.outcome != Match::FalseNegative).then(|| merged(bounds)),
            (record.outcome != Match::FalsePositive).then(|| merged(bounds)),
        ),
        Place::Cell(_) => (record.predicted.clone(), record.target.clone()),
    };
    Value::list([
        Value::text(&*record.sheet),
        Value::text(record.place.to_string()),
        record.compared.path().into(),
        record.outcome.name().into(),
        predicted.unwrap_or(Value::Null),
        target.unwrap_or(Value::Null),
    ])
}

fn check_comparison(vector: &Vector) -> Result<(), String> {
    let (predicted, target) = (read_state(vector.get("pred")?)?, read_state(vector.get("true")?)?);
    let mut totals = Totals::default();
    let mut records = Vec::new();
    compare(&Protocol::NAPE_1, &predicted, &target, &mut |difference| {
        totals.add(&difference);
        records.push(difference.to_record());
    });
    let counts = totals.counts;
    let expected = ["tp", "fp", "fn", "mm", "precision", "recall", "f1", "types"]
        .map(|key| vector.get(key).map(|value| (key, value.clone())));
    let expected = object(expected.into_iter().collect::<Result<Vec<_>, _>>()?);
    let got = object(vec![
        ("tp", int(counts.tp)),
        ("fp", int(counts.fp)),
        ("fn", int(counts.missing)),
        ("mm", int(counts.mm)),
        ("precision", counts.precision().into()),
        ("recall", counts.recall().into()),
        ("f1", counts.f1().into()),
        ("types", types(&totals)),
    ]);
    check_same(got, &expected)?;
    let mut lines: Vec<Value> = records.iter().map(difference_line).collect();
    lines.sort_by_key(json::write);
    let mut expected_lines = vector.list("differences")?.to_vec();
    expected_lines.sort_by_key(json::write);
    check_same(Value::list(lines), &Value::list(expected_lines))?;
    let undo = undo_actions(records.iter().filter(|record| record.outcome == Match::FalsePositive));
    check_same(
        written(&undo.map_err(|error| error.to_string())?),
        vector.get("inverse_ops")?,
    )
}

#[test]
fn golden_compare_states() {
    for_each_vector("compare.jsonl", "states", check_comparison);
}

#[test]
fn golden_compare_actions() {
    for_each_vector("compare.jsonl", "ops", check_comparison);
}

#[test]
fn golden_state_to_actions() {
    for_each_vector("parse.jsonl", "", |vector| {
        let actions = actions_of(&read_state(vector.get("state")?)?).map_err(|error| error.to_string())?;
        check_same(written(&actions), vector.get("out")?)
    });
}

#[test]
fn golden_mergers() {
    for_each_vector("merge.jsonl", "", |vector| {
        let actions = read_actions(vector, "ops")?;
        let merged = match vector.text("merger")? {
            "rectangle" => {
                let down = vector.get("row_first")?.is_truthy();
                merge_rectangles(&actions, if down { GrowFirst::Down } else { GrowFirst::Right })
            }
            _ => merge_borders(&actions),
        };
        check_same(written(&merged.map_err(|error| error.to_string())?), vector.get("out")?)
    });
}

#[test]
fn golden_sequencer() {
    for_each_vector("sequence.jsonl", "", |vector| {
        let mut actions = read_actions(vector, "ops")?;
        sequence(&mut actions);
        check_same(written(&actions), vector.get("out")?)
    });
}

#[test]
fn golden_fingerprints() {
    for_each_vector("fingerprint.jsonl", "", |vector| {
        let action = read_action(vector.get("op")?)?;
        let fingerprint = Fingerprint::of(&action).map_err(|error| error.to_string())?;
        let names = |names: Vec<&str>| Value::list(names.into_iter().map(Value::from).collect::<Vec<_>>());
        check_same(names(fingerprint.properties.names()), vector.get("types")?)?;
        let mut tuples: Vec<(String, &str)> = fingerprint
            .writes
            .iter()
            .flat_map(|(cell, set)| set.names().into_iter().map(move |name| (cell.to_string(), name)))
            .collect();
        tuples.sort();
        let tuples = tuples
            .iter()
            .map(|(cell, name)| Value::list([Value::text(&**cell), (*name).into()]));
        check_same(Value::list(tuples.collect::<Vec<_>>()), vector.get("tuples")?)
    });
}

/// A difference of a synthesis vector as a record.
fn read_record(value: &Value) -> Result<Record, String> {
    let text = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_text)
            .ok_or_else(|| format!("no `{key}`"))
    };
    let raw = |key: &str| value.get(key).filter(|value| !matches!(value, Value::Null)).cloned();
    let (path, cell) = (text("path")?, text("cell")?);
    let outcome = [
        Match::TruePositive,
        Match::FalsePositive,
        Match::FalseNegative,
        Match::Mismatch,
    ]
    .into_iter()
    .find(|outcome| Some(outcome.name()) == text("type").ok())
    .ok_or("unknown type")?;
    let mut record = Record {
        sheet: text("sheet")?.into(),
        place: Place::Cell(CellKey::from_text(cell)),
        compared: Compared::Merge,
        outcome,
        predicted: raw("pred"),
        target: raw("true"),
    };
    match path {
        "merged_cells" => record.place = Place::Merge(Range::parse(cell).map_err(|error| error.to_string())?.bounds()),
        // The comparison never makes this path; as a record it means a solid fill of that colour (spec 02, 6).
        "Format.fill.fgColor" => {
            let solid = |color: Value| object(vec![("fgColor", color), ("patternType", "solid".into())]);
            record.compared = Compared::Cell(Property::Fill);
            record.predicted = record.predicted.map(solid);
            record.target = record.target.map(solid);
        }
        _ => record.compared = Compared::Cell(Property::from_path(path).ok_or("unknown path")?),
    }
    Ok(record)
}

#[test]
fn golden_synthesis() {
    for_each_vector("synthesize.jsonl", "", |vector| {
        let records = vector
            .list("diffs")?
            .iter()
            .map(read_record)
            .collect::<Result<Vec<_>, _>>()?;
        let target = vector
            .find("target_state")
            .or_else(|| vector.find("target_ops"))
            .ok_or("no target")?;
        let target = read_state(target)?;
        let actions =
            synthesize(&records, |sheet, key| sides_of(&target, sheet, key)).map_err(|error| error.to_string())?;
        check_same(written(&actions), vector.get("out")?)
    });
}
