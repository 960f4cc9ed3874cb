//! Lines, steps and points over two axes, with bands and bars for intervals, and reference marks.

mod labels;

use crate::axis::{Axis, AxisScale, Plot};
use crate::frame::{Heading, Spanned, frame};
use crate::legend::{Entry, Glyph};
use crate::number::drawable;
use crate::scale::Scale;
use crate::series::{Series, diamond, dodge};
use crate::svg::{Path, Svg};

use labels::Labels;

/// A chart of lines and points.
#[derive(Clone, Debug, PartialEq)]
pub struct XyChart {
    /// Its name and size.
    pub heading: Heading,
    /// The axis at the bottom. Where it has categories, points of several lines are put beside each other.
    pub x: Axis,
    /// The axis at the left.
    pub y: Axis,
    /// What is drawn, each above the one before.
    pub lines: Vec<Line>,
    /// Reference marks, which are no measurements.
    pub references: Vec<Reference>,
    /// Straight lines to compare with.
    pub guides: Vec<Guide>,
}

/// One line, or the points of one series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Name and look.
    pub series: Series,
    /// How points are joined.
    pub shape: LineShape,
    /// How intervals are shown.
    pub intervals: IntervalShape,
    /// Whether points have marks.
    pub marks: bool,
    /// Whether the line is broken, as for what is expected rather than measured.
    pub dashed: bool,
    /// Its points in the order in which they are joined. Points that cannot be drawn interrupt the line.
    pub points: Vec<Point>,
}

/// How points are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineShape {
    /// By straight lines.
    #[default]
    Straight,
    /// By steps: each value holds until the next point.
    Steps,
    /// Not at all.
    Apart,
}

/// How intervals are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalShape {
    /// As a band behind the line.
    #[default]
    Band,
    /// As a bar at each point.
    Bars,
}

/// A point of a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Where it lies.
    pub x: f64,
    /// What was measured.
    pub y: f64,
    /// The interval of what was measured.
    pub interval: Option<(f64, f64)>,
    /// Text for the tooltip; one is made up where it is empty.
    pub note: String,
    /// Text beside the point, where there is room.
    pub label: String,
}

/// A reference mark: a figure of somebody else's, drawn as a hollow diamond.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Where it lies.
    pub x: f64,
    /// The figure.
    pub y: f64,
    /// Name in the legend; marks of the same name share an entry.
    pub name: String,
    /// Text for the tooltip.
    pub note: String,
}

/// A straight line to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// Where it runs.
    pub run: GuideRun,
    /// What it means, written beside it.
    pub label: String,
}

/// Where a guide runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GuideRun {
    /// At one value of the left axis.
    Horizontal(f64),
    /// At one value of the bottom axis.
    Vertical(f64),
    /// Where both axes have the same value.
    Diagonal,
}

/// From numbers to places.
struct Places {
    x: Scale,
    y: Scale,
    plot: Plot,
    /// Room of a category of the bottom axis; none where it has numbers.
    band: Option<f64>,
}

impl XyChart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let points = || {
            self.lines
                .iter()
                .flat_map(|line| &line.points)
                .filter(|point| point.is_drawable(self))
        };
        let references = || {
            self.references
                .iter()
                .filter(|mark| drawable(mark.x).and(drawable(mark.y)).is_some())
        };
        if points().next().is_none() {
            return self.heading.no_data();
        }
        let xs = points().map(|point| point.x).chain(references().map(|mark| mark.x));
        let ends = points()
            .filter_map(|point| point.interval)
            .flat_map(|(low, high)| [low, high]);
        let horizontal = self.guides.iter().filter_map(|guide| match guide.run {
            GuideRun::Horizontal(at) => Some(at),
            GuideRun::Vertical(_) | GuideRun::Diagonal => None,
        });
        let ys = points()
            .map(|point| point.y)
            .chain(ends)
            .chain(references().map(|mark| mark.y))
            .chain(horizontal);
        let (Some(x_domain), Some(y_domain)) = (self.x.domain(xs), self.y.domain(ys)) else {
            return self.heading.no_data();
        };
        let spanned = |axis, domain| Spanned { axis, domain };
        let (mut svg, plot) = frame(
            &self.heading,
            spanned(&self.x, x_domain),
            spanned(&self.y, y_domain),
            &self.entries(),
        );
        let places = Places {
            x: self.x.scale(x_domain, (plot.left, plot.right)),
            y: self.y.scale(y_domain, (plot.bottom, plot.top)),
            plot,
            band: matches!(self.x.scale, AxisScale::Bands(_)).then(|| self.x.band(plot.right - plot.left)),
        };
        for guide in &self.guides {
            guide.draw(&mut svg, &places, x_domain);
        }
        let mut labels = Labels::new(plot);
        for (place, line) in self.lines.iter().enumerate() {
            let shift = places
                .band
                .map_or(0.0, |band| dodge(place, self.lines.len(), 0.7 * band, 12.0));
            self.draw(line, &mut svg, &places, shift, &mut labels);
        }
        svg.open("g", &[("class", "references".into())]);
        for mark in references() {
            diamond(&mut svg, (places.x.at(mark.x), places.y.at(mark.y)), &mark.note);
        }
        svg.close();
        labels.draw(&mut svg);
        svg.finish()
    }

    fn entries(&self) -> Vec<Entry> {
        let named = self.lines.iter().filter(|line| !line.series.name.is_empty());
        let glyph = |line: &Line| match (line.shape, line.marks) {
            (LineShape::Apart, _) => Glyph::Mark,
            (_, true) => Glyph::LineAndMark,
            (_, false) => Glyph::Line,
        };
        let entry = |line: &Line| Entry {
            dashed: line.dashed,
            ..Entry::new(line.series.clone(), glyph(line))
        };
        let mut entries: Vec<Entry> = named.map(entry).collect();
        for mark in &self.references {
            let is_there = |entry: &Entry| entry.glyph == Glyph::Reference && entry.series.name == mark.name;
            if !entries.iter().any(is_there) {
                entries.push(Entry::new(Series::new(mark.name.clone(), 0), Glyph::Reference));
            }
        }
        entries
    }

    fn draw(&self, line: &Line, svg: &mut Svg, places: &Places, shift: f64, labels: &mut Labels) {
        line.series
            .open(svg, if line.dashed { "series dashed" } else { "series" });
        for run in line.points.split(|point| !point.is_drawable(self)) {
            if line.intervals == IntervalShape::Band {
                draw_band(svg, places, run, line.shape, shift);
            }
            if line.shape != LineShape::Apart && run.len() > 1 {
                let path = Path::through(joined(
                    run.iter().map(|point| places.at(point.x, point.y, shift)),
                    line.shape,
                ));
                svg.leaf("path", &[("class", "line".into()), ("d", path.data().into())]);
            }
        }
        for point in line.points.iter().filter(|point| point.is_drawable(self)) {
            let at = places.at(point.x, point.y, shift);
            if line.intervals == IntervalShape::Bars {
                draw_bar(svg, places, point, shift);
            }
            if line.marks || line.shape == LineShape::Apart {
                line.series.mark(svg, at, 4.0, &self.tooltip(line, point));
                labels.see_mark(at, 5.0);
            }
            labels.ask(at, &point.label, &line.series);
        }
        svg.close();
    }

    fn tooltip(&self, line: &Line, point: &Point) -> String {
        if !point.note.is_empty() {
            return point.note.clone();
        }
        let interval = point.interval.map_or_else(String::new, |(low, high)| {
            format!(" [{}, {}]", self.y.format.text(low), self.y.format.text(high))
        });
        let (x, y) = (self.x.text(point.x), self.y.format.text(point.y));
        let name = if line.series.name.is_empty() {
            String::new()
        } else {
            format!("{} · ", line.series.name)
        };
        format!("{name}{x}: {y}{interval}")
    }
}

