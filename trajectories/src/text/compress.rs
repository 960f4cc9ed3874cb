//! Shorter renderings of a list of lines (spec 11, "Compress").

use super::SEPARATOR;
use super::fields::Place;

mod inputs;

pub use inputs::{compress_inputs, uncompress_inputs};

/// Which shortenings [`compress`] applies, in the order of the fields; all are off by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressOptions {
    /// Join neighbouring VALUE and FORMULA lines, as [`compress_inputs`] does.
    pub compress_inputs: bool,
    /// Drop the sheet of the range and, for AUTOFILL and PASTE_FROM, of the source.
    pub remove_sheet_name: bool,
    /// Drop the lines that start with `VALUE` or `FORMULA`.
    pub remove_inputs: bool,
    /// Keep the operation and the range alone; wins over `compress_args`.
    pub remove_args: bool,
    /// Cut the third part and drop those after it.
    pub compress_args: bool,
    /// How many characters `compress_args` keeps; 30 by default.
    pub max_len_args: usize,
}

impl Default for CompressOptions {
    fn default() -> Self {
        Self {
            compress_inputs: false,
            remove_sheet_name: false,
            remove_inputs: false,
            remove_args: false,
            compress_args: false,
            max_len_args: 30,
        }
    }
}

/// Why lines cannot be compressed or uncompressed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompressError {
    /// A line lacks a part that the option works on.
    #[error("find part {part_idx} of the line `{line}`")]
    MissingItem {
        /// The part, counted from 0.
        part_idx: usize,
        /// The line.
        line: String,
    },
    /// A cell is not written as letters and digits.
    #[error("read `{text}` as a cell: expected letters, then digits")]
    BadCellAddress {
        /// The cell as written.
        text: String,
    },
    /// A cell lies beyond the last column that has a name.
    #[error("name a column: number {column} is outside 1 to 18278")]
    BadColumn {
        /// The column number.
        column: u64,
    },
}

impl CompressError {
    /// The error code of spec 12.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingItem { .. } => "missing_item",
            Self::BadCellAddress { .. } => "bad_cell_address",
            Self::BadColumn { .. } => "bad_column",
        }
    }
}

/// Shortens lines for display or for a prompt.
pub fn compress<S: AsRef<str>>(lines: &[S], options: &CompressOptions) -> Result<Vec<String>, CompressError> {
    let mut lines = if options.compress_inputs {
        compress_inputs(lines)?
    } else {
        lines.iter().map(|line| line.as_ref().to_owned()).collect()
    };
    if options.remove_sheet_name {
        lines = lines.iter().map(|line| without_sheet(line)).collect::<Result<_, _>>()?;
    }
    if options.remove_inputs {
        lines.retain(|line| !line.starts_with("VALUE") && !line.starts_with("FORMULA"));
    }
    if options.remove_args {
        lines = lines.iter().map(|line| without_args(line)).collect();
    } else if options.compress_args {
        lines = lines
            .iter()
            .map(|line| with_short_args(line, options.max_len_args))
            .collect::<Result<_, _>>()?;
    }
    Ok(lines)
}

fn without_sheet(line: &str) -> Result<String, CompressError> {
    let mut parts: Vec<&str> = line.split(SEPARATOR).collect();
    check_part(&parts, 1, line)?;
    let has_source = matches!(parts.first(), Some(&"AUTOFILL" | &"PASTE_FROM"));
    let n_ranges = if has_source { 2 } else { 1 };
    for part in parts.iter_mut().skip(1).take(n_ranges) {
        *part = Place::split(part).range;
    }
    Ok(parts.join(SEPARATOR))
}

fn without_args(line: &str) -> String {
    let parts: Vec<&str> = line.split(SEPARATOR).take(2).collect();
    parts.join(SEPARATOR)
}

fn with_short_args(line: &str, max_len: usize) -> Result<String, CompressError> {
    let parts: Vec<&str> = line.split(SEPARATOR).collect();
    let value = check_part(&parts, 2, line)?;
    let short = match value.char_indices().nth(max_len) {
        Some((end, _)) => format!("{}...", value.get(..end).unwrap_or(value)),
        None => value.to_owned(),
    };
    Ok(format!("{}{SEPARATOR}{short}", without_args(line)))
}

/// The part of a line with index `part_idx`.
fn check_part<'line>(parts: &[&'line str], part_idx: usize, line: &str) -> Result<&'line str, CompressError> {
    parts.get(part_idx).copied().ok_or_else(|| CompressError::MissingItem {
        part_idx,
        line: line.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, options: &CompressOptions, expect: Result<&[&str], &str>) {
        let got = compress(&[line], options);
        match (got, expect) {
            (Ok(got), Ok(expect)) => assert_eq!(got, expect, "{line}"),
            (Err(got), Err(expect)) => assert_eq!(got.code(), expect, "{line}"),
            (got, expect) => panic!("{line}: {got:?}, not {expect:?}"),
        }
    }

    #[test]
    fn nothing_happens_by_default() {
        check(
            "VALUE | S!A1 | 1 | 2",
            &CompressOptions::default(),
            Ok(&["VALUE | S!A1 | 1 | 2"]),
        );
    }

    #[test]
    fn sheets_are_removed_from_ranges_and_sources() {
        let options = CompressOptions {
            remove_sheet_name: true,
            ..Default::default()
        };
        check("VALUE | 'A!B'!A1 | a!b", &options, Ok(&["VALUE | A1 | a!b"]));
        check(
            "PASTE_FROM | S!A3 | T!A1 | values",
            &options,
            Ok(&["PASTE_FROM | A3 | A1 | values"]),
        );
        check("AUTOFILL | S!A3", &options, Ok(&["AUTOFILL | A3"]));
        check("VALUE", &options, Err("missing_item"));
    }

    #[test]
    fn inputs_are_dropped_by_prefix() {
        let options = CompressOptions {
            remove_inputs: true,
            ..Default::default()
        };
        check("VALUES | A1 | 1", &options, Ok(&[]));
        check("INPUT | A1 | 1", &options, Ok(&["INPUT | A1 | 1"]));
    }

    #[test]
    fn args_are_cut_by_character() {
        let options = CompressOptions {
            compress_args: true,
            max_len_args: 2,
            ..Default::default()
        };
        check("VALUE | A1 | éèê | x", &options, Ok(&["VALUE | A1 | éè..."]));
        check("VALUE | A1 | éè", &options, Ok(&["VALUE | A1 | éè"]));
        check("MERGE | A1:B1", &options, Err("missing_item"));
        let options = CompressOptions {
            remove_args: true,
            ..options
        };
        check("VALUE | A1 | éèê | x", &options, Ok(&["VALUE | A1"]));
        check("VALUE", &options, Ok(&["VALUE"]));
    }
}
