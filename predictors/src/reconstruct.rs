//! From predicted features back to the text of an action (spec chapter 03, section 2).

mod reference;

use std::borrow::Cow;

use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Bounds, CellAddress};

use crate::feature::{Feature, ValueType};
use crate::history::Continuation;

pub use reference::shift_references;

/// Where a predicted action goes: its first cell and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First cell.
    pub start: CellAddress,
    /// Rows.
    pub height: i64,
    /// Columns.
    pub width: i64,
}

impl Area {
    /// The area of an action.
    pub fn of(feature: &Feature) -> Self {
        Self {
            start: feature.start,
            height: feature.height,
            width: feature.width,
        }
    }

    /// The area moved by rows and columns, with its first cell held on the sheet.
    #[must_use]
    pub fn moved(self, rows: i64, cols: i64) -> Self {
        let start = CellAddress::new((self.start.row + rows).max(1), (self.start.col + cols).max(1));
        Self { start, ..self }
    }

    /// The area grown by rows and columns, to at least one cell.
    #[must_use]
    pub fn grown(self, rows: i64, cols: i64) -> Self {
        Self {
            height: (self.height + rows).max(1),
            width: (self.width + cols).max(1),
            ..self
        }
    }

    /// The bounds from the first cell to the last one.
    pub fn bounds(self) -> Bounds {
        Bounds {
            first_row: self.start.row,
            first_col: self.start.col,
            last_row: self.start.row + self.height - 1,
            last_col: self.start.col + self.width - 1,
        }
    }
}

/// The text of a predicted action, with the value that the history suggests for its keyword.
pub fn action_text(
    keyword: &str,
    value_type: ValueType,
    sheet: &str,
    area: Area,
    history: &Continuation<'_>,
) -> String {
    let value = value(keyword, value_type, area.start, history.latest_of(keyword).next());
    join(keyword, sheet, area, &value)
}

/// The value of a predicted action: that of the latest action with the same keyword, or a constant (Q4).
///
/// References of a bare formula move along with the target; quoted formulas stay as they are (Q3).
pub fn value<'a>(
    keyword: &str,
    value_type: ValueType,
    target: CellAddress,
    latest: Option<&'a Feature>,
) -> Cow<'a, str> {
    let Some(latest) = latest else {
        return Cow::Borrowed(default_value(keyword));
    };
    if value_type == ValueType::Formula && latest.value.starts_with('=') {
        let (rows, cols) = (target.row - latest.start.row, target.col - latest.start.col);
        return Cow::Owned(shift_references(&latest.value, rows, cols));
    }
    Cow::Borrowed(&latest.value)
}

/// The value of a keyword that the history does not hold.
fn default_value(keyword: &str) -> &'static str {
    match keyword {
        "FONT_BOLD" | "FONT_ITALIC" | "WRAP_TEXT" => "True",
        "MERGE" | "UNMERGE" => "true",
        "FONT_UNDERLINE" => "single",
        "FONT_SIZE" => "11",
        "FONT_COLOR" => "#000000",
        "FONT_NAME" => "Calibri",
        "FILL_COLOR" => "#FFFFFF",
        "ALIGN_HORIZONTAL" => "center",
        "ALIGN_VERTICAL" => "middle",
        "TEXT_ORIENTATION" | "INPUT" | "VALUE" => "0",
        "NUMBER_FORMAT" => "#,##0",
        "FORMULA" => "=0",
        "PASTE_FROM" => "Sheet1!A1 | values",
        "BORDER_ALL"
        | "BORDER_BOTTOM"
        | "BORDER_DIAGONAL_DOWN"
        | "BORDER_DIAGONAL_UP"
        | "BORDER_INSIDE_HORIZONTAL"
        | "BORDER_INSIDE_VERTICAL"
        | "BORDER_LEFT"
        | "BORDER_OUTSIDE"
        | "BORDER_RIGHT"
        | "BORDER_TOP" => "Thin, Continuous, #000000",
        _ => "",
    }
}

/// `KEYWORD | sheet!range | value`, or without the last field where the value is empty.
pub fn join(keyword: &str, sheet: &str, area: Area, value: &str) -> String {
    let range = area.bounds();
    if value.is_empty() {
        format!("{keyword}{SEPARATOR}{sheet}!{range}")
    } else {
        format!("{keyword}{SEPARATOR}{sheet}!{range}{SEPARATOR}{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::keyword_id;
    use crate::feature::{KEYWORDS, UNKNOWN_KEYWORD};

    fn check(keyword: &str, latest: Option<&str>, value_type: ValueType, expect: &str) {
        let latest = latest.map(Feature::of_first);
        let got = value(keyword, value_type, CellAddress::new(5, 4), latest.as_ref());
        assert_eq!(got, expect, "{keyword}");
    }

    #[test]
    fn the_latest_value_is_taken_whatever_its_type() {
        check(
            "INPUT",
            Some("INPUT | Sheet1!D3 | \"tea\""),
            ValueType::Number,
            "\"tea\"",
        );
        check("INPUT", None, ValueType::Number, "0");
        check("AUTOFILL", None, ValueType::Other, "");
    }

    #[test]
    fn only_bare_formulas_move() {
        check(
            "FORMULA",
            Some("FORMULA | Sheet1!D3 | =B3*C$3"),
            ValueType::Formula,
            "=B5*C$3",
        );
        check("FORMULA", Some("FORMULA | Sheet1!D3 | =B3"), ValueType::Text, "=B3");
        check(
            "INPUT",
            Some("INPUT | Sheet1!D3 | \"=B3\""),
            ValueType::Formula,
            "\"=B3\"",
        );
    }

    #[test]
    fn every_known_keyword_has_a_default() {
        for keyword in KEYWORDS {
            assert_ne!(default_value(keyword), "", "{keyword}");
        }
        assert_eq!(keyword_id("BORDER_WEIRD"), UNKNOWN_KEYWORD);
        assert_eq!(default_value("BORDER_WEIRD"), "");
    }

    #[test]
    fn an_area_stays_on_the_sheet() {
        let area = Area {
            start: CellAddress::new(2, 2),
            height: 2,
            width: 1,
        };
        assert_eq!(
            join("MERGE", "Sheet1", area.moved(-5, 1).grown(0, -3), ""),
            "MERGE | Sheet1!C1:C2"
        );
        assert_eq!(join("INPUT", "'a b'", area.grown(-1, 0), "1"), "INPUT | 'a b'!B2 | 1");
    }
}
