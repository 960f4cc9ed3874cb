//! Shape adjustment and clock rewriting of typed content (spec chapter 01, section 6.3).

use std::sync::Arc;

use crate::Value;
use crate::action::{Action, Edit};
use crate::iso;
use crate::parse::ParseError;
use crate::range::{Bounds, CellAddress, Range};

/// An INPUT of `value` on `range`, adjusted to the range's shape and with clock texts rewritten.
///
/// # Errors
/// [`ParseError::InputRagged`], [`ParseError::InputShape`] or [`ParseError::InputLength`] when a list does not
/// fit the range.
pub fn typed(range: Range, value: Value) -> Result<Action, ParseError> {
    let value = if matches!(value, Value::Null) {
        value
    } else {
        rewrite_clocks(&adjust(range.bounds(), value)?)
    };
    Ok(Action::new(range, Edit::Input { value }))
}

impl Action {
    /// An INPUT as INPUTs of single cells, row by row; any other action as it is.
    ///
    /// Each part is adjusted and rewritten anew, which changes no clock text a second time, and none carries the
    /// inverse flag. A null clears every cell; a reversed range has no parts.
    ///
    /// # Errors
    /// [`ParseError::InputShape`] or [`ParseError::InputLength`] when an element is itself a list that does not fit one
    /// cell, and [`ParseError::Range`] when a range with `$` would have to be walked over.
    pub fn break_up(&self) -> Result<Vec<Action>, ParseError> {
        let Edit::Input { value } = self.edit() else {
            return Ok(vec![self.clone()]);
        };
        let sheet = self.range().sheet();
        let part = |cell: CellAddress, value: &Value| typed(Range::of_cell(sheet.clone(), cell), value.clone());
        let first = self.range().bounds().first_cell();
        match value {
            Value::List(rows) if !rows.is_empty() => {
                let cells = (first.row..).zip(rows.iter()).flat_map(|(row, values)| {
                    let values = row_of(values).unwrap_or_default();
                    (first.col..)
                        .zip(values)
                        .map(move |(col, value)| (CellAddress::new(row, col), value))
                });
                cells.map(|(cell, value)| part(cell, value)).collect()
            }
            Value::List(_) => self.parts_of(&Value::Null, part),
            scalar => self.parts_of(scalar, part),
        }
    }

    /// One part of the same value for each cell of the range.
    fn parts_of(
        &self,
        value: &Value,
        part: impl Fn(CellAddress, &Value) -> Result<Action, ParseError>,
    ) -> Result<Vec<Action>, ParseError> {
        let bounds = self.range().walk().map_err(|source| ParseError::Range {
            text: self.range().to_string(),
            source,
        })?;
        bounds.cells().map(|cell| part(cell, value)).collect()
    }
}

fn adjust(bounds: Bounds, value: Value) -> Result<Value, ParseError> {
    let (rows, cols) = (bounds.height(), bounds.width());
    let Value::List(items) = &value else {
        return Ok(if (rows, cols) == (1, 1) {
            value
        } else {
            fill(rows, cols, &value)
        });
    };
    let widths: Option<Vec<usize>> = items.iter().map(|item| row_of(item).map(<[Value]>::len)).collect();
    match widths {
        Some(widths) => {
            let width = widths.first().copied().unwrap_or(0);
            if widths.iter().any(|other| *other != width) {
                return Err(ParseError::InputRagged);
            }
            if !is_size(items.len(), rows) || !is_size(width, cols) {
                return Err(ParseError::InputShape {
                    got_rows: items.len(),
                    got_cols: width,
                    rows,
                    cols,
                });
            }
            Ok(value)
        }
        None => adjust_flat(items, rows, cols),
    }
}

/// A one-level list fits one row or one column.
fn adjust_flat(items: &Arc<[Value]>, rows: i64, cols: i64) -> Result<Value, ParseError> {
    if is_size(items.len(), cols) && rows == 1 {
        Ok(Value::list([Value::List(items.clone())]))
    } else if is_size(items.len(), rows) && cols == 1 {
        Ok(Value::list(
            items.iter().map(|item| Value::list([item.clone()])).collect::<Vec<_>>(),
        ))
    } else {
        Err(ParseError::InputLength {
            length: items.len(),
            rows,
            cols,
        })
    }
}

fn row_of(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items) => Some(items),
        _ => None,
    }
}

fn is_size(length: usize, size: i64) -> bool {
    i64::try_from(length).is_ok_and(|length| length == size)
}

fn fill(rows: i64, cols: i64, value: &Value) -> Value {
    let (rows, cols) = (usize::try_from(rows).unwrap_or(0), usize::try_from(cols).unwrap_or(0));
    let row = Value::list(vec![value.clone(); cols]);
    Value::list(vec![row; rows])
}

/// Every string, through nested lists but not inside objects, is rewritten where it reads as a date or time.
fn rewrite_clocks(value: &Value) -> Value {
    match value {
        Value::Text(text) => iso::rewrite_clock_text(text).map_or_else(|| value.clone(), Value::text),
        Value::List(items) => Value::list(items.iter().map(rewrite_clocks).collect::<Vec<_>>()),
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: Result<&[&str], &str>) {
        let parts = Action::parse(line).unwrap().break_up();
        let texts = parts.map(|parts| {
            assert!(parts.iter().all(|part| !part.is_inverse()));
            parts.iter().map(ToString::to_string).collect::<Vec<_>>()
        });
        let texts = texts.map_err(|error| error.code());
        assert_eq!(
            texts,
            expect.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect())
        );
    }

    #[test]
    fn inputs_break_into_cells() {
        let row = ["INPUT | S!B2 | 1", "INPUT | S!C2 | \"07:15:00\""];
        check("INPUT | S!B2:C2 | [1, \"07:15\"]", Ok(&row));
        check("INPUT | S!$B$2:$C$2 | [1, \"07:15\"]", Ok(&row));
        check(
            "INPUT | A1:B2 | [[1, null], [\"x\", {}]]",
            Ok(&[
                "INPUT | Sheet1!A1 | 1",
                "INPUT | Sheet1!B1 | clear",
                "INPUT | Sheet1!A2 | \"x\"",
                "INPUT | Sheet1!B2 | {}",
            ]),
        );
        check("INPUT | a1 | 5", Ok(&["INPUT | Sheet1!A1 | 5"]));
        check(
            "INPUT | A1:A2 | 5",
            Ok(&["INPUT | Sheet1!A1 | 5", "INPUT | Sheet1!A2 | 5"]),
        );
        check(
            "INPUT | A1:A2 | clear",
            Ok(&["INPUT | Sheet1!A1 | clear", "INPUT | Sheet1!A2 | clear"]),
        );
    }

    #[test]
    fn some_inputs_do_not_break() {
        check("INPUT | B2:A1 | 5", Ok(&[]));
        check("INPUT | $A$1 | 5", Err("bad_cell_address"));
        check("INPUT | A1 | [[[5, 6]]]", Err("input_length"));
        check("INPUT | A1 | [[[]]]", Err("input_shape"));
        check("FONT_BOLD | A1:B1 | true", Ok(&["FONT_BOLD | Sheet1!A1:B1 | true"]));
    }
}
