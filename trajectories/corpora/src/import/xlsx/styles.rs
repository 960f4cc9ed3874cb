//! Cell styles of `.xlsx` files as properties of a state.

mod parts;

use std::collections::BTreeMap;

use napsim_sim::state::Property;
use napsim_trajectories::Value;

use super::color::{self, Palette};
use crate::import::assemble::{CellStyle, number};
use crate::import::number_format::{self, Shown};
use crate::import::xml::{Tag, Tokens};
use crate::import::{ImportError, Limits};
use parts::{Border, CellFormat, Fill, Font, read_border, read_cell_format, read_fill, read_font};

/// More formats than Excel allows are nothing but a way to cost memory.
const CELL_FORMATS_MAX: u64 = 100_000;

/// The styles of a workbook, by the index that cells carry.
#[derive(Debug, Default)]
pub(super) struct Styles {
    pub(super) cells: Vec<CellStyle>,
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

impl Styles {
    /// Reads a style part.
    pub(super) fn read(text: &str, part: &str, palette: &mut Palette, limits: &Limits) -> Result<Self, ImportError> {
        read_palette(text, part, palette)?;
        let mut parts = Parts::default();
        let mut tokens = Tokens::new(text, part);
        tokens.root()?;
        tokens.children(|tokens, tag| parts.read_list(tokens, &tag, palette, limits))?;
        let normal = parts.normal_font();
        // Many formats may share a font, so each is looked at once.
        let fonts: Vec<CellStyle> = parts.fonts.iter().map(|font| font_style(font, &normal)).collect();
        let formats = parts.cell_formats.iter();
        let cells = formats
            .map(|format| parts.cell_style(format, fonts.get(format.font as usize)))
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

    fn cell_style(&self, format: &CellFormat, font: Option<&CellStyle>) -> CellStyle {
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
        if let Some(font) = font {
            style.properties.extend_from_slice(&font.properties);
            style.dropped.extend(&font.dropped);
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

/// What a font adds to a style where it differs from the Normal one.
fn font_style(font: &Font, normal: &Font) -> CellStyle {
    let mut style = CellStyle::default();
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
    style.dropped.clone_from(&font.dropped);
    style
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

impl Styles {
    /// What a cell's number format makes of numbers.
    pub(super) fn shown(&self, style: u32) -> Shown {
        self.cells
            .get(style as usize)
            .map_or(Shown::Number, |style| style.shown)
    }
}
