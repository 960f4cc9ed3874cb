//! Series: what belongs together in a chart, and how it can be told from the others without colour.

use crate::number::whole;
use crate::svg::{Path, Svg};

/// How many colours and shapes there are before they come again.
pub const LOOKS: usize = 8;

/// What belongs together in a chart: it has one colour, one shape and one entry in the legend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Number of its look, from 0. Looks come again after [`LOOKS`], with other dashes.
    pub look: usize,
    /// Written to the attribute `data-group` of all that belongs to the series, so that a page can hide it; nothing
    /// where empty.
    pub group: String,
}

impl Series {
    /// A series that cannot be hidden.
    pub fn new(name: impl Into<String>, look: usize) -> Self {
        Self {
            name: name.into(),
            look,
            group: String::new(),
        }
    }

    /// The classes that decide its colour and dashes: `s1` … `s8`, `d1` ….
    pub(crate) fn classes(&self) -> String {
        let round = self.look / LOOKS;
        let dashes = if round == 0 {
            String::new()
        } else {
            format!(" d{}", (round - 1) % 3 + 1)
        };
        format!("s{}{dashes}", self.look % LOOKS + 1)
    }

    /// Opens the element that holds what belongs to the series.
    pub(crate) fn open(&self, svg: &mut Svg, class: &str) {
        let classes = format!("{class} {}", self.classes());
        if self.group.is_empty() {
            svg.open("g", &[("class", (&classes).into())]);
        } else {
            svg.open(
                "g",
                &[("class", (&classes).into()), ("data-group", (&self.group).into())],
            );
        }
    }

    /// Draws its mark around a point. `radius` is about half as wide as the mark.
    pub(crate) fn mark(&self, svg: &mut Svg, at: (f64, f64), radius: f64, tooltip: &str) {
        shape(svg, self.look % LOOKS, at, radius, "mark", tooltip);
    }
}

/// Draws one of the shapes around a point.
pub(crate) fn shape(svg: &mut Svg, look: usize, (x, y): (f64, f64), radius: f64, class: &str, tooltip: &str) {
    if look == 0 {
        let attributes = [
            ("class", class.into()),
            ("cx", x.into()),
            ("cy", y.into()),
            ("r", radius.into()),
        ];
        return svg.titled("circle", &attributes, tooltip);
    }
    let corners: &[(f64, f64)] = match look {
        1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        4 => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        5 => &CROSS,
        6 => &PLUS,
        _ => &[
            (-1.0, 0.0),
            (-0.5, -1.0),
            (0.5, -1.0),
            (1.0, 0.0),
            (0.5, 1.0),
            (-0.5, 1.0),
        ],
    };
    let mut path = Path::through(corners.iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)));
    path.close();
    svg.titled("path", &[("class", class.into()), ("d", path.data().into())], tooltip);
}

const CROSS: [(f64, f64); 12] = [
    (0.0, -0.5),
    (0.7, -1.2),
    (1.2, -0.7),
    (0.5, 0.0),
    (1.2, 0.7),
    (0.7, 1.2),
    (0.0, 0.5),
    (-0.7, 1.2),
    (-1.2, 0.7),
    (-0.5, 0.0),
    (-1.2, -0.7),
    (-0.7, -1.2),
];

const PLUS: [(f64, f64); 12] = [
    (-0.4, -1.25),
    (0.4, -1.25),
    (0.4, -0.4),
    (1.25, -0.4),
    (1.25, 0.4),
    (0.4, 0.4),
    (0.4, 1.25),
    (-0.4, 1.25),
    (-0.4, 0.4),
    (-1.25, 0.4),
    (-1.25, -0.4),
    (-0.4, -0.4),
];

/// Draws a reference mark: a hollow diamond.
pub(crate) fn diamond(svg: &mut Svg, at: (f64, f64), tooltip: &str) {
    shape(svg, 3, at, 4.5, "reference", tooltip);
}

/// Where the series of a category are put beside each other, from the middle of the category.
pub(crate) fn dodge(place: usize, of: usize, room: f64, most: f64) -> f64 {
    let step = (room / whole(of.max(1))).min(most);
    (whole(place) - (whole(of) - 1.0) / 2.0) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_again_with_dashes() {
        let classes = [0, 7, 8, 23].map(|look| Series::new("a", look).classes());
        assert_eq!(classes, ["s1", "s8", "s1 d1", "s8 d2"]);
    }

    #[test]
    fn series_lie_around_the_middle() {
        assert!((dodge(0, 1, 40.0, 10.0)).abs() < 1e-9);
        assert!((dodge(0, 2, 40.0, 10.0) + 5.0).abs() < 1e-9);
        assert!((dodge(3, 4, 20.0, 10.0) - 7.5).abs() < 1e-9);
    }
}
