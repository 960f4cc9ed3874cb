//! The parts of cell formats: fonts, fills, borders and alignment.

use std::sync::Arc;

use napsim_trajectories::Value;

use crate::import::ImportError;
use crate::import::xlsx::color::{self, Palette, Rgb};
use crate::import::xml::{Tag, Tokens};

#[derive(Clone, Debug, Default)]
pub(super) struct Font {
    pub(super) name: Option<Arc<str>>,
    pub(super) size: Option<f64>,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) underline: Option<Value>,
    pub(super) color: Option<Rgb>,
    pub(super) dropped: Vec<&'static str>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Fill {
    /// The fill as a state holds it.
    pub(super) solid: Option<Value>,
    pub(super) dropped: Option<&'static str>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Border {
    /// Left, right, top and bottom as a state holds them.
    pub(super) sides: [Option<Value>; 4],
    pub(super) diagonal: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct CellFormat {
    pub(super) number_format: u32,
    pub(super) font: u32,
    pub(super) fill: u32,
    pub(super) border: u32,
    pub(super) horizontal: Option<String>,
    pub(super) vertical: Option<String>,
    pub(super) wrap: bool,
    pub(super) rotation: i64,
    pub(super) dropped: Vec<&'static str>,
}

pub(super) fn read_font(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Font, ImportError> {
    let mut font = Font::default();
    tokens.children(|tokens, tag| {
        match tag.name() {
            "name" => {
                let name = tag
                    .get("val")
                    .map(|name| name.trim().trim_matches(['"', '\'']).to_owned());
                font.name = name.filter(|name| !name.is_empty()).map(Into::into);
            }
            "sz" => font.size = tag.parse("val").filter(|size: &f64| (0.1..=1000.0).contains(size)),
            "b" => font.bold = tag.flag("val", true),
            "i" => font.italic = tag.flag("val", true),
            "u" => {
                let word = tag.get("val").unwrap_or_else(|| "single".to_owned());
                font.underline = Some(word).filter(|word| word != "none").map(Value::text);
            }
            "color" => font.color = palette.resolve(&tag),
            "strike" if tag.flag("val", true) => drop_once(&mut font.dropped, "strikethrough skipped"),
            "vertAlign" if tag.get("val").is_some_and(|word| word != "baseline") => {
                drop_once(&mut font.dropped, "superscript or subscript skipped");
            }
            _ => {}
        }
        tokens.skip()
    })?;
    Ok(font)
}

pub(super) fn read_fill(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Fill, ImportError> {
    let mut fill = Fill::default();
    tokens.children(|tokens, tag| {
        if tag.name() == "gradientFill" {
            fill.dropped = Some("gradient fills skipped");
            return tokens.skip();
        }
        let pattern = tag.get("patternType").unwrap_or_default();
        match pattern.as_str() {
            "solid" => {}
            // The second entry of every list is this one; hardly a cell uses it.
            "" | "none" => return tokens.skip(),
            _ => {
                fill.dropped = Some("pattern fills skipped");
                return tokens.skip();
            }
        }
        // Without a colour a solid fill is black; writers leave the colour out for that.
        fill.solid = Some(solid(color::BLACK));
        tokens.children(|tokens, tag| {
            if tag.name() == "fgColor" && !tag.flag("auto", false) {
                fill.solid = palette.resolve(&tag).map(solid);
            }
            tokens.skip()
        })
    })?;
    Ok(fill)
}

pub(super) fn read_border(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Border, ImportError> {
    let mut border = Border::default();
    tokens.children(|tokens, tag| {
        let word = tag.get("style").unwrap_or_default().trim().to_lowercase();
        let drawn = !word.is_empty() && word != "none";
        let side = match tag.name() {
            "left" | "start" => Some(0),
            "right" | "end" => Some(1),
            "top" => Some(2),
            "bottom" => Some(3),
            "diagonal" => {
                border.diagonal |= drawn;
                None
            }
            _ => None,
        };
        let mut color = color::BLACK;
        tokens.children(|tokens, tag| {
            if tag.name() == "color" {
                color = palette.resolve(&tag).unwrap_or(color::BLACK);
            }
            tokens.skip()
        })?;
        if let Some(slot) = side.and_then(|side: usize| border.sides.get_mut(side)) {
            *slot = drawn.then(|| line(&word, color));
        }
        Ok(())
    })?;
    Ok(border)
}

pub(super) fn read_cell_format(tokens: &mut Tokens<'_>, tag: &Tag<'_>) -> Result<CellFormat, ImportError> {
    let mut format = CellFormat {
        number_format: tag.parse("numFmtId").unwrap_or(0),
        font: tag.parse("fontId").unwrap_or(0),
        fill: tag.parse("fillId").unwrap_or(0),
        border: tag.parse("borderId").unwrap_or(0),
        ..CellFormat::default()
    };
    tokens.children(|tokens, tag| {
        if tag.name() == "alignment" {
            let word = |name: &str, absent: &str| {
                let word = tag.get(name).map(|word| word.trim().to_lowercase());
                word.filter(|word| !word.is_empty() && word != absent)
            };
            format.horizontal = word("horizontal", "general");
            format.vertical = word("vertical", "bottom");
            format.wrap = tag.flag("wrapText", false);
            format.rotation = match tag.parse("textRotation").unwrap_or(0_i64) {
                up @ 0..=90 => up,
                // Downward angles follow the upward ones.
                down @ 91..=180 => 90 - down,
                255 => 255,
                _ => 0,
            };
            if tag.parse("indent").is_some_and(|indent: i64| indent != 0) {
                drop_once(&mut format.dropped, "indents skipped");
            }
            if tag.flag("shrinkToFit", false) {
                drop_once(&mut format.dropped, "shrinking to fit skipped");
            }
        }
        tokens.skip()
    })?;
    Ok(format)
}

/// Adds to what a style drops, each wording once.
fn drop_once(dropped: &mut Vec<&'static str>, what: &'static str) {
    if !dropped.contains(&what) {
        dropped.push(what);
    }
}

/// The fill of a state.
fn solid(color: Rgb) -> Value {
    let entries: [(Arc<str>, Value); 2] = [
        ("patternType".into(), Value::text("solid")),
        ("fgColor".into(), color::hex(color)),
    ];
    Value::Object(entries.into())
}

/// The border side of a state.
fn line(word: &str, color: Rgb) -> Value {
    let entries: [(Arc<str>, Value); 2] = [
        ("lineStyle".into(), Value::text(word)),
        ("color".into(), color::hex(color)),
    ];
    Value::Object(entries.into())
}
