//! Bars: beside each other or stacked, upright or lying.

use crate::axis::{Axis, Plot};
use crate::frame::{Heading, Spanned, frame};
use crate::legend::{Entry, Glyph};
use crate::number::{NumberFormat, drawable, whole};
use crate::scale::Scale;
use crate::series::{LOOKS, Series, diamond};
use crate::svg::{Svg, Value};

/// A chart of bars.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// Its name and size.
    pub heading: Heading,
    /// A word without blanks by which patterns are told from those of other charts of the same page.
    pub id: String,
    /// The categories.
    pub categories: Vec<String>,
    /// Title of the axis of categories.
    pub category_title: String,
    /// The axis of the values.
    pub values: Axis,
    /// The series, each with one bar a category.
    pub groups: Vec<BarGroup>,
    /// Whether the bars of a category lie on each other instead of beside each other.
    pub stacked: bool,
    /// Whether bars lie instead of standing: for long names.
    pub lying: bool,
    /// Reference marks, which are no measurements.
    pub references: Vec<BarReference>,
}

/// The bars of one series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarGroup {
    /// Name and look.
    pub series: Series,
    /// One bar a category; none where nothing is known.
    pub bars: Vec<Option<Bar>>,
}

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// Its length.
    pub value: f64,
    /// The interval of the value; not shown in stacks.
    pub interval: Option<(f64, f64)>,
    /// Text for the tooltip; one is made up where it is empty.
    pub note: String,
}

/// A reference mark beside the bars of a category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarReference {
    /// Number of the category, from 0.
    pub category: usize,
    /// Number of the series beside whose bar it stands; in the middle of the category where absent.
    pub group: Option<usize>,
    /// The figure.
    pub value: f64,
    /// Name in the legend; marks of the same name share an entry.
    pub name: String,
    /// Text for the tooltip.
    pub note: String,
}

/// From categories and values to places.
struct Places {
    across: Scale,
    along: Scale,
    /// Room of one category.
    band: f64,
    /// Bars that share the room.
    beside: usize,
    lying: bool,
}

