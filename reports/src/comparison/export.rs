//! A comparison as a file for other programs and for papers.

mod csv_rows;
mod json;
mod latex;
mod markdown;

use std::str::FromStr;

use super::Comparison;
use crate::nearest::{hint, nearest};

pub use json::SCHEMA;

/// What a comparison can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One row a comparison of two runs, or a run that is compared with none.
    Csv,
    /// One object with everything, schema [`SCHEMA`].
    Json,
    /// The tables as GitHub writes them.
    Markdown,
    /// The tables for the package booktabs.
    Latex,
}

/// No format has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("export as `{name}`: there is no such format{}; there are csv, json, md, latex", hint(*nearest))]
pub struct UnknownFormat {
    /// The word given.
    pub name: String,
    /// The format that is spelled most like it.
    pub nearest: Option<&'static str>,
}

/// A comparison cannot be written, which would be a mistake in the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The rows do not make a table.
    #[error("write the comparison as CSV")]
    Csv(#[from] csv::Error),
    /// A value has no JSON form.
    #[error("write the comparison as JSON")]
    Json(#[from] serde_json::Error),
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Json, Self::Markdown, Self::Latex];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Latex => "latex",
        }
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            "md" | "markdown" => Ok(Self::Markdown),
            "latex" | "tex" => Ok(Self::Latex),
            _ => Err(UnknownFormat {
                name: name.to_owned(),
                nearest: nearest(name, Self::ALL.map(Self::name)),
            }),
        }
    }
}

/// The comparison in a format, with a line feed at its end.
///
/// # Errors
/// Only by a mistake in the program.
pub fn export(comparison: &Comparison, format: Format) -> Result<String, ExportError> {
    match format {
        Format::Csv => csv_rows::csv(comparison),
        Format::Json => json::json(comparison),
        Format::Markdown => Ok(markdown::markdown(comparison)),
        Format::Latex => Ok(latex::latex(comparison)),
    }
}

#[cfg(test)]
mod tests;