impl Point {
    /// A point without interval.
    pub fn new(x: f64, y: f64) -> Self {
        Self {
            x,
            y,
            ..Self::default()
        }
    }

    fn is_drawable(&self, chart: &XyChart) -> bool {
        let positive = |axis: &Axis, value: f64| axis.scale != AxisScale::Log || value > 0.0;
        let are_defined = drawable(self.x).and(drawable(self.y)).is_some();
        are_defined && positive(&chart.x, self.x) && positive(&chart.y, self.y)
    }

    fn drawable_interval(&self) -> Option<(f64, f64)> {
        let (low, high) = self.interval?;
        Some((drawable(low)?, drawable(high)?))
    }
}

impl Places {
    fn at(&self, x: f64, y: f64, shift: f64) -> (f64, f64) {
        (self.x.at(x) + shift, self.y.at(y))
    }
}

impl Guide {
    fn draw(&self, svg: &mut Svg, places: &Places, x_domain: (f64, f64)) {
        let Plot {
            left,
            right,
            top,
            bottom,
        } = places.plot;
        let (from, to, label, anchor) = match self.run {
            GuideRun::Horizontal(value) => {
                let y = places.y.at(value);
                let above = if y - top < 16.0 { y + 14.0 } else { y - 5.0 };
                ((left, y), (right, y), (right - 4.0, above), "end")
            }
            GuideRun::Vertical(value) => {
                let x = places.x.at(value);
                let is_right = x > (left + right) / 2.0;
                let anchor = if is_right { "end" } else { "start" };
                (
                    (x, bottom),
                    (x, top),
                    (if is_right { x - 5.0 } else { x + 5.0 }, top + 12.0),
                    anchor,
                )
            }
            GuideRun::Diagonal => {
                let at = |value: f64| (places.x.at(value), places.y.at(value));
                (at(x_domain.0), at(x_domain.1), (right - 40.0, top + 12.0), "end")
            }
        };
        svg.line("guide", from, to);
        svg.label("guide-label", label, anchor, &self.label, &self.label);
    }
}

/// The corners of a line through the points.
fn joined(points: impl Iterator<Item = (f64, f64)>, shape: LineShape) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        if let (LineShape::Steps, Some((_, before))) = (shape, corners.last()) {
            corners.push((x, *before));
        }
        corners.push((x, y));
    }
    corners
}

fn draw_band(svg: &mut Svg, places: &Places, run: &[Point], shape: LineShape, shift: f64) {
    let edges: Option<Vec<(f64, f64, f64)>> = run
        .iter()
        .map(|point| point.drawable_interval().map(|(low, high)| (point.x, low, high)))
        .collect();
    let Some(edges) = edges.filter(|edges| edges.len() > 1) else {
        return;
    };
    let upper = joined(edges.iter().map(|(x, _, high)| places.at(*x, *high, shift)), shape);
    let mut corners = joined(edges.iter().map(|(x, low, _)| places.at(*x, *low, shift)), shape);
    corners.reverse();
    let mut path = Path::through(upper.into_iter().chain(corners));
    path.close();
    svg.leaf("path", &[("class", "band".into()), ("d", path.data().into())]);
}

fn draw_bar(svg: &mut Svg, places: &Places, point: &Point, shift: f64) {
    let Some((low, high)) = point.drawable_interval() else {
        return;
    };
    let (from, to) = (places.at(point.x, low, shift), places.at(point.x, high, shift));
    svg.line("whisker", from, to);
    for (x, y) in [from, to] {
        svg.line("whisker", (x - 3.0, y), (x + 3.0, y));
    }
}
