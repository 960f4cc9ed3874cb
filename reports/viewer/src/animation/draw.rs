//! The elements of an animated picture.

mod captions;

use std::fmt::Write as _;

use napsim_trajectories::range::column_name;

use super::layout::{HEAD, Layout, SIDE, font_size, line_height, lines, n_fitting};
use super::style::Style;
use super::timeline::{Place, Span, Timeline};
use super::{shortened, text};
use crate::display::{ContentKind, Display};
use crate::film::{Film, Line, Look};

/// A picture in the making.
pub(super) struct Drawing<'a> {
    film: &'a Film,
    layout: &'a Layout,
    style: &'a mut Style,
    svg: String,
}

/// A box in pixels: left, top, width, height.
type Area = [u32; 4];

/// Draws one aspect of what a cell shows for some time.
type Layer<'a> = fn(&mut Drawing<'a>, &Timeline<'_>, Place, &Span, &Look, Area) -> String;

impl<'a> Drawing<'a> {
    pub(super) fn new(film: &'a Film, layout: &'a Layout, style: &'a mut Style) -> Self {
        let mut drawing = Self {
            film,
            layout,
            style,
            svg: String::new(),
        };
        drawing.paper();
        drawing
    }

    pub(super) fn finish(self) -> String {
        self.svg
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a text does not fail.
        let _ = self.svg.write_fmt(element);
        self.svg.push('\n');
    }

    fn open(&mut self, class: &str) {
        if class.is_empty() {
            self.add(format_args!("<g>"));
        } else {
            self.add(format_args!("<g class=\"{class}\">"));
        }
    }

    /// White paper with its lines, letters and numbers.
    fn paper(&mut self) {
        let [n_rows, n_cols] = self.layout.size();
        let Some([left, top, width, height]) = self.layout.place([1, 1, n_rows, n_cols]) else {
            return;
        };
        let (side, head) = (left - SIDE, top - HEAD);
        self.add(format_args!(
            "<rect x=\"{side}\" y=\"{head}\" width=\"{}\" height=\"{}\" fill=\"#f1f3f5\" stroke=\"#cfd4da\"/>\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>",
            width + SIDE,
            height + HEAD
        ));
        let mut path = String::new();
        let mut labels = String::new();
        for row in 1..=n_rows {
            if let Some([_, y, _, h]) = self.layout.place([row, 1, row, 1]) {
                let _ = write!(path, "M{side} {}h{}", y + h, width + SIDE);
                let _ = write!(
                    labels,
                    "<text x=\"{}\" y=\"{}\">{row}</text>",
                    left - SIDE / 2,
                    y + h / 2 + 4
                );
            }
        }
        for col in 1..=n_cols {
            if let Some([x, _, w, _]) = self.layout.place([1, col, 1, col]) {
                let _ = write!(path, "M{} {head}v{}", x + w, height + HEAD);
                let name = column_name(col.into());
                let _ = write!(labels, "<text x=\"{}\" y=\"{}\">{name}</text>", x + w / 2, top - 6);
            }
        }
        self.add(format_args!("<path d=\"{path}\" stroke=\"#dfe3e8\" fill=\"none\"/>"));
        self.add(format_args!(
            "<g fill=\"#4b5563\" font-size=\"11\" text-anchor=\"middle\">{labels}</g>"
        ));
    }

    /// What the cells show: fills first, then texts, then lines, so that nothing covers what overlaps it.
    pub(super) fn cells(&mut self, timeline: &Timeline<'_>) {
        let layers: [Layer<'a>; 3] = [Self::fill, Self::words, Self::lines];
        for layer in layers {
            for (place, spans) in timeline.spans() {
                for span in spans {
                    let (face, look) = (span.face, self.film.names.looks.get(span.face.look));
                    let (row, col) = *place;
                    let area = self
                        .layout
                        .place([row, col, face.last.0.max(row), face.last.1.max(col)]);
                    let (Some(look), Some(area)) = (look.cloned(), area) else {
                        continue;
                    };
                    let drawn = layer(self, timeline, *place, span, &look, area);
                    if drawn.is_empty() {
                        continue;
                    }
                    let class = self.style.class(span.from, span.to);
                    self.open(&class);
                    self.svg.push_str(&drawn);
                    self.svg.push_str("</g>\n");
                }
            }
        }
    }

    fn fill(&mut self, _timeline: &Timeline<'_>, place: Place, span: &Span, look: &Look, area: Area) -> String {
        let face = span.face;
        let is_merged = face.last != place;
        if face.is_covered(place) || (look.fill.is_none() && !is_merged) {
            return String::new();
        }
        let [x, y, width, height] = area;
        let fill = look.fill.as_deref().unwrap_or("#fff");
        let stroke = if look.fill.is_some() { fill } else { "#dfe3e8" };
        format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"{stroke}\"/>")
    }

