//! What the text of an action reads as, told from the typed action without writing the text.
//!
//! The published predictors see texts and answer with texts, and a text does not always read back as what was written:
//! an inverse flag is lost, colours change their case, a list must fit its range. For the common actions the outcome
//! is known beforehand. Every function here says `None` where only the text itself can tell.

mod value_type;

use napsim_trajectories::action::{BorderLine, Edit, FontProperty};
use napsim_trajectories::parse::CELLS_PER_ACTION_MAX;
use napsim_trajectories::range::{COLUMN_MAX, ROW_MAX};
use napsim_trajectories::text::trim;
use napsim_trajectories::{Action, Bounds, Value, rewrite_clock_text};

pub(crate) use value_type::value_type;

/// How an action's text reads back on another range: the same edit, under these conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadBack {
    /// The inverse flag that reading gives.
    pub(crate) inverse: bool,
    /// Rows and columns that the range must have, where the value depends on them.
    pub(crate) size: Option<(i64, i64)>,
}

impl ReadBack {
    /// How the text of an action with this edit, on so many rows and columns, reads back, if as the same edit.
    pub(crate) fn of(edit: &Edit, height: i64, width: i64) -> Option<Self> {
        let anywhere = |inverse| Some(Self { inverse, size: None });
        let sized = |rows, cols| {
            Some(Self {
                inverse: false,
                size: Some((rows, cols)),
            })
        };
        match edit {
            // A cleared content is written `clear`, which sets the flag.
            Edit::Value {
                value: Value::Null,
                datatype: None,
            }
            | Edit::Input { value: Value::Null }
            | Edit::Formula { text: None } => anywhere(true),
            Edit::Value { value, datatype: None } => anywhere(false).filter(|_| is_plain_scalar(value)),
            Edit::Input {
                value: Value::List(rows),
            } => sized(height, width).filter(|_| is_plain_table(rows, height, width)),
            Edit::Input { value } => sized(1, 1).filter(|_| is_plain_scalar(value) && is_no_clock(value)),
            Edit::Border { line, .. } if is_cleared(line) => anywhere(true),
            edit => anywhere(false).filter(|_| is_written_as_it_is(edit)),
        }
    }

    /// Whether the condition on the range holds.
    pub(crate) fn fits(self, height: i64, width: i64) -> bool {
        self.size.is_none_or(|size| size == (height, width))
    }
}

/// The action that the text of this one reads as.
pub(crate) fn typed_again(action: &Action) -> Option<Action> {
    let (range, bounds) = (action.range(), action.range().bounds());
    let (height, width) = (bounds.height(), bounds.width());
    let read_back = ReadBack::of(action.edit(), height, width).filter(|read_back| read_back.fits(height, width))?;
    let plain = is_plain_sheet(range.sheet()) && is_plain_area(bounds);
    plain.then(|| action.clone().with_inverse(read_back.inverse))
}

/// The action as everybody else gets it, who reads its text: a text such as `T10` is read as a time of day. None where the
/// text is no action, such as a fill of a range from itself.
pub(crate) fn as_written(action: &Action) -> Option<Action> {
    typed_again(action).or_else(|| Action::parse(&action.to_string()).ok())
}