impl BarChart {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let categories = Axis::bands(self.category_title.clone(), self.categories.clone());
        let (Some(band_domain), Some(domain)) = (categories.domain([]), self.values.domain(self.reach())) else {
            return self.heading.no_data();
        };
        let (first, second) = (
            Spanned {
                axis: &categories,
                domain: band_domain,
            },
            Spanned {
                axis: &self.values,
                domain,
            },
        );
        let (x, y) = if self.lying { (second, first) } else { (first, second) };
        let (mut svg, plot) = frame(&self.heading, x, y, &self.entries());
        self.define_patterns(&mut svg);
        let places = self.places(&plot, &categories, band_domain, domain);
        let mut ends: Vec<(f64, f64)> = vec![(0.0, 0.0); self.categories.len()];
        for (place, group) in self.groups.iter().enumerate() {
            group.series.open(&mut svg, "series");
            for (category, bar) in group.bars.iter().take(self.categories.len()).enumerate() {
                let Some(bar) = bar.as_ref().filter(|bar| drawable(bar.value).is_some()) else {
                    continue;
                };
                let mut from = 0.0;
                if let Some((above, below)) = ends.get_mut(category).filter(|_| self.stacked) {
                    let end = if bar.value >= 0.0 { above } else { below };
                    from = *end;
                    *end += bar.value;
                }
                let beside = if self.stacked { 0 } else { place };
                self.draw(&mut svg, &places, group, (category, beside), (from, bar));
            }
            svg.close();
        }
        self.draw_references(&mut svg, &places);
        svg.finish()
    }

    /// All values that the axis has to hold.
    fn reach(&self) -> Vec<f64> {
        let bars = || self.groups.iter().flat_map(|group| &group.bars).flatten();
        if bars().all(|bar| drawable(bar.value).is_none()) {
            return Vec::new();
        }
        let mut reach: Vec<f64> = self.references.iter().map(|mark| mark.value).chain([0.0]).collect();
        if !self.stacked {
            reach.extend(bars().flat_map(|bar| {
                let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
                [bar.value, low, high]
            }));
            return reach;
        }
        for category in 0..self.categories.len() {
            let stack = self
                .groups
                .iter()
                .filter_map(|group| group.bars.get(category)?.as_ref());
            let values: Vec<f64> = stack.filter_map(|bar| drawable(bar.value)).collect();
            reach.push(values.iter().filter(|value| **value > 0.0).sum());
            reach.push(values.iter().filter(|value| **value < 0.0).sum());
        }
        reach
    }

    fn places(&self, plot: &Plot, categories: &Axis, band_domain: (f64, f64), domain: (f64, f64)) -> Places {
        let (across, along) = if self.lying {
            ((plot.top, plot.bottom), (plot.left, plot.right))
        } else {
            ((plot.left, plot.right), (plot.bottom, plot.top))
        };
        Places {
            across: categories.scale(band_domain, across),
            along: self.values.scale(domain, along),
            band: categories.band((across.1 - across.0).abs()),
            beside: if self.stacked { 1 } else { self.groups.len().max(1) },
            lying: self.lying,
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let named = self.groups.iter().filter(|group| !group.series.name.is_empty());
        let mut entries: Vec<Entry> = named
            .map(|group| Entry {
                pattern: self.pattern(&group.series),
                ..Entry::new(group.series.clone(), Glyph::Box)
            })
            .collect();
        for mark in &self.references {
            let is_there = |entry: &Entry| entry.glyph == Glyph::Reference && entry.series.name == mark.name;
            if !entries.iter().any(is_there) {
                entries.push(Entry::new(Series::new(mark.name.clone(), 0), Glyph::Reference));
            }
        }
        entries
    }

    fn draw(
        &self,
        svg: &mut Svg,
        places: &Places,
        group: &BarGroup,
        (category, beside): (usize, usize),
        (from, bar): (f64, &Bar),
    ) {
        let rect = places.rect(category, beside, from, from + bar.value);
        let attributes = |first: (&'static str, Value<'static>)| {
            [
                first,
                ("x", rect.0.into()),
                ("y", rect.1.into()),
                ("width", rect.2.into()),
                ("height", rect.3.into()),
            ]
        };
        let category_name = self.categories.get(category).map_or("", String::as_str);
        svg.titled(
            "rect",
            &attributes(("class", "bar".into())),
            &self.tooltip(&group.series, category_name, bar),
        );
        if let Some(pattern) = self.pattern(&group.series) {
            let mut all: Vec<(&str, Value<'_>)> = vec![("fill", (&pattern).into()), ("class", "hatched".into())];
            all.extend(attributes(("class", "".into())).into_iter().skip(1));
            svg.leaf("rect", &all);
        }
        let interval = bar
            .interval
            .and_then(|(low, high)| Some((drawable(low)?, drawable(high)?)));
        if let Some((low, high)) = interval.filter(|_| !self.stacked) {
            let middle = places.middle(category, beside);
            svg.line("whisker", places.at(middle, low), places.at(middle, high));
        }
    }

    fn tooltip(&self, series: &Series, category: &str, bar: &Bar) -> String {
        if !bar.note.is_empty() {
            return bar.note.clone();
        }
        let text = |value| self.values.format.text(value);
        let interval = bar
            .interval
            .map_or_else(String::new, |(low, high)| format!(" [{}, {}]", text(low), text(high)));
        let name = if series.name.is_empty() {
            String::new()
        } else {
            format!("{} · ", series.name)
        };
        format!("{name}{category}: {}{interval}", text(bar.value))
    }

    fn draw_references(&self, svg: &mut Svg, places: &Places) {
        svg.open("g", &[("class", "references".into())]);
        for mark in self.references.iter().filter(|mark| drawable(mark.value).is_some()) {
            if mark.category >= self.categories.len() {
                continue;
            }
            let middle = match mark.group {
                Some(group) if !self.stacked => places.middle(mark.category, group.min(places.beside - 1)),
                _ => places.across.at(whole(mark.category)),
            };
            diamond(svg, places.at(middle, mark.value), &mark.note);
        }
        svg.close();
    }

    /// What the bars of a series are filled with on top of their colour, so that colour is not all that tells them apart.
    fn pattern(&self, series: &Series) -> Option<String> {
        let look = series.look % LOOKS;
        (look > 0 && self.groups.len() > 1).then(|| format!("url(#{}-p{look})", self.id))
    }

    fn define_patterns(&self, svg: &mut Svg) {
        let mut looks: Vec<usize> = self.groups.iter().map(|group| group.series.look % LOOKS).collect();
        looks.sort_unstable();
        looks.dedup();
        svg.open("defs", &[]);
        for look in looks.into_iter().filter(|look| *look > 0 && self.groups.len() > 1) {
            let data = match look {
                1 => "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
                2 => "M-1 -1L7 7M5 -1L7 1M-1 5L1 7",
                3 => "M0 3L6 3",
                4 => "M3 0L3 6",
                5 => "M-1 7L7 -1M-1 -1L7 7",
                6 => "M3 0L3 6M0 3L6 3",
                _ => "M2 2L4 2L4 4L2 4Z",
            };
            let id = format!("{}-p{look}", self.id);
            let size = [("width", 6.0.into()), ("height", 6.0.into())];
            let mut attributes = vec![("id", (&id).into()), ("patternUnits", "userSpaceOnUse".into())];
            attributes.extend(size);
            svg.open("pattern", &attributes);
            svg.leaf("path", &[("class", "hatch".into()), ("d", data.into())]);
            svg.close();
        }
        svg.close();
    }
}

impl Bar {
    /// A bar without interval.
    pub fn new(value: f64) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

impl BarChart {
    /// A chart of shares in percent, beside each other, without references.
    pub fn shares(heading: Heading, id: &str, categories: Vec<String>, title: &str, groups: Vec<BarGroup>) -> Self {
        Self {
            heading,
            id: id.to_owned(),
            categories,
            category_title: String::new(),
            values: Axis::linear(title, NumberFormat::Percent),
            groups,
            stacked: false,
            lying: false,
            references: Vec::new(),
        }
    }
}

impl Places {
    /// Room of one bar.
    fn bar(&self) -> f64 {
        (0.8 * self.band / whole(self.beside)).min(36.0)
    }

    /// The middle of a bar across its length.
    fn middle(&self, category: usize, beside: usize) -> f64 {
        self.across.at(whole(category)) + (whole(beside) - (whole(self.beside) - 1.0) / 2.0) * self.bar()
    }

    /// Left, top, width and height of a bar.
    fn rect(&self, category: usize, beside: usize, from: f64, to: f64) -> (f64, f64, f64, f64) {
        let bar = self.bar();
        let across = self.middle(category, beside) - bar / 2.0;
        let (one, other) = (self.along.at(from), self.along.at(to));
        let (start, length) = (one.min(other), (one - other).abs());
        let thickness = (bar - 1.0).max(0.5);
        if self.lying {
            (start, across, length, thickness)
        } else {
            (across, start, thickness, length)
        }
    }

    /// A place across the bars and a value along them as a point.
    fn at(&self, across: f64, value: f64) -> (f64, f64) {
        let along = self.along.at(value);
        if self.lying { (along, across) } else { (across, along) }
    }
}
