//! The sources of fills and pastes, moved along with their targets.

use std::sync::Arc;

use napsim_trajectories::{Bounds, Edit, Range};

/// The text of a source moved by rows and columns, its sheet kept; none where it would leave the sheet.
fn moved(source: &str, rows: i32, cols: i32) -> Option<Arc<str>> {
    let (sheet, range) = match source.rsplit_once('!') {
        Some((sheet, range)) => (Some(sheet), range),
        None => (None, source),
    };
    let bounds = Range::new("S", range).ok()?.bounds();
    let (rows, cols) = (i64::from(rows), i64::from(cols));
    let bounds = Bounds {
        first_row: bounds.first_row + rows,
        first_col: bounds.first_col + cols,
        last_row: bounds.last_row + rows,
        last_col: bounds.last_col + cols,
    };
    if bounds.first_row < 1 || bounds.first_col < 1 {
        return None;
    }
    let text = Range::from_bounds("S".into(), bounds).text().clone();
    Some(match sheet {
        Some(sheet) => format!("{sheet}!{text}").into(),
        None => text,
    })
}

/// The same fill or paste from a source moved by rows and columns; none for every other edit.
pub fn moved_source(edit: &Edit, rows: i32, cols: i32) -> Option<Edit> {
    match edit {
        Edit::Autofill { source } => Some(Edit::Autofill {
            source: moved(source, rows, cols)?,
        }),
        Edit::Paste { source, mode } => Some(Edit::Paste {
            source: moved(source, rows, cols)?,
            mode: mode.clone(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_move_and_keep_their_sheet() {
        for (source, rows, cols, expect) in [
            ("A1:B2", 1, 2, Some("C2:D3")),
            ("Depot!A1", 3, 0, Some("Depot!A4")),
            ("A1", -1, 0, None),
            ("", 1, 0, None),
        ] {
            assert_eq!(moved(source, rows, cols).as_deref(), expect, "{source}");
        }
    }
}
