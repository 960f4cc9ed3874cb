//! Axes: how numbers and categories are laid out, and their labels, which never lie over each other.

use crate::number::{NumberFormat, drawable, whole};
use crate::scale::{Scale, extent, rounded};
use crate::svg::Svg;
use crate::text::{shortened, width};

/// Size of the labels of an axis.
pub(crate) const FONT: f64 = 12.0;
/// Widest label of a category at the left.
const LABEL_MAX: f64 = 230.0;
/// Sine and cosine of the angle at which labels stand that are too wide for their categories.
const SLANT: (f64, f64) = (0.573_576, 0.819_152);
/// The angle itself, in degrees.
const ANGLE: &str = "-35";
/// Longest slanted label.
const SLANTED_MAX: f64 = 130.0;

/// What an axis measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit where the labels don't say it.
    pub title: String,
    /// How it is laid out.
    pub scale: AxisScale,
    /// How its numbers are written.
    pub format: NumberFormat,
}

/// How an axis is laid out.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisScale {
    /// Equal differences take equal room.
    Linear {
        /// What it reaches from and to; what the numbers need where absent.
        domain: Option<(f64, f64)>,
        /// Whether it reaches down, or up, to 0 at least.
        zero: bool,
    },
    /// Equal ratios take equal room; numbers must be above 0.
    Log,
    /// Categories by name; numbers count them from 0.
    Bands(Vec<String>),
}

impl Default for AxisScale {
    fn default() -> Self {
        Self::Linear {
            domain: None,
            zero: true,
        }
    }
}

impl Axis {
    /// An axis of numbers that begins at 0.
    pub fn linear(title: impl Into<String>, format: NumberFormat) -> Self {
        Self {
            title: title.into(),
            scale: AxisScale::default(),
            format,
        }
    }

