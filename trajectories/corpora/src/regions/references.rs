//! References in formulas: enough to see which cells a formula reads.

use napsim_trajectories::Bounds;
use napsim_trajectories::range::{COLUMN_MAX, ROW_MAX, column_number};

/// One reference of a formula to cells of its own sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The cells, corners in order; whole columns run over all rows.
    pub range: Bounds,
}

/// The references of a formula in the order written; those to other sheets and those within texts are left out.
///
/// Addresses, ranges and whole columns count, with or without `$`. A name followed by `(` or `!` is none.
pub fn references(formula: &str) -> impl Iterator<Item = Reference> + '_ {
    let mut rest = formula;
    std::iter::from_fn(move || {
        loop {
            let (skipped, found, after) = next_token(rest)?;
            rest = after;
            if !skipped && found.is_some() {
                return found;
            }
        }
    })
}

/// The next token: whether it belongs to another sheet, what it refers to, and what comes after.
fn next_token(text: &str) -> Option<(bool, Option<Reference>, &str)> {
    let first = text.chars().next()?;
    if first == '"' || first == '\'' {
        let rest = after_quoted(text, first);
        return Some(match rest.strip_prefix('!') {
            Some(qualified) => (true, None, after_name(qualified)),
            None => (false, None, rest),
        });
    }
    if !is_name(first) {
        return Some((false, None, text.get(first.len_utf8()..)?));
    }
    let rest = after_name(text);
    let name = text.get(..text.len() - rest.len())?;
    Some(match rest.chars().next() {
        Some('!') => (true, None, after_name(rest.get(1..)?)),
        Some('(') => (false, None, rest),
        _ => (false, reference(name), rest),
    })
}

/// What follows a quoted text; a doubled quote is part of it.
fn after_quoted(text: &str, quote: char) -> &str {
    let mut rest = text.get(1..).unwrap_or_default();
    while let Some((_, after)) = rest.split_once(quote) {
        match after.strip_prefix(quote) {
            Some(more) => rest = more,
            None => return after,
        }
    }
    ""
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | ':')
}

/// What follows a run of name characters, colons included.
fn after_name(text: &str) -> &str {
    text.trim_start_matches(is_name)
}

/// The reference that a name is, if it is one.
fn reference(name: &str) -> Option<Reference> {
    let (first, last) = name.split_once(':').unwrap_or((name, name));
    let ((first_col, first_row), (last_col, last_row)) = (corner(first)?, corner(last)?);
    let (first_row, last_row) = match (first_row, last_row) {
        (Some(first), Some(last)) => (first, last),
        // A column alone is a reference only as part of a pair.
        (None, None) if name.contains(':') => (1, ROW_MAX),
        _ => return None,
    };
    Some(Reference {
        range: Bounds {
            first_row: first_row.min(last_row),
            first_col: first_col.min(last_col),
            last_row: first_row.max(last_row),
            last_col: first_col.max(last_col),
        },
    })
}

/// Column and, where there is one, row of one corner.
fn corner(text: &str) -> Option<(i64, Option<i64>)> {
    let text = text.strip_prefix('$').unwrap_or(text);
    let n_letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, row) = text.split_at_checked(n_letters)?;
    let col = column_number(letters);
    if !(1..=3).contains(&n_letters) || col > COLUMN_MAX {
        return None;
    }
    let row = row.strip_prefix('$').unwrap_or(row);
    if row.is_empty() {
        return Some((col, None));
    }
    let is_number = row.bytes().all(|b| b.is_ascii_digit());
    let row = row.parse::<i64>().ok().filter(|row| is_number && *row <= ROW_MAX)?;
    Some((col, Some(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, expect: &[&str]) {
        let found: Vec<String> = references(formula)
            .map(|reference| reference.range.to_string())
            .collect();
        assert_eq!(found, expect, "{formula}");
    }

    #[test]
    fn finds_addresses_and_ranges() {
        check("=A1+B$2*$C$3", &["A1", "B2", "C3"]);
        check("=SUM(B2:B9)/COUNT(B9:A2)", &["B2:B9", "A2:B9"]);
        check("=ROUND(SUM(D:D), 2)", &["D1:D999999999999"]);
        check("=IF(A1>=10, \"see B2, \"\"C3\"\"\", D4)", &["A1", "D4"]);
    }

    #[test]
    fn passes_over_functions_numbers_and_other_sheets() {
        check("=LOG10(7)+1E5+TRUE", &[]);
        check("=Rates!B2+'Price list'!C3:C9+D4", &["D4"]);
        check("=Ω1+\"", &[]);
        check("=ABCD1+A", &[]);
    }
}
