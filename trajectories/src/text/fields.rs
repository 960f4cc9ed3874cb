//! Lines split into fields for display, and joined again (spec 11).

use super::SEPARATOR;

/// The fields of one line, cut at every `" | "`.
///
/// This is a view for display; actions are read by other rules (spec 3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields<'line> {
    /// The first part; the whole line if there is no separator.
    pub operation: &'line str,
    /// The second part.
    pub cell_range: Option<&'line str>,
    /// The third part alone: later bars are lost.
    pub value: Option<&'line str>,
    /// Where the action stands; absent when the cell range is missing or empty.
    pub place: Option<Place<'line>>,
    /// All parts.
    pub parts: Vec<&'line str>,
}

impl<'line> Fields<'line> {
    /// Splits a line.
    pub fn split(line: &'line str) -> Self {
        let parts: Vec<&str> = line.split(SEPARATOR).collect();
        let cell_range = parts.get(1).copied();
        Self {
            operation: parts.first().copied().unwrap_or_default(),
            cell_range,
            value: parts.get(2).copied(),
            place: cell_range.filter(|text| !text.is_empty()).map(Place::split),
            parts,
        }
    }
}

/// A cell range split into its sheet and the bare range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'line> {
    /// The text before the last `!`, if there is one.
    pub sheet: Option<&'line str>,
    /// The text after it.
    pub range: &'line str,
}

impl<'line> Place<'line> {
    /// Splits at the last `!`, whereas actions split at the first one.
    pub fn split(cell_range: &'line str) -> Self {
        match cell_range.rsplit_once('!') {
            Some((sheet, range)) => Self {
                sheet: Some(sheet),
                range,
            },
            None => Self {
                sheet: None,
                range: cell_range,
            },
        }
    }
}

/// Writes a line from its fields.
///
/// An absent or empty sheet gives no prefix; an absent value gives no third field, an empty one does.
pub fn join(operation: &str, range: &str, value: Option<&str>, sheet: Option<&str>) -> String {
    let mut line = format!("{operation}{SEPARATOR}");
    if let Some(sheet) = sheet.filter(|sheet| !sheet.is_empty()) {
        line.push_str(sheet);
        line.push('!');
    }
    line.push_str(range);
    if let Some(value) = value {
        line.push_str(SEPARATOR);
        line.push_str(value);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_bars_are_only_in_the_parts() {
        let fields = Fields::split("VALUE | A1 | a | b");
        assert_eq!(
            (fields.operation, fields.cell_range, fields.value),
            ("VALUE", Some("A1"), Some("a"))
        );
        assert_eq!(fields.parts, ["VALUE", "A1", "a", "b"]);
        assert_eq!(
            fields.place,
            Some(Place {
                sheet: None,
                range: "A1"
            })
        );
    }

    #[test]
    fn the_last_mark_ends_the_sheet() {
        assert_eq!(
            Place::split("'A!B'!C1"),
            Place {
                sheet: Some("'A!B'"),
                range: "C1"
            }
        );
    }

    #[test]
    fn no_range_means_no_place() {
        assert_eq!(Fields::split("VALUE").place, None);
        assert_eq!(Fields::split("VALUE |  | 5").place, None);
    }

    #[test]
    fn joining_skips_what_is_absent() {
        assert_eq!(join("VALUE", "A1", Some(""), Some("S")), "VALUE | S!A1 | ");
        assert_eq!(join("MERGE", "A1:B1", None, Some("")), "MERGE | A1:B1");
    }
}
