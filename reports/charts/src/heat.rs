//! Heat maps with the number in each cell.

use crate::axis::FONT;
use crate::frame::Heading;
use crate::number::{NumberFormat, coordinate, drawable, whole};
use crate::svg::{Svg, Value};
use crate::text::{shortened, width};

const PAD: f64 = 10.0;
const CELL_HEIGHT: f64 = 30.0;
/// Sine and cosine of the angle of slanted column names.
const SLANT: (f64, f64) = (0.573_576, 0.819_152);

/// A heat map.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Its name and width; the height follows from the rows.
    pub heading: Heading,
    /// Names of the rows and the groups that they belong to (see [`crate::Series::group`]), from above.
    pub rows: Vec<(String, String)>,
    /// Names of the columns, from the left.
    pub columns: Vec<String>,
    /// What is in the cells, row by row; none where nothing is known.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// The values with the weakest and the strongest colour.
    pub domain: (f64, f64),
    /// How values are written.
    pub format: NumberFormat,
}

/// One cell of a heat map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// The value that decides the colour.
    pub value: f64,
    /// What is written in the cell; the value where empty.
    pub text: String,
    /// Text for the tooltip.
    pub note: String,
    /// Whether the value rests on little, so that it is drawn weaker.
    pub weak: bool,
}

impl HeatMap {
    /// The heat map as SVG.
    pub fn svg(&self) -> String {
        let known = self
            .cells
            .iter()
            .flatten()
            .flatten()
            .any(|cell| drawable(cell.value).is_some());
        if self.rows.is_empty() || self.columns.is_empty() || !known {
            return self.heading.no_data();
        }
        let whole_width = self.heading.width();
        let names = self.rows.iter().map(|(name, _)| width(name, FONT)).fold(0.0, f64::max);
        let left = PAD + names.min(0.34 * whole_width) + 10.0;
        let cell = ((whole_width - left - PAD) / whole(self.columns.len())).min(110.0);
        let widest = self.columns.iter().map(|name| width(name, FONT)).fold(0.0, f64::max);
        let is_slanted = widest > cell - 4.0;
        let top = if is_slanted {
            widest.min(110.0) * SLANT.0 + FONT + 10.0
        } else {
            FONT + 14.0
        };
        let height = top + whole(self.rows.len()) * CELL_HEIGHT + PAD;
        let mut svg = self.heading.clone().sized(whole_width, height).begin();
        for (place, name) in self.columns.iter().enumerate() {
            let x = left + (whole(place) + 0.5) * cell;
            if is_slanted {
                // The last names would stand out of the image at the right.
                let room = (110.0_f64).min((whole_width - x - 4.0) / SLANT.1);
                self.draw_slanted(&mut svg, name, (x, top - 8.0), room);
            } else {
                svg.label("tick", (x, top - 8.0), "middle", name, name);
            }
        }
        for (place, (name, group)) in self.rows.iter().enumerate() {
            let y = top + whole(place) * CELL_HEIGHT;
            let attributes: [(&str, Value<'_>); 2] = [("class", "row".into()), ("data-group", group.into())];
            svg.open(
                "g",
                if group.is_empty() {
                    &attributes[..1]
                } else {
                    &attributes
                },
            );
            let shown = shortened(name, FONT, left - 10.0 - PAD);
            svg.label(
                "row-name",
                (left - 10.0, y + CELL_HEIGHT / 2.0 + 4.0),
                "end",
                &shown,
                name,
            );
            let cells = self.cells.get(place).map_or(&[][..], Vec::as_slice);
            for (column, content) in cells.iter().take(self.columns.len()).enumerate() {
                self.draw(&mut svg, content.as_ref(), (left + whole(column) * cell, y), cell);
            }
            svg.close();
        }
        svg.finish()
    }

    fn draw_slanted(&self, svg: &mut Svg, name: &str, (x, y): (f64, f64), room: f64) {
        let turn = format!("rotate(-35 {} {})", coordinate(x), coordinate(y));
        let attributes = [
            ("class", "tick".into()),
            ("x", x.into()),
            ("y", y.into()),
            ("text-anchor", "start".into()),
            ("transform", (&turn).into()),
        ];
        svg.label_with(&attributes, &shortened(name, FONT, room), name);
    }

    fn draw(&self, svg: &mut Svg, cell: Option<&HeatCell>, (x, y): (f64, f64), room: f64) {
        let size = |class: &'static str| {
            [
                ("class", Value::Text(class)),
                ("x", (x + 1.0).into()),
                ("y", (y + 1.0).into()),
                ("width", (room - 2.0).into()),
                ("height", (CELL_HEIGHT - 2.0).into()),
            ]
        };
        let Some((cell, value)) = cell.and_then(|cell| Some((cell, drawable(cell.value)?))) else {
            return svg.titled("rect", &size("heat none"), "no data");
        };
        let (low, high) = self.domain;
        let share = if high > low {
            ((value - low) / (high - low)).clamp(0.0, 1.0)
        } else {
            0.5
        };
        let strength = coordinate(0.04 + 0.96 * share);
        let shown = if cell.text.is_empty() {
            self.format.text(value)
        } else {
            cell.text.clone()
        };
        svg.open("g", &[("class", if cell.weak { "cell weak" } else { "cell" }.into())]);
        if !cell.note.is_empty() {
            svg.leaf_with_text("title", &[], &cell.note);
        }
        let mut attributes: Vec<(&str, Value<'_>)> = size("heat").into();
        attributes.push(("fill-opacity", (&strength).into()));
        svg.leaf("rect", &attributes);
        let fitting = shortened(&shown, FONT, room - 6.0);
        svg.label(
            "heat-text",
            (x + room / 2.0, y + CELL_HEIGHT / 2.0 + 4.0),
            "middle",
            &fitting,
            &shown,
        );
        svg.close();
    }
}
