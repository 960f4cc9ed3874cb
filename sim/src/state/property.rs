//! The properties of a cell and the containers that hold them.

use napsim_trajectories::action::{Axis, FontProperty};

/// A property of a cell, or a container of properties.
///
/// Fills and border sides are kept as objects (`patternType`, `fgColor`; `lineStyle`, `color`), because
/// they are set and compared as wholes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is the key of the spec's state shape")]
pub enum Property {
    Value,
    Formula,
    Datatype,
    NumberFormat,
    Format,
    Font,
    FontName,
    FontSize,
    FontBold,
    FontItalic,
    FontColor,
    FontUnderline,
    Fill,
    HorizontalAlignment,
    VerticalAlignment,
    TextOrientation,
    WrapText,
    Borders,
    BorderLeft,
    BorderRight,
    BorderTop,
    BorderBottom,
    BorderDiagonalDown,
    BorderDiagonalUp,
    /// A key that no action knows: a list of the container's key, the key and the value.
    Unknown,
}

impl Property {
    const ALL: [Property; 24] = [
        Self::Value,
        Self::Formula,
        Self::Datatype,
        Self::NumberFormat,
        Self::Format,
        Self::Font,
        Self::FontName,
        Self::FontSize,
        Self::FontBold,
        Self::FontItalic,
        Self::FontColor,
        Self::FontUnderline,
        Self::Fill,
        Self::HorizontalAlignment,
        Self::VerticalAlignment,
        Self::TextOrientation,
        Self::WrapText,
        Self::Borders,
        Self::BorderLeft,
        Self::BorderRight,
        Self::BorderTop,
        Self::BorderBottom,
        Self::BorderDiagonalDown,
        Self::BorderDiagonalUp,
    ];

    /// The sides that a box has, in the order in which they are compared and listed.
    pub const BOX_SIDES: [Property; 4] = [Self::BorderLeft, Self::BorderRight, Self::BorderTop, Self::BorderBottom];

    /// The property's path in the terms of the comparison, such as `Format.font.bold`.
    pub fn path(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Formula => "formula",
            Self::Datatype => "datatype",
            Self::NumberFormat => "number_format",
            Self::Format => "Format",
            Self::Font => "Format.font",
            Self::FontName => "Format.font.name",
            Self::FontSize => "Format.font.size",
            Self::FontBold => "Format.font.bold",
            Self::FontItalic => "Format.font.italic",
            Self::FontColor => "Format.font.color",
            Self::FontUnderline => "Format.font.underline",
            Self::Fill => "Format.fill",
            Self::HorizontalAlignment => "Format.horizontalAlignment",
            Self::VerticalAlignment => "Format.verticalAlignment",
            Self::TextOrientation => "Format.textOrientation",
            Self::WrapText => "Format.wrapText",
            Self::Borders => "Format.borders",
            Self::BorderLeft => "Format.borders.left",
            Self::BorderRight => "Format.borders.right",
            Self::BorderTop => "Format.borders.top",
            Self::BorderBottom => "Format.borders.bottom",
            Self::BorderDiagonalDown => "Format.borders.diagonal_down",
            Self::BorderDiagonalUp => "Format.borders.diagonal_up",
            Self::Unknown => "unknown",
        }
    }

    /// The property with exactly this path.
    pub fn from_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|property| property.path() == path)
    }

    /// The last segment of the path: the key within its container.
    pub fn key(self) -> &'static str {
        let path = self.path();
        path.rsplit_once('.').map_or(path, |(_, key)| key)
    }

    /// The container that holds the property, if it is not at the cell's top level.
    pub fn container(self) -> Option<Property> {
        match self {
            Self::Value | Self::Formula | Self::Datatype | Self::NumberFormat | Self::Format | Self::Unknown => None,
            Self::FontName
            | Self::FontSize
            | Self::FontBold
            | Self::FontItalic
            | Self::FontColor
            | Self::FontUnderline => Some(Self::Font),
            Self::BorderLeft
            | Self::BorderRight
            | Self::BorderTop
            | Self::BorderBottom
            | Self::BorderDiagonalDown
            | Self::BorderDiagonalUp => Some(Self::Borders),
            _ => Some(Self::Format),
        }
    }

    /// Whether it holds other properties.
    pub fn is_container(self) -> bool {
        matches!(self, Self::Format | Self::Font | Self::Borders)
    }

    /// The state's property of a font property.
    pub fn of_font(property: FontProperty) -> Self {
        match property {
            FontProperty::Bold => Self::FontBold,
            FontProperty::Italic => Self::FontItalic,
            FontProperty::Size => Self::FontSize,
            FontProperty::Color => Self::FontColor,
            FontProperty::Underline => Self::FontUnderline,
            FontProperty::Name => Self::FontName,
        }
    }

    /// The state's property of an alignment axis.
    pub fn of_axis(axis: Axis) -> Self {
        match axis {
            Axis::Horizontal => Self::HorizontalAlignment,
            Axis::Vertical => Self::VerticalAlignment,
        }
    }

    /// The property's bit in a set of properties.
    pub(crate) fn bit(self) -> u32 {
        1 << (self as u32)
    }

    /// The properties of a set, in the order of the comparison.
    pub(crate) fn from_bits(bits: u32) -> impl Iterator<Item = Property> {
        let mut left = bits & ((1 << Self::ALL.len()) - 1);
        std::iter::from_fn(move || {
            let property = Self::ALL.get(usize::try_from(left.trailing_zeros()).ok()?).copied()?;
            left &= left - 1;
            Some(property)
        })
    }

    /// The properties that a comparison looks at: neither data types, diagonals, containers nor unknown keys.
    pub(crate) const COMPARED: u32 = {
        let skipped = (1 << Self::Datatype as u32)
            | (1 << Self::Format as u32)
            | (1 << Self::Font as u32)
            | (1 << Self::Borders as u32)
            | (1 << Self::BorderDiagonalDown as u32)
            | (1 << Self::BorderDiagonalUp as u32)
            | (1 << Self::Unknown as u32);
        ((1 << 25) - 1) & !skipped
    };

    pub(crate) fn is_within(self, container: Property) -> bool {
        let mut at = self.container();
        while let Some(parent) = at {
            if parent == container {
                return true;
            }
            at = parent.container();
        }
        false
    }
}