    /// The text of a cell, which may run over into cells without content.
    fn words(&mut self, timeline: &Timeline<'_>, place: Place, span: &Span, look: &Look, area: Area) -> String {
        let face = span.face;
        let display = self
            .film
            .names
            .shown
            .get(face.content)
            .and_then(|shown| shown.display.as_ref());
        let Some(display) = display.filter(|display| !face.is_covered(place) && !display.text.is_empty()) else {
            return String::new();
        };
        let [x, y, width, height] = area;
        let (anchor, at) = match align(look, display) {
            "right" => ("end", x + width.saturating_sub(3)),
            "center" => ("middle", x + width / 2),
            _ => ("start", x + 3),
        };
        let room = if anchor == "start" && display.kind != ContentKind::Number {
            width + self.free_width(timeline, (place.0, face.last.1.max(place.1)), span)
        } else {
            width
        };
        let size = font_size(look);
        let mut texts = if look.wraps {
            lines(&display.text, width, look)
        } else {
            vec![display.text.replace('\n', " ")]
        };
        texts.truncate(usize::try_from((height / line_height(look)).max(1)).unwrap_or(1));
        let below = u32::try_from(texts.len().saturating_sub(1)).unwrap_or(0) * line_height(look);
        let first = match look.vertical.as_deref() {
            Some("top") => y + size + 2,
            Some("center" | "middle") => (y + height / 2 + size / 3).saturating_sub(below / 2),
            _ => (y + height).saturating_sub(5 + below),
        };
        let attributes = text_attributes(look, display, size);
        let turned = look
            .degrees
            .filter(|degrees| degrees.abs() <= 90)
            .map_or_else(String::new, |degrees| {
                format!(" transform=\"rotate({} {at} {first})\"", -degrees)
            });
        let room = if turned.is_empty() { room } else { room.max(110) };
        let mut drawn = format!("<text text-anchor=\"{anchor}\"{attributes}{turned}>");
        for (line, baseline) in texts
            .iter()
            .zip((first..).step_by(usize::try_from(line_height(look)).unwrap_or(1)))
        {
            let line = text(&shortened(line, n_fitting(room, look).max(1)));
            let _ = write!(drawn, "<tspan x=\"{at}\" y=\"{baseline}\">{line}</tspan>");
        }
        drawn.push_str("</text>");
        drawn
    }

    /// Pixels of the cells to the right that have no content during a span.
    fn free_width(&self, timeline: &Timeline<'_>, (row, col): Place, during: &Span) -> u32 {
        let mut free = 0;
        for next in col + 1..=col + 12 {
            let is_taken = timeline.spans().get(&(row, next)).is_some_and(|spans| {
                let shows = |span: &Span| span.face.content != 0 || span.face.is_covered((row, next));
                spans.iter().any(|span| shows(span) && span.overlaps(during))
            });
            match self.layout.place([row, next, row, next]) {
                Some([_, _, width, _]) if !is_taken => free += width,
                _ => break,
            }
        }
        free
    }

    /// The lines of a cell; of one in a merged range, those at the edges of the range.
    fn lines(&mut self, _timeline: &Timeline<'_>, place: Place, span: &Span, look: &Look, _area: Area) -> String {
        let face = span.face;
        let (row, col) = place;
        let Some([x, y, width, height]) = self.layout.place([row, col, row, col]) else {
            return String::new();
        };
        let (right, bottom) = (x + width, y + height);
        let is_single = face.first == face.last;
        let edges = [
            (col == face.first.1, [x, y, x, bottom]),
            (col == face.last.1, [right, y, right, bottom]),
            (row == face.first.0, [x, y, right, y]),
            (row == face.last.0, [x, bottom, right, bottom]),
            (is_single, [x, y, right, bottom]),
            (is_single, [x, bottom, right, y]),
        ];
        let mut drawn = String::new();
        for (line, (is_shown, [x, y, to_x, to_y])) in look.lines.iter().zip(edges) {
            if let Some(line) = line.as_ref().filter(|_| is_shown) {
                let _ = write!(drawn, "<path d=\"M{x} {y}L{to_x} {to_y}\"{}/>", stroke(line));
            }
        }
        drawn
    }
}

fn align<'a>(look: &'a Look, display: &Display) -> &'a str {
    match look.horizontal.as_deref() {
        Some(word @ ("left" | "right" | "center")) => word,
        Some("centercontinuous" | "centeracrossselection") => "center",
        _ => match display.kind {
            ContentKind::Number => "right",
            ContentKind::Truth => "center",
            ContentKind::Text | ContentKind::Formula => "left",
        },
    }
}

fn text_attributes(look: &Look, display: &Display, size: u32) -> String {
    let mut attributes = String::new();
    if size != 12 {
        let _ = write!(attributes, " font-size=\"{size}\"");
    }
    if let Some(font) = &look.font {
        let _ = write!(attributes, " font-family=\"'{font}', Calibri, Arial, sans-serif\"");
    }
    let color = display.color.or(look.color.as_deref()).unwrap_or("#111");
    let _ = write!(attributes, " fill=\"{color}\"");
    for (applies, attribute) in [
        (look.bold, " font-weight=\"700\""),
        (
            look.italic || display.kind == ContentKind::Formula,
            " font-style=\"italic\"",
        ),
        (look.underlined, " text-decoration=\"underline\""),
    ] {
        if applies {
            attributes.push_str(attribute);
        }
    }
    attributes
}

fn stroke(line: &Line) -> String {
    let color = line.1.as_deref().unwrap_or("#000");
    let extra = match line.0.as_str() {
        "thin" => "",
        "double" => " stroke-width=\"2.4\"",
        "dotted" => " stroke-dasharray=\"1 2\"",
        _ => " stroke-dasharray=\"4 2\"",
    };
    format!(" stroke=\"{color}\"{extra}")
}
