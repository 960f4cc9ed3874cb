//! Colours of `.xlsx` files: explicit, indexed or of the theme, with tints (spec 04, 1.3 and 1.7).

use napsim_trajectories::Value;

use crate::import::ImportError;
use crate::import::xml::{Tag, Token, Tokens};

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

/// Window text: what automatic colours of texts and lines are.
pub(super) const BLACK: Rgb = [0, 0, 0];

/// The first sixteen colours of the legacy palette from index 8 on and the rest of it, as `RRGGBB`.
const LEGACY: [u32; 56] = [
    0x00_0000, 0xFF_FFFF, 0xFF_0000, 0x00_FF00, 0x00_00FF, 0xFF_FF00, 0xFF_00FF, 0x00_FFFF, 0x80_0000, 0x00_8000,
    0x00_0080, 0x80_8000, 0x80_0080, 0x00_8080, 0xC0_C0C0, 0x80_8080, 0x99_99FF, 0x99_3366, 0xFF_FFCC, 0xCC_FFFF,
    0x66_0066, 0xFF_8080, 0x00_66CC, 0xCC_CCFF, 0x00_0080, 0xFF_00FF, 0xFF_FF00, 0x00_FFFF, 0x80_0080, 0x80_0000,
    0x00_8080, 0x00_00FF, 0x00_CCFF, 0xCC_FFFF, 0xCC_FFCC, 0xFF_FF99, 0x99_CCFF, 0xFF_99CC, 0xCC_99FF, 0xFF_CC99,
    0x33_66FF, 0x33_CCCC, 0x99_CC00, 0xFF_CC00, 0xFF_9900, 0xFF_6600, 0x66_6699, 0x96_9696, 0x00_3366, 0x33_9966,
    0x00_3300, 0x33_3300, 0x99_3300, 0x99_3366, 0x33_3399, 0x33_3333,
];

/// The theme of Office from 2007 to 2010, in the order in which colours refer to it, for files without a theme.
const OFFICE: [u32; 12] = [
    0xFF_FFFF, 0x00_0000, 0xEE_ECE1, 0x1F_497D, 0x4F_81BD, 0xC0_504D, 0x9B_BB59, 0x80_64A2, 0x4B_ACC6, 0xF7_9646,
    0x00_00FF, 0x80_0080,
];

/// The colours that others refer to by number.
#[derive(Clone, Debug)]
pub(super) struct Palette {
    /// Light 1, dark 1, light 2, dark 2, accents 1 to 6, hyperlink, followed hyperlink.
    theme: [Rgb; 12],
    /// The file's own palette, where it has one.
    indexed: Vec<Rgb>,
}

impl Default for Palette {
    fn default() -> Self {
        Self {
            theme: OFFICE.map(split),
            indexed: Vec::new(),
        }
    }
}

fn split(rgb: u32) -> Rgb {
    let [_, red, green, blue] = rgb.to_be_bytes();
    [red, green, blue]
}

impl Palette {
    /// Takes over the colours of a theme part.
    pub(super) fn read_theme(&mut self, text: &str, part: &str) -> Result<(), ImportError> {
        let mut tokens = Tokens::new(text, part);
        let mut slot = None;
        while let Some(token) = tokens.next()? {
            let Token::Open(tag) = token else { continue };
            match tag.name() {
                "srgbClr" | "sysClr" => {
                    let value = tag.get(if tag.name() == "sysClr" { "lastClr" } else { "val" });
                    let rgb = value.as_deref().and_then(read_hex);
                    if let (Some(slot), Some(rgb)) = (slot.and_then(|slot: usize| self.theme.get_mut(slot)), rgb) {
                        *slot = rgb;
                    }
                    slot = None;
                }
                // Everything after the colours is of no interest.
                "fontScheme" | "fmtScheme" => break,
                name => slot = theme_slot(name),
            }
        }
        Ok(())
    }

    /// Appends a colour of the file's own palette.
    pub(super) fn push_indexed(&mut self, tag: &Tag<'_>) {
        let rgb = tag.get("rgb").as_deref().and_then(read_hex).unwrap_or(BLACK);
        self.indexed.push(rgb);
    }

    /// The colour that an element names; none if it is automatic or makes no sense.
    pub(super) fn resolve(&self, tag: &Tag<'_>) -> Option<Rgb> {
        let (mut base, mut tint) = (None, 0.0);
        for (name, value) in tag.attributes() {
            match name {
                "auto" if crate::import::xml::is_true(&value) => return None,
                "rgb" => base = read_hex(&value),
                "theme" => {
                    let index: Option<usize> = value.parse().ok();
                    base = index.and_then(|index| self.theme.get(index).copied());
                }
                "indexed" => base = value.parse().ok().and_then(|index| self.indexed(index)),
                "tint" => tint = value.parse().ok().filter(|tint: &f64| tint.is_finite()).unwrap_or(0.0),
                _ => {}
            }
        }
        base.map(|rgb| tinted(rgb, tint))
    }

