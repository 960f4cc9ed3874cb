//! The type of an action's value, told without writing the value.

use napsim_trajectories::action::{Axis, Edit, FontProperty};
use napsim_trajectories::text::trim;
use napsim_trajectories::{Action, Value};

use crate::feature::ValueType;

/// The type of the value in the text of an action.
pub(crate) fn value_type(action: &Action) -> Option<ValueType> {
    let truth = |on| if on { ValueType::True } else { ValueType::False };
    Some(match action.edit() {
        Edit::Value { value, .. } | Edit::Input { value } => return content_type(value),
        // A cleared formula is written `clear`.
        Edit::Formula { text } => text.as_deref().map_or(ValueType::Text, |text| {
            if trim(text).starts_with('=') {
                ValueType::Formula
            } else {
                ValueType::of("FORMULA", text)
            }
        }),
        Edit::NumberFormat { format } => unless_null(format, ValueType::NumberFormat),
        Edit::Fill { color } => color
            .as_deref()
            .map_or(ValueType::Color, |color| unless_null(color, ValueType::Color)),
        Edit::Font { property, value } => return font_type(*property, value),
        Edit::Align { axis, value } => unless_null(
            value,
            match axis {
                Axis::Horizontal => ValueType::AlignHorizontal,
                Axis::Vertical => ValueType::AlignVertical,
            },
        ),
        Edit::Wrap { on } | Edit::Merge { on } => truth(*on),
        Edit::Orientation { degrees } => match degrees {
            Value::Int(_) => ValueType::Orientation,
            _ => return None,
        },
        Edit::Border { line, .. } => match (&line.weight, line.style.as_deref()) {
            // Written `clear`, or in several pieces.
            (None, _) => ValueType::Border,
            (Some(_), Some(style)) if !style.is_empty() => ValueType::Border,
            _ => return None,
        },
        Edit::Paste { .. } => ValueType::Other,
        Edit::Autofill { .. } if action.is_inverse() => ValueType::Other,
        Edit::Autofill { source } => unless_null(source, ValueType::Other),
    })
}

/// The type of typed content as JSON writes it.
fn content_type(value: &Value) -> Option<ValueType> {
    Some(match value {
        // A null is written `clear`, a text with its quotes.
        Value::Null | Value::Bool(_) | Value::Text(_) => ValueType::Text,
        Value::Int(_) | Value::Float(_) => ValueType::Number,
        Value::List(_) => ValueType::List,
        Value::BigInt(_) | Value::Object(_) => return None,
    })
}

fn font_type(property: FontProperty, value: &Value) -> Option<ValueType> {
    let fitting = match property {
        FontProperty::Bold | FontProperty::Italic => ValueType::True,
        FontProperty::Size => ValueType::FontSize,
        FontProperty::Color => ValueType::Color,
        FontProperty::Underline => ValueType::Underline,
        FontProperty::Name => ValueType::FontName,
    };
    match (fitting, value) {
        (ValueType::True, Value::Bool(false)) => Some(ValueType::False),
        (ValueType::True, Value::Bool(true)) | (ValueType::FontSize, Value::Int(_) | Value::Float(_)) => Some(fitting),
        (ValueType::Color | ValueType::Underline | ValueType::FontName, Value::Text(text)) => {
            Some(unless_null(text, fitting))
        }
        _ => None,
    }
}

/// The given type unless the text reads as nothing.
fn unless_null(text: &str, value_type: ValueType) -> ValueType {
    if ValueType::is_null(text) {
        ValueType::Null
    } else {
        value_type
    }
}
