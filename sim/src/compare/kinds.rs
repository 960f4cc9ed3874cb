//! What is compared, and how prediction and target can agree on it.

use crate::counts::Counts;
use crate::state::Property;

/// What a comparison looks at: a property of a cell, or a merge of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compared {
    /// A property; fills and border sides are compared as wholes.
    Cell(Property),
    /// A merged range.
    Merge,
}

impl Compared {
    /// The path in the terms of the published records.
    pub fn path(self) -> &'static str {
        match self {
            Self::Cell(property) => property.path(),
            Self::Merge => "merged_cells",
        }
    }

    /// The type that statistics are broken down by: the first two segments of a format's path (spec 02, 4.6).
    pub fn property_type(self) -> PropertyType {
        let Self::Cell(property) = self else {
            return PropertyType::Merge;
        };
        match property {
            Property::Formula => PropertyType::Formula,
            Property::NumberFormat => PropertyType::NumberFormat,
            Property::Fill => PropertyType::Fill,
            Property::HorizontalAlignment => PropertyType::HorizontalAlignment,
            Property::VerticalAlignment => PropertyType::VerticalAlignment,
            Property::TextOrientation => PropertyType::TextOrientation,
            Property::WrapText => PropertyType::WrapText,
            _ => match property.container() {
                Some(Property::Font) => PropertyType::Font,
                Some(Property::Borders) => PropertyType::Borders,
                _ => PropertyType::Value,
            },
        }
    }
}

/// The types by which properties are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PropertyType {
    Value,
    Formula,
    NumberFormat,
    Font,
    Fill,
    HorizontalAlignment,
    VerticalAlignment,
    TextOrientation,
    WrapText,
    Borders,
    Merge,
}

impl PropertyType {
    /// All types.
    pub const ALL: [PropertyType; 11] = [
        Self::Value,
        Self::Formula,
        Self::NumberFormat,
        Self::Font,
        Self::Fill,
        Self::HorizontalAlignment,
        Self::VerticalAlignment,
        Self::TextOrientation,
        Self::WrapText,
        Self::Borders,
        Self::Merge,
    ];

    /// The name in published records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Formula => "formula",
            Self::NumberFormat => "number_format",
            Self::Font => "Format.font",
            Self::Fill => "Format.fill",
            Self::HorizontalAlignment => "Format.horizontalAlignment",
            Self::VerticalAlignment => "Format.verticalAlignment",
            Self::TextOrientation => "Format.textOrientation",
            Self::WrapText => "Format.wrapText",
            Self::Borders => "Format.borders",
            Self::Merge => "merged_cells",
        }
    }
}

/// How prediction and target agree on one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Match {
    /// Both have it, alike.
    TruePositive,
    /// Only the prediction has it.
    FalsePositive,
    /// Only the target has it.
    FalseNegative,
    /// Both have it, but it differs.
    Mismatch,
}

impl Match {
    /// The name in published records.
    pub fn name(self) -> &'static str {
        match self {
            Self::TruePositive => "TP",
            Self::FalsePositive => "FP",
            Self::FalseNegative => "FN",
            Self::Mismatch => "MISMATCH",
        }
    }

    /// Whether prediction and target disagree.
    pub fn is_gap(self) -> bool {
        self != Self::TruePositive
    }

    /// Adds one to the count of this outcome.
    pub fn count_into(self, counts: &mut Counts) {
        *self.count_in(counts) += 1;
    }

    /// The count of this outcome.
    pub(super) fn count_in(self, counts: &mut Counts) -> &mut u32 {
        match self {
            Self::TruePositive => &mut counts.tp,
            Self::FalsePositive => &mut counts.fp,
            Self::FalseNegative => &mut counts.missing,
            Self::Mismatch => &mut counts.mm,
        }
    }
}
