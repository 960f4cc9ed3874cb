//! Actions as typed, immutable objects (spec chapter 01, section 4).

use std::sync::Arc;

use crate::Value;
use crate::kind::{Family, Group, Keyword};
use crate::range::Range;

/// A font property that an action can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FontProperty {
    Bold,
    Italic,
    Size,
    Color,
    Underline,
    Name,
}

impl FontProperty {
    /// The property's name in a sheet state, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Size => "size",
            Self::Color => "color",
            Self::Underline => "underline",
            Self::Name => "name",
        }
    }

    /// The default value, which "reset" restores and which is never stored (spec 5.3).
    pub fn default_value(self) -> Value {
        match self {
            Self::Bold | Self::Italic => Value::Bool(false),
            Self::Size => Value::Int(11),
            Self::Color => Value::text("#000000"),
            Self::Underline => Value::text("none"),
            Self::Name => Value::text("Calibri"),
        }
    }
}

/// The axis of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Axis {
    Horizontal,
    Vertical,
}

impl Axis {
    /// The axis' name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
        }
    }

    /// The default alignment in the spelling that an undo writes (spec 5.3).
    pub fn default_alignment(self) -> &'static str {
        match self {
            Self::Horizontal => "General",
            Self::Vertical => "Bottom",
        }
    }
}

/// Which borders of a range an action sets (spec 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum BorderSide {
    Left,
    Right,
    Top,
    Bottom,
    Outside,
    All,
    InsideHorizontal,
    InsideVertical,
    DiagonalDown,
    DiagonalUp,
}

impl BorderSide {
    /// The name after `BORDER_` in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::Outside => "outside",
            Self::All => "all",
            Self::InsideHorizontal => "inside_horizontal",
            Self::InsideVertical => "inside_vertical",
            Self::DiagonalDown => "diagonal_down",
            Self::DiagonalUp => "diagonal_up",
        }
    }
}

/// The line that a border action draws: weight, style and colour as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BorderLine {
    /// Weight such as `Thin`; it is printed but never stored in a state (spec 6.9).
    pub weight: Option<Arc<str>>,
    /// Style such as `Continuous`; the text `None` together with no colour clears.
    pub style: Option<Arc<str>>,
    /// Colour in the case it was written in.
    pub color: Option<Arc<str>>,
}

impl BorderLine {
    /// The line that clears a border.
    pub fn cleared() -> Self {
        Self {
            weight: None,
            style: Some("None".into()),
            color: None,
        }
    }

    /// Whether the line clears: style `None` and no colour (spec 6.9, "clearing test").
    pub fn clears(&self) -> bool {
        self.style.as_deref() == Some("None") && self.color.is_none()
    }
}

/// What an action does to its range.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Sets the content of the cell named by the range *text*.
    Value {
        /// Content; null clears.
        value: Value,
        /// Data type; never set by the notation.
        datatype: Option<Arc<str>>,
    },
    /// Sets the formula of the cell named by the range *text*.
    Formula {
        /// Formula text; none clears the formula.
        text: Option<Arc<str>>,
    },
    /// Types into a range: a scalar, or a list of rows.
    Input {
        /// Content after shape adjustment and clock rewriting (spec 6.3).
        value: Value,
    },
    /// Sets the number format.
    NumberFormat {
        /// Format code.
        format: Arc<str>,
    },
    /// Sets the fill colour.
    Fill {
        /// Colour; none clears.
        color: Option<Arc<str>>,
    },
    /// Sets one font property.
    Font {
        /// Which property.
        property: FontProperty,
        /// Its value: a truth value, a number or a text.
        value: Value,
    },
    /// Sets an alignment.
    Align {
        /// Which axis.
        axis: Axis,
        /// Alignment, in lower case unless an undo made it.
        value: Arc<str>,
    },
    /// Turns wrapping on or off.
    Wrap {
        /// Whether text wraps.
        on: bool,
    },
    /// Sets the text orientation.
    Orientation {
        /// Degrees, an integer of any size.
        degrees: Value,
    },
    /// Draws or clears borders.
    Border {
        /// Which borders.
        side: BorderSide,
        /// The line drawn.
        line: BorderLine,
    },
    /// Merges or unmerges.
    Merge {
        /// True for a merge, false for an unmerge.
        on: bool,
    },
    /// Pastes from another range.
    Paste {
        /// Source range text, unvalidated; empty in the cleared form.
        source: Arc<str>,
        /// Mode text such as `all`, unvalidated.
        mode: Arc<str>,
    },
    /// Fills the rest of the range from a source inside it.
    Autofill {
        /// Source range text; empty in the cleared form.
        source: Arc<str>,
    },
}

/// One step of building a sheet: an edit, the range it applies to, and the inverse flag.
///
/// Two actions are equal when family, range texts, content under loose equality, extra fields and the
/// inverse flag are equal (spec 4.2).
#[derive(Clone, Debug)]
pub struct Action {
    edit: Edit,
    range: Range,
    inverse: bool,
}

impl Action {
    /// An action without the inverse flag.
    pub fn new(range: Range, edit: Edit) -> Self {
        Self {
            edit,
            range,
            inverse: false,
        }
    }

    /// The same action with the inverse flag set as given.
    #[must_use]
    pub fn with_inverse(mut self, inverse: bool) -> Self {
        self.inverse = inverse;
        self
    }

    /// The same edit on another range.
    #[must_use]
    pub fn on_range(&self, range: Range) -> Self {
        Self {
            edit: self.edit.clone(),
            range,
            inverse: self.inverse,
        }
    }

    /// What the action does.
    pub fn edit(&self) -> &Edit {
        &self.edit
    }

