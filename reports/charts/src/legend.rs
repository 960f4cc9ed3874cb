//! Legends: what the shapes and colours of a chart stand for, in as many lines as it takes.

use crate::number::whole;
use crate::series::{Series, diamond};
use crate::svg::Svg;
use crate::text::{shortened, width};

const FONT: f64 = 12.0;
const LINE: f64 = 20.0;
const GLYPH: f64 = 24.0;
const GAP: f64 = 18.0;
/// Longest name that is shown whole.
const NAME_MAX: f64 = 300.0;

/// What stands before a name of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyph {
    /// A line with the mark of the series on it.
    LineAndMark,
    /// The line alone.
    Line,
    /// The mark alone.
    Mark,
    /// A box, with the hatching of that pattern over it.
    Box,
    /// The diamond of reference marks.
    Reference,
}

/// One entry of a legend.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) series: Series,
    pub(crate) glyph: Glyph,
    /// What the box is filled with on top of its colour.
    pub(crate) pattern: Option<String>,
    /// Whether the line is broken.
    pub(crate) dashed: bool,
}

impl Entry {
    pub(crate) fn new(series: Series, glyph: Glyph) -> Self {
        Self {
            series,
            glyph,
            pattern: None,
            dashed: false,
        }
    }

    fn width(&self) -> f64 {
        GLYPH + width(&self.series.name, FONT).min(NAME_MAX) + GAP
    }
}

/// Places of the entries, from the upper left corner of the legend, and the height of the whole.
pub(crate) fn layout(entries: &[Entry], width_max: f64) -> (Vec<(f64, f64)>, f64) {
    let (mut places, mut x, mut line) = (Vec::with_capacity(entries.len()), 0.0, 0_usize);
    for entry in entries {
        if x > 0.0 && x + entry.width() - GAP > width_max {
            x = 0.0;
            line += 1;
        }
        places.push((x, whole(line) * LINE));
        x += entry.width();
    }
    let height = if entries.is_empty() {
        0.0
    } else {
        whole(line + 1) * LINE
    };
    (places, height)
}

/// Draws the legend with its upper left corner at the place given.
pub(crate) fn draw(svg: &mut Svg, entries: &[Entry], corner: (f64, f64), width_max: f64) {
    for (entry, (dx, dy)) in entries.iter().zip(layout(entries, width_max).0) {
        let (x, y) = (corner.0 + dx, corner.1 + dy + LINE / 2.0);
        entry
            .series
            .open(svg, if entry.dashed { "legend dashed" } else { "legend" });
        match entry.glyph {
            Glyph::LineAndMark => {
                svg.line("line", (x, y), (x + 18.0, y));
                entry.series.mark(svg, (x + 9.0, y), 4.0, "");
            }
            Glyph::Line => svg.line("line", (x, y), (x + 18.0, y)),
            Glyph::Mark => entry.series.mark(svg, (x + 9.0, y), 4.0, ""),
            Glyph::Box => {
                let place = [
                    ("x", x.into()),
                    ("y", (y - 6.0).into()),
                    ("width", 18.0.into()),
                    ("height", 12.0.into()),
                ];
                let mut attributes = vec![("class", "bar".into())];
                attributes.extend(place);
                svg.leaf("rect", &attributes);
                if let Some(pattern) = &entry.pattern {
                    let mut attributes = vec![("fill", pattern.into())];
                    attributes.extend(place);
                    svg.leaf("rect", &attributes);
                }
            }
            Glyph::Reference => diamond(svg, (x + 9.0, y), ""),
        }
        let room = NAME_MAX.min((width_max - dx - GLYPH).max(40.0));
        let shown = shortened(&entry.series.name, FONT, room);
        svg.label("legend-name", (x + GLYPH, y + 4.0), "start", &shown, &entry.series.name);
        svg.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_go_to_the_next_line() {
        let entry = |name: &str| Entry::new(Series::new(name, 0), Glyph::Line);
        let (places, height) = layout(&[entry("one"), entry("two"), entry(&"long ".repeat(40))], 330.0);
        assert!((places[0].1 - places[1].1).abs() < 1e-9 && places[1].0 > places[0].0);
        assert!((places[2].0).abs() < 1e-9 && places[2].1 > 0.0);
        assert!((height - 2.0 * LINE).abs() < 1e-9);
        assert_eq!(layout(&[], 100.0), (Vec::new(), 0.0));
    }
}
