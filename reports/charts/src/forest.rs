//! Forest plots and dot plots: one line a row with its value, its interval and both as text.

use crate::axis::{Axis, FONT, Plot};
use crate::frame::Heading;
use crate::number::{drawable, whole};
use crate::series::{Series, diamond, shape};
use crate::svg::Svg;
use crate::text::{shortened, width};

const ROW: f64 = 26.0;
const PAD: f64 = 10.0;

/// A forest plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestChart {
    /// Its name and width; the height follows from the rows.
    pub heading: Heading,
    /// What the values measure.
    pub values: Axis,
    /// The rows from above.
    pub rows: Vec<ForestRow>,
    /// A value to compare with, such as 0 for differences, and what it means.
    pub guide: Option<(f64, String)>,
    /// Heading of the column of texts at the right.
    pub text_title: String,
}

/// One row of a forest plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForestRow {
    /// Name and look.
    pub series: Series,
    /// The value; none where nothing is known.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Value and interval as they are written at the right.
    pub text: String,
    /// Text for the tooltip.
    pub note: String,
    /// Whether the row is set off from the others.
    pub strong: bool,
    /// A reference mark in the row, with its tooltip.
    pub reference: Option<(f64, String)>,
}

impl ForestChart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let values = self.rows.iter().flat_map(|row| {
            let ends = row.interval.map_or([None, None], |(low, high)| [Some(low), Some(high)]);
            [
                row.value,
                ends[0],
                ends[1],
                row.reference.as_ref().map(|(value, _)| *value),
            ]
        });
        let guide = self.guide.iter().map(|(at, _)| *at);
        let known = self.rows.iter().any(|row| row.value.and_then(drawable).is_some());
        let Some(domain) = self.values.domain(values.flatten().chain(guide)).filter(|_| known) else {
            return self.heading.no_data();
        };
        // Bold letters are a little wider.
        let weight = |row: &ForestRow| if row.strong { 1.08 } else { 1.0 };
        let labels = self
            .rows
            .iter()
            .map(|row| weight(row) * width(&row.series.name, FONT))
            .fold(0.0, f64::max);
        let texts = self
            .rows
            .iter()
            .map(|row| weight(row) * width(&row.text, FONT))
            .fold(width(&self.text_title, FONT), f64::max);
        let whole_width = self.heading.width();
        let (left_room, right_room) = (labels.min(0.36 * whole_width), texts.min(0.3 * whole_width));
        let left = PAD + left_room + 14.0;
        let top = 26.0;
        let plot = Plot {
            left,
            right: (whole_width - PAD - right_room - 16.0).max(left + 40.0),
            top,
            bottom: top + whole(self.rows.len()) * ROW,
        };
        let height = plot.bottom + FONT + 34.0;
        let mut svg = self.heading.clone().sized(whole_width, height).begin();
        self.values.draw_bottom(&mut svg, domain, &plot, true);
        self.draw_titles(&mut svg, &plot, height);
        let scale = self.values.scale(domain, (plot.left, plot.right));
        if let Some((at, label)) = &self.guide {
            let x = scale.at(*at);
            svg.line("guide", (x, plot.top), (x, plot.bottom));
            let anchor = if x > (plot.left + plot.right) / 2.0 {
                "end"
            } else {
                "start"
            };
            let room = if anchor == "end" { x - PAD } else { plot.right - x };
            svg.label("guide-label", (x, 16.0), anchor, &shortened(label, 11.0, room), label);
        }
        for (place, row) in self.rows.iter().enumerate() {
            let y = plot.top + (whole(place) + 0.5) * ROW;
            row.draw(&mut svg, &scale, &plot, y, (left_room, right_room));
        }
        svg.finish()
    }

    fn draw_titles(&self, svg: &mut Svg, plot: &Plot, height: f64) {
        let shown = shortened(&self.values.title, FONT, plot.right - PAD);
        svg.label(
            "axis-title",
            (plot.right, height - 8.0),
            "end",
            &shown,
            &self.values.title,
        );
        let room = self.heading.width() - PAD - plot.right;
        let shown = shortened(&self.text_title, FONT, room);
        svg.label(
            "axis-title",
            (self.heading.width() - PAD, 16.0),
            "end",
            &shown,
            &self.text_title,
        );
    }
}

impl ForestRow {
    fn draw(&self, svg: &mut Svg, scale: &crate::scale::Scale, plot: &Plot, y: f64, (left, right): (f64, f64)) {
        self.series
            .open(svg, if self.strong { "series row strong" } else { "series row" });
        let shown = shortened(&self.series.name, FONT, left);
        svg.label(
            "row-name",
            (plot.left - 12.0, y + 4.0),
            "end",
            &shown,
            &self.series.name,
        );
        let interval = self
            .interval
            .and_then(|(low, high)| Some((drawable(low)?, drawable(high)?)));
        if let Some((low, high)) = interval {
            let (from, to) = (scale.at(low), scale.at(high));
            svg.line("whisker", (from, y), (to, y));
            for x in [from, to] {
                svg.line("whisker", (x, y - 4.0), (x, y + 4.0));
            }
        }
        if let Some((value, note)) = &self.reference
            && drawable(*value).is_some()
        {
            diamond(svg, (scale.at(*value), y), note);
        }
        if let Some(value) = self.value.and_then(drawable) {
            shape(
                svg,
                self.series.look % crate::series::LOOKS,
                (scale.at(value), y),
                5.0,
                "mark",
                &self.note,
            );
        }
        let x = plot.right + 16.0 + right;
        svg.label(
            "row-text",
            (x, y + 4.0),
            "end",
            &shortened(&self.text, FONT, right),
            &self.text,
        );
        svg.close();
    }
}
