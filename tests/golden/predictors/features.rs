//! `featurize.jsonl`: features, reconstruction and the boosting vector.

use napsim_predictors::feature::{
    Feature, Movement, RangeMode, ValueType, absolute_bucket, absolute_of_bucket, delta_bucket, delta_of_bucket,
};
use napsim_predictors::gbm_vector;
use napsim_predictors::history::Continuation;
use napsim_predictors::lstm;
use napsim_predictors::reconstruct::{Area, action_text, shift_references, value};
use napsim_trajectories::{CellAddress, Value};

use super::{flag, history, number, numbers, range_mode};
use crate::vectors::{Vector, check_same, for_each_vector};

const FILE: &str = "featurize.jsonl";

#[test]
fn golden_features() {
    for_each_vector(FILE, "sequence", |vector| {
        let expected = vector.list("features")?;
        let history = history(vector, "ops")?;
        let got: Vec<_> = history.features().iter().map(described).collect();
        if got.len() != expected.len() {
            return Err(format!("{} features, not {}", got.len(), expected.len()));
        }
        for (idx, (got, expected)) in got.into_iter().zip(expected).enumerate() {
            check_same(got, expected).map_err(|reason| format!("action {idx}: {reason}"))?;
        }
        Ok(())
    });
}

/// A feature under the names of the vectors.
fn described(feature: &Feature) -> Value {
    let step = feature.step;
    let text = |text: &str| Value::text(text);
    let int = |number: i64| Value::Int(number);
    let entries = [
        ("op_type", text(&feature.keyword)),
        ("op_type_id", int(feature.keyword_id.into())),
        ("sheet", text(&feature.sheet)),
        ("start_row", int(feature.start.row)),
        ("start_col", int(feature.start.col)),
        ("end_row", int(feature.end.row)),
        ("end_col", int(feature.end.col)),
        ("height", int(feature.height)),
        ("width", int(feature.width)),
        ("raw_value", text(&feature.value)),
        ("value_type", text(feature.value_type.name())),
        ("value_type_id", int(feature.value_type.id().into())),
        ("row_delta", int(step.rows)),
        ("col_delta", int(step.cols)),
        ("height_delta", int(step.height)),
        ("width_delta", int(step.width)),
        ("sheet_changed", Value::Bool(step.sheet_changed)),
        ("movement_class", text(step.movement().name())),
        ("movement_class_id", int(step.movement().id().into())),
        ("gru_tokens_relative", recurrent_tokens(feature, RangeMode::Relative)),
        ("gru_tokens_absolute", recurrent_tokens(feature, RangeMode::Absolute)),
    ];
    let entries: Vec<_> = entries.map(|(key, value)| (key.into(), value)).into();
    Value::Object(entries.into())
}

/// The six tokens of the recurrent model (spec 03, 6.1).
fn recurrent_tokens(feature: &Feature, mode: RangeMode) -> Value {
    numbers(lstm::token(feature, mode).ids())
}

#[test]
fn golden_movements() {
    for_each_vector(FILE, "movement", |vector| {
        let changed = flag(vector.find("sheet_changed"))?;
        let got = Movement::of(vector.integer("row_delta")?, vector.integer("col_delta")?, changed);
        let got = Value::list([Value::text(got.name()), Value::Int(got.id().into())]);
        check_same(got, vector.get("expect")?)
    });
}

#[test]
fn golden_buckets() {
    for_each_vector(FILE, "buckets", |vector| {
        check_buckets(vector, "absolute", absolute_bucket, absolute_of_bucket)?;
        check_buckets(vector, "relative", delta_bucket, delta_of_bucket)
    });
}

fn check_buckets(vector: &Vector, key: &str, to: fn(i64) -> u8, from: fn(u8) -> i64) -> Result<(), String> {
    for triple in vector.list(key)? {
        let Value::List(items) = triple else {
            return Err(format!("{triple:?} is no triple"));
        };
        let quantity = number(items.first())?;
        let bucket = to(quantity);
        check_same(numbers([quantity, bucket.into(), from(bucket)]), triple)?;
    }
    Ok(())
}

#[test]
fn golden_shifted_formulas() {
    for_each_vector(FILE, "shift_formula", |vector| {
        let (rows, cols) = (vector.integer("row_delta")?, vector.integer("col_delta")?);
        check_same(
            shift_references(vector.text("formula")?, rows, cols).as_str(),
            vector.get("expect")?,
        )
    });
}

/// The vectors build on two rows and one column of `Sheet1`.
#[test]
fn golden_reconstructed_actions() {
    for_each_vector(FILE, "reconstruct", |vector| {
        let history = history(vector, "history")?;
        let continuation = Continuation::of(&history);
        let keyword = vector.text("op_type")?;
        let value_type = ValueType::from_name(vector.text("value_type")?).ok_or("an unknown type of value")?;
        let start = CellAddress::new(vector.integer("target_row")?, vector.integer("target_col")?);
        let latest = continuation.latest_of(keyword).next();
        check_same(&*value(keyword, value_type, start, latest), vector.get("expect")?)?;
        let area = Area {
            start,
            height: 2,
            width: 1,
        };
        let built = action_text(keyword, value_type, "Sheet1", area, &continuation);
        check_same(built.as_str(), vector.get("built")?)
    });
}

#[test]
fn golden_boosting_vectors() {
    for_each_vector(FILE, "gbm_vector", |vector| {
        let window = number(vector.find("window_size"))?;
        let mode = range_mode(vector.find("range_mode"))?;
        let history = history(vector, "ops")?;
        let got = gbm_vector::vector(history.features(), window, mode);
        check_same(
            Value::Int(i64::try_from(got.len()).unwrap_or(-1)),
            vector.get("length")?,
        )?;
        let got: Vec<_> = got.into_iter().map(|number| Value::Float(number.into())).collect();
        check_same(Value::list(got), vector.get("expect")?)
    });
}
