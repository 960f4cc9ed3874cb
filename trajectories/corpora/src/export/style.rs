//! Formats of cells as a workbook file knows them.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::{Cell, Property};
use napsim_trajectories::Value;
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, FormatUnderline};

use crate::import::number_format::{self, Shown};
use crate::import::{Note, note};

/// A format with what it shows.
pub(super) struct Style {
    pub(super) format: Format,
    pub(super) shown: Shown,
    /// Whether there is nothing to it.
    pub(super) is_default: bool,
}

/// The formats made so far, by the text of their properties.
#[derive(Default)]
pub(super) struct Styles(BTreeMap<String, (Arc<Style>, Vec<&'static str>)>);

impl Styles {
    /// The format of a cell.
    pub(super) fn of(&mut self, cell: &Cell, notes: &mut Vec<Note>) -> Arc<Style> {
        let properties: Vec<_> = cell
            .entries()
            .iter()
            .filter(|(property, _)| {
                !property.is_container() && !matches!(property, Property::Value | Property::Formula)
            })
            .collect();
        let (style, dropped) = self.0.entry(format!("{properties:?}")).or_insert_with(|| {
            let mut making = Making::default();
            for (property, value) in properties {
                if !matches!(value, Value::Null) {
                    making.set(*property, value);
                }
            }
            (Arc::new(making.style), making.dropped)
        });
        for what in dropped {
            note(notes, what, 1);
        }
        style.clone()
    }
}

struct Making {
    style: Style,
    dropped: Vec<&'static str>,
}

impl Default for Making {
    fn default() -> Self {
        Self {
            style: Style {
                format: Format::new(),
                shown: Shown::Number,
                is_default: true,
            },
            dropped: Vec::new(),
        }
    }
}

impl Making {
    fn set(&mut self, property: Property, value: &Value) {
        let format = std::mem::take(&mut self.style.format);
        let changed = match property {
            Property::NumberFormat => value
                .as_text()
                .filter(|code| !code.is_empty() && *code != "General")
                .map(|code| {
                    self.style.shown = number_format::shown(code);
                    format.clone().set_num_format(code)
                }),
            Property::FontBold => flag(value).map(|()| format.clone().set_bold()),
            Property::FontItalic => flag(value).map(|()| format.clone().set_italic()),
            Property::WrapText => flag(value).map(|()| format.clone().set_text_wrap()),
            Property::FontName => value.as_text().map(|name| format.clone().set_font_name(name)),
            Property::FontSize => value
                .as_number()
                .filter(|size| (1.0..=409.0).contains(size))
                .map(|size| format.clone().set_font_size(size)),
            Property::FontColor => color(value).map(|color| format.clone().set_font_color(color)),
            Property::FontUnderline => underline(value).map(|word| format.clone().set_underline(word)),
            Property::Fill => fill(value).map(|color| format.clone().set_background_color(color)),
            Property::HorizontalAlignment => horizontal(value).map(|word| format.clone().set_align(word)),
            Property::VerticalAlignment => vertical(value).map(|word| format.clone().set_align(word)),
            Property::TextOrientation => rotation(value).map(|angle| format.clone().set_rotation(angle)),
            side if Property::BOX_SIDES.contains(&side) => self.border(format.clone(), side, value),
            _ => None,
        };
        let is_changed = changed.is_some();
        self.style.is_default &= !is_changed;
        self.style.format = changed.unwrap_or(format);
        if !is_changed && !is_default(property, value) {
            self.dropped.push(what_is_dropped(property));
        }
    }

    fn border(&mut self, format: Format, side: Property, line: &Value) -> Option<Format> {
        let word = line.get("lineStyle").and_then(Value::as_text).unwrap_or("thin");
        let weight = border(word)?;
        let given = line.get("color").filter(|color| !matches!(color, Value::Null));
        if given.is_none() {
            self.dropped.push("borders without a colour written in black");
        }
        let color = match given.map(color) {
            None => Color::Black,
            Some(Some(color)) => color,
            Some(None) => {
                self.dropped.push("borders in unknown colours written in black");
                Color::Black
            }
        };
        Some(match side {
            Property::BorderLeft => format.set_border_left(weight).set_border_left_color(color),
            Property::BorderRight => format.set_border_right(weight).set_border_right_color(color),
            Property::BorderTop => format.set_border_top(weight).set_border_top_color(color),
            _ => format.set_border_bottom(weight).set_border_bottom_color(color),
        })
    }
}

/// Whether a value says what holds anyway.
fn is_default(property: Property, value: &Value) -> bool {
    let word = value.as_text().map(str::to_lowercase).unwrap_or_default();
    match property {
        Property::NumberFormat | Property::HorizontalAlignment => word == "general" || word.is_empty(),
        Property::FontBold | Property::FontItalic | Property::WrapText | Property::TextOrientation => {
            !value.is_truthy()
        }
        Property::FontUnderline => word == "none" || !value.is_truthy(),
        Property::VerticalAlignment => word == "bottom" || word.is_empty(),
        Property::Fill => value
            .get("patternType")
            .and_then(Value::as_text)
            .is_none_or(|word| word == "none"),
        Property::Datatype => true,
        side if Property::BOX_SIDES.contains(&side) => value
            .get("lineStyle")
            .and_then(Value::as_text)
            .is_none_or(|word| word == "none"),
        _ => false,
    }
}

fn what_is_dropped(property: Property) -> &'static str {
    match property {
        Property::NumberFormat => "number formats that are no texts skipped",
        Property::FontName | Property::FontSize => "unknown font names or sizes skipped",
        Property::FontColor => "unknown font colours skipped",
        Property::FontUnderline => "unknown kinds of underline skipped",
        Property::Fill => "fills that are not solid or of unknown colours skipped",
        Property::HorizontalAlignment | Property::VerticalAlignment => "unknown alignments skipped",
        Property::TextOrientation => "unknown text orientations skipped",
        Property::BorderDiagonalDown | Property::BorderDiagonalUp => "diagonal borders skipped",
        Property::Unknown => "properties of unknown kinds skipped",
        _ => "unknown lines of borders skipped",
    }
}

fn flag(value: &Value) -> Option<()> {
    value.is_truthy().then_some(())
}

/// The colour of a text such as `#12AB9F`, with or without the sign or an alpha before it.
fn color(value: &Value) -> Option<Color> {
    let text = value.as_text()?.trim().trim_start_matches('#');
    let digits = match text.len() {
        6 => text,
        8 => text.get(2..)?,
        _ => return None,
    };
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex).map(Color::RGB)
}