    /// An axis of ratios from 0 to 100 %.
    pub fn share(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            scale: AxisScale::Linear {
                domain: Some((0.0, 1.0)),
                zero: true,
            },
            format: NumberFormat::Percent,
        }
    }

    /// An axis of categories.
    pub fn bands(title: impl Into<String>, categories: Vec<String>) -> Self {
        Self {
            title: title.into(),
            scale: AxisScale::Bands(categories),
            format: NumberFormat::Count,
        }
    }

    /// What it reaches from and to, for those numbers; absent where there is nothing to show.
    pub(crate) fn domain(&self, values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
        match &self.scale {
            AxisScale::Bands(categories) => (!categories.is_empty()).then(|| (-0.5, whole(categories.len()) - 0.5)),
            AxisScale::Linear { domain, zero } => {
                let found = extent(values)?;
                let given = domain.filter(|(low, high)| low < high && drawable(*low).and(drawable(*high)).is_some());
                Some(given.unwrap_or_else(|| {
                    let (low, high) = if *zero {
                        (found.0.min(0.0), found.1.max(0.0))
                    } else {
                        found
                    };
                    rounded((low, high), 6)
                }))
            }
            AxisScale::Log => extent(values.into_iter().filter(|value| *value > 0.0)),
        }
    }

    /// The scale on a stretch of the image.
    pub(crate) fn scale(&self, domain: (f64, f64), range: (f64, f64)) -> Scale {
        match self.scale {
            AxisScale::Log => Scale::log(domain, range),
            AxisScale::Linear { .. } | AxisScale::Bands(_) => Scale::linear(domain, range),
        }
    }

    /// The room that each category has; the whole stretch where there are none.
    pub(crate) fn band(&self, room: f64) -> f64 {
        match &self.scale {
            AxisScale::Bands(categories) => room / whole(categories.len().max(1)),
            AxisScale::Linear { .. } | AxisScale::Log => room,
        }
    }

    /// The number as this axis writes it: the name of a category, or the number.
    pub(crate) fn text(&self, value: f64) -> String {
        let AxisScale::Bands(categories) = &self.scale else {
            return self.format.text(value);
        };
        let is_it = |(place, _): &(usize, &String)| (whole(*place) - value).abs() < 0.5;
        let found = categories.iter().enumerate().find(is_it);
        found.map_or_else(String::new, |(_, name)| name.clone())
    }

    /// Values and texts of the labels of a vertical axis that is so high.
    fn labels(&self, domain: (f64, f64), n_max: usize) -> Vec<(f64, String)> {
        if let AxisScale::Bands(categories) = &self.scale {
            let named = categories.iter().enumerate();
            return named.map(|(place, name)| (whole(place), name.clone())).collect();
        }
        let (ticks, step) = self.scale(domain, (0.0, 1.0)).ticks(n_max);
        let is_log = self.scale == AxisScale::Log;
        let text = |tick: &f64| {
            if is_log {
                self.format.text(*tick)
            } else {
                self.format.tick(*tick, step)
            }
        };
        ticks.iter().map(|tick| (*tick, text(tick))).collect()
    }

    /// How wide the labels are if the axis stands at the left.
    pub(crate) fn room_at_left(&self, domain: (f64, f64), height: f64) -> f64 {
        let n_max = ticks_for(height, 40.0);
        let widths = self
            .labels(domain, n_max)
            .into_iter()
            .map(|(_, text)| width(&text, FONT));
        widths.fold(0.0, f64::max).min(LABEL_MAX)
    }

    /// How high the labels are if the axis lies at the bottom, its title not included.
    pub(crate) fn room_at_bottom(&self, room: f64) -> f64 {
        if !self.is_slanted(room) {
            return FONT + 8.0;
        }
        let AxisScale::Bands(categories) = &self.scale else {
            return FONT + 8.0;
        };
        let widest = categories.iter().map(|name| width(name, FONT)).fold(0.0, f64::max);
        widest.min(SLANTED_MAX) * SLANT.0 + FONT + 8.0
    }

    /// Whether the names of categories are too wide to lie beside each other.
    fn is_slanted(&self, room: f64) -> bool {
        let AxisScale::Bands(categories) = &self.scale else {
            return false;
        };
        let band = self.band(room);
        categories.iter().any(|name| width(name, FONT) > band - 6.0)
    }

    /// Draws the axis at the left of the plot with lines across it.
    pub(crate) fn draw_left(&self, svg: &mut Svg, domain: (f64, f64), plot: &Plot) {
        let scale = self.scale(domain, (plot.bottom, plot.top));
        let scale = if let AxisScale::Bands(_) = self.scale {
            self.scale(domain, (plot.top, plot.bottom))
        } else {
            scale
        };
        let is_bands = matches!(self.scale, AxisScale::Bands(_));
        svg.open("g", &[("class", "axis left".into())]);
        for (value, text) in self.labels(domain, ticks_for(plot.bottom - plot.top, 40.0)) {
            let y = scale.at(value);
            if !is_bands {
                svg.line("grid", (plot.left, y), (plot.right, y));
            }
            let shown = shortened(&text, FONT, LABEL_MAX.min(plot.left - 10.0));
            svg.label("tick", (plot.left - 8.0, y + 4.0), "end", &shown, &text);
        }
        svg.line("base", (plot.left, plot.top), (plot.left, plot.bottom));
        svg.close();
    }

    /// Draws the axis below the plot, with lines across it if it is one of numbers.
    pub(crate) fn draw_bottom(&self, svg: &mut Svg, domain: (f64, f64), plot: &Plot, with_grid: bool) {
        let scale = self.scale(domain, (plot.left, plot.right));
        let room = plot.right - plot.left;
        svg.open("g", &[("class", "axis bottom".into())]);
        svg.line("base", (plot.left, plot.bottom), (plot.right, plot.bottom));
        let y = plot.bottom + FONT + 5.0;
        if self.is_slanted(room) {
            self.draw_slanted(svg, &scale, plot);
        } else if matches!(self.scale, AxisScale::Bands(_)) {
            for (value, text) in self.labels(domain, 0) {
                svg.label("tick", (scale.at(value), y), "middle", &text, &text);
            }
        } else {
            for (value, text, (place, anchor, _)) in self.fitting_labels(domain, plot) {
                let x = scale.at(value);
                if with_grid {
                    svg.line("grid", (x, plot.top), (x, plot.bottom));
                }
                svg.line("base", (x, plot.bottom), (x, plot.bottom + 4.0));
                svg.label("tick", (place, y), anchor, &text, &text);
            }
        }
        svg.close();
    }

    /// As many labels as there is room for beside each other.
    fn fitting_labels(&self, domain: (f64, f64), plot: &Plot) -> Vec<(f64, String, Placed)> {
        let scale = self.scale(domain, (plot.left, plot.right));
        let placed = |n_max| {
            let labels = self.labels(domain, n_max).into_iter();
            let all = labels.map(|(value, text)| {
                let place = placed(scale.at(value), width(&text, FONT), plot);
                (value, text, place)
            });
            all.collect::<Vec<_>>()
        };
        let overlap = |pair: &[(f64, String, Placed)]| match pair {
            [(_, _, (_, _, one)), (_, _, (_, _, other))] => other.0 - one.1 < 6.0,
            _ => false,
        };
        let mut n_max = ticks_for(plot.right - plot.left, 60.0);
        loop {
            let labels = placed(n_max);
            if !labels.windows(2).any(overlap) {
                return labels;
            }
            if n_max <= 2 {
                // Numbers so long that not even two lie beside each other: the first alone says how large they are.
                return labels.into_iter().take(1).collect();
            }
            n_max -= 1;
        }
    }

    fn draw_slanted(&self, svg: &mut Svg, scale: &Scale, plot: &Plot) {
        let band = self.band(plot.right - plot.left);
        // Where even slanted labels would lie over each other, only some are shown; charts so full have a table as well.
        let every = ((FONT + 3.0) / (band * SLANT.0).max(0.1)).ceil().max(1.0);
        let mut next = 0.0;
        for (value, text) in self.labels((0.0, 1.0), 0) {
            if value + 0.5 < next {
                continue;
            }
            next = value + every;
            let (x, y) = (scale.at(value) + 4.0, plot.bottom + FONT + 2.0);
            let shown = shortened(&text, FONT, SLANTED_MAX.min((x - 4.0) / SLANT.1));
            let turn = format!(
                "rotate({ANGLE} {} {})",
                crate::number::coordinate(x),
                crate::number::coordinate(y)
            );
            let attributes = [
                ("class", "tick".into()),
                ("x", x.into()),
                ("y", y.into()),
                ("text-anchor", "end".into()),
                ("transform", (&turn).into()),
            ];
            svg.label_with(&attributes, &shown, &text);
        }
    }
}

