//! What stands in one cell.

use std::fmt::Write as _;

/// A value of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    /// A text of anybody's making, which must not be taken for a formula.
    Text(&'a str),
    /// How many.
    Count(u64),
    /// A difference, which may be below zero.
    Difference(i64),
    /// A ratio.
    Ratio(f64),
    /// Yes or no.
    Flag(bool),
    /// Nothing that is defined.
    Empty,
}

impl Cell<'_> {
    /// A ratio where it is defined.
    pub(super) fn ratio(ratio: Option<f64>) -> Self {
        ratio.map_or(Self::Empty, Self::Ratio)
    }

    /// Adds the value to a text, without quotes.
    pub(super) fn write(self, text: &mut String) {
        // Writing to a text cannot fail.
        let _ = match self {
            Self::Text(value) => {
                if is_formula(value) {
                    text.push('\'');
                }
                text.push_str(value);
                Ok(())
            }
            Self::Count(count) => write!(text, "{count}"),
            Self::Difference(difference) => write!(text, "{difference}"),
            Self::Ratio(ratio) if ratio.is_finite() => write!(text, "{ratio}"),
            Self::Flag(flag) => write!(text, "{flag}"),
            Self::Ratio(_) | Self::Empty => Ok(()),
        };
    }
}

impl From<u32> for Cell<'_> {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<usize> for Cell<'_> {
    fn from(count: usize) -> Self {
        Self::Count(u64::try_from(count).unwrap_or(u64::MAX))
    }
}

/// Whether a spreadsheet could take the text for a formula, perhaps after an apostrophe was taken away.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// The text that a cell was written from: without the apostrophe that keeps spreadsheets from taking it for a formula.
pub fn restored(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cell: Cell<'_>, expect: &str) {
        let mut text = String::new();
        cell.write(&mut text);
        assert_eq!(text, expect, "{cell:?}");
    }

    #[test]
    fn texts_are_no_formulas_and_can_be_restored() {
        for (text, expect) in [
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1", "''=1"),
            ("''@", "'''@"),
            ("'quoted'", "'quoted'"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            check(Cell::Text(text), expect);
            assert_eq!(restored(expect), text);
        }
    }

    #[test]
    fn numbers_are_the_shortest_decimals() {
        check(Cell::Ratio(0.1 + 0.2), "0.30000000000000004");
        check(Cell::Ratio(0.3), "0.3");
        check(Cell::Ratio(1e-7), "0.0000001");
        check(Cell::Ratio(1.0), "1");
        check(Cell::Ratio(f64::NAN), "");
        check(Cell::Difference(-3), "-3");
        check(Cell::ratio(None), "");
        check(Cell::from(7_usize), "7");
    }
}
