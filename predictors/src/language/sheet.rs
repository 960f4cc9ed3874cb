//! Lines without the name of their sheet, and the name put back (spec chapter 03, 8.1 and 8.5).

use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::text::{Place, trim};

use super::has_source;

/// A line that cannot be part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// There is no separator, hence no range to take a sheet name from.
    #[error("take the sheet name from `{line}`: expected `NAME | range | value`")]
    NoSeparator {
        /// The line.
        line: String,
    },
}

/// The line without the sheet names of its range and, for fills and pastes, of its source.
///
/// The values of other actions stay, so formulas keep the sheets that they name.
///
/// # Errors
/// [`LineError::NoSeparator`] where the line has no range.
pub fn without_sheet(line: &str) -> Result<String, LineError> {
    if !line.contains(SEPARATOR) {
        return Err(LineError::NoSeparator { line: line.to_owned() });
    }
    Ok(with_ranges(line, |place, _| Place::split(place).range.to_owned()))
}

/// Which sources of fills and pastes get the sheet name of their line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// All that are ranges; the word `clear` is none.
    Ranges,
    /// Those of pastes, whatever they are, and never those of fills: what the published system does (Q7).
    OfPastesAlone,
}

/// The line with the name of a sheet before its range and before its source, where they have none.
///
/// A line without a separator stays as it is.
pub fn with_sheet(line: &str, sheet: &str, sources: Sources) -> String {
    let name = line.split(SEPARATOR).next().map_or("", trim);
    with_ranges(line, |place, is_source| {
        let restored = !is_source
            || match sources {
                Sources::Ranges => trim(place) != "clear",
                Sources::OfPastesAlone => name == "PASTE_FROM",
            };
        if restored && !place.contains('!') {
            format!("{sheet}!{place}")
        } else {
            place.to_owned()
        }
    })
}

/// The line with its range and, where it has one, its source rewritten; the rewriter is told which is the source.
fn with_ranges(line: &str, rewrite: impl Fn(&str, bool) -> String) -> String {
    let mut pieces = line.split(SEPARATOR);
    let name = pieces.next().unwrap_or_default();
    let mut out = name.to_owned();
    for (idx, piece) in pieces.enumerate() {
        out.push_str(SEPARATOR);
        match idx {
            0 => out.push_str(&rewrite(piece, false)),
            1 if has_source(trim(name)) => out.push_str(&rewrite(piece, true)),
            _ => out.push_str(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sheets_are_removed_and_restored() {
        for (line, bare) in [
            ("INPUT | 'A!B'!C1 | \"ahoy! there\"", "INPUT | C1 | \"ahoy! there\""),
            ("MERGE | 'A!B'!A1:B1", "MERGE | A1:B1"),
            ("AUTOFILL | 'A!B'!A1:A9 | 'A!B'!A1", "AUTOFILL | A1:A9 | A1"),
            ("PASTE_FROM | 'A!B'!A1 | 'A!B'!C1 | all", "PASTE_FROM | A1 | C1 | all"),
            ("PASTE_FROM | 'A!B'!A1 | clear", "PASTE_FROM | A1 | clear"),
        ] {
            assert_eq!(without_sheet(line).as_deref(), Ok(bare));
            assert_eq!(with_sheet(bare, "'A!B'", Sources::Ranges), line);
        }
    }

    #[test]
    fn the_published_way_forgets_fills_and_clears() {
        let published = |line| with_sheet(line, "S", Sources::OfPastesAlone);
        assert_eq!(published("AUTOFILL | A1:A9 | A1"), "AUTOFILL | S!A1:A9 | A1");
        assert_eq!(published("PASTE_FROM | A1 | clear"), "PASTE_FROM | S!A1 | S!clear");
    }

    #[test]
    fn a_line_without_range_is_refused() {
        let error = without_sheet("FONT_BOLD").unwrap_err();
        assert_eq!(
            error.to_string(),
            "take the sheet name from `FONT_BOLD`: expected `NAME | range | value`"
        );
        assert_eq!(with_sheet("STOP", "S", Sources::Ranges), "STOP");
    }
}
