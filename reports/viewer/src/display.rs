//! What a cell shows: its value under its number format, as a spreadsheet program with English settings would.
//!
//! Formulas are never calculated, since no trajectory holds their results: the text of the formula is shown.

mod decimal;
mod format;
mod general;
mod moment;

use napsim_sim::state::{Cell, Property};
use napsim_trajectories::{Value, json};

use format::NumberFormat;
use moment::Moment;

/// What kind of content a cell shows, on which its alignment depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentKind {
    /// A number, a date or a time: to the right unless aligned otherwise.
    Number,
    /// A text: to the left.
    Text,
    /// A truth value: in the middle.
    Truth,
    /// The text of a formula.
    Formula,
}

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Display {
    /// The text shown; may be empty where the number format hides the value.
    pub text: String,
    /// The content itself, where the text shown is another one.
    pub raw: Option<String>,
    /// What kind of content it is.
    pub kind: ContentKind,
    /// The colour that the number format asks for, as `#RRGGBB`.
    pub color: Option<&'static str>,
}

impl Display {
    /// What a cell shows; none where it has no content.
    pub fn of(cell: &Cell) -> Option<Self> {
        let content = |property| cell.get(property).filter(|value| !matches!(value, Value::Null));
        let format = cell.get(Property::NumberFormat).and_then(Value::as_text);
        if let Some(formula) = content(Property::Formula) {
            return Some(Self::plain(text_of(formula), ContentKind::Formula));
        }
        Some(Self::of_value(content(Property::Value)?, format))
    }

    /// What a value shows under a number format (none and `General` are the same).
    pub fn of_value(value: &Value, format: Option<&str>) -> Self {
        let format = format.filter(|code| !code.eq_ignore_ascii_case("general") && !code.is_empty());
        match value {
            Value::Text(text) if text.len() > 1 && text.starts_with('=') => {
                Self::plain(text.to_string(), ContentKind::Formula)
            }
            Value::Text(text) => Self::of_text(text, format),
            Value::Bool(flag) => {
                let text = if *flag { "TRUE" } else { "FALSE" };
                Self::plain(text.to_owned(), ContentKind::Truth)
            }
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) => Self::of_number(value, format),
            Value::Null | Value::List(_) | Value::Object(_) => Self::plain(json::write(value), ContentKind::Text),
        }
    }

    fn plain(text: String, kind: ContentKind) -> Self {
        Self {
            text,
            raw: None,
            kind,
            color: None,
        }
    }

    fn of_number(value: &Value, format: Option<&str>) -> Self {
        let raw = text_of(value);
        let Some(number) = value.as_number().filter(|number| number.is_finite()) else {
            return Self::plain(raw, ContentKind::Number);
        };
        let (text, color) = match format.map(NumberFormat::parse) {
            Some(format) => format.of_number(number),
            None => (general::text(number), None),
        };
        Self::shown(text, raw, ContentKind::Number, color)
    }

    /// A text, which may be a date or a time: the notation has no values of that kind and keeps them as ISO texts.
    fn of_text(text: &str, format: Option<&str>) -> Self {
        let moment = Moment::from_iso(text);
        let Some(code) = format else {
            let kind = if moment.is_some() {
                ContentKind::Number
            } else {
                ContentKind::Text
            };
            let shown = match moment {
                Some(_) => text.strip_suffix(" 00:00:00").unwrap_or(text),
                None => text,
            };
            return Self::shown(shown.to_owned(), text.to_owned(), kind, None);
        };
        let format = NumberFormat::parse(code);
        if let Some(moment) = moment
            && let Some((shown, color)) = format.of_moment(&moment)
        {
            return Self::shown(shown, text.to_owned(), ContentKind::Number, color);
        }
        let (shown, color) = format.of_text(text);
        Self::shown(shown, text.to_owned(), ContentKind::Text, color)
    }

    fn shown(text: String, raw: String, kind: ContentKind, color: Option<&'static str>) -> Self {
        Self {
            raw: (raw != text).then_some(raw),
            text,
            kind,
            color,
        }
    }
}

/// A value as it would be typed.
fn text_of(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        other => json::write(other),
    }
}

#[cfg(test)]
mod tests;
