//! Cell styles of `.xlsx` files as properties of a state.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::Property;
use napsim_trajectories::Value;

use super::color::{self, Palette, Rgb};
use crate::import::assemble::{CellStyle, number};
use crate::import::number_format::{self, Shown};
use crate::import::xml::{Tag, Tokens};
use crate::import::{ImportError, Limits};

/// More formats than Excel allows are nothing but a way to cost memory.
const CELL_FORMATS_MAX: u64 = 100_000;

/// The styles of a workbook, by the index that cells carry.
#[derive(Debug, Default)]
pub(super) struct Styles {
    pub(super) cells: Vec<CellStyle>,
}

#[derive(Clone, Debug, Default)]
struct Font {
    name: Option<Arc<str>>,
    size: Option<f64>,
    bold: bool,
    italic: bool,
    underline: Option<Value>,
    color: Option<Rgb>,
    dropped: Vec<&'static str>,
}

#[derive(Clone, Debug, Default)]
struct Fill {
    /// The fill as a state holds it.
    solid: Option<Value>,
    dropped: Option<&'static str>,
}

#[derive(Clone, Debug, Default)]
struct Border {
    /// Left, right, top and bottom as a state holds them.
    sides: [Option<Value>; 4],
    diagonal: bool,
}

/// The lists of a style part that cell formats refer to by index.
#[derive(Debug, Default)]
struct Parts {
    formats: BTreeMap<u32, (Value, Shown)>,
    fonts: Vec<Font>,
    fills: Vec<Fill>,
    borders: Vec<Border>,
    /// Fonts of the formats that named styles refer to.
    style_fonts: Vec<u32>,
    cell_formats: Vec<CellFormat>,
    /// The format of the Normal style among those of named styles.
    normal: Option<usize>,
}

#[derive(Clone, Debug, Default)]
struct CellFormat {
    number_format: u32,
    font: u32,
    fill: u32,
    border: u32,
    horizontal: Option<String>,
    vertical: Option<String>,
    wrap: bool,
    rotation: i64,
    dropped: Vec<&'static str>,
}

impl Styles {
    /// Reads a style part.
    pub(super) fn read(text: &str, part: &str, palette: &mut Palette, limits: &Limits) -> Result<Self, ImportError> {
        read_palette(text, part, palette)?;
        let mut parts = Parts::default();
        let mut tokens = Tokens::new(text, part);
        tokens.root()?;
        tokens.children(|tokens, tag| parts.read_list(tokens, &tag, palette, limits))?;
        let normal = parts.normal_font();
        let cells = parts
            .cell_formats
            .iter()
            .map(|format| parts.cell_style(format, &normal))
            .collect();
        Ok(Self { cells })
    }
}

/// The file's own palette stands behind the lists that refer to it, so it is read first.
fn read_palette(text: &str, part: &str, palette: &mut Palette) -> Result<(), ImportError> {
    if !text.contains("indexedColors") {
        return Ok(());
    }
    let mut tokens = Tokens::new(text, part);
    tokens.root()?;
    tokens.children(|tokens, tag| {
        if tag.name() != "colors" {
            return tokens.skip();
        }
        tokens.children(|tokens, tag| {
            if tag.name() != "indexedColors" {
                return tokens.skip();
            }
            tokens.children(|tokens, tag| {
                palette.push_indexed(&tag);
                tokens.skip()
            })
        })
    })
}

