//! Canonical text of actions (spec chapter 01, sections 3.5 and 6).

use std::fmt;

use crate::action::{Action, BorderLine, Edit};
use crate::{Value, json, number};

impl fmt::Display for Action {
    /// `NAME | sheet!range | value`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | ", self.keyword().text(), self.range())?;
        match self.edit() {
            Edit::Value { value, .. } | Edit::Input { value } => match value {
                Value::Null => f.write_str("clear"),
                value => f.write_str(&json::write(value)),
            },
            Edit::Formula { text } | Edit::Fill { color: text } => f.write_str(text.as_deref().unwrap_or("clear")),
            Edit::NumberFormat { format } => f.write_str(format),
            Edit::Font { value, .. } | Edit::Orientation { degrees: value } => f.write_str(&plain_text(value)),
            Edit::Align { value, .. } => f.write_str(value),
            Edit::Wrap { on } | Edit::Merge { on } => write!(f, "{on}"),
            Edit::Border { line, .. } => write_line(f, line),
            Edit::Paste { .. } | Edit::Autofill { .. } if self.is_inverse() => f.write_str("clear"),
            Edit::Paste { source, mode } => write!(f, "{source} | {mode}"),
            Edit::Autofill { source } => f.write_str(source),
        }
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, line: &BorderLine) -> fmt::Result {
    let Some(weight) = &line.weight else {
        return f.write_str("clear");
    };
    f.write_str(weight)?;
    for piece in [&line.style, &line.color]
        .into_iter()
        .flatten()
        .filter(|piece| !piece.is_empty())
    {
        write!(f, ", {piece}")?;
    }
    Ok(())
}

/// The text of a font value: whole floats print as integers in full (spec 6.6).
fn plain_text(value: &Value) -> String {
    match value {
        Value::Bool(flag) => flag.to_string(),
        Value::Int(integer) => integer.to_string(),
        Value::BigInt(integer) => integer.to_string(),
        // Adding zero turns a negative zero into a plain one.
        Value::Float(float) if float.is_finite() && float.fract() == 0.0 => format!("{:.0}", float + 0.0),
        Value::Float(float) => number::float_text(*float),
        Value::Text(text) => text.to_string(),
        other => json::write(other),
    }
}
