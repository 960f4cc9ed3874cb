//! Why a line is not an action.

use super::CELLS_PER_ACTION_MAX;
use crate::json::JsonError;
use crate::kind::Keyword;
use crate::range::RangeError;

/// Why a line is not an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The line begins with no known action name.
    #[error("unknown action `{name}`{}", hint(name))]
    UnknownAction {
        /// What stands before the first separator.
        name: String,
    },
    /// The range field is not accepted.
    #[error("range `{text}` is {source}")]
    Range {
        /// The range text.
        text: String,
        /// What is wrong with it.
        source: RangeError,
    },
    /// The value field is missing.
    #[error("a field is missing: expected `NAME | range | value`")]
    MissingField,
    /// A font size or an orientation that is not a number.
    #[error("`{text}` is not a number")]
    BadNumber {
        /// The value text.
        text: String,
    },
    /// The value of an INPUT is JSON of a kind that cannot be kept.
    #[error("the value cannot be read: {0}")]
    Json(JsonError),
    /// The rows of an INPUT differ in length.
    #[error("the rows of the value differ in length")]
    InputRagged,
    /// The array of an INPUT does not have the size of the range.
    #[error("the value has {got_rows}×{got_cols} cells, the range {rows}×{cols}")]
    InputShape {
        /// Rows of the value.
        got_rows: usize,
        /// Columns of the value.
        got_cols: usize,
        /// Rows of the range.
        rows: i64,
        /// Columns of the range.
        cols: i64,
    },
    /// The list of an INPUT fits neither a row nor a column of the range.
    #[error("a list of {length} values does not fit a range of {rows}×{cols}")]
    InputLength {
        /// Items in the list.
        length: usize,
        /// Rows of the range.
        rows: i64,
        /// Columns of the range.
        cols: i64,
    },
    /// A PASTE_FROM without destination, source and mode.
    #[error("expected `PASTE_FROM | destination | source | mode`")]
    PasteMalformed,
    /// An AUTOFILL without destination and source.
    #[error("expected `AUTOFILL | destination | source`")]
    AutofillMalformed,
    /// The source of an AUTOFILL lies on another sheet.
    #[error("the source of the fill is on another sheet than its destination")]
    AutofillSheet,
    /// The source of an AUTOFILL is not part of its destination.
    #[error("the source of the fill is not inside its destination")]
    AutofillNotInside,
    /// Source and destination of an AUTOFILL are the same.
    #[error("source and destination of the fill are the same")]
    AutofillSame,
    /// The destination of an AUTOFILL extends its source along both axes.
    #[error("the fill extends its source along both axes")]
    AutofillDiagonal,
    /// The range covers more than [`CELLS_PER_ACTION_MAX`] cells.
    #[error("the range covers {cells} cells, more than the limit of {CELLS_PER_ACTION_MAX} (cells_per_action_max)")]
    TooManyCells {
        /// Cells of the range.
        cells: u64,
    },
}

fn hint(name: &str) -> String {
    let upper = name.to_uppercase();
    match Keyword::from_text(&upper) {
        Some(keyword) => format!(": names are upper-case, did you mean `{}`?", keyword.text()),
        None => String::new(),
    }
}

impl ParseError {
    /// The neutral error code of spec chapter 01, section 12.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownAction { .. } => "unknown_op",
            Self::Range { source, .. } => source.code(),
            Self::MissingField => "missing_item",
            Self::BadNumber { .. } => "bad_number",
            Self::Json(error) => error.code(),
            Self::InputRagged => "input_ragged",
            Self::InputShape { .. } => "input_shape",
            Self::InputLength { .. } => "input_length",
            Self::PasteMalformed => "paste_malformed",
            Self::AutofillMalformed => "autofill_malformed",
            Self::AutofillSheet => "autofill_sheet",
            Self::AutofillNotInside => "autofill_not_inside",
            Self::AutofillSame => "autofill_same",
            Self::AutofillDiagonal => "autofill_diagonal",
            Self::TooManyCells { .. } => "too_many_cells",
        }
    }
}