impl Parts {
    fn read_list<'a>(
        &mut self,
        tokens: &mut Tokens<'a>,
        tag: &Tag<'a>,
        palette: &Palette,
        limits: &Limits,
    ) -> Result<(), ImportError> {
        match tag.name() {
            "numFmts" => tokens.children(|tokens, tag| {
                let code = tag.get("formatCode").filter(|code| !code.is_empty());
                if let (Some(id), Some(code)) = (tag.parse("numFmtId"), code) {
                    self.formats.insert(id, of_code(&code));
                }
                tokens.skip()
            }),
            "fonts" => tokens.children(|tokens, _| {
                self.fonts.push(read_font(tokens, palette)?);
                Ok(())
            }),
            "fills" => tokens.children(|tokens, _| {
                self.fills.push(read_fill(tokens, palette)?);
                Ok(())
            }),
            "borders" => tokens.children(|tokens, _| {
                self.borders.push(read_border(tokens, palette)?);
                Ok(())
            }),
            "cellStyleXfs" => tokens.children(|tokens, tag| {
                self.style_fonts.push(tag.parse("fontId").unwrap_or(0));
                tokens.skip()
            }),
            "cellXfs" => tokens.children(|tokens, tag| {
                self.cell_formats.push(read_cell_format(tokens, &tag)?);
                limits.check("cell formats", self.cell_formats.len() as u64, CELL_FORMATS_MAX)
            }),
            "cellStyles" => tokens.children(|tokens, tag| {
                if tag.parse("builtinId") == Some(0_u32) {
                    self.normal = self.normal.or(Some(tag.parse("xfId").unwrap_or(0)));
                }
                tokens.skip()
            }),
            _ => tokens.skip(),
        }
    }

    /// The font of the Normal style, with what it leaves open filled in.
    fn normal_font(&self) -> Font {
        let format = self.style_fonts.get(self.normal.unwrap_or(0)).copied().unwrap_or(0);
        let mut font = self.fonts.get(format as usize).cloned().unwrap_or_default();
        font.name = font.name.or_else(|| Some("Calibri".into()));
        font.size = font.size.or(Some(11.0));
        font
    }

    fn cell_style(&self, format: &CellFormat, normal: &Font) -> CellStyle {
        let mut style = CellStyle {
            dropped: format.dropped.clone(),
            ..CellStyle::default()
        };
        let known = self.formats.get(&format.number_format).cloned();
        let known = known.or_else(|| number_format::built_in(format.number_format).map(of_code));
        if let Some((code, shown)) = known {
            style.shown = shown;
            if code.as_text() != Some("General") {
                style.properties.push((Property::NumberFormat, code));
            }
        }
        if let Some(font) = self.fonts.get(format.font as usize) {
            push_font(&mut style, font, normal);
        }
        if let Some(fill) = self.fills.get(format.fill as usize) {
            style.dropped.extend(fill.dropped);
            style
                .properties
                .extend(fill.solid.clone().map(|solid| (Property::Fill, solid)));
        }
        push_alignment(&mut style, format);
        if let Some(border) = self.borders.get(format.border as usize) {
            for (property, side) in Property::BOX_SIDES.into_iter().zip(&border.sides) {
                style.properties.extend(side.clone().map(|side| (property, side)));
            }
            if border.diagonal {
                style.dropped.push("diagonal borders skipped");
            }
        }
        style
    }
}

fn push_font(style: &mut CellStyle, font: &Font, normal: &Font) {
    let same_name = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let mut set = |property, value| style.properties.push((property, value));
    if let Some(name) = &font.name
        && !normal.name.as_ref().is_some_and(|normal| same_name(normal, name))
    {
        set(Property::FontName, Value::Text(name.clone()));
    }
    if let Some(size) = font.size
        && normal.size.is_none_or(|normal| (normal - size).abs() > 1e-9)
    {
        set(Property::FontSize, number(size));
    }
    if font.bold {
        set(Property::FontBold, Value::Bool(true));
    }
    if font.italic {
        set(Property::FontItalic, Value::Bool(true));
    }
    if let Some(color) = font.color
        && color != color::BLACK
        && normal.color != Some(color)
    {
        set(Property::FontColor, color::hex(color));
    }
    if let Some(underline) = &font.underline {
        set(Property::FontUnderline, underline.clone());
    }
    style.dropped.extend(&font.dropped);
}

fn push_alignment(style: &mut CellStyle, format: &CellFormat) {
    let mut set = |property, value| style.properties.push((property, value));
    if format.wrap {
        set(Property::WrapText, Value::Bool(true));
    }
    if let Some(word) = &format.horizontal {
        set(Property::HorizontalAlignment, Value::text(word.as_str()));
    }
    if let Some(word) = &format.vertical {
        set(Property::VerticalAlignment, Value::text(word.as_str()));
    }
    if format.rotation != 0 {
        set(Property::TextOrientation, Value::Int(format.rotation));
    }
}

/// A number format's text as a state holds it, with what it shows.
fn of_code(code: &str) -> (Value, Shown) {
    (Value::text(code), number_format::shown(code))
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

fn read_font(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Font, ImportError> {
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

fn read_fill(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Fill, ImportError> {
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

fn read_border(tokens: &mut Tokens<'_>, palette: &Palette) -> Result<Border, ImportError> {
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

fn read_cell_format(tokens: &mut Tokens<'_>, tag: &Tag<'_>) -> Result<CellFormat, ImportError> {
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

impl Styles {
    /// What a cell's number format makes of numbers.
    pub(super) fn shown(&self, style: u32) -> Shown {
        self.cells
            .get(style as usize)
            .map_or(Shown::Number, |style| style.shown)
    }
}