    /// The range it applies to; for an autofill the whole destination.
    pub fn range(&self) -> &Range {
        &self.range
    }

    /// Whether the action is marked as resetting to a default (spec 4.3); the mark is not printed.
    pub fn is_inverse(&self) -> bool {
        self.inverse
    }

    /// The family that decides equality and sorting.
    pub fn family(&self) -> Family {
        match self.edit {
            Edit::Value { .. } => Family::Value,
            Edit::Formula { .. } => Family::Formula,
            Edit::Input { .. } => Family::Input,
            Edit::NumberFormat { .. } => Family::NumberFormat,
            Edit::Fill { .. } => Family::FillColor,
            Edit::Font { .. } => Family::Font,
            Edit::Align { .. } => Family::Align,
            Edit::Wrap { .. } => Family::WrapText,
            Edit::Orientation { .. } => Family::TextOrientation,
            Edit::Border { .. } => Family::Border,
            Edit::Merge { .. } => Family::Merge,
            Edit::Paste { .. } => Family::PasteFrom,
            Edit::Autofill { .. } => Family::Autofill,
        }
    }

    /// The keyword that the action prints: an unmerge prints `MERGE`.
    pub fn keyword(&self) -> Keyword {
        match &self.edit {
            Edit::Font { property, .. } => Keyword::font(*property),
            Edit::Align { axis, .. } => Keyword::align(*axis),
            Edit::Border { side, .. } => Keyword::border(*side),
            _ => self.family().keyword(),
        }
    }

    /// The group that figures are broken down by.
    pub fn group(&self) -> Group {
        self.family().group()
    }

    /// Whether the action types content: INPUT, VALUE or FORMULA.
    pub fn is_content(&self) -> bool {
        matches!(
            self.edit,
            Edit::Input { .. } | Edit::Value { .. } | Edit::Formula { .. }
        )
    }

    /// Whether the action counts as touching formats (spec 3.2).
    ///
    /// A number format and wrapping do not count, a fill does whatever it copies, and a paste counts by its mode.
    pub fn touches_format(&self) -> bool {
        match &self.edit {
            Edit::Fill { .. }
            | Edit::Font { .. }
            | Edit::Align { .. }
            | Edit::Border { .. }
            | Edit::Orientation { .. }
            | Edit::Autofill { .. } => true,
            Edit::Paste { mode, .. } => matches!(&*mode.to_lowercase(), "all" | "formats"),
            Edit::Value { .. }
            | Edit::Formula { .. }
            | Edit::Input { .. }
            | Edit::NumberFormat { .. }
            | Edit::Wrap { .. }
            | Edit::Merge { .. } => false,
        }
    }

    /// The loosely compared value of the action (spec 02, 1.2): null, text, number, list …
    fn value_equals(&self, other: &Action) -> bool {
        match (&self.edit, &other.edit) {
            (Edit::Value { value: a, .. }, Edit::Value { value: b, .. })
            | (Edit::Input { value: a }, Edit::Input { value: b }) => a.loosely_equals(b),
            (Edit::Font { value: a, .. }, Edit::Font { value: b, .. })
            | (Edit::Orientation { degrees: a }, Edit::Orientation { degrees: b }) => {
                // Two sizes that are not numbers are two different objects in the published system.
                let nan = |value: &Value| matches!(value, Value::Float(float) if float.is_nan());
                !nan(a) && !nan(b) && a.loosely_equals(b)
            }
            (Edit::Formula { text: a }, Edit::Formula { text: b })
            | (Edit::Fill { color: a }, Edit::Fill { color: b }) => a == b,
            (Edit::NumberFormat { format: a }, Edit::NumberFormat { format: b })
            | (Edit::Align { value: a, .. }, Edit::Align { value: b, .. })
            | (Edit::Paste { mode: a, .. }, Edit::Paste { mode: b, .. })
            | (Edit::Autofill { source: a }, Edit::Autofill { source: b }) => a == b,
            (Edit::Wrap { on: a }, Edit::Wrap { on: b }) | (Edit::Merge { on: a }, Edit::Merge { on: b }) => a == b,
            (Edit::Border { line: a, .. }, Edit::Border { line: b, .. }) => a == b,
            _ => false,
        }
    }

    fn extras_equal(&self, other: &Action) -> bool {
        match (&self.edit, &other.edit) {
            (Edit::Value { datatype: a, .. }, Edit::Value { datatype: b, .. }) => a == b,
            (Edit::Font { property: a, .. }, Edit::Font { property: b, .. }) => a == b,
            (Edit::Align { axis: a, .. }, Edit::Align { axis: b, .. }) => a == b,
            (Edit::Border { side: a, .. }, Edit::Border { side: b, .. }) => a == b,
            (Edit::Paste { source: a, .. }, Edit::Paste { source: b, .. }) => a == b,
            _ => true,
        }
    }

    /// Whether two actions of one family have loosely equal values, whatever their range, flag and extra fields.
    ///
    /// This is the value test of a strict match (spec 02, 3.5), which overlooks the extra fields.
    pub fn same_value(&self, other: &Action) -> bool {
        self.value_equals(other)
    }

    /// Whether the two actions collapse into one as set elements or map keys (spec 4.2).
    pub fn same_set_element(&self, other: &Action) -> bool {
        let structured = |action: &Action| match &action.edit {
            Edit::Value { value, .. } | Edit::Input { value } => match value {
                Value::List(_) | Value::Object(_) => Some(crate::json::write_sorted(value)),
                _ => None,
            },
            _ => None,
        };
        self == other && structured(self) == structured(other)
    }
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        self.inverse == other.inverse
            && self.range == other.range
            && self.value_equals(other)
            && self.extras_equal(other)
    }
}
