//! Names of actions: the keywords of the notation, their families, and the groups of the paper (spec 01, 3.2).

use crate::action::{Axis, BorderSide, FontProperty};

macro_rules! keywords {
    ($($variant:ident $text:literal $family:ident;)*) => {
        /// A name that begins a line of the notation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each is its own text")]
        pub enum Keyword { $($variant,)* }

        impl Keyword {
            /// All 29 names in the order of the registry.
            pub const ALL: &'static [Keyword] = &[$(Keyword::$variant,)*];

            /// The name as written.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$variant => $text,)* }
            }

            /// The keyword with exactly this text.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some(Keyword::$variant),)* _ => None }
            }

            /// The family it belongs to.
            pub fn family(self) -> Family {
                match self { $(Keyword::$variant => Family::$family,)* }
            }
        }
    };
}

keywords! {
    Value "VALUE" Value;
    Formula "FORMULA" Formula;
    Input "INPUT" Input;
    NumberFormat "NUMBER_FORMAT" NumberFormat;
    FillColor "FILL_COLOR" FillColor;
    Merge "MERGE" Merge;
    Unmerge "UNMERGE" Merge;
    TextOrientation "TEXT_ORIENTATION" TextOrientation;
    WrapText "WRAP_TEXT" WrapText;
    PasteFrom "PASTE_FROM" PasteFrom;
    Autofill "AUTOFILL" Autofill;
    FontBold "FONT_BOLD" Font;
    FontItalic "FONT_ITALIC" Font;
    FontSize "FONT_SIZE" Font;
    FontColor "FONT_COLOR" Font;
    FontUnderline "FONT_UNDERLINE" Font;
    FontName "FONT_NAME" Font;
    AlignHorizontal "ALIGN_HORIZONTAL" Align;
    AlignVertical "ALIGN_VERTICAL" Align;
    BorderLeft "BORDER_LEFT" Border;
    BorderRight "BORDER_RIGHT" Border;
    BorderTop "BORDER_TOP" Border;
    BorderBottom "BORDER_BOTTOM" Border;
    BorderOutside "BORDER_OUTSIDE" Border;
    BorderAll "BORDER_ALL" Border;
    BorderInsideHorizontal "BORDER_INSIDE_HORIZONTAL" Border;
    BorderInsideVertical "BORDER_INSIDE_VERTICAL" Border;
    BorderDiagonalDown "BORDER_DIAGONAL_DOWN" Border;
    BorderDiagonalUp "BORDER_DIAGONAL_UP" Border;
}

impl Keyword {
    /// The order table used when actions are sorted by kind; `UNMERGE` is absent (spec 3.2).
    pub const ORDER: [Keyword; 28] = [
        Self::Input,
        Self::PasteFrom,
        Self::Value,
        Self::Formula,
        Self::Autofill,
        Self::Merge,
        Self::NumberFormat,
        Self::FontName,
        Self::FontSize,
        Self::FontBold,
        Self::FontItalic,
        Self::FontUnderline,
        Self::FontColor,
        Self::AlignHorizontal,
        Self::AlignVertical,
        Self::TextOrientation,
        Self::WrapText,
        Self::FillColor,
        Self::BorderOutside,
        Self::BorderAll,
        Self::BorderLeft,
        Self::BorderRight,
        Self::BorderTop,
        Self::BorderBottom,
        Self::BorderInsideHorizontal,
        Self::BorderInsideVertical,
        Self::BorderDiagonalDown,
        Self::BorderDiagonalUp,
    ];

    /// The keyword of a font property.
    pub fn font(property: FontProperty) -> Self {
        match property {
            FontProperty::Bold => Self::FontBold,
            FontProperty::Italic => Self::FontItalic,
            FontProperty::Size => Self::FontSize,
            FontProperty::Color => Self::FontColor,
            FontProperty::Underline => Self::FontUnderline,
            FontProperty::Name => Self::FontName,
        }
    }

    /// The font property that the keyword sets, if it is one of the six.
    pub fn font_property(self) -> Option<FontProperty> {
        [
            FontProperty::Bold,
            FontProperty::Italic,
            FontProperty::Size,
            FontProperty::Color,
            FontProperty::Underline,
            FontProperty::Name,
        ]
        .into_iter()
        .find(|property| Self::font(*property) == self)
    }

    /// The keyword of an alignment axis.
    pub fn align(axis: Axis) -> Self {
        match axis {
            Axis::Horizontal => Self::AlignHorizontal,
            Axis::Vertical => Self::AlignVertical,
        }
    }

    /// The keyword of a border side.
    pub fn border(side: BorderSide) -> Self {
        match side {
            BorderSide::Left => Self::BorderLeft,
            BorderSide::Right => Self::BorderRight,
            BorderSide::Top => Self::BorderTop,
            BorderSide::Bottom => Self::BorderBottom,
            BorderSide::Outside => Self::BorderOutside,
            BorderSide::All => Self::BorderAll,
            BorderSide::InsideHorizontal => Self::BorderInsideHorizontal,
            BorderSide::InsideVertical => Self::BorderInsideVertical,
            BorderSide::DiagonalDown => Self::BorderDiagonalDown,
            BorderSide::DiagonalUp => Self::BorderDiagonalUp,
        }
    }

