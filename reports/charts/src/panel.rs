//! Small panels for many of the same kind beside each other: a curve against a straight line.

use crate::frame::Heading;
use crate::number::drawable;
use crate::scale::Scale;
use crate::series::Series;
use crate::svg::{Path, Svg};

/// Most corners of one curve; more would not be seen.
const CORNERS_MAX: usize = 90;

/// A small panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its name and size.
    pub heading: Heading,
    /// What the axes reach to; both begin at 0.
    pub reach: (f64, f64),
    /// A straight line to compare with: from and to.
    pub manual: Option<((f64, f64), (f64, f64))>,
    /// The curves.
    pub curves: Vec<(Series, Vec<(f64, f64)>)>,
}

impl Panel {
    /// The panel as SVG.
    pub fn svg(&self) -> String {
        let (width, height) = (
            self.heading.width.clamp(60.0, 2000.0),
            self.heading.height.clamp(40.0, 2000.0),
        );
        let mut svg = Svg::begin(
            width,
            height,
            "chart panel",
            &self.heading.title,
            &self.heading.description,
        );
        let scale = |reach: f64, range| Scale::linear((0.0, drawable(reach).unwrap_or(1.0).max(1.0)), range);
        let (x, y) = (
            scale(self.reach.0, (4.0, width - 4.0)),
            scale(self.reach.1, (height - 4.0, 4.0)),
        );
        svg.line("base", (4.0, height - 4.0), (width - 4.0, height - 4.0));
        svg.line("base", (4.0, 4.0), (4.0, height - 4.0));
        if let Some((from, to)) = self.manual {
            let at = |(a, b): (f64, f64)| Some((x.at(drawable(a)?), y.at(drawable(b)?)));
            if let (Some(from), Some(to)) = (at(from), at(to)) {
                svg.line("guide", from, to);
            }
        }
        for (series, points) in &self.curves {
            let drawn = points.iter().filter(|(a, b)| drawable(*a).and(drawable(*b)).is_some());
            let places: Vec<(f64, f64)> = drawn.map(|(a, b)| (x.at(*a), y.at(*b))).collect();
            let every = places.len().div_ceil(CORNERS_MAX).max(1);
            let last = places.len().saturating_sub(1);
            let kept = places
                .iter()
                .enumerate()
                .filter(|(place, _)| place.is_multiple_of(every) || *place == last);
            let path = Path::through(kept.map(|(_, at)| *at));
            series.open(&mut svg, "series");
            if !path.data().is_empty() {
                svg.titled(
                    "path",
                    &[("class", "line".into()), ("d", path.data().into())],
                    &series.name,
                );
            }
            svg.close();
        }
        svg.finish()
    }
}
