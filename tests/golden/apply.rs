//! What actions do to a state, strictly and leniently.

use std::sync::Arc;

use napsim_sim::compare::Match;
use napsim_sim::corrections::{CorrectionOptions, PathDifference, corrections};
use napsim_sim::state::Workbook;
use napsim_trajectories::parse::is_skipped;
use napsim_trajectories::{Action, Value, json};

use super::actions::read;
use super::describe::describe;
use super::vectors::{check_same, for_each_vector, object, texts};

#[test]
fn golden_apply() {
    for_each_vector("actions.jsonl", "apply", |vector| {
        let mut state = match vector.find("initial") {
            Some(initial) => Workbook::from_json(initial).map_err(|error| error.to_string())?,
            None => Workbook::default(),
        };
        let mut unread = Vec::new();
        let mut failed = Vec::new();
        for (op_idx, op) in (0_i64..).zip(vector.list("ops")?) {
            let Some(action) = action_of(op)? else {
                unread.push(Value::Int(op_idx));
                continue;
            };
            if let Err(error) = state.apply(&action) {
                failed.push(object([("index", Value::Int(op_idx)), ("error", error.code().into())]));
            }
        }
        let expected = vector.get("expected")?;
        let part = |key: &str| {
            expected
                .get(key)
                .ok_or_else(|| format!("the vector expects no `{key}`"))
        };
        check_same(Value::list(unread), part("parse_failed")?).map_err(|error| format!("parse_failed: {error}"))?;
        check_same(Value::list(failed), part("apply_failed")?).map_err(|error| format!("apply_failed: {error}"))?;
        check_state(&state, part("state")?)?;
        check_order(&state, part("sheet_order")?, part("cell_order")?)
    });
}

/// The action of one entry of `ops`: a line, or the inverse of one. Lines that are no actions give nothing.
fn action_of(op: &Value) -> Result<Option<Action>, String> {
    match (op, op.get("inverse_of")) {
        (Value::Text(line), _) if is_skipped(line) => Ok(None),
        (Value::Text(line), _) => Ok(Action::parse(line).ok()),
        (_, Some(Value::Text(line))) => read(line).map(|action| Some(action.inverse())),
        _ => Err(format!(
            "an operation is neither a line nor an inverse: {}",
            json::write(op)
        )),
    }
}

/// Compares a state by type and content, and within each cell by the order of keys.
///
/// The vectors list cells sorted by address, so the order of sheets and cells is compared apart.
pub(crate) fn check_state(state: &Workbook, expected: &Value) -> Result<(), String> {
    let got = state.to_json();
    check_same(got.clone(), expected).map_err(|error| format!("state: {error}"))?;
    let (got, expected) = (cells(&got), cells(expected));
    for (place, cell) in &got {
        let Some((_, expected)) = expected.iter().find(|(other, _)| other == place) else {
            return Err(format!("cell {place:?} is not expected"));
        };
        let (got, expected) = (json::write(cell), json::write(expected));
        if got != expected {
            return Err(format!(
                "order of keys in {place:?}: expected {expected}\n    got {got}"
            ));
        }
    }
    Ok(())
}

/// Sheet and address of a cell.
type Place = (Arc<str>, Arc<str>);

/// The cells of a state.
fn cells(state: &Value) -> Vec<(Place, Value)> {
    let mut all = Vec::new();
    for (sheet, content) in members(state.get("worksheets")) {
        for (address, cell) in members(content.get("cells")) {
            all.push(((sheet.clone(), address.clone()), cell.clone()));
        }
    }
    all
}

fn members(value: Option<&Value>) -> &[(Arc<str>, Value)] {
    match value {
        Some(Value::Object(members)) => members,
        _ => &[],
    }
}

