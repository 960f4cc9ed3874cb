//! Time lines: what happened along one stretch, as marks of a few kinds that lie in lanes of their own.

use crate::frame::Heading;
use crate::number::{drawable, whole};
use crate::svg::{Path, Svg};

/// Marks closer than this are drawn as one, so that a time line stays small however much happened.
const RESOLUTION: f64 = 2.5;

/// A time line.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Its name and size.
    pub heading: Heading,
    /// Where the line begins and ends.
    pub domain: (f64, f64),
    /// The lanes from above.
    pub lanes: Vec<Lane>,
}

/// Marks of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lane {
    /// The class of its marks, which gives them their colour.
    pub class: String,
    /// Number of the row that it is drawn in, from above; lanes of one row lie over each other.
    pub row: usize,
    /// What its marks mean, for the tooltip.
    pub name: String,
    /// The shape of its marks.
    pub shape: LaneShape,
    /// Where the marks are, in any order.
    pub at: Vec<f64>,
    /// Stretches that are marked as a whole, such as streaks.
    pub spans: Vec<(f64, f64)>,
}

/// The shape of marks on a time line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaneShape {
    /// A filled box.
    #[default]
    Box,
    /// A cross.
    Cross,
    /// A thin line.
    Tick,
}

impl Strip {
    /// The time line as SVG.
    pub fn svg(&self) -> String {
        // Time lines are flat, so the least height of charts does not count here.
        let (width, height) = (self.heading.width(), self.heading.height.clamp(12.0, 400.0));
        let mut svg = Svg::begin(
            width,
            height,
            "chart strip",
            &self.heading.title,
            &self.heading.description,
        );
        let (left, right) = (4.0, width - 4.0);
        let span = self.domain.1 - self.domain.0;
        let n_rows = self.lanes.iter().map(|lane| lane.row.min(20) + 1).max().unwrap_or(1);
        let lane_height = (height - 4.0) / whole(n_rows);
        let middle = |row: usize| 2.0 + (whole(row.min(20)) + 0.5) * lane_height;
        for row in 0..n_rows {
            svg.line("base", (left, middle(row)), (right, middle(row)));
        }
        for lane in &self.lanes {
            let middle = middle(lane.row);
            let at = |value: f64| {
                let share = if span > 0.0 {
                    ((value - self.domain.0) / span).clamp(0.0, 1.0)
                } else {
                    0.5
                };
                left + share * (right - left)
            };
            lane.draw(&mut svg, at, middle, (0.4 * lane_height).clamp(1.5, 5.0));
        }
        svg.finish()
    }
}

impl Lane {
    fn draw(&self, svg: &mut Svg, at: impl Fn(f64) -> f64, middle: f64, radius: f64) {
        let mut path = Path::default();
        for (from, to) in self
            .spans
            .iter()
            .filter(|(from, to)| drawable(*from).and(drawable(*to)).is_some())
        {
            let (from, to) = (at(*from) - radius, at(*to) + radius);
            path.rectangle(from.max(1.0), middle - radius, to, middle + radius);
        }
        let mut places: Vec<f64> = self.at.iter().copied().filter_map(drawable).map(&at).collect();
        places.sort_by(f64::total_cmp);
        let mut last = f64::NEG_INFINITY;
        for x in places {
            if x - last < RESOLUTION {
                continue;
            }
            last = x;
            let x = x.round();
            match self.shape {
                LaneShape::Box => {
                    let half = radius.min(2.5);
                    path.rectangle(x - half, middle - radius, x + half, middle + radius);
                }
                LaneShape::Cross => path.cross(x, middle, radius.min(3.5)),
                LaneShape::Tick => path.upright(x, middle, radius),
            }
        }
        if !path.data().is_empty() {
            let class = format!("lane {}", self.class);
            svg.titled(
                "path",
                &[("class", (&class).into()), ("d", path.data().into())],
                &self.name,
            );
        }
    }
}