/// Whether the text of an edit other than typed content reads as the same edit.
fn is_written_as_it_is(edit: &Edit) -> bool {
    match edit {
        Edit::Formula { text: Some(text) } => text.starts_with('=') && is_trimmed(text),
        Edit::NumberFormat { format } => is_trimmed(format),
        Edit::Fill { color } => color
            .as_deref()
            .is_none_or(|color| color != "clear" && is_plain_color(color)),
        Edit::Font { property, value } => match (property, value) {
            (FontProperty::Bold | FontProperty::Italic, Value::Bool(_)) => true,
            (FontProperty::Size, Value::Float(size)) => size.is_normal(),
            (FontProperty::Color, Value::Text(color)) => is_plain_color(color),
            (FontProperty::Underline, Value::Text(style)) => is_lower_case(style),
            (FontProperty::Name, Value::Text(name)) => is_trimmed(name),
            _ => false,
        },
        Edit::Align { value, .. } => is_lower_case(value),
        Edit::Wrap { .. } | Edit::Merge { .. } => true,
        Edit::Orientation { degrees } => matches!(degrees, Value::Int(_)),
        Edit::Border { line, .. } => is_plain_line(line),
        // A paste and a fill are read with regard to the place they are put to.
        Edit::Paste { .. } | Edit::Autofill { .. } | Edit::Value { .. } | Edit::Input { .. } | Edit::Formula { .. } => {
            false
        }
    }
}

/// Whether bounds are written so that both the notation and the features read the same bounds, in ascending order.
pub(crate) fn is_plain_area(bounds: Bounds) -> bool {
    bounds.first_row >= 1
        && bounds.first_col >= 1
        && (bounds.first_row..=ROW_MAX).contains(&bounds.last_row)
        && (bounds.first_col..=COLUMN_MAX).contains(&bounds.last_col)
        && bounds.n_cells() <= CELLS_PER_ACTION_MAX
}

/// Whether a sheet name is found again before its range, by the notation and by the features.
pub(crate) fn is_plain_sheet(name: &str) -> bool {
    !name.contains(['|', '!']) && trim(name).len() == name.len()
}

/// Whether a text is something, and stays so at the end of a line.
fn is_trimmed(text: &str) -> bool {
    !text.is_empty() && trim(text).len() == text.len()
}

fn is_lower_case(text: &str) -> bool {
    is_trimmed(text) && text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase())
}

/// Whether a colour keeps its case.
fn is_plain_color(text: &str) -> bool {
    let kept = !text.starts_with('#') || text.bytes().all(|b| b.is_ascii() && !b.is_ascii_lowercase());
    is_trimmed(text) && kept
}

fn is_cleared(line: &BorderLine) -> bool {
    line.weight.is_none() && line.clears()
}

/// Whether a line is written as two or three pieces that are found again.
fn is_plain_line(line: &BorderLine) -> bool {
    let is_piece = |piece: &str| is_trimmed(piece) && !piece.contains(',');
    let BorderLine { weight, style, color } = line;
    weight.as_deref().is_some_and(is_piece)
        && style.as_deref().is_some_and(is_piece)
        && color.as_deref().is_none_or(is_piece)
}

/// Whether a value is no list, no object and nothing that JSON writes otherwise than it reads.
fn is_plain_scalar(value: &Value) -> bool {
    /// First byte of the private-use code points that stand for lone surrogates: written side by side, two may join.
    const SURROGATE_LEAD: u8 = 0xF4;
    match value {
        Value::Bool(_) | Value::Int(_) => true,
        Value::Float(float) => float.is_finite(),
        Value::Text(text) => !text.bytes().any(|b| b == SURROGATE_LEAD),
        Value::Null | Value::BigInt(_) | Value::List(_) | Value::Object(_) => false,
    }
}

/// Whether typing the value leaves it alone.
fn is_no_clock(value: &Value) -> bool {
    match value {
        Value::Text(text) => rewrite_clock_text(text).is_none_or(|again| *again == **text),
        _ => true,
    }
}

/// Whether a list has one row for each row of the range and one plain scalar for each cell.
fn is_plain_table(rows: &[Value], height: i64, width: i64) -> bool {
    let has_length = |length: usize, size: i64| i64::try_from(length).is_ok_and(|length| length == size);
    let is_cell = |value: &Value| matches!(value, Value::Null) || (is_plain_scalar(value) && is_no_clock(value));
    has_length(rows.len(), height)
        && rows.iter().all(|row| match row {
            Value::List(cells) => has_length(cells.len(), width) && cells.iter().all(is_cell),
            _ => false,
        })
}