    fn indexed(&self, index: usize) -> Option<Rgb> {
        match index {
            64 => Some(BLACK),
            65 => Some([0xFF; 3]),
            _ if index < self.indexed.len() => self.indexed.get(index).copied(),
            // The first eight repeat the next eight.
            0..8 => LEGACY.get(index).copied().map(split),
            _ => LEGACY.get(index - 8).copied().map(split),
        }
    }
}

/// The place of a theme colour among those that others refer to: light comes before dark.
fn theme_slot(name: &str) -> Option<usize> {
    let order = [
        "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink",
        "folHlink",
    ];
    order.iter().position(|known| *known == name)
}

/// Reads `AARRGGBB` or `RRGGBB`. The alpha does not count: files write opaque colours with either extreme.
fn read_hex(text: &str) -> Option<Rgb> {
    let text = text.trim().trim_start_matches('#');
    let digits = match text.len() {
        6 => text,
        8 => text.get(2..)?,
        _ => return None,
    };
    if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok().map(split)
}

/// The text of a colour in a state.
pub(super) fn hex([red, green, blue]: Rgb) -> Value {
    Value::text(format!("#{red:02X}{green:02X}{blue:02X}"))
}

/// Lightens (positive tint) or darkens a colour by its luminance, hue and saturation kept (ECMA-376 part 1, 18.8.19).
///
/// Excel counts in whole numbers from 0 to 240, as Windows does, and drops fractions of the luminance. Tints are stored
/// a little off round numbers (0.7999816… for 0.8), which must not cost a step.
fn tinted(rgb: Rgb, tint: f64) -> Rgb {
    if tint.abs() < 1e-9 {
        return rgb;
    }
    let (hue, luminance, saturation) = to_hls(rgb);
    let (tint, scale) = (tint.clamp(-1.0, 1.0), f64::from(HLS_MAX));
    let exact = f64::from(luminance);
    let exact = if tint < 0.0 {
        exact * (1.0 + tint)
    } else {
        exact * (1.0 - tint) + scale * tint
    };
    #[expect(clippy::cast_possible_truncation, reason = "the luminance lies between 0 and 240")]
    let luminance = (exact + 0.02).floor().clamp(0.0, scale) as i32;
    from_hls(hue, luminance, saturation)
}

const HLS_MAX: i32 = 240;

/// Hue, luminance and saturation.
fn to_hls(rgb: Rgb) -> (i32, i32, i32) {
    let [red, green, blue] = rgb.map(i32::from);
    let (max, min) = (red.max(green).max(blue), red.min(green).min(blue));
    let (sum, spread) = (max + min, max - min);
    let luminance = (sum * HLS_MAX + 255) / 510;
    if spread == 0 {
        return (0, luminance, 0);
    }
    let breadth = if luminance <= HLS_MAX / 2 { sum } else { 510 - sum };
    let saturation = (spread * HLS_MAX + breadth / 2) / breadth;
    let distance = |part: i32| ((max - part) * (HLS_MAX / 6) + spread / 2) / spread;
    let hue = if red == max {
        distance(blue) - distance(green)
    } else if green == max {
        HLS_MAX / 3 + distance(red) - distance(blue)
    } else {
        2 * HLS_MAX / 3 + distance(green) - distance(red)
    };
    (hue.rem_euclid(HLS_MAX), luminance, saturation)
}