fn check_order(state: &Workbook, sheets: &Value, cells: &Value) -> Result<(), String> {
    let got = state.to_json();
    let worksheets = members(got.get("worksheets"));
    let names = |members: &[(Arc<str>, Value)]| {
        Value::list(
            members
                .iter()
                .map(|(name, _)| Value::Text(name.clone()))
                .collect::<Vec<_>>(),
        )
    };
    check_same(names(worksheets), sheets).map_err(|error| format!("sheet_order: {error}"))?;
    let got = object(
        worksheets
            .iter()
            .map(|(name, sheet)| (&**name, names(members(sheet.get("cells"))))),
    );
    check_same(got, cells).map_err(|error| format!("cell_order: {error}"))
}

#[test]
fn golden_apply_strict() {
    for_each_vector("actions_extra.jsonl", "apply_strict", |vector| {
        let actions: Vec<Action> = vector.lines("ops")?.into_iter().map(read).collect::<Result<_, _>>()?;
        let expected = vector.get("expected")?;
        let part = |key: &str| {
            expected
                .get(key)
                .ok_or_else(|| format!("the vector expects no `{key}`"))
        };
        let mut strict = Workbook::default();
        let failure = strict.apply_strict(&actions).err();
        let failed_at = failure.and_then(|failure| i64::try_from(failure.action_idx).ok());
        check_same(failed_at.map_or(Value::Null, Value::Int), part("failed_at")?)?;
        let code = failure.map(|failure| failure.error.code());
        check_same(code.map_or(Value::Null, Value::text), part("error")?)?;
        check_state(&strict, part("state_after_failure")?)?;
        let mut lenient = Workbook::default();
        lenient.apply_lenient(&actions);
        check_state(&lenient, part("state_when_lenient")?)
    });
}

#[test]
fn golden_corrections() {
    for_each_vector("actions_extra.jsonl", "corrections", |vector| {
        let differences: Vec<PathDifference> =
            vector.list("diffs")?.iter().map(difference).collect::<Result<_, _>>()?;
        let actions = corrections(&differences, correction_options(vector.get("options")?)?);
        let actions = actions.map_err(|error| format!("a cell is {error}"))?;
        let symbolic: Vec<String> = actions.iter().map(ToString::to_string).collect();
        let mut state = Workbook::default();
        let mut failed = Vec::new();
        for (action_idx, action) in (0_i64..).zip(&actions) {
            if let Err(error) = state.apply(action) {
                failed.push(object([
                    ("index", Value::Int(action_idx)),
                    ("error", error.code().into()),
                ]));
            }
        }
        let got = object([
            ("ops", Value::list(actions.iter().map(describe).collect::<Vec<_>>())),
            ("symbolic", texts(&symbolic)),
            ("applied_to_empty", state.to_json()),
            ("apply_failed", Value::list(failed)),
        ]);
        check_same(got, vector.get("expected")?)
    });
}

fn difference(record: &Value) -> Result<PathDifference, String> {
    let member = |key: &str| record.get(key).ok_or_else(|| format!("a difference has no `{key}`"));
    let text = |key: &str| match member(key)? {
        Value::Text(text) => Ok(text.clone()),
        _ => Err(format!("`{key}` is not a text")),
    };
    Ok(PathDifference {
        sheet: text("sheet")?,
        cell: text("cell")?,
        path: text("property_path")?,
        predicted: member("predicted_value")?.clone(),
        truth: member("true_value")?.clone(),
        outcome: match &*text("match_type")? {
            "TP" => Match::TruePositive,
            "FP" => Match::FalsePositive,
            "FN" => Match::FalseNegative,
            "MISMATCH" => Match::Mismatch,
            other => return Err(format!("unknown match type `{other}`")),
        },
    })
}

fn correction_options(given: &Value) -> Result<CorrectionOptions, String> {
    let mut options = CorrectionOptions::default();
    for (key, value) in members(Some(given)) {
        match (&**key, value) {
            ("include_fp_inverse", Value::Bool(flag)) => options.resets = *flag,
            ("include_mismatch_fixes", Value::Bool(flag)) => options.mismatch_fixes = *flag,
            ("include_fn_synthesis", Value::Bool(flag)) => options.settings = *flag,
            _ => return Err(format!("unknown option `{key}`: {}", json::write(value))),
        }
    }
    Ok(options)
}