fn fill(value: &Value) -> Option<Color> {
    let pattern = value.get("patternType").and_then(Value::as_text)?;
    if !pattern.eq_ignore_ascii_case("solid") {
        return None;
    }
    value
        .get("fgColor")
        .and_then(color)
        .or_else(|| value.get("bgColor").and_then(color))
}

fn underline(value: &Value) -> Option<FormatUnderline> {
    if matches!(value, Value::Bool(true)) {
        return Some(FormatUnderline::Single);
    }
    match value.as_text()?.to_lowercase().as_str() {
        "single" => Some(FormatUnderline::Single),
        "double" => Some(FormatUnderline::Double),
        "singleaccounting" => Some(FormatUnderline::SingleAccounting),
        "doubleaccounting" => Some(FormatUnderline::DoubleAccounting),
        _ => None,
    }
}

fn horizontal(value: &Value) -> Option<FormatAlign> {
    match value.as_text()?.to_lowercase().as_str() {
        "left" => Some(FormatAlign::Left),
        "center" => Some(FormatAlign::Center),
        "right" => Some(FormatAlign::Right),
        "fill" => Some(FormatAlign::Fill),
        "justify" => Some(FormatAlign::Justify),
        "centercontinuous" | "centeracrossselection" => Some(FormatAlign::CenterAcross),
        "distributed" => Some(FormatAlign::Distributed),
        _ => None,
    }
}

fn vertical(value: &Value) -> Option<FormatAlign> {
    match value.as_text()?.to_lowercase().as_str() {
        "top" => Some(FormatAlign::Top),
        "center" | "middle" => Some(FormatAlign::VerticalCenter),
        "justify" => Some(FormatAlign::VerticalJustify),
        "distributed" => Some(FormatAlign::VerticalDistributed),
        _ => None,
    }
}

/// The library's angle: degrees upwards, 270 for stacked letters.
fn rotation(value: &Value) -> Option<i16> {
    match value {
        Value::Int(255) => Some(270),
        Value::Int(angle) if *angle != 0 => i16::try_from(*angle).ok().filter(|angle| (-90..=90).contains(angle)),
        _ => None,
    }
}

fn border(word: &str) -> Option<FormatBorder> {
    Some(match word.to_lowercase().as_str() {
        "thin" => FormatBorder::Thin,
        "medium" => FormatBorder::Medium,
        "dashed" => FormatBorder::Dashed,
        "dotted" => FormatBorder::Dotted,
        "thick" => FormatBorder::Thick,
        "double" => FormatBorder::Double,
        "hair" => FormatBorder::Hair,
        "mediumdashed" => FormatBorder::MediumDashed,
        "dashdot" => FormatBorder::DashDot,
        "mediumdashdot" => FormatBorder::MediumDashDot,
        "dashdotdot" => FormatBorder::DashDotDot,
        "mediumdashdotdot" => FormatBorder::MediumDashDotDot,
        "slantdashdot" => FormatBorder::SlantDashDot,
        _ => return None,
    })
}