fn from_hls(hue: i32, luminance: i32, saturation: i32) -> Rgb {
    let byte = |part: i32| u8::try_from((part * 255 + HLS_MAX / 2) / HLS_MAX).unwrap_or(u8::MAX);
    if saturation == 0 {
        return [byte(luminance); 3];
    }
    let high = if luminance <= HLS_MAX / 2 {
        (luminance * (HLS_MAX + saturation) + HLS_MAX / 2) / HLS_MAX
    } else {
        luminance + saturation - (luminance * saturation + HLS_MAX / 2) / HLS_MAX
    };
    let low = 2 * luminance - high;
    let sixth = HLS_MAX / 6;
    let part = |hue: i32| {
        let hue = hue.rem_euclid(HLS_MAX);
        let slope = |along: i32| low + ((high - low) * along + HLS_MAX / 12) / sixth;
        byte(match hue / sixth {
            0 => slope(hue),
            1 | 2 => high,
            3 => slope(2 * HLS_MAX / 3 - hue),
            _ => low,
        })
    };
    [part(hue + HLS_MAX / 3), part(hue), part(hue - HLS_MAX / 3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_are_those_of_excel() {
        let check = |rgb: u32, tint: f64, expect: u32| {
            assert_eq!(tinted(split(rgb), tint), split(expect), "{rgb:06X} {tint} {expect:06X}");
        };
        // The rows of the colour picker for the theme of 2007.
        check(0x4F_81BD, 0.799_981_688_894_314_5, 0xDC_E6F1);
        check(0x4F_81BD, 0.599_993_896_298_104_8, 0xB8_CCE4);
        check(0x4F_81BD, 0.399_975_585_192_419_2, 0x95_B3D7);
        check(0x4F_81BD, -0.249_977_111_117_893, 0x36_6092);
        check(0x4F_81BD, -0.499_984_740_745_262, 0x24_4062);
        check(0xFF_FFFF, -0.049_989_318_521_683_4, 0xF2_F2F2);
        check(0xFF_FFFF, -0.149_998_474_074_526_2, 0xD9_D9D9);
        check(0xFF_FFFF, -0.249_977_111_117_893, 0xBF_BFBF);
        check(0xFF_FFFF, -0.349_986_266_670_735_8, 0xA6_A6A6);
        check(0xFF_FFFF, -0.499_984_740_745_262, 0x80_8080);
        check(0x00_0000, 0.499_984_740_745_262, 0x80_8080);
        check(0x00_0000, 0.349_986_266_670_735_8, 0x59_5959);
        check(0x00_0000, 0.249_977_111_117_893, 0x40_4040);
        check(0x00_0000, 0.149_998_474_074_526_2, 0x26_2626);
        check(0x00_0000, 0.049_989_318_521_683_4, 0x0D_0D0D);
        check(0xC0_504D, 0.799_981_688_894_314_5, 0xF2_DCDB);
        check(0xC0_504D, 0.599_993_896_298_104_8, 0xE6_B8B7);
        check(0xC0_504D, 0.399_975_585_192_419_2, 0xDA_9694);
        check(0xC0_504D, -0.249_977_111_117_893, 0x96_3634);
        check(0xC0_504D, -0.499_984_740_745_262, 0x63_2523);
        check(0x9B_BB59, 0.799_981_688_894_314_5, 0xEB_F1DE);
        check(0x9B_BB59, 0.599_993_896_298_104_8, 0xD8_E4BC);
        check(0x9B_BB59, 0.399_975_585_192_419_2, 0xC4_D79B);
        check(0x9B_BB59, -0.249_977_111_117_893, 0x76_933C);
        check(0x9B_BB59, -0.499_984_740_745_262, 0x4F_6228);
        check(0x80_64A2, 0.799_981_688_894_314_5, 0xE4_DFEC);
        check(0x80_64A2, 0.599_993_896_298_104_8, 0xCC_C0DA);
        check(0x80_64A2, 0.399_975_585_192_419_2, 0xB1_A0C7);
        check(0x80_64A2, -0.249_977_111_117_893, 0x60_497A);
        check(0x80_64A2, -0.499_984_740_745_262, 0x40_3151);
        check(0x4B_ACC6, 0.799_981_688_894_314_5, 0xDA_EEF3);
        check(0x4B_ACC6, 0.599_993_896_298_104_8, 0xB7_DEE8);
        check(0x4B_ACC6, 0.399_975_585_192_419_2, 0x92_CDDC);
        check(0x4B_ACC6, -0.249_977_111_117_893, 0x31_869B);
        check(0x4B_ACC6, -0.499_984_740_745_262, 0x21_5967);
        check(0xF7_9646, 0.799_981_688_894_314_5, 0xFD_E9D9);
        check(0xF7_9646, 0.599_993_896_298_104_8, 0xFC_D5B4);
        check(0xF7_9646, 0.399_975_585_192_419_2, 0xFA_BF8F);
        check(0xF7_9646, -0.249_977_111_117_893, 0xE2_6B0A);
        check(0xF7_9646, -0.499_984_740_745_262, 0x97_4706);
        check(0x1F_497D, 0.799_981_688_894_314_5, 0xC5_D9F1);
        check(0x1F_497D, 0.599_993_896_298_104_8, 0x8D_B4E2);
        check(0x1F_497D, 0.399_975_585_192_419_2, 0x53_8DD5);
        check(0x1F_497D, -0.249_977_111_117_893, 0x16_365C);
        check(0x1F_497D, -0.499_984_740_745_262, 0x0F_243E);
        check(0xEE_ECE1, -0.099_978_637_043_366_8, 0xDD_D9C4);
        check(0xEE_ECE1, -0.249_977_111_117_893, 0xC4_BD97);
        check(0xEE_ECE1, -0.499_984_740_745_262, 0x94_8A54);
        check(0xEE_ECE1, -0.749_992_370_372_631, 0x49_4529);
        check(0xEE_ECE1, -0.899_990_844_447_157_2, 0x1D_1B10);
        check(0x12_3456, 0.0, 0x12_3456);
    }

    #[test]
    fn colours_are_read_with_and_without_alpha() {
        assert_eq!(read_hex("FF12aB9f"), Some([0x12, 0xAB, 0x9F]));
        assert_eq!(read_hex("00000000"), Some(BLACK));
        assert_eq!(read_hex("FFFFFF"), Some([0xFF; 3]));
        for bad in ["", "0", "FED+", "GG000000", "12345", "+FFFFF"] {
            assert_eq!(read_hex(bad), None, "{bad}");
        }
    }
}
