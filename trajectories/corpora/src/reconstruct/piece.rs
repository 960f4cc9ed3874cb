//! Pieces of work: actions on their way into an order.

use std::sync::Arc;

use napsim_sim::state::Property;
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range};

use super::fills::Drag;

/// What a piece is for, which decides when it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Category {
    Content,
    Merge,
    NumberFormat,
    Fill,
    Border,
    Font,
    Alignment,
}

impl Category {
    pub(super) fn of(property: Property) -> Self {
        match property {
            Property::Value => Self::Content,
            Property::NumberFormat => Self::NumberFormat,
            Property::Fill => Self::Fill,
            Property::FontName
            | Property::FontSize
            | Property::FontBold
            | Property::FontItalic
            | Property::FontColor
            | Property::FontUnderline => Self::Font,
            Property::HorizontalAlignment
            | Property::VerticalAlignment
            | Property::WrapText
            | Property::TextOrientation => Self::Alignment,
            _ => Self::Border,
        }
    }
}

/// What a piece does to the cells of its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Writes one property (for border pieces, some sides) with its final value.
    Write(Property),
    /// Merges.
    Merge,
    /// Fills from a source within the bounds.
    Drag(Drag),
    /// Copies formats, and with `contents` contents as well, from another range.
    Copy { source: Bounds, contents: bool },
}

/// Why a piece exists, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// One cell typed.
    Cell,
    /// A block of constants pasted at once.
    PastedBlock,
    /// A drag that the simulator confirmed.
    Drag,
    /// A block copied from an alike one.
    Copy,
    /// A merged range.
    Merge,
    /// A rectangle of one look.
    Rectangle,
    /// A rectangle of one look with exceptions that are written over afterwards.
    Base,
    /// One cell of a small rectangle.
    CellByCell,
    /// Border sides gathered.
    Border,
    /// Something wrong that is corrected later.
    FirstThought,
}

/// One action on its way into an order.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub edit: Edit,
    pub bounds: Bounds,
    pub work: Work,
    pub category: Category,
    /// The cell at which a person comes to it.
    pub at: CellAddress,
    pub rule: Rule,
    /// Cells that other pieces of the same property write over afterwards.
    pub exceptions: Vec<CellAddress>,
    /// Whether the next piece draws over some of it.
    pub under_next: bool,
    /// Whether a border piece draws over merged ranges before they are merged.
    pub before_merges: bool,
}

impl Piece {
    pub(super) fn new(edit: Edit, bounds: Bounds, work: Work, category: Category, rule: Rule) -> Self {
        Self {
            edit,
            bounds,
            work,
            category,
            at: bounds.first_cell(),
            rule,
            exceptions: Vec::new(),
            under_next: false,
            before_merges: false,
        }
    }

    pub(super) fn action(&self, sheet: &Arc<str>) -> Action {
        Action::new(Range::from_bounds(sheet.clone(), self.bounds), self.edit.clone())
    }
}
