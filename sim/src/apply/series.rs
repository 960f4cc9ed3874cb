//! How a fill continues the values of its source (spec 01, 6.12, "extend sequence").

use napsim_trajectories::{Value, decimal_value};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, Zero};

use super::ApplyError;

/// Whether a fill runs after its source (down, right) or before it (up, left).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

impl Direction {
    pub(super) fn sign(self) -> i64 {
        match self {
            Self::Forward => 1,
            Self::Backward => -1,
        }
    }
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Class {
    Null,
    Bool,
    Number,
    Text,
    List,
    Object,
}

fn class_of(value: &Value) -> Class {
    match value {
        Value::Null => Class::Null,
        Value::Bool(_) => Class::Bool,
        Value::Int(_) | Value::BigInt(_) | Value::Float(_) => Class::Number,
        Value::Text(_) => Class::Text,
        Value::List(_) => Class::List,
        Value::Object(_) => Class::Object,
    }
}

/// The next `steps` values after (or before) a lane of source values.
///
/// Values of one class continue together; a mixed lane continues each slot on its own.
pub(super) fn extend_sequence(values: &[Value], steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    let Some(first) = values.first().map(class_of) else {
        return Ok(vec![Value::Null; steps]);
    };
    if values.iter().all(|value| class_of(value) == first) {
        return extend_uniform(values, first, steps, direction);
    }
    let mut slots = Vec::with_capacity(values.len());
    for value in values {
        slots.push(extend_slot(value, steps, direction)?.into_iter());
    }
    let n_slots = slots.len();
    Ok((0..steps)
        .map(|step| {
            slots
                .get_mut(step % n_slots)
                .and_then(Iterator::next)
                .unwrap_or(Value::Null)
        })
        .collect())
}

/// The continuation of a single value.
pub(super) fn extend_slot(value: &Value, steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    extend_uniform(std::slice::from_ref(value), class_of(value), steps, direction)
}

fn extend_uniform(
    values: &[Value],
    class: Class,
    steps: usize,
    direction: Direction,
) -> Result<Vec<Value>, ApplyError> {
    match class {
        Class::Number => extend_numbers(values, steps, direction),
        Class::Text => Ok(extend_texts(values, steps, direction)),
        _ => Ok(values.iter().cycle().take(steps).cloned().collect()),
    }
}

fn extend_numbers(values: &[Value], steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    let whole = values.iter().all(|value| !matches!(value, Value::Float(_)));
    let mut numbers = Vec::with_capacity(values.len());
    for value in values {
        let number = value.as_number().ok_or(ApplyError::Overflow)?;
        if number.is_infinite() && !matches!(value, Value::Float(_)) {
            return Err(ApplyError::Overflow);
        }
        numbers.push(number);
    }
    let step = common_step(&numbers);
    let start = match direction {
        Direction::Forward => numbers.last(),
        Direction::Backward => numbers.first(),
    };
    let mut running = start.copied().unwrap_or(0.0);
    #[expect(clippy::cast_precision_loss, reason = "the sign is 1 or -1")]
    let signed_step = step.map(|step| step * direction.sign() as f64);
    let mut out = Vec::with_capacity(steps);
    for _ in 0..steps {
        // The running value is added to, so that rounding accumulates as in the published system.
        if let Some(step) = signed_step {
            running += step;
        }
        out.push(if whole {
            whole_number(running)?
        } else {
            Value::Float(running)
        });
    }
    Ok(out)
}

/// The step between neighbours: the common one if all are equal, else their mean; none for a single value.
fn common_step(numbers: &[f64]) -> Option<f64> {
    let differences: Vec<f64> = numbers.iter().zip(numbers.iter().skip(1)).map(|(a, b)| b - a).collect();
    let first = *differences.first()?;
    #[expect(clippy::float_cmp, reason = "equal steps are meant exactly")]
    let all_equal = differences.iter().all(|difference| *difference == first);
    #[expect(clippy::cast_precision_loss, reason = "a lane has few cells")]
    let count = differences.len() as f64;
    Some(if all_equal {
        first
    } else {
        differences.iter().fold(0.0, |sum, difference| sum + difference) / count
    })
}

/// Whole results of whole numbers become integers again, exactly; others stay doubles.
fn whole_number(number: f64) -> Result<Value, ApplyError> {
    if number.is_infinite() {
        return Err(ApplyError::Overflow);
    }
    if number.fract() == 0.0
        && let Some(integer) = BigInt::from_f64(number)
    {
        return Ok(Value::from_bigint(integer));
    }
    Ok(Value::Float(number))
}

const CUSTOM_LISTS: [&[&str]; 6] = [
    &[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    &[
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ],
    &[
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ],
    &["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    &["Q1", "Q2", "Q3", "Q4"],
    &["Quarter 1", "Quarter 2", "Quarter 3", "Quarter 4"],
];

fn extend_texts(values: &[Value], steps: usize, direction: Direction) -> Vec<Value> {
    let texts: Vec<&str> = values.iter().filter_map(Value::as_text).collect();
    extend_custom_list(&texts, steps, direction)
        .or_else(|| extend_numbered(&texts, steps, direction))
        .unwrap_or_else(|| values.iter().cycle().take(steps).cloned().collect())
}

fn extend_custom_list(texts: &[&str], steps: usize, direction: Direction) -> Option<Vec<Value>> {
    let lowered: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let (list, position) = CUSTOM_LISTS.iter().find_map(|list| {
        let position = list
            .iter()
            .position(|entry| Some(&entry.to_lowercase()) == lowered.first())?;
        let follows = list
            .iter()
            .cycle()
            .skip(position)
            .zip(&lowered)
            .all(|(entry, text)| entry.to_lowercase() == *text);
        follows.then_some((*list, position))
    })?;
    let first = texts.first()?;
    let respell = |entry: &str| match letter_case(first) {
        Some(true) => entry.to_uppercase(),
        Some(false) => entry.to_lowercase(),
        None => entry.to_owned(),
    };
    let n_entries = list.len();
    let after = position + texts.len();
    let entries = (0..steps).map(|step| {
        let idx = match direction {
            Direction::Forward => (after + step) % n_entries,
            Direction::Backward => (position + n_entries - 1 - step % n_entries) % n_entries,
        };
        Value::text(respell(list.get(idx).copied().unwrap_or_default()))
    });
    Some(entries.collect())
}

/// Whether all cased letters are upper-case (true) or lower-case (false); none when mixed or without any.
fn letter_case(text: &str) -> Option<bool> {
    let upper = text.chars().any(char::is_uppercase);
    let lower = text.chars().any(char::is_lowercase);
    (upper != lower).then_some(upper)
}

/// A text that ends in digits, split before the longest run of them.
fn split_number(text: &str) -> Option<(&str, BigInt)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| decimal_value(*c).is_some())
        .last()
        .map(|(start, _)| start)?;
    let (prefix, digits) = text.split_at(start);
    if prefix.contains('\n') {
        return None;
    }
    let ascii: String = digits
        .chars()
        .filter_map(decimal_value)
        .filter_map(|d| char::from_digit(d, 10))
        .collect();
    Some((prefix, ascii.parse().ok()?))
}

fn extend_numbered(texts: &[&str], steps: usize, direction: Direction) -> Option<Vec<Value>> {
    let pairs: Option<Vec<_>> = texts.iter().map(|text| split_number(text)).collect();
    let pairs = pairs?;
    let (prefix, first) = pairs.first()?;
    let (_, last) = pairs.last()?;
    if pairs.iter().any(|(other, _)| other != prefix) {
        return None;
    }
    let mut differences = pairs.iter().zip(pairs.iter().skip(1)).map(|((_, a), (_, b))| b - a);
    let step = match differences.next() {
        None => BigInt::from(1),
        Some(step) if differences.all(|other| other == step) => step,
        Some(_) => return None,
    };
    let mut step = step * direction.sign();
    let mut number = if direction == Direction::Forward {
        last.clone()
    } else {
        first.clone()
    };
    let mut out = Vec::with_capacity(steps);
    for _ in 0..steps {
        number += &step;
        if number < BigInt::zero() {
            // The series bounces at zero and counts up from there.
            number = -number;
            step = step.abs();
        }
        out.push(Value::text(format!("{prefix}{number}")));
    }
    Some(out)
}
