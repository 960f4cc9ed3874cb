//! Golden vectors of the predictors (spec chapter 03, section 13).

mod features;
mod language;
mod ngram;
mod online_ngram;

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::history::History;
use napsim_trajectories::Value;

use crate::vectors::Vector;

/// The history of the texts under `key`.
fn history(vector: &Vector, key: &str) -> Result<History, String> {
    let mut history = History::default();
    for text in vector.lines(key)? {
        history.push(Feature::of_first(text));
    }
    Ok(history)
}

/// The range mode of that name.
fn range_mode(name: Option<&Value>) -> Result<RangeMode, String> {
    name.and_then(Value::as_text)
        .and_then(RangeMode::from_name)
        .ok_or_else(|| format!("{name:?} is no range mode"))
}

/// A whole number that fits the wanted type.
fn number<T: TryFrom<i64>>(value: Option<&Value>) -> Result<T, String> {
    match value {
        Some(Value::Int(integer)) => T::try_from(*integer).map_err(|_| format!("{integer} does not fit")),
        other => Err(format!("{other:?} is no whole number")),
    }
}

/// A truth value.
fn flag(value: Option<&Value>) -> Result<bool, String> {
    match value {
        Some(Value::Bool(flag)) => Ok(*flag),
        other => Err(format!("{other:?} is no truth value")),
    }
}

/// A list of whole numbers as a value.
fn numbers<T: Into<i64>>(numbers: impl IntoIterator<Item = T>) -> Value {
    Value::list(
        numbers
            .into_iter()
            .map(|number| Value::Int(number.into()))
            .collect::<Vec<_>>(),
    )
}
