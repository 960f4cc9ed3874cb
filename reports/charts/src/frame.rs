//! What surrounds the plot: legend above, axes with their titles, and an image that says so where there is nothing to show.

use crate::axis::{Axis, FONT, Plot};
use crate::legend::{self, Entry};
use crate::svg::Svg;
use crate::text::{shortened, width};

/// Room between the edge of the image and what is in it.
const PAD: f64 = 10.0;

/// What a chart is called and how large it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// Its name for those who do not see it.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// Width of the image in its own units, which are pixels unless it is scaled.
    pub width: f64,
    /// Height of the image.
    pub height: f64,
}

impl Heading {
    /// A chart of the usual size.
    pub fn new(title: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            description: description.into(),
            width: 760.0,
            height: 380.0,
        }
    }

    /// The same with another size. Sizes below 200 × 120 are too small for anything and become that.
    #[must_use]
    pub fn sized(mut self, width: f64, height: f64) -> Self {
        self.width = width;
        self.height = height;
        self
    }

    /// Begins the image.
    pub(crate) fn begin(&self) -> Svg {
        Svg::begin(self.width(), self.height(), "chart", &self.title, &self.description)
    }

    pub(crate) fn width(&self) -> f64 {
        self.width.clamp(200.0, 10_000.0)
    }

    pub(crate) fn height(&self) -> f64 {
        self.height.clamp(120.0, 100_000.0)
    }

    /// An image without data.
    pub(crate) fn no_data(&self) -> String {
        let mut svg = self.begin();
        let middle = (self.width() / 2.0, self.height() / 2.0);
        svg.label("no-data", middle, "middle", "no data", "no data");
        svg.finish()
    }
}

/// An axis and what it reaches from and to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) axis: &'a Axis,
    pub(crate) domain: (f64, f64),
}

/// Begins an image with legend and axes, and hands out the plot that is left.
pub(crate) fn frame(heading: &Heading, x: Spanned<'_>, y: Spanned<'_>, entries: &[Entry]) -> (Svg, Plot) {
    let mut svg = heading.begin();
    let legend_width = heading.width() - 2.0 * PAD;
    let (_, legend_height) = legend::layout(entries, legend_width);
    legend::draw(&mut svg, entries, (PAD, 4.0), legend_width);
    let y_title = if y.axis.title.is_empty() { 0.0 } else { FONT + 8.0 };
    let top = legend_height + 12.0 + y_title;
    let x_title = if x.axis.title.is_empty() { 0.0 } else { FONT + 6.0 };
    let right = heading.width() - 28.0;
    // How many labels the left axis has depends on its height, and that on how wide the labels are.
    let estimate = y.axis.room_at_left(y.domain, heading.height() - top - 40.0) + 18.0;
    let below = x.axis.room_at_bottom(right - estimate.max(30.0)) + x_title + 6.0;
    let bottom = (heading.height() - below).max(top + 30.0);
    let left = (y.axis.room_at_left(y.domain, bottom - top) + 18.0).max(30.0);
    let plot = Plot {
        left,
        right: right.max(left + 40.0),
        top,
        bottom,
    };
    y.axis.draw_left(&mut svg, y.domain, &plot);
    x.axis.draw_bottom(&mut svg, x.domain, &plot, true);
    let title = |svg: &mut Svg, text: &str, at: (f64, f64), anchor: &str| {
        let shown = shortened(text, FONT, heading.width() - 2.0 * PAD);
        svg.label("axis-title", at, anchor, &shown, text);
    };
    if y_title > 0.0 {
        title(&mut svg, &y.axis.title, (PAD, top - 10.0), "start");
    }
    if x_title > 0.0 {
        let anchor = if width(&x.axis.title, FONT) > plot.right - PAD {
            "middle"
        } else {
            "end"
        };
        let x_at = if anchor == "end" {
            plot.right
        } else {
            heading.width() / 2.0
        };
        title(&mut svg, &x.axis.title, (x_at, heading.height() - 8.0), anchor);
    }
    (svg, plot)
}
