//! What is typed.

use std::collections::BTreeSet;

use napsim_trajectories::{Action, Edit, Value};
use serde::{Deserialize, Serialize};

use super::count::{Histogram, Share};
use super::tally::Tally;

/// Typed content: actions INPUT, VALUE and FORMULA, and the cells they write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStats {
    /// Actions that write one cell, among all that type content.
    pub single_cell: Share,
    /// Cells written by each action of several cells.
    pub cells_of_arrays: Histogram,
    /// Cells written in all, a repeated scalar once for each cell.
    pub cells_typed: u64,
    /// Actions by the kind of what they type; `mixed` where the non-empty cells of a range are of several kinds.
    pub kinds_of_actions: Tally,
    /// Cells by the kind of what is typed into them.
    pub kinds_of_cells: Tally,
    /// Characters of each typed text that is not a formula, empty texts left out.
    pub text_lengths: Histogram,
    /// Characters of each typed formula.
    pub formula_lengths: Histogram,
    /// How often each function is called in typed formulas.
    pub functions: Tally,
}

impl InputStats {
    /// Counts an action that types content.
    pub(super) fn add(&mut self, action: &Action) {
        let cells = typed_values(action);
        let n_cells = action.range().bounds().n_cells();
        self.single_cell.count(n_cells == 1);
        if n_cells != 1 {
            self.cells_of_arrays.add(n_cells);
        }
        let mut kinds = BTreeSet::new();
        for value in &cells {
            let kind = content_kind(value);
            self.cells_typed += 1;
            self.kinds_of_cells.add(kind);
            if kind != "empty" {
                kinds.insert(kind);
            }
            self.add_text(kind, value);
        }
        let mut kinds = kinds.into_iter();
        self.kinds_of_actions.add(match (kinds.next(), kinds.next()) {
            (Some(kind), None) => kind,
            (None, _) => "empty",
            _ => "mixed",
        });
    }

    fn add_text(&mut self, kind: &str, value: &Value) {
        let Some(text) = value.as_text() else { return };
        let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        match kind {
            "formula" => {
                self.formula_lengths.add(length);
                for name in functions_in(text) {
                    self.functions.add(&name);
                }
            }
            "empty" => {}
            _ => self.text_lengths.add(length),
        }
    }
}

/// The values that an action types, cell by cell.
fn typed_values(action: &Action) -> Vec<Value> {
    let (Edit::Input { value } | Edit::Value { value, .. }) = action.edit() else {
        return match action.edit() {
            Edit::Formula { text } => vec![text.clone().map_or(Value::Null, Value::Text)],
            _ => Vec::new(),
        };
    };
    match value {
        Value::List(rows) => rows
            .iter()
            .flat_map(|row| match row {
                Value::List(values) => values.to_vec(),
                single => vec![single.clone()],
            })
            .collect(),
        single => vec![single.clone()],
    }
}

/// The kind of a content: `formula`, `text`, `int`, `float`, `bool`, `empty`, `time`, `datetime`, `numeric text`, `other`.
pub(super) fn content_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::BigInt(_) => "int",
        Value::Float(_) => "float",
        Value::Text(text) => text_kind(text),
        Value::List(_) | Value::Object(_) => "other",
    }
}

fn text_kind(text: &str) -> &'static str {
    let trimmed = text.trim();
    if text.is_empty() {
        "empty"
    } else if text.starts_with('=') && text.len() > 1 {
        "formula"
    } else if is_clock(trimmed) {
        "time"
    } else if is_datetime(trimmed) {
        "datetime"
    } else if trimmed.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
        && trimmed.parse::<f64>().is_ok_and(f64::is_finite)
    {
        "numeric text"
    } else {
        "text"
    }
}

/// `H:MM` or `H:MM:SS`, the hours of any size.
fn is_clock(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let rest_of_two = parts.iter().skip(1).all(|part| part.len() == 2);
    matches!(parts.len(), 2 | 3) && rest_of_two && parts.iter().all(is_number)
}

/// `YYYY-MM-DD`, alone or followed by a blank or `T` and a clock time.
fn is_datetime(text: &str) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else {
        return false;
    };
    let is_date = date.bytes().enumerate().all(|(idx, byte)| match idx {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_date && (rest.is_empty() || rest.strip_prefix([' ', 'T']).is_some_and(is_clock))
}

/// The names before an opening parenthesis, in upper case, outside quoted texts.
fn functions_in(formula: &str) -> Vec<String> {
    let (mut names, mut name, mut quoted) = (Vec::new(), String::new(), false);
    for letter in formula.chars() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => {
                // Newer functions are stored with a prefix that nobody types.
                let bare = name.strip_prefix("_XLFN.").unwrap_or(&name);
                if bare.starts_with(|first: char| first.is_ascii_alphabetic()) {
                    names.push(bare.to_owned());
                }
            }
            _ if !quoted && (letter.is_ascii_alphanumeric() || letter == '.' || letter == '_') => {
                name.push(letter.to_ascii_uppercase());
                continue;
            }
            _ => {}
        }
        name.clear();
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_have_kinds() {
        for (value, expected) in [
            (Value::text("=A1"), "formula"),
            (Value::text("="), "text"),
            (Value::text(""), "empty"),
            (Value::text("07:15:00"), "time"),
            (Value::text("30:05"), "time"),
            (Value::text("1:2:3"), "text"),
            (Value::text("2024-01-02 00:00:00"), "datetime"),
            (Value::text("2024-01-02x"), "text"),
            (Value::text("-3.5"), "numeric text"),
            (Value::text("nan"), "text"),
            (Value::Int(1), "int"),
            (Value::Float(1.5), "float"),
        ] {
            assert_eq!(content_kind(&value), expected, "{value:?}");
        }
    }

    #[test]
    fn functions_are_found_outside_texts() {
        let names = functions_in("=IF(SUM(A1:A3)>0,\"MAX(\",_xlfn.STDEV.S(B1))+(2)*Tax2024(1)");
        assert_eq!(names, ["IF", "SUM", "STDEV.S", "TAX2024"]);
    }

    #[test]
    fn arrays_are_counted_by_cell_and_by_action() {
        let mut stats = InputStats::default();
        for line in [
            "INPUT | A1 | \"name\"",
            "INPUT | A2:B3 | [[1, 2], [3, \"\"]]",
            "INPUT | C1:D1 | [\"x\", 1.5]",
            "INPUT | E1:E3 | \"=SUM(A1:B1)\"",
        ] {
            stats.add(&Action::parse(line).unwrap());
        }
        assert_eq!(stats.single_cell, Share { part: 1, whole: 4 });
        assert_eq!(stats.cells_typed, 10);
        for (kind, n) in [("text", 1), ("int", 1), ("mixed", 1), ("formula", 1)] {
            assert_eq!(stats.kinds_of_actions.get(kind), n, "{kind}");
        }
        assert_eq!(stats.kinds_of_cells.get("empty"), 1);
        assert_eq!(stats.functions.get("SUM"), 3);
    }
}
