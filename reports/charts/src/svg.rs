//! Writing SVG. Every text passes through here, so that nothing in it is taken for markup.

use std::fmt::Write as _;

use crate::number::coordinate;

/// An attribute's value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// A text of anybody's making.
    Text(&'a str),
    /// A coordinate or length.
    Number(f64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

/// An SVG that is being written. Elements that were opened are closed in the same order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg {
    text: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// Begins an image of that size with its name and description for those who do not see it.
    pub(crate) fn begin(width: f64, height: f64, class: &str, title: &str, description: &str) -> Self {
        let mut svg = Self::default();
        let view = format!("0 0 {} {}", coordinate(width), coordinate(height));
        svg.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg".into()),
                ("class", class.into()),
                ("viewBox", (&view).into()),
                ("width", width.into()),
                ("height", height.into()),
                ("role", "img".into()),
                ("aria-label", title.into()),
            ],
        );
        if !description.is_empty() {
            svg.leaf_with_text("desc", &[], description);
        }
        svg
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)]) {
        self.tag(name, attributes);
        self.text.push('>');
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.end(name);
        }
    }

    /// An element without content.
    pub(crate) fn leaf(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)]) {
        self.tag(name, attributes);
        self.text.push_str("/>");
    }

    /// An element with nothing but a tooltip in it; without one where the tooltip is empty.
    pub(crate) fn titled(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)], tooltip: &str) {
        if tooltip.is_empty() {
            return self.leaf(name, attributes);
        }
        self.open(name, attributes);
        self.leaf_with_text("title", &[], tooltip);
        self.close();
    }

    /// An element with nothing but text in it.
    pub(crate) fn leaf_with_text(&mut self, name: &'static str, attributes: &[(&str, Value<'_>)], text: &str) {
        self.tag(name, attributes);
        self.text.push('>');
        escape(text, &mut self.text);
        self.end(name);
    }

    /// A text whose anchor (`start`, `middle` or `end`) lies at the place given. Where less of it is shown than there
    /// is, the whole is its tooltip.
    pub(crate) fn label(&mut self, class: &str, at: (f64, f64), anchor: &str, shown: &str, whole: &str) {
        let attributes = [
            ("class", class.into()),
            ("x", at.0.into()),
            ("y", at.1.into()),
            ("text-anchor", anchor.into()),
        ];
        self.label_with(&attributes, shown, whole);
    }

    /// The same with attributes of one's own.
    pub(crate) fn label_with(&mut self, attributes: &[(&str, Value<'_>)], shown: &str, whole: &str) {
        if shown == whole {
            return self.leaf_with_text("text", attributes, shown);
        }
        self.open("text", attributes);
        self.leaf_with_text("title", &[], whole);
        escape(shown, &mut self.text);
        self.close();
    }

    /// A straight line.
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.leaf(
            "line",
            &[
                ("class", class.into()),
                ("x1", from.0.into()),
                ("y1", from.1.into()),
                ("x2", to.0.into()),
                ("y2", to.1.into()),
            ],
        );
    }

    /// Closes what is open and hands out the text.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, Value<'_>)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (attribute, value) in attributes {
            // Writing to a text cannot fail.
            let _ = write!(self.text, " {attribute}=\"");
            match value {
                Value::Text(text) => escape(text, &mut self.text),
                Value::Number(number) => self.text.push_str(&coordinate(*number)),
            }
            self.text.push('"');
        }
    }

    fn end(&mut self, name: &str) {
        // Writing to a text cannot fail.
        let _ = write!(self.text, "</{name}>");
    }
}

/// Adds the text so that it is no markup, neither as content nor within quotes. What XML knows no way to write, and what
/// changes the direction of writing, becomes visible.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push(' '),
            c if is_unprintable(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}

/// Whether a character is shown as an escape.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// The data of a path: straight lines between absolute points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path(String);

impl Path {
    /// Goes to a point without drawing.
    pub(crate) fn move_to(&mut self, x: f64, y: f64) {
        self.command('M', x, y);
    }

    /// Draws a straight line to a point.
    pub(crate) fn line_to(&mut self, x: f64, y: f64) {
        self.command('L', x, y);
    }

    /// Goes back to where it began.
    pub(crate) fn close(&mut self) {
        self.0.push('Z');
    }

    /// The lines between the points given, nothing where there are none.
    pub(crate) fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut path = Self::default();
        for (x, y) in points {
            if path.0.is_empty() {
                path.move_to(x, y);
            } else {
                path.line_to(x, y);
            }
        }
        path
    }

    /// Draws a cross around a point, briefly written.
    pub(crate) fn cross(&mut self, x: f64, y: f64, radius: f64) {
        self.move_to(x - radius, y - radius);
        let d = coordinate(2.0 * radius);
        // Writing to a text cannot fail.
        let _ = write!(self.0, "l{d} {d}m0 -{d}l-{d} {d}");
    }

    /// Draws a rectangle, briefly written.
    pub(crate) fn rectangle(&mut self, left: f64, top: f64, right: f64, bottom: f64) {
        self.move_to(left, top);
        let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
        // Writing to a text cannot fail.
        let _ = write!(self.0, "h{0}v{1}h-{0}z", coordinate(width), coordinate(height));
    }

    /// Draws an upright line around a point, briefly written.
    pub(crate) fn upright(&mut self, x: f64, y: f64, radius: f64) {
        self.move_to(x, y - radius);
        // Writing to a text cannot fail.
        let _ = write!(self.0, "v{}", coordinate(2.0 * radius));
    }

    /// The text for the attribute `d`.
    pub(crate) fn data(&self) -> &str {
        &self.0
    }

    fn command(&mut self, letter: char, x: f64, y: f64) {
        // Writing to a text cannot fail.
        let _ = write!(self.0, "{letter}{} {}", coordinate(x), coordinate(y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_are_only_texts() {
        let mut svg = Svg::begin(10.0, 10.0, "c", "<t>\"&'", "</desc><script>");
        svg.label("x\"y", (1.0, 2.0), "start", "<b>\u{0}\u{202e}", "<b>");
        let text = svg.finish();
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("aria-label"), Some("<t>\"&'"));
        let label = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(label.attribute("class"), Some("x\"y"));
        assert!(label.children().any(|node| node.text() == Some("<b>\\u{0}\\u{202e}")));
        assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    }

    #[test]
    fn paths_go_through_points() {
        assert_eq!(Path::through([(0.0, 1.0), (2.5, 3.126)]).data(), "M0 1L2.5 3.13");
        assert_eq!(Path::through([]).data(), "");
    }
}
