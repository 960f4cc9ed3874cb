//! One cell: its properties in order of insertion, empty containers included.

use napsim_trajectories::Value;
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
        Self::ALL.into_iter().filter(move |property| bits & property.bit() != 0)
    }

    /// The properties that a comparison looks at: neither data types, diagonals, containers nor unknown keys.
    const COMPARED: u32 = {
        let skipped = (1 << Self::Datatype as u32)
            | (1 << Self::Format as u32)
            | (1 << Self::Font as u32)
            | (1 << Self::Borders as u32)
            | (1 << Self::BorderDiagonalDown as u32)
            | (1 << Self::BorderDiagonalUp as u32)
            | (1 << Self::Unknown as u32);
        ((1 << 25) - 1) & !skipped
    };

    fn is_within(self, container: Property) -> bool {
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

/// The properties of one cell, in order of insertion at each level.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    present: u32,
    entries: Vec<(Property, Value)>,
}

impl Cell {
    /// Whether a property or container is present, be it empty.
    pub fn has(&self, property: Property) -> bool {
        self.present & property.bit() != 0
    }

    /// The set of properties that a comparison looks at.
    pub(crate) fn compared_bits(&self) -> u32 {
        self.present & Property::COMPARED
    }

    /// Whether the cell holds nothing at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a property; `None` for containers.
    pub fn get(&self, property: Property) -> Option<&Value> {
        if !self.has(property) || property.is_container() {
            return None;
        }
        self.entries
            .iter()
            .find(|(known, _)| *known == property)
            .map(|(_, value)| value)
    }

    /// All entries in order of insertion, containers (with a null) included.
    pub fn entries(&self) -> &[(Property, Value)] {
        &self.entries
    }

    /// Makes a container (and those around it) where it is missing.
    pub fn touch(&mut self, container: Property) {
        if let Some(outer) = container.container() {
            self.touch(outer);
        }
        if !self.has(container) {
            self.present |= container.bit();
            self.entries.push((container, Value::Null));
        }
    }

    /// Sets a property, in its old place if it was there; its containers are made where missing.
    pub fn set(&mut self, property: Property, value: Value) {
        if let Some(container) = property.container() {
            self.touch(container);
        }
        if self.has(property) {
            if let Some((_, slot)) = self.entries.iter_mut().find(|(known, _)| *known == property) {
                *slot = value;
            }
        } else {
            self.present |= property.bit();
            self.entries.push((property, value));
        }
    }

    /// Deletes a property, or a container with all it holds.
    pub fn remove(&mut self, property: Property) {
        if !self.has(property) {
            return;
        }
        self.entries
            .retain(|entry| entry.0 != property && !lies_within(entry, property));
        self.refresh();
    }

    /// Deletes everything but the `Format` container and what it holds.
    pub fn retain_format(&mut self) {
        self.entries
            .retain(|entry| entry.0 == Property::Format || lies_within(entry, Property::Format));
        self.refresh();
    }

    /// Whether a container is present and holds something.
    pub fn holds_any(&self, container: Property) -> bool {
        self.has(container)
            && self.entries.iter().any(|(known, value)| {
                known.container() == Some(container)
                    || (*known == Property::Unknown && unknown_container(value) == Some(container))
            })
    }

    /// Replaces the `Format` by a copy of another cell's, in its old place, or deletes it if the other has none.
    pub fn copy_format(&mut self, from: &Cell) {
        if !from.has(Property::Format) {
            self.remove(Property::Format);
            return;
        }
        self.touch(Property::Format);
        self.entries.retain(|entry| !lies_within(entry, Property::Format));
        self.entries.extend(
            from.entries
                .iter()
                .filter(|entry| lies_within(entry, Property::Format))
                .cloned(),
        );
        self.refresh();
    }

    /// Replaces the stored borders by these sides, in this order.
    pub fn replace_borders(&mut self, sides: impl IntoIterator<Item = (Property, Value)>) {
        self.touch(Property::Borders);
        self.entries.retain(|entry| !lies_within(entry, Property::Borders));
        self.refresh();
        for (side, line) in sides {
            self.set(side, line);
        }
    }

    /// The stored border sides in order of insertion.
    pub fn borders(&self) -> impl Iterator<Item = (Property, &Value)> {
        self.entries
            .iter()
            .filter(|(known, _)| known.container() == Some(Property::Borders))
            .map(|(known, value)| (*known, value))
    }

    /// Keeps a key that no action knows; `container` is none at the cell's top level.
    pub(super) fn push_unknown(&mut self, container: Option<Property>, key: &str, value: Value) {
        let container = container.map_or(Value::Null, |container| Value::text(container.path()));
        self.entries
            .push((Property::Unknown, Value::list([container, Value::text(key), value])));
        self.refresh();
    }

    fn refresh(&mut self) {
        self.present = self.entries.iter().fold(0, |present, (known, _)| present | known.bit());
    }
}

/// The container of an unknown key's entry.
pub(super) fn unknown_container(entry: &Value) -> Option<Property> {
    match entry {
        Value::List(items) => items.first().and_then(Value::as_text).and_then(Property::from_path),
        _ => None,
    }
}

/// Whether an entry is held by the container at any depth.
fn lies_within((known, value): &(Property, Value), container: Property) -> bool {
    let unknown_within = |inner: Property| inner == container || inner.is_within(container);
    known.is_within(container) || (*known == Property::Unknown && unknown_container(value).is_some_and(unknown_within))
}
