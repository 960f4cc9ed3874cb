//! Shortening one line of the history (spec chapter 03, 8.2).

use std::borrow::Cow;

use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::text::trim;
use napsim_trajectories::{Value, json};

use super::has_source;

/// What stands for the characters and cells that are left out.
pub const ELLIPSIS: &str = "...";

/// How long a value may be before it is shortened. The default is that of the published protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortening {
    /// Texts of more characters than this are cut.
    pub chars_max: usize,
    /// Rows and columns that are kept at each edge of a shortened grid.
    pub corner: usize,
    /// Grids of more cells than this are shortened; none means four corners, that is 4·`corner`².
    pub cells_max: Option<usize>,
}

impl Default for Shortening {
    fn default() -> Self {
        Self {
            chars_max: 32,
            corner: 2,
            cells_max: None,
        }
    }
}

impl Shortening {
    /// The line with its value shortened where that is too long.
    ///
    /// Only the third field is looked at; what follows a later separator stays. Formulas are never cut, nor are
    /// the sources of fills and pastes.
    pub fn line<'line>(&self, line: &'line str) -> Cow<'line, str> {
        let mut pieces = line.splitn(4, SEPARATOR);
        let (Some(name), Some(range), Some(value)) = (pieces.next(), pieces.next(), pieces.next()) else {
            return Cow::Borrowed(line);
        };
        if has_source(trim(name)) {
            return Cow::Borrowed(line);
        }
        let Some(short) = self.value(value) else {
            return Cow::Borrowed(line);
        };
        let mut shortened = [name, range, &short].join(SEPARATOR);
        if let Some(rest) = pieces.next() {
            shortened.push_str(SEPARATOR);
            shortened.push_str(rest);
        }
        Cow::Owned(shortened)
    }

    /// The shortened value, where it is to be shortened.
    fn value(&self, value: &str) -> Option<String> {
        match json::read(value) {
            Ok(Value::Text(text)) if text.starts_with('=') => None,
            Ok(Value::Text(text)) => cut(&text, self.chars_max).map(|cut| json::write(&Value::text(cut))),
            Ok(Value::List(rows)) if matches!(rows.first(), Some(Value::List(_))) => self.grid(value, &rows),
            Ok(_) => None,
            Err(_) => self.bare_text(value),
        }
    }

    /// A grid of too many cells is replaced by its corners. What looks like a grid and has rows that are none is
    /// cut like any text, as the published system does.
    fn grid(&self, value: &str, rows: &[Value]) -> Option<String> {
        let cells_max = self
            .cells_max
            .unwrap_or_else(|| self.corner.saturating_mul(self.corner).saturating_mul(4));
        match rows.iter().map(length).sum::<Option<usize>>() {
            Some(n_cells) if n_cells <= cells_max => None,
            Some(_) => self
                .corners(rows)
                .map_or_else(|| self.bare_text(value), |view| Some(json::write(&view))),
            None => self.bare_text(value),
        }
    }

    /// What is no JSON is cut unless it is a formula, perhaps behind quotes.
    fn bare_text(&self, text: &str) -> Option<String> {
        if trim(text).trim_start_matches('"').starts_with('=') {
            None
        } else {
            cut(text, self.chars_max)
        }
    }

    /// The corner view of a grid; nothing where a row is no list.
    fn corners(&self, rows: &[Value]) -> Option<Value> {
        let rows: Vec<&[Value]> = rows.iter().map(cells).collect::<Option<_>>()?;
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let n_cols = self.corner.min(width);
        let row_view = |row: &&[Value]| {
            if width > 2 * n_cols {
                edges(row, n_cols, &Value::from(ELLIPSIS))
            } else {
                row.to_vec()
            }
        };
        let views: Vec<Vec<Value>> = rows.iter().map(row_view).collect();
        let n_rows = self.corner.min(rows.len());
        let views = if rows.len() > 2 * n_rows {
            let first_kept = views.first().filter(|_| n_rows > 0);
            let gap = vec![Value::from(ELLIPSIS); first_kept.map_or(1, Vec::len)];
            edges(&views, n_rows, &gap)
        } else {
            views
        };
        Some(Value::list(views.into_iter().map(Value::list).collect::<Vec<_>>()))
    }
}

/// The first and the last `n` items, which may be the same ones, with a gap between.
fn edges<T: Clone>(items: &[T], n: usize, gap: &T) -> Vec<T> {
    let last = items.len().saturating_sub(n);
    let (head, tail) = (items.iter().take(n), items.iter().skip(last));
    head.chain([gap]).chain(tail).cloned().collect()
}

/// The first characters and an ellipsis, where there are more.
pub(super) fn cut(text: &str, chars_max: usize) -> Option<String> {
    let (end, _) = text.char_indices().nth(chars_max)?;
    text.get(..end).map(|start| format!("{start}{ELLIPSIS}"))
}

fn cells(row: &Value) -> Option<&[Value]> {
    match row {
        Value::List(cells) => Some(cells),
        _ => None,
    }
}

/// How long the published system takes a row to be: texts and objects have a length, too.
fn length(row: &Value) -> Option<usize> {
    match row {
        Value::List(cells) => Some(cells.len()),
        Value::Text(text) => Some(text.chars().count()),
        Value::Object(entries) => Some(entries.len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(line: &str, expect: &str) {
        assert_eq!(Shortening::default().line(line), expect);
    }

    #[test]
    fn long_texts_are_cut_and_formulas_are_not() {
        let text = "abcdefghijklmnopqrstuvwxyz0123456";
        check(
            &format!("INPUT | A1 | \"{text}\""),
            "INPUT | A1 | \"abcdefghijklmnopqrstuvwxyz012345...\"",
        );
        check(
            &format!("FONT_NAME | A1 | {text}"),
            "FONT_NAME | A1 | abcdefghijklmnopqrstuvwxyz012345...",
        );
        for kept in [format!("INPUT | A1 | \"={text}\""), format!("FORMULA | A1 | ={text}")] {
            check(&kept, &kept);
        }
    }

    #[test]
    fn large_grids_keep_their_corners() {
        check(
            "INPUT | A1:C6 | [[1,2,3],[1,2,3],[1,2,3],[1,2,3],[1,2,3],[1e5,2.50,\"ø\"]]",
            r#"INPUT | A1:C6 | [[1, 2, 3], [1, 2, 3], ["...", "...", "..."], [1, 2, 3], [100000.0, 2.5, "\u00f8"]]"#,
        );
        check("INPUT | A1:B2 | [[1,2],[3,4]]", "INPUT | A1:B2 | [[1,2],[3,4]]");
    }

    proptest! {
        #[test]
        fn shortened_texts_stay_as_they_are(text in "[a-z\"é ]{0,80}", chars_max in 3_usize..40) {
            let shortening = Shortening { chars_max, ..Shortening::default() };
            let line = format!("INPUT | A1 | {}", json::write(&Value::text(text)));
            let once = shortening.line(&line).into_owned();
            let longer = Shortening { chars_max: chars_max + ELLIPSIS.len(), ..shortening };
            prop_assert_eq!(longer.line(&once), once.clone());
            prop_assert!(once.chars().count() <= line.chars().count() + ELLIPSIS.len());
        }
    }
}
