//! The parts that sheets are put together from: title, note, fields, table, footer.

mod table;

use napsim_sim::state::Property;
use napsim_trajectories::range::column_name;
use napsim_trajectories::{Bounds, Value};

use super::canvas::Canvas;
use super::draw::Draw;
use super::palette::{Line, Palette, Style};
use super::quantity::{date, some_day};
use super::words::{Language, Term, company, place};

/// Everything a layout works with.
pub(super) struct Desk {
    pub(super) canvas: Canvas,
    pub(super) draw: Draw,
    pub(super) palette: Palette,
    pub(super) language: Language,
}

/// What stands in a column below its head.
pub(super) enum Content {
    /// These values from the top.
    Values(Vec<Value>),
    /// A formula for each row, told the row's number.
    Formula(Box<dyn Fn(i64) -> String>),
}

/// What stands below a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    None,
    Sum,
    Average,
}

/// One column of a table.
pub(super) struct Column {
    pub(super) head: String,
    pub(super) content: Content,
    pub(super) style: Style,
    pub(super) sum: Aggregate,
}

impl Column {
    pub(super) fn values(head: impl Into<String>, values: Vec<Value>) -> Self {
        Self {
            head: head.into(),
            content: Content::Values(values),
            style: Style::default(),
            sum: Aggregate::None,
        }
    }

    pub(super) fn formula(head: impl Into<String>, formula: impl Fn(i64) -> String + 'static) -> Self {
        Self {
            content: Content::Formula(Box::new(formula)),
            ..Self::values(head, Vec::new())
        }
    }

    pub(super) fn styled(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    pub(super) fn format(mut self, format: &'static str) -> Self {
        self.style.format = Some(format);
        self
    }

    pub(super) fn sum(mut self, sum: Aggregate) -> Self {
        self.sum = sum;
        self
    }
}

/// Where a table stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) first_row: i64,
    pub(super) last_row: i64,
    pub(super) first_col: i64,
    pub(super) last_col: i64,
    pub(super) total_row: Option<i64>,
}

impl Placed {
    /// The body of one column by its place in the table, from 0, in absolute terms: `$B$3:$B$9`.
    pub(super) fn column(&self, idx: i64) -> String {
        let name = column_name(self.first_col + idx);
        format!("${name}${}:${name}${}", self.first_row, self.last_row)
    }

    /// The first free row below.
    pub(super) fn below(&self) -> i64 {
        self.total_row.unwrap_or(self.last_row) + 1
    }
}

/// A rectangle by first and last row and column.
pub(super) fn area(first_row: i64, first_col: i64, last_row: i64, last_col: i64) -> Bounds {
    Bounds {
        first_row,
        first_col,
        last_row,
        last_col,
    }
}

impl Desk {
    /// A word of the sheet's language.
    pub(super) fn term(&self, term: Term) -> &'static str {
        term.text(self.language)
    }

    /// A title over so many columns; returns the next row to use.
    pub(super) fn title(&mut self, row: i64, col: i64, width: i64, text: &str) -> i64 {
        let line = area(row, col, row, col + width - 1);
        self.canvas.put(row, col, text);
        if self.palette.merges_title {
            self.canvas.merge(line);
            self.canvas.dress(area(row, col, row, col), &self.palette.title);
            if let Some(fill) = self.palette.title.fill {
                self.canvas.dress(line, &Style::filled(fill));
            }
        } else {
            let style = Style {
                horizontal: None,
                fill: None,
                ..self.palette.title
            };
            self.canvas.dress(area(row, col, row, col), &style);
        }
        let below = if self.draw.chance(24) {
            self.subtitle(row + 1, col)
        } else {
            row + 1
        };
        below + self.draw.between(0, 1)
    }

    /// A firm, a place or a day under the title; returns the next row to use.
    fn subtitle(&mut self, row: i64, col: i64) -> i64 {
        let at = area(row, col, row, col);
        match self.draw.below(3) {
            0 => {
                let firm = company(&mut self.draw, self.language);
                self.canvas.put(row, col, firm.as_str());
            }
            1 => {
                let place = place(&mut self.draw, self.language);
                self.canvas.put(row, col, place.as_str());
            }
            _ => {
                let day = date(some_day(&mut self.draw));
                self.canvas.put(row, col, day);
                let style = Style {
                    format: Some(self.palette.date),
                    ..Style::aligned("left")
                };
                self.canvas.dress(at, &style);
            }
        }
        let style = Style {
            italic: self.draw.chance(50),
            color: self.draw.chance(30).then_some("#595959"),
            ..Style::default()
        };
        self.canvas.dress(at, &style);
        row + 1
    }

    /// A remark in small or slanted type over so many columns; returns the next row to use.
    pub(super) fn note(&mut self, row: i64, col: i64, width: i64, text: &str) -> i64 {
        let wraps = self.draw.chance(45);
        let style = Style {
            italic: self.draw.chance(60),
            size: self.draw.chance(35).then_some(9),
            color: self.draw.chance(30).then_some("#7F7F7F"),
            wrap: wraps,
            vertical: (wraps && self.draw.chance(50)).then_some("top"),
            ..Style::default()
        };
        self.canvas.put(row, col, text);
        self.canvas.dress(area(row, col, row, col), &style);
        if wraps {
            self.canvas.merge(area(row, col, row, col + width - 1));
        }
        row + 1
    }

    /// Fields with a label and a value each, below each other; returns the next row to use.
    pub(super) fn fields(&mut self, row: i64, col: i64, fields: &[(&str, Value, Option<&'static str>)]) -> i64 {
        let (bold, boxed, lined) = (self.draw.chance(62), self.draw.chance(24), self.draw.chance(30));
        let shade = self.palette.label.fill;
        for (row, (label, value, format)) in (row..).zip(fields) {
            self.canvas.put(row, col, *label);
            let style = Style {
                bold,
                fill: shade,
                ..Style::default()
            };
            self.canvas.dress(area(row, col, row, col), &style);
            let at = area(row, col + 1, row, col + 1);
            self.canvas.put(row, col + 1, value.clone());
            if let Some(format) = format {
                self.canvas.dress(at, &Style::formatted(format));
            }
            if boxed {
                self.canvas.grid(area(row, col, row, col + 1), self.palette.line);
            } else if lined {
                self.canvas.side(at, Property::BorderBottom, self.palette.line);
            }
        }
        row + i64::try_from(fields.len()).unwrap_or(0)
    }

    /// A line for a name and one for a signature.
    pub(super) fn footer(&mut self, row: i64, col: i64, name: &str) {
        if self.draw.chance(50) {
            self.canvas
                .put(row, col, format!("{}: {name}", self.term(Term::Prepared)).as_str());
        } else {
            self.canvas.put(row, col, self.term(Term::Signature));
            let line = area(row, col + 1, row, col + 2);
            self.canvas.side(line, Property::BorderBottom, Line::THIN);
        }
    }
}
