//! Tables typed at once, in another size or at another place.

use napsim_trajectories::{Value, shift_references};

/// A table typed at one place as it would be at another one of this size: rows and columns that are missing repeat the
/// last ones, references of formulas move.
///
/// `rows` and `cols` say how far the first cell moves. None where the value is no table.
pub fn resized(table: &Value, (height, width): (i32, i32), (rows, cols): (i32, i32)) -> Option<Value> {
    let Value::List(lines) = table else { return None };
    let n_lines = lines.len();
    let mut out = Vec::new();
    for line in 0..usize::try_from(height).ok()? {
        let from = line.min(n_lines.checked_sub(1)?);
        let Value::List(cells) = lines.get(from)? else {
            return None;
        };
        let n_cells = cells.len();
        let mut copied = Vec::new();
        for cell in 0..usize::try_from(width).ok()? {
            let from_cell = cell.min(n_cells.checked_sub(1)?);
            let down = i64::try_from(line - from).ok()? + i64::from(rows);
            let right = i64::try_from(cell - from_cell).ok()? + i64::from(cols);
            copied.push(match cells.get(from_cell)? {
                Value::Text(text) if text.starts_with('=') => Value::text(shift_references(text, down, right)),
                value => value.clone(),
            });
        }
        out.push(Value::list(copied));
    }
    Some(Value::list(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use napsim_trajectories::json;

    #[test]
    fn tables_grow_and_their_formulas_move() {
        let table = Value::list([Value::list([Value::Int(1), Value::text("=A1")])]);
        let grown = resized(&table, (2, 2), (0, 1)).unwrap();
        assert_eq!(json::write(&grown), r#"[[1, "=B1"], [1, "=B2"]]"#);
        assert!(resized(&Value::Int(1), (1, 1), (0, 0)).is_none());
    }
}
