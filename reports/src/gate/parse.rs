//! From the text of a gate to its bounds.

use super::metric::GateMetric;
use super::{Bound, Sign};
use crate::nearest::{hint, nearest};

/// What is wrong with the text of a gate. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GateError {
    /// No figure has that name.
    #[error("read the gate `{gate}`: unknown metric `{name}`{}", hint(nearest.as_deref()))]
    UnknownMetric {
        /// The whole text.
        gate: String,
        /// The word.
        name: String,
        /// The figure that is spelled most like it.
        nearest: Option<String>,
    },
    /// The text is no comparison of a metric with a number.
    #[error("read the gate `{gate}`: expected METRIC SIGN NUMBER such as `uas >= 12%`, found `{found}`")]
    NoBound {
        /// The whole text.
        gate: String,
        /// The part that is none.
        found: String,
    },
    /// The sign is none that is known.
    #[error("read the gate `{gate}`: expected one of >=, >, <=, <, ==, found `{found}`")]
    UnknownSign {
        /// The whole text.
        gate: String,
        /// What stands there.
        found: String,
    },
    /// What stands after the sign is no finite number.
    #[error("read the gate `{gate}`: expected a number such as 0.12 or 12%, found `{found}`")]
    NoNumber {
        /// The whole text.
        gate: String,
        /// What stands there.
        found: String,
    },
    /// A limit that the figure never reaches.
    #[error("read the gate `{gate}`: {metric} {bounds}, found {found}{hint}")]
    OutOfBounds {
        /// The whole text.
        gate: String,
        /// The figure.
        metric: String,
        /// What values it has: `is at most 100 %`.
        bounds: &'static str,
        /// The limit in percent.
        found: String,
        /// What may have been meant, as a question, or nothing.
        hint: String,
    },
    /// A count cannot be in percent.
    #[error("read the gate `{gate}`: `{metric}` is a count, expected a number without `%`")]
    CountInPercent {
        /// The whole text.
        gate: String,
        /// The figure.
        metric: String,
    },
}

/// The groups of bounds; one group has to hold as a whole.
pub(super) fn parse(text: &str) -> Result<Vec<Vec<Bound>>, GateError> {
    split(text, "or")
        .iter()
        .map(|group| split(group, "and").iter().map(|part| bound(part, text)).collect())
        .collect()
}

/// The parts of a text between the places where a word stands by itself.
fn split(text: &str, word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for token in text.split_whitespace() {
        if token.eq_ignore_ascii_case(word) {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            if !part.is_empty() {
                part.push(' ');
            }
            part.push_str(token);
        }
    }
    parts
}

fn bound(part: &str, gate: &str) -> Result<Bound, GateError> {
    let gate = || gate.trim().to_owned();
    let is_sign = |character: char| matches!(character, '<' | '>' | '=' | '!' | '≥' | '≤' | '≠' | '~');
    let (Some(start), Some(last)) = (part.find(is_sign), part.rfind(is_sign)) else {
        return Err(GateError::NoBound {
            gate: gate(),
            found: part.to_owned(),
        });
    };
    let name = part.get(..start).unwrap_or_default().trim();
    let rest = part.get(last..).unwrap_or_default();
    let number = rest.trim_start_matches(is_sign).trim();
    let sign = part
        .get(start..part.len() - rest.trim_start_matches(is_sign).len())
        .unwrap_or_default();
    let metric = GateMetric::from_name(name).ok_or_else(|| {
        let names = GateMetric::names();
        GateError::UnknownMetric {
            gate: gate(),
            name: name.to_owned(),
            nearest: nearest(name, names.iter().map(String::as_str)).map(str::to_owned),
        }
    })?;
    let sign = match sign.trim() {
        ">=" | "≥" => Sign::AtLeast,
        ">" => Sign::MoreThan,
        "<=" | "≤" => Sign::AtMost,
        "<" => Sign::LessThan,
        "==" => Sign::Equal,
        found => {
            return Err(GateError::UnknownSign {
                gate: gate(),
                found: found.to_owned(),
            });
        }
    };
    let (digits, in_percent) = match number.strip_suffix('%') {
        Some(digits) => (digits.trim_end(), true),
        None => (number, false),
    };
    let value = digits.parse::<f64>().ok().filter(|value| value.is_finite());
    let value = value.ok_or_else(|| GateError::NoNumber {
        gate: gate(),
        found: number.to_owned(),
    })?;
    if in_percent && !metric.is_share() {
        return Err(GateError::CountInPercent {
            gate: gate(),
            metric: metric.to_string(),
        });
    }
    let limit = if in_percent { value / 100.0 } else { value };
    if let Some(bounds) = metric.bounds().filter(|bounds| !holds(*bounds, limit)) {
        let is_meant = !in_percent && holds(bounds, value / 100.0);
        return Err(GateError::OutOfBounds {
            gate: gate(),
            metric: metric.to_string(),
            bounds: if bounds.0.is_finite() {
                "lies between 0 % and 100 %"
            } else {
                "is at most 100 %"
            },
            found: percent(limit),
            hint: hint(is_meant.then(|| format!("{digits} %")).as_deref()),
        });
    }
    Ok(Bound {
        metric,
        sign,
        limit,
        in_percent,
    })
}

fn holds(bounds: (f64, f64), value: f64) -> bool {
    (bounds.0..=bounds.1).contains(&value)
}

/// A ratio in percent with as many decimals as it needs, up to ten.
fn percent(ratio: f64) -> String {
    let text = format!("{:.10}", 100.0 * ratio);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