    /// The side that a border keyword draws.
    pub fn border_side(self) -> Option<BorderSide> {
        [
            BorderSide::Left,
            BorderSide::Right,
            BorderSide::Top,
            BorderSide::Bottom,
            BorderSide::Outside,
            BorderSide::All,
            BorderSide::InsideHorizontal,
            BorderSide::InsideVertical,
            BorderSide::DiagonalDown,
            BorderSide::DiagonalUp,
        ]
        .into_iter()
        .find(|side| Self::border(*side) == self)
    }
}

/// Actions of one family share a shape and compare by value; the spec's "class".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Family {
    Value,
    Formula,
    Input,
    NumberFormat,
    FillColor,
    Font,
    Align,
    WrapText,
    TextOrientation,
    Border,
    Merge,
    PasteFrom,
    Autofill,
}

impl Family {
    /// The family's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Font => "FONT",
            Self::Align => "ALIGN",
            Self::Border => "BORDER",
            other => other.keyword().text(),
        }
    }

    /// The name by which the sequencer breaks ties between families (spec 02, 1.2).
    pub fn sort_name(self) -> &'static str {
        match self {
            Self::Value => "SetValue",
            Self::Formula => "SetFormula",
            Self::Input => "SetInput",
            Self::NumberFormat => "SetNumberFormat",
            Self::FillColor => "SetFillColor",
            Self::Font => "SetFontProperty",
            Self::Align => "SetAlignment",
            Self::WrapText => "SetWrapText",
            Self::TextOrientation => "SetTextOrientation",
            Self::Border => "SetBorder",
            Self::Merge => "MergeCells",
            Self::PasteFrom => "PasteFrom",
            Self::Autofill => "AutoFill",
        }
    }

    /// The keyword of a family that has one, and the last of [`Keyword::ORDER`] for the three that have several.
    pub fn keyword(self) -> Keyword {
        match self {
            Self::Value => Keyword::Value,
            Self::Formula => Keyword::Formula,
            Self::Input => Keyword::Input,
            Self::NumberFormat => Keyword::NumberFormat,
            Self::FillColor => Keyword::FillColor,
            Self::Font => Keyword::FontColor,
            Self::Align => Keyword::AlignVertical,
            Self::WrapText => Keyword::WrapText,
            Self::TextOrientation => Keyword::TextOrientation,
            Self::Border => Keyword::BorderDiagonalUp,
            Self::Merge => Keyword::Merge,
            Self::PasteFrom => Keyword::PasteFrom,
            Self::Autofill => Keyword::Autofill,
        }
    }

    /// The family's number when actions are sorted by kind: the place of its last name in [`Keyword::ORDER`].
    pub fn order(self) -> usize {
        let last = self.keyword();
        // Every family has a name in the table; a missing one would sort behind all others.
        Keyword::ORDER
            .iter()
            .position(|keyword| *keyword == last)
            .unwrap_or(Keyword::ORDER.len())
    }

    /// The group of the paper that the family counts under.
    pub fn group(self) -> Group {
        match self {
            Self::Value | Self::Formula | Self::Input => Group::Input,
            Self::NumberFormat => Group::Format,
            Self::FillColor => Group::Fill,
            Self::Font => Group::Font,
            Self::Align | Self::WrapText | Self::TextOrientation => Group::Align,
            Self::Border => Group::Border,
            Self::Merge => Group::Merge,
            Self::PasteFrom => Group::Paste,
            Self::Autofill => Group::Autofill,
        }
    }

    /// Whether an action of this family shows at once: content, borders and fills (spec 3.2).
    pub fn is_primarily_visible(self) -> bool {
        matches!(
            self,
            Self::Value | Self::Formula | Self::Input | Self::Border | Self::FillColor
        )
    }
}

/// The nine kinds of action that the paper counts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Group {
    Input,
    Merge,
    Format,
    Fill,
    Font,
    Border,
    Align,
    Paste,
    Autofill,
}

impl Group {
    /// All nine in the paper's order.
    pub const ALL: [Group; 9] = [
        Self::Input,
        Self::Merge,
        Self::Format,
        Self::Fill,
        Self::Font,
        Self::Border,
        Self::Align,
        Self::Paste,
        Self::Autofill,
    ];

    /// The group's name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Merge => "merge",
            Self::Format => "format",
            Self::Fill => "fill",
            Self::Font => "font",
            Self::Border => "border",
            Self::Align => "align",
            Self::Paste => "paste",
            Self::Autofill => "autofill",
        }
    }

    /// The group of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_keywords_correspond() {
        assert_eq!(Keyword::ALL.len(), 29);
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::from_text(keyword.text()), Some(*keyword));
        }
        assert_eq!(Keyword::from_text("value"), None);
    }
}
