//! Looks: fonts, colours, lines and number formats that go together on one sheet.

use napsim_sim::state::Property;
use napsim_trajectories::Value;

use super::draw::Draw;
use super::words::Language;

/// A border line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) style: &'static str,
    pub(super) color: &'static str,
}

impl Line {
    pub(super) const THIN: Line = Line {
        style: "thin",
        color: "#000000",
    };
    pub(super) const DOUBLE: Line = Line {
        style: "double",
        color: "#000000",
    };

    /// The line as a state holds it.
    pub(super) fn stored(self) -> Value {
        let entries = [("lineStyle", self.style), ("color", self.color)];
        Value::Object(entries.map(|(key, text)| (key.into(), Value::text(text))).into())
    }
}

/// Formats to be set together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub(super) format: Option<&'static str>,
    pub(super) size: Option<i64>,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) underline: bool,
    pub(super) color: Option<&'static str>,
    pub(super) fill: Option<&'static str>,
    pub(super) horizontal: Option<&'static str>,
    pub(super) vertical: Option<&'static str>,
    pub(super) wrap: bool,
    pub(super) degrees: Option<i64>,
}

impl Style {
    /// The style that only aligns.
    pub(super) fn aligned(horizontal: &'static str) -> Self {
        Self {
            horizontal: Some(horizontal),
            ..Self::default()
        }
    }

    /// The style that only fills.
    pub(super) fn filled(fill: &'static str) -> Self {
        Self {
            fill: Some(fill),
            ..Self::default()
        }
    }

    /// The style that only sets a number format.
    pub(super) fn formatted(format: &'static str) -> Self {
        Self {
            format: Some(format),
            ..Self::default()
        }
    }

    /// The style that only makes type bold.
    pub(super) fn bold() -> Self {
        Self {
            bold: true,
            ..Self::default()
        }
    }

    /// The properties that the style sets.
    pub(super) fn properties(&self) -> impl Iterator<Item = (Property, Value)> + use<> {
        let text = |property, text: Option<&'static str>| text.map(|text| (property, Value::text(text)));
        let flag = |property, on: bool| on.then_some((property, Value::Bool(true)));
        let fill = self.fill.map(|color| {
            let entries = [("patternType", "solid"), ("fgColor", color)];
            let object = entries.map(|(key, text)| (key.into(), Value::text(text)));
            (Property::Fill, Value::Object(object.into()))
        });
        let properties = [
            text(Property::NumberFormat, self.format),
            self.size.map(|size| (Property::FontSize, Value::Int(size))),
            flag(Property::FontBold, self.bold),
            flag(Property::FontItalic, self.italic),
            text(Property::FontColor, self.color),
            text(Property::FontUnderline, self.underline.then_some("single")),
            fill,
            text(Property::HorizontalAlignment, self.horizontal),
            text(Property::VerticalAlignment, self.vertical),
            self.degrees
                .map(|degrees| (Property::TextOrientation, Value::Int(degrees))),
            flag(Property::WrapText, self.wrap),
        ];
        properties.into_iter().flatten()
    }
}

/// How lines are drawn in tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    None,
    All,
    Outside,
    HeadBottom,
    OutsideAndHead,
    Rows,
}

/// The looks of one sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub(super) font: Option<&'static str>,
    pub(super) size: Option<i64>,
    pub(super) title: Style,
    pub(super) merges_title: bool,
    pub(super) head: Style,
    pub(super) label: Style,
    pub(super) total: Style,
    pub(super) band: Option<&'static str>,
    pub(super) accent: &'static str,
    pub(super) lines: Lines,
    pub(super) line: Line,
    pub(super) money: &'static str,
    pub(super) date: &'static str,
    pub(super) percent: &'static str,
}

