//! Types of values as the classical predictors tell them apart (spec chapter 03, 1.2 and 1.3).

use napsim_trajectories::number::read_float;
use napsim_trajectories::text::trim;

/// The type of an action's value; ids are positions in [`ValueType::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ValueType {
    True,
    False,
    Number,
    Text,
    Formula,
    List,
    Color,
    Border,
    AlignHorizontal,
    AlignVertical,
    FontName,
    FontSize,
    NumberFormat,
    Orientation,
    Underline,
    Null,
    Other,
}

impl ValueType {
    /// All seventeen in the order of their ids.
    pub const ALL: [ValueType; 17] = [
        Self::True,
        Self::False,
        Self::Number,
        Self::Text,
        Self::Formula,
        Self::List,
        Self::Color,
        Self::Border,
        Self::AlignHorizontal,
        Self::AlignVertical,
        Self::FontName,
        Self::FontSize,
        Self::NumberFormat,
        Self::Orientation,
        Self::Underline,
        Self::Null,
        Self::Other,
    ];

    /// The type of a value under a keyword.
    pub fn of(keyword: &str, value: &str) -> Self {
        let value = trim(value);
        if Self::is_null(value) {
            return Self::Null;
        }
        match keyword {
            "FONT_BOLD" | "FONT_ITALIC" | "WRAP_TEXT" | "MERGE" | "UNMERGE" => {
                if value.eq_ignore_ascii_case("true") || value == "1" {
                    Self::True
                } else {
                    Self::False
                }
            }
            "ALIGN_HORIZONTAL" => Self::AlignHorizontal,
            "ALIGN_VERTICAL" => Self::AlignVertical,
            "FONT_COLOR" | "FILL_COLOR" => Self::Color,
            "FONT_NAME" => Self::FontName,
            "FONT_SIZE" => Self::FontSize,
            "FONT_UNDERLINE" => Self::Underline,
            "NUMBER_FORMAT" => Self::NumberFormat,
            "TEXT_ORIENTATION" => Self::Orientation,
            "PASTE_FROM" | "AUTOFILL" => Self::Other,
            border if border.starts_with("BORDER_") => Self::Border,
            _ => Self::of_content(value),
        }
    }

    /// Whether a value is none: nothing but blanks, or a word for it.
    pub fn is_null(value: &str) -> bool {
        let value = trim(value);
        value.is_empty() || value.eq_ignore_ascii_case("null") || value.eq_ignore_ascii_case("none")
    }

    /// The type of what was typed into a cell. Quoted texts are texts, whatever they hold (Q3).
    fn of_content(value: &str) -> Self {
        if value.starts_with('=') {
            Self::Formula
        } else if value.starts_with('[') {
            Self::List
        } else if read_float(&value.replace(',', "")).is_some() {
            Self::Number
        } else {
            Self::Text
        }
    }

    /// Position in [`ValueType::ALL`].
    pub fn id(self) -> u8 {
        self as u8
    }

    /// The published name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Number => "number",
            Self::Text => "string",
            Self::Formula => "formula",
            Self::List => "list",
            Self::Color => "color",
            Self::Border => "border_spec",
            Self::AlignHorizontal => "align_h",
            Self::AlignVertical => "align_v",
            Self::FontName => "font_name",
            Self::FontSize => "font_size",
            Self::NumberFormat => "number_format",
            Self::Orientation => "orientation",
            Self::Underline => "underline_style",
            Self::Null => "null",
            Self::Other => "other",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value_type| value_type.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_positions_and_names_are_unique() {
        for (id, value_type) in ValueType::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(value_type.id()), id);
            assert_eq!(ValueType::from_name(value_type.name()), Some(value_type));
        }
    }

    #[test]
    fn content_is_typed_by_its_look() {
        for (value, expect) in [
            ("1,204.75", ValueType::Number),
            ("nan", ValueType::Number),
            ("\"42\"", ValueType::Text),
            ("true", ValueType::Text),
            ("=A1", ValueType::Formula),
            ("\"=A1\"", ValueType::Text),
            ("[[1]]", ValueType::List),
            ("None", ValueType::Null),
        ] {
            assert_eq!(ValueType::of("INPUT", value), expect, "{value}");
        }
    }

    #[test]
    fn formats_are_typed_by_their_keyword() {
        assert_eq!(ValueType::of("FONT_BOLD", "1"), ValueType::True);
        assert_eq!(ValueType::of("FONT_BOLD", "yes"), ValueType::False);
        assert_eq!(ValueType::of("FILL_COLOR", "clear"), ValueType::Color);
        assert_eq!(ValueType::of("BORDER_WEIRD", "x"), ValueType::Border);
        assert_eq!(ValueType::of("FILL_COLOR", "null"), ValueType::Null);
    }
}
