//! Shape adjustment and clock rewriting of typed content (spec chapter 01, section 6.3).

use std::sync::Arc;

use crate::Value;
use crate::action::{Action, Edit};
use crate::iso;
use crate::parse::ParseError;
use crate::range::{Bounds, Range};

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