/// Families of colours: head fill, head text, band, accent.
const COLORS: [(&str, &str, &str, &str); 14] = [
    ("#4472C4", "#FFFFFF", "#D9E2F3", "#1F3864"),
    ("#1F4E78", "#FFFFFF", "#DDEBF7", "#C00000"),
    ("#70AD47", "#FFFFFF", "#E2EFDA", "#375623"),
    ("#ED7D31", "#FFFFFF", "#FCE4D6", "#833C0B"),
    ("#D9D9D9", "#000000", "#F2F2F2", "#595959"),
    ("#BFBFBF", "#000000", "#EDEDED", "#C00000"),
    ("#FFE699", "#000000", "#FFF2CC", "#7F6000"),
    ("#264653", "#FFFFFF", "#E9F5F3", "#E76F51"),
    ("#7030A0", "#FFFFFF", "#EDE7F3", "#7030A0"),
    ("#DDEBF7", "#000000", "#F7FBFF", "#2F5597"),
    ("#C6E0B4", "#000000", "#F1F8EC", "#548235"),
    ("#203864", "#FFC000", "#EAEFF7", "#203864"),
    ("#F8CBAD", "#000000", "#FDF1EA", "#C55A11"),
    ("#A9D18E", "#000000", "#F4FAEF", "#0B5345"),
];

const FONTS: [&str; 8] = [
    "Arial",
    "Georgia",
    "Verdana",
    "Cambria",
    "Times New Roman",
    "Courier New",
    "Trebuchet MS",
    "Segoe UI",
];

impl Palette {
    pub(super) fn draw(draw: &mut Draw, language: Language) -> Self {
        let [first, ..] = COLORS;
        let (fill, text, band, accent) = draw.pick(&COLORS).unwrap_or(first);
        let head = head(draw, fill, text);
        let title = title(draw, band, accent);
        let label = Style {
            bold: draw.chance(24),
            fill: draw.chance(12).then_some(band),
            horizontal: draw.chance(10).then_some("left"),
            ..Style::default()
        };
        let total = Style {
            bold: draw.chance(84),
            fill: draw.chance(34).then_some(band),
            color: draw.chance(10).then_some(accent),
            ..Style::default()
        };
        let whole = ["0%", "0.0%", "0.00%"];
        Self {
            font: if draw.chance(34) { draw.pick(&FONTS) } else { None },
            size: draw.weighted(None, &[(80, None), (14, Some(10)), (6, Some(12))]),
            merges_title: draw.chance(52),
            title,
            head,
            label,
            total,
            band: draw.chance(18).then_some(band),
            accent,
            lines: draw.weighted(
                Lines::All,
                &[
                    (36, Lines::All),
                    (14, Lines::None),
                    (12, Lines::Outside),
                    (16, Lines::HeadBottom),
                    (12, Lines::OutsideAndHead),
                    (10, Lines::Rows),
                ],
            ),
            line: Line {
                style: draw.weighted("thin", &[(86, "thin"), (7, "dotted"), (7, "dashed")]),
                color: draw.weighted(
                    "#000000",
                    &[(66, "#000000"), (20, "#BFBFBF"), (8, "#808080"), (6, accent)],
                ),
            },
            money: draw.weighted(
                "#,##0.00",
                &[
                    (45, language.money_format()),
                    (30, "#,##0.00"),
                    (20, "#,##0"),
                    (5, "0.00"),
                ],
            ),
            date: draw.weighted(
                "yyyy-mm-dd",
                &[(60, language.date_format()), (25, "yyyy-mm-dd"), (15, "dd/mm/yy")],
            ),
            percent: draw.pick(&whole).unwrap_or("0%"),
        }
    }
}

/// The look of a table's head, from its fill and the colour of its texts.
fn head(draw: &mut Draw, fill: &'static str, text: &'static str) -> Style {
    let has_fill = draw.chance(70);
    Style {
        bold: draw.chance(88),
        fill: has_fill.then_some(fill),
        color: (has_fill && text != "#000000").then_some(text),
        horizontal: draw.weighted(Some("center"), &[(62, Some("center")), (32, None), (6, Some("left"))]),
        vertical: draw.weighted(None, &[(78, None), (18, Some("center")), (4, Some("top"))]),
        wrap: draw.chance(26),
        ..Style::default()
    }
}

/// The look of a title.
fn title(draw: &mut Draw, band: &'static str, accent: &'static str) -> Style {
    Style {
        size: draw.weighted(
            Some(14),
            &[
                (34, Some(14)),
                (25, Some(16)),
                (12, Some(18)),
                (9, Some(20)),
                (20, None),
            ],
        ),
        bold: draw.chance(86),
        italic: draw.chance(5),
        underline: draw.chance(6),
        color: draw.chance(26).then_some(accent),
        fill: draw.chance(16).then_some(band),
        horizontal: draw.chance(45).then_some("center"),
        ..Style::default()
    }
}
