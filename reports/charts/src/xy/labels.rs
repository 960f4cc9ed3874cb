//! Texts beside points: each is put where it lies over nothing else, or left out.

use crate::axis::Plot;
use crate::series::Series;
use crate::svg::Svg;
use crate::text::width;

const FONT: f64 = 11.0;

/// A rectangle: left, top, right, bottom.
type Rect = (f64, f64, f64, f64);

/// Texts that wait for a place.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    plot: Plot,
    marks: Vec<Rect>,
    asked: Vec<((f64, f64), String, Series)>,
}

impl Labels {
    pub(super) fn new(plot: Plot) -> Self {
        Self {
            plot,
            marks: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Says that there is a mark that no text may lie over.
    pub(super) fn see_mark(&mut self, (x, y): (f64, f64), radius: f64) {
        self.marks.push((x - radius, y - radius, x + radius, y + radius));
    }

    /// Asks for a text beside a point.
    pub(super) fn ask(&mut self, at: (f64, f64), text: &str, series: &Series) {
        if !text.is_empty() {
            self.asked.push((at, text.to_owned(), series.clone()));
        }
    }

    /// Draws what finds a place.
    pub(super) fn draw(mut self, svg: &mut Svg) {
        for ((x, y), text, series) in std::mem::take(&mut self.asked) {
            let w = width(&text, FONT);
            let places = [
                ((x + 8.0, y + 4.0), "start", (x + 7.0, y - 7.0, x + 9.0 + w, y + 7.0)),
                ((x - 8.0, y + 4.0), "end", (x - 9.0 - w, y - 7.0, x - 7.0, y + 7.0)),
                ((x, y - 9.0), "middle", (x - w / 2.0, y - 20.0, x + w / 2.0, y - 6.0)),
                ((x, y + 18.0), "middle", (x - w / 2.0, y + 6.0, x + w / 2.0, y + 21.0)),
            ];
            let fits = |rect: &Rect| {
                rect.0 >= self.plot.left
                    && rect.1 >= self.plot.top
                    && rect.2 <= self.plot.right + 24.0
                    && rect.3 <= self.plot.bottom
                    && !self.marks.iter().any(|other| overlap(rect, other))
            };
            if let Some((at, anchor, rect)) = places.into_iter().find(|(_, _, rect)| fits(rect)) {
                self.marks.push(rect);
                series.open(svg, "point-label");
                svg.label("beside", at, anchor, &text, &text);
                svg.close();
            }
        }
    }
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}
