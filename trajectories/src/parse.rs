//! From a line of the text notation to an action (spec chapter 01, sections 3 and 6).

mod error;
mod lines;

use std::sync::Arc;

use crate::action::{Action, Axis, BorderLine, BorderSide, Edit, FontProperty};
use crate::json::{self, JsonError};
use crate::kind::Keyword;
use crate::range::Range;
use crate::text::trim;
use crate::{Value, input, number};

pub use error::ParseError;
pub use lines::{FailedLine, ParsedLines, parse_lines};

/// The separator between the fields of a line: space, bar, space.
pub const SEPARATOR: &str = " | ";

/// The most cells that one action may cover; a larger range is refused when it is read.
///
/// The largest action of the published benchmark covers 3,116 cells. The published system has no limit and
/// hangs on a whole sheet.
pub const CELLS_PER_ACTION_MAX: u64 = 250_000;

/// Whether a line holds no action at all: blank, or a comment after `#`.
pub fn is_skipped(line: &str) -> bool {
    let line = trim(line);
    line.is_empty() || line.starts_with('#')
}

impl Action {
    /// Reads one line of the notation; blanks around it are removed first.
    ///
    /// # Errors
    /// [`ParseError`] when the line is not an action. Blank lines and comments are not actions either: ask
    /// [`is_skipped`] before.
    pub fn parse(line: &str) -> Result<Self, ParseError> {
        let line = trim(line);
        let name = line.split_once(SEPARATOR).map_or(line, |(name, _)| name);
        let keyword = Keyword::from_text(name).ok_or_else(|| ParseError::UnknownAction { name: abbreviate(name) })?;
        let action = match keyword {
            Keyword::PasteFrom => parse_paste(line)?,
            Keyword::Autofill => parse_autofill(line)?,
            _ => parse_fields(keyword, line)?,
        };
        Ok(action)
    }
}