/// The part of the image in which numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plot {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// Where a label stands: its anchor's place, the anchor, and from where to where it reaches.
type Placed = (f64, &'static str, (f64, f64));

/// A label under its mark, or beside it where it would stand out of the image.
fn placed(x: f64, width: f64, plot: &Plot) -> Placed {
    /// What [`crate::frame`] leaves free beside a plot at least.
    const BESIDE: f64 = 26.0;
    if x + width / 2.0 > plot.right + BESIDE {
        let end = plot.right + BESIDE;
        (end, "end", (end - width, end))
    } else if x - width / 2.0 < plot.left - BESIDE {
        let start = plot.left - BESIDE;
        (start, "start", (start, start + width))
    } else {
        (x, "middle", (x - width / 2.0, x + width / 2.0))
    }
}

/// How many labels a stretch has room for.
fn ticks_for(room: f64, each: f64) -> usize {
    let mut n = 2;
    while n < 12 && whole(n + 1) * each <= room {
        n += 1;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_hold_zero_only_where_they_should() {
        let mut axis = Axis::linear("x", NumberFormat::Number);
        assert_eq!(axis.domain([3.0, 7.0]), Some((0.0, 8.0)));
        axis.scale = AxisScale::Linear {
            domain: None,
            zero: false,
        };
        let (low, high) = axis.domain([3.0, 7.0]).unwrap();
        assert!((low - 3.0).abs() < 1e-9 && (high - 7.0).abs() < 1e-9);
        assert_eq!(axis.domain([f64::NAN]), None);
        axis.scale = AxisScale::Log;
        assert_eq!(axis.domain([0.0, -1.0, 2.0, 8.0]), Some((2.0, 8.0)));
        assert_eq!(
            Axis::bands("b", vec!["a".into(), "b".into()]).domain([]),
            Some((-0.5, 1.5))
        );
        assert_eq!(Axis::bands("b", Vec::new()).domain([1.0]), None);
    }

    #[test]
    fn long_names_of_categories_are_slanted() {
        let names = |name: &str| Axis::bands("", vec![name.to_owned(); 10]);
        assert!(!names("fill").is_slanted(600.0));
        assert!(names("a rather long name").is_slanted(600.0));
        assert!(names("a rather long name").room_at_bottom(600.0) > names("fill").room_at_bottom(600.0));
    }
}
