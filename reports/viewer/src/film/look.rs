//! What a cell looks like apart from its content, in words that a page may use without further care.

use napsim_sim::state::{Cell, Property};
use napsim_trajectories::Value;
use serde::Serialize;

/// How a cell looks. Whatever is absent is as in an empty sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Look {
    /// Bold.
    #[serde(rename = "b", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub bold: bool,
    /// Italic.
    #[serde(rename = "i", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub italic: bool,
    /// Underlined.
    #[serde(rename = "u", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub underlined: bool,
    /// Underlined twice.
    #[serde(rename = "uu", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub underlined_twice: bool,
    /// Size of the font in tenths of a point.
    #[serde(rename = "z", skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Name of the font: letters, digits, blanks and hyphens only.
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// Colour of the text.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Colour of the fill.
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
    /// Horizontal alignment in lower case.
    #[serde(rename = "h", skip_serializing_if = "Option::is_none")]
    pub horizontal: Option<String>,
    /// Vertical alignment in lower case.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub vertical: Option<String>,
    /// Whether texts are wrapped.
    #[serde(rename = "w", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub wraps: bool,
    /// Degrees by which the text is turned, upwards if positive.
    #[serde(rename = "o", skip_serializing_if = "Option::is_none")]
    pub degrees: Option<i32>,
    /// Lines at the left, right, top and bottom, and from the top left and the bottom left corner.
    #[serde(rename = "e", skip_serializing_if = "no_line")]
    pub lines: [Option<Line>; 6],
}

/// A border line: its style in lower case and its colour, black where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Line(
    pub String,
    #[serde(skip_serializing_if = "Option::is_none")] pub Option<String>,
);

fn is_off(flag: &bool) -> bool {
    !flag
}

fn no_line(lines: &[Option<Line>; 6]) -> bool {
    lines.iter().all(Option::is_none)
}

fn as_one<S: serde::Serializer>(_flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(1)
}

impl Look {
    /// The look of a cell.
    pub fn of(cell: &Cell) -> Self {
        let text = |property| cell.get(property).and_then(Value::as_text);
        let is_on = |property| cell.get(property).is_some_and(Value::is_truthy);
        let underline = text(Property::FontUnderline).map_or("", |underline| underline);
        let underlined = !underline.is_empty() && !underline.eq_ignore_ascii_case("none");
        let fill = cell.get(Property::Fill).and_then(|fill| fill.get("fgColor"));
        let sides = [
            Property::BorderLeft,
            Property::BorderRight,
            Property::BorderTop,
            Property::BorderBottom,
            Property::BorderDiagonalDown,
            Property::BorderDiagonalUp,
        ];
        Self {
            bold: is_on(Property::FontBold),
            italic: is_on(Property::FontItalic),
            underlined,
            underlined_twice: underlined && underline.to_ascii_lowercase().contains("double"),
            size: cell.get(Property::FontSize).and_then(tenths),
            font: text(Property::FontName).and_then(font),
            color: text(Property::FontColor).and_then(color),
            fill: fill.and_then(Value::as_text).and_then(color),
            horizontal: text(Property::HorizontalAlignment).and_then(word),
            vertical: text(Property::VerticalAlignment).and_then(word),
            wraps: is_on(Property::WrapText),
            degrees: cell.get(Property::TextOrientation).and_then(degrees),
            lines: sides.map(|side| cell.get(side).and_then(line)),
        }
    }
}

/// A font size in tenths of a point, where it is one that spreadsheets allow.
fn tenths(size: &Value) -> Option<u32> {
    let size = size.as_number().filter(|size| (1.0..=409.0).contains(size))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 10 and 4090"
    )]
    let tenths = (size * 10.0).round() as u32;
    Some(tenths)
}

fn degrees(degrees: &Value) -> Option<i32> {
    match degrees {
        Value::Int(degrees) if (-360..=360).contains(degrees) && *degrees != 0 => i32::try_from(*degrees).ok(),
        _ => None,
    }
}

/// A colour as `#rrggbb`, or a word of letters; anything else is no colour.
fn color(text: &str) -> Option<String> {
    if let Some(hex) = text.strip_prefix('#') {
        let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        return match hex.len() {
            3 if is_hex => Some(format!("#{}", hex.chars().flat_map(|c| [c, c]).collect::<String>())),
            6 if is_hex => Some(text.to_owned()),
            // The first two digits say how opaque it is.
            8 if is_hex => hex.get(2..).map(|rgb| format!("#{rgb}")),
            _ => None,
        };
    }
    word(text)
}

/// A word of letters in lower case.
fn word(text: &str) -> Option<String> {
    let is_word = !text.is_empty() && text.len() <= 24 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word.then(|| text.to_ascii_lowercase())
}

/// The name of a font as far as it consists of letters, digits, blanks and hyphens.
fn font(text: &str) -> Option<String> {
    let is_plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-');
    let name: String = text.chars().filter(is_plain).take(40).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn line(stored: &Value) -> Option<Line> {
    let style = stored.get("lineStyle").and_then(Value::as_text).and_then(word)?;
    let color = stored.get("color").and_then(Value::as_text).and_then(color);
    Some(Line(style, color))
}

#[cfg(test)]
mod tests {
    use napsim_sim::state::{CellKey, Workbook};
    use napsim_trajectories::Action;

    use super::*;

    fn look(lines: &[&str]) -> Look {
        let mut state = Workbook::default();
        for line in lines {
            state.apply(&Action::parse(line).unwrap()).unwrap();
        }
        Look::of(state.cell("Sheet1", &CellKey::from_text("A1")).unwrap())
    }

    #[test]
    fn a_look_has_what_was_formatted() {
        let expect = Look {
            bold: true,
            size: Some(145),
            font: Some("Arial Narrow".to_owned()),
            color: Some("#FF0000".to_owned()),
            fill: Some("#DDEBF7".to_owned()),
            horizontal: Some("center".to_owned()),
            wraps: true,
            degrees: Some(45),
            underlined: true,
            lines: [
                None,
                None,
                None,
                Some(Line("double".to_owned(), Some("#000000".to_owned()))),
                None,
                None,
            ],
            ..Look::default()
        };
        let lines = [
            "FONT_BOLD | A1 | true",
            "FONT_SIZE | A1 | 14.5",
            "FONT_NAME | A1 | Arial Narrow",
            "FONT_COLOR | A1 | #ff0000",
            "FONT_UNDERLINE | A1 | single",
            "FILL_COLOR | A1 | #DDEBF7",
            "ALIGN_HORIZONTAL | A1 | center",
            "WRAP_TEXT | A1 | true",
            "TEXT_ORIENTATION | A1 | 45",
            "BORDER_BOTTOM | A1 | Thin, Double, #000000",
        ];
        assert_eq!(look(&lines), expect);
    }

    #[test]
    fn nothing_but_words_and_colors_gets_through() {
        assert_eq!(color("#abc"), Some("#aabbcc".to_owned()));
        assert_eq!(color("#FF112233"), Some("#112233".to_owned()));
        assert_eq!(color("Red"), Some("red".to_owned()));
        for text in ["url(x)", "#12345", "#gggggg", "red;x", "", "var(--x)", "\u{202e}red"] {
            assert_eq!(color(text), None, "{text}");
        }
        assert_eq!(font("Arial\"; x:url(y)"), Some("Arial xurly".to_owned()));
        assert_eq!(font("\"\""), None);
        assert_eq!(degrees(&Value::Int(400)), None);
    }
}