/// The first 60 characters of a text, for messages.
fn abbreviate(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A range of acceptable size.
fn read_range(text: &str) -> Result<Range, ParseError> {
    let range = Range::parse(text).map_err(|source| ParseError::Range {
        text: abbreviate(text),
        source,
    })?;
    let cells = range.bounds().n_cells();
    if cells > CELLS_PER_ACTION_MAX {
        Err(ParseError::TooManyCells { cells })
    } else {
        Ok(range)
    }
}

/// All families but PASTE_FROM and AUTOFILL: name, range, and the rest as value (spec 3.3).
fn parse_fields(keyword: Keyword, line: &str) -> Result<Action, ParseError> {
    let mut fields = line.splitn(3, SEPARATOR).skip(1);
    let range = read_range(fields.next().ok_or(ParseError::MissingField)?)?;
    let value = fields.next();
    if matches!(keyword, Keyword::Merge | Keyword::Unmerge) {
        let on = value.map_or(keyword == Keyword::Merge, is_true);
        return Ok(Action::new(range, Edit::Merge { on }));
    }
    let value = value.ok_or(ParseError::MissingField)?;
    if let Some(property) = keyword.font_property() {
        return Ok(Action::new(
            range,
            Edit::Font {
                property,
                value: font_value(property, value)?,
            },
        ));
    }
    if let Some(side) = keyword.border_side() {
        return Ok(parse_border(range, side, value));
    }
    let edit = match keyword {
        Keyword::Value => return parse_value(range, value),
        Keyword::Formula => return Ok(parse_formula(range, value)),
        Keyword::Input => return parse_input(range, value),
        Keyword::NumberFormat => Edit::NumberFormat { format: value.into() },
        Keyword::FillColor => Edit::Fill {
            color: (value != "clear").then(|| color_text(value)),
        },
        Keyword::AlignHorizontal => Edit::Align {
            axis: Axis::Horizontal,
            value: value.to_lowercase().into(),
        },
        Keyword::AlignVertical => Edit::Align {
            axis: Axis::Vertical,
            value: value.to_lowercase().into(),
        },
        Keyword::WrapText => Edit::Wrap { on: is_true(value) },
        Keyword::TextOrientation => Edit::Orientation {
            degrees: number::read_integer(value).ok_or_else(|| ParseError::BadNumber {
                text: abbreviate(value),
            })?,
        },
        _ => {
            return Err(ParseError::UnknownAction {
                name: keyword.text().to_owned(),
            });
        }
    };
    Ok(Action::new(range, edit))
}

fn is_true(text: &str) -> bool {
    text.to_lowercase() == "true"
}

/// Hex colours are upper-cased, everything else stays verbatim.
fn color_text(text: &str) -> Arc<str> {
    if text.starts_with('#') {
        text.to_uppercase().into()
    } else {
        text.into()
    }
}

fn parse_value(range: Range, text: &str) -> Result<Action, ParseError> {
    if text == "clear" {
        return Ok(Action::new(
            range,
            Edit::Value {
                value: Value::Null,
                datatype: None,
            },
        )
        .with_inverse(true));
    }
    let value = match json::read(text) {
        Ok(value) => value,
        Err(error @ JsonError::TooDeep { .. }) => return Err(ParseError::Json(error)),
        Err(_) => Value::text(text),
    };
    Ok(Action::new(range, Edit::Value { value, datatype: None }))
}

fn parse_formula(range: Range, text: &str) -> Action {
    let formula = match text {
        "clear" => return Action::new(range, Edit::Formula { text: None }).with_inverse(true),
        "null" => return Action::new(range, Edit::Formula { text: None }),
        quoted if quoted.len() >= 2 && quoted.starts_with('"') && quoted.ends_with('"') => match json::read(quoted) {
            Ok(Value::Text(decoded)) => decoded,
            _ => quoted.into(),
        },
        raw => raw.into(),
    };
    Action::new(range, Edit::Formula { text: Some(formula) })
}

fn parse_input(range: Range, text: &str) -> Result<Action, ParseError> {
    if text == "clear" {
        return Ok(Action::new(range, Edit::Input { value: Value::Null }).with_inverse(true));
    }
    let value = match json::read(text) {
        Ok(value) => value,
        // A long integer fails here although a VALUE keeps its text (spec 6.3).
        Err(error @ (JsonError::TooDeep { .. } | JsonError::IntTooLong { .. })) => return Err(ParseError::Json(error)),
        Err(_) => Value::text(text),
    };
    input::typed(range, value)
}

fn font_value(property: FontProperty, text: &str) -> Result<Value, ParseError> {
    Ok(match property {
        FontProperty::Bold | FontProperty::Italic => Value::Bool(is_true(text)),
        FontProperty::Size if text == "None" => Value::Int(11),
        FontProperty::Size => {
            Value::Float(number::read_float(text).ok_or_else(|| ParseError::BadNumber { text: abbreviate(text) })?)
        }
        FontProperty::Underline => Value::text(text.to_lowercase()),
        FontProperty::Color => Value::Text(color_text(text)),
        FontProperty::Name => Value::text(text),
    })
}

fn parse_border(range: Range, side: BorderSide, text: &str) -> Action {
    if matches!(trim(text), "clear" | "None") {
        return Action::new(
            range,
            Edit::Border {
                side,
                line: BorderLine::cleared(),
            },
        )
        .with_inverse(true);
    }
    let mut pieces = text.split(", ").map(Arc::<str>::from);
    let line = BorderLine {
        weight: pieces.next(),
        style: Some(pieces.next().unwrap_or_else(|| "Continuous".into())),
        color: pieces.next(),
    };
    Action::new(range, Edit::Border { side, line })
}

/// PASTE_FROM is cut at every bar, at most three times, and its pieces are trimmed (spec 6.11).
fn parse_paste(line: &str) -> Result<Action, ParseError> {
    let mut pieces = line.splitn(4, '|').map(trim);
    let name = pieces.next().unwrap_or_default();
    let destination = pieces.next().ok_or(ParseError::PasteMalformed)?;
    if name != Keyword::PasteFrom.text() {
        return Err(ParseError::PasteMalformed);
    }
    let range = read_range(destination)?;
    let source = pieces.next().ok_or(ParseError::PasteMalformed)?;
    if source == "clear" {
        return Ok(Action::new(
            range,
            Edit::Paste {
                source: "".into(),
                mode: "all".into(),
            },
        )
        .with_inverse(true));
    }
    let mode = pieces.next().ok_or(ParseError::PasteMalformed)?;
    check_source_size(source)?;
    Ok(Action::new(
        range,
        Edit::Paste {
            source: source.into(),
            mode: mode.into(),
        },
    ))
}

/// A source that is a range must not be larger than a range may be; what is no range is kept as it is.
fn check_source_size(source: &str) -> Result<(), ParseError> {
    match read_range(source) {
        Err(error @ ParseError::TooManyCells { .. }) => Err(error),
        _ => Ok(()),
    }
}

/// AUTOFILL is cut at every bar, at most twice, and its geometry is checked (spec 6.12).
fn parse_autofill(line: &str) -> Result<Action, ParseError> {
    let mut pieces = line.splitn(3, '|').map(trim).skip(1);
    let (Some(destination), Some(source)) = (pieces.next(), pieces.next()) else {
        return Err(ParseError::AutofillMalformed);
    };
    let range = read_range(destination)?;
    if source == "clear" {
        return Ok(Action::new(range, Edit::Autofill { source: "".into() }).with_inverse(true));
    }
    if let Ok(source) = Range::parse(source) {
        check_fill_geometry(&range, &source)?;
    }
    Ok(Action::new(range, Edit::Autofill { source: source.into() }))
}

fn check_fill_geometry(destination: &Range, source: &Range) -> Result<(), ParseError> {
    let (outer, inner) = (destination.bounds(), source.bounds());
    if destination.sheet() != source.sheet() {
        return Err(ParseError::AutofillSheet);
    }
    if !outer.contains(&inner) {
        return Err(ParseError::AutofillNotInside);
    }
    let same_cols = outer.first_col == inner.first_col && outer.last_col == inner.last_col;
    let same_rows = outer.first_row == inner.first_row && outer.last_row == inner.last_row;
    match (same_cols, same_rows) {
        (true, true) => Err(ParseError::AutofillSame),
        (false, false) => Err(ParseError::AutofillDiagonal),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expect: Result<&str, &str>) {
        let got = Action::parse(line)
            .map(|action| action.to_string())
            .map_err(|error| error.code().to_owned());
        assert_eq!(got, expect.map(str::to_owned).map_err(str::to_owned), "{line}");
    }

    #[test]
    fn reads_each_family() {
        check("VALUE | A1 | 5", Ok("VALUE | Sheet1!A1 | 5"));
        check("FONT_BOLD | A1 | True", Ok("FONT_BOLD | Sheet1!A1 | true"));
        check("UNMERGE | A1:B1", Ok("MERGE | Sheet1!A1:B1 | false"));
        check(
            "BORDER_ALL | A1 | Thin",
            Ok("BORDER_ALL | Sheet1!A1 | Thin, Continuous"),
        );
        check("INPUT | A1:B1 | [1, 2]", Ok("INPUT | Sheet1!A1:B1 | [[1, 2]]"));
        check(
            "AUTOFILL | A1:A3 |  Sheet1!A1",
            Ok("AUTOFILL | Sheet1!A1:A3 | Sheet1!A1"),
        );
        check("PASTE_FROM | B1 | A1 | all", Ok("PASTE_FROM | Sheet1!B1 | A1 | all"));
    }

    #[test]
    fn refuses_with_a_code() {
        check("value | A1 | 5", Err("unknown_op"));
        check("VALUE | A1", Err("missing_item"));
        check("VALUE | A1 | ", Err("bad_range"));
        check("FONT_SIZE | A1 | huge", Err("bad_number"));
        check("AUTOFILL | A1:B3 | A1", Err("autofill_diagonal"));
        check("FONT_BOLD | A1:XFD1048576 | true", Err("too_many_cells"));
        check("PASTE_FROM | A1 | A1:XFD1048576 | all", Err("too_many_cells"));
    }
}
