//! How a fill continues the values of its source (spec 01, 6.12, "extend sequence").

use napsim_trajectories::number::read_integer;
use napsim_trajectories::{Value, decimal_value};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, Zero};

use super::ApplyError;

/// Whether a fill runs after its source (down, right) or before it (up, left).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
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
    let values: Vec<Option<&Value>> = values.iter().map(Some).collect();
    extend_slots(&values, steps, direction)
}

/// The next `steps` values where each slot continues on its own, for as many steps as fall to it; a slot without a
/// value gives nulls.
pub(super) fn extend_slots(
    values: &[Option<&Value>],
    steps: usize,
    direction: Direction,
) -> Result<Vec<Value>, ApplyError> {
    let n_slots = values.len();
    let mut slots = Vec::with_capacity(n_slots);
    for (slot, value) in values.iter().enumerate() {
        let steps_of_slot = (steps + n_slots - 1 - slot) / n_slots;
        slots.push(match value {
            Some(value) => {
                extend_uniform(std::slice::from_ref(*value), class_of(value), steps_of_slot, direction)?.into_iter()
            }
            None => Vec::new().into_iter(),
        });
    }
    let mut next = |step: usize| slots.get_mut(step % n_slots).and_then(Iterator::next);
    Ok((0..steps).map(|step| next(step).unwrap_or(Value::Null)).collect())
}

fn extend_uniform(
    values: &[Value],
    class: Class,
    steps: usize,
    direction: Direction,
) -> Result<Vec<Value>, ApplyError> {
    match class {
        Class::Number => extend_numbers(values, steps, direction),
        Class::Text => extend_texts(values, steps, direction),
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

fn extend_texts(values: &[Value], steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    let texts: Vec<&str> = values.iter().filter_map(Value::as_text).collect();
    if let Some(extended) = extend_custom_list(&texts, steps, direction) {
        return Ok(extended);
    }
    let extended = extend_numbered(&texts, steps, direction)?;
    Ok(extended.unwrap_or_else(|| values.iter().cycle().take(steps).cloned().collect()))
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

/// Whether a fill counts the text up.
pub(super) fn ends_in_digit(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.chars().next_back().is_some_and(|c| decimal_value(c).is_some())
}

/// A text that ends in digits, split before the longest run of them.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let digits = text.chars().rev().take_while(|c| decimal_value(*c).is_some());
    let (prefix, digits) = text.split_at(text.len() - digits.map(char::len_utf8).sum::<usize>());
    (!digits.is_empty() && !prefix.contains('\n')).then_some((prefix, digits))
}

/// The number of decimal digits of any script; too many are refused as in every integer of the notation.
fn read_digits(digits: &str) -> Result<BigInt, ApplyError> {
    match read_integer(digits) {
        Some(Value::Int(integer)) => Ok(integer.into()),
        Some(Value::BigInt(integer)) => Ok((*integer).clone()),
        _ => Err(ApplyError::Overflow),
    }
}

/// The common prefix and the numbers of texts that all end in digits.
fn split_numbers<'a>(texts: &[&'a str]) -> Option<(&'a str, Vec<&'a str>)> {
    let pairs: Vec<_> = texts.iter().map(|text| split_number(text)).collect::<Option<_>>()?;
    let (prefix, _) = *pairs.first()?;
    let same = pairs.iter().all(|(other, _)| *other == prefix);
    same.then(|| (prefix, pairs.into_iter().map(|(_, digits)| digits).collect()))
}

fn extend_numbered(texts: &[&str], steps: usize, direction: Direction) -> Result<Option<Vec<Value>>, ApplyError> {
    let Some((prefix, digits)) = split_numbers(texts) else {
        return Ok(None);
    };
    let numbers: Vec<BigInt> = digits.into_iter().map(read_digits).collect::<Result<_, _>>()?;
    Ok(common_difference(&numbers).map(|step| count_up(prefix, &numbers, step, steps, direction)))
}

/// The difference between neighbours: 1 for a single number, none where they differ.
fn common_difference(numbers: &[BigInt]) -> Option<BigInt> {
    let mut differences = numbers.iter().zip(numbers.iter().skip(1)).map(|(a, b)| b - a);
    match differences.next() {
        None => Some(BigInt::from(1)),
        Some(step) => differences.all(|other| other == step).then_some(step),
    }
}

fn count_up(prefix: &str, numbers: &[BigInt], step: BigInt, steps: usize, direction: Direction) -> Vec<Value> {
    let start = match direction {
        Direction::Forward => numbers.last(),
        Direction::Backward => numbers.first(),
    };
    let mut number = start.cloned().unwrap_or_default();
    let mut step = step * direction.sign();
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
    out
}
