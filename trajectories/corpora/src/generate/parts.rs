//! The parts that sheets are put together from: title, note, fields, table, footer.

use napsim_sim::state::Property;
use napsim_trajectories::range::column_name;
use napsim_trajectories::{Bounds, Value};

use super::canvas::Canvas;
use super::draw::Draw;
use super::palette::{Line, Lines, Palette, Style};
use super::words::{Language, Term};

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
pub(super) enum Sum {
    None,
    Sum,
    Average,
}

/// One column of a table.
pub(super) struct Column {
    pub(super) head: String,
    pub(super) content: Content,
    pub(super) style: Style,
    pub(super) sum: Sum,
}

impl Column {
    pub(super) fn values(head: impl Into<String>, values: Vec<Value>) -> Self {
        Self {
            head: head.into(),
            content: Content::Values(values),
            style: Style::default(),
            sum: Sum::None,
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

    pub(super) fn sum(mut self, sum: Sum) -> Self {
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
        row + self.draw.between(1, 2)
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

    /// A table with its head in `row`; totals follow where a column asks for one.
    pub(super) fn table(&mut self, row: i64, col: i64, n_rows: i64, columns: &[Column]) -> Placed {
        let n_cols = i64::try_from(columns.len()).unwrap_or(1);
        let mut placed = Placed {
            first_row: row + 1,
            last_row: row + n_rows,
            first_col: col,
            last_col: col + n_cols - 1,
            total_row: None,
        };
        for (at, column) in (col..).zip(columns) {
            self.canvas.put(row, at, column.head.as_str());
            let body = area(row + 1, at, row + n_rows, at);
            for (row, n) in (row + 1..=row + n_rows).zip(0_usize..) {
                let value = match &column.content {
                    Content::Values(values) => values.get(n).cloned().unwrap_or(Value::Null),
                    Content::Formula(formula) => Value::text(formula(row)),
                };
                if !matches!(value, Value::Null) {
                    self.canvas.put(row, at, value);
                }
            }
            self.canvas.dress(body, &column.style);
        }
        let head = area(row, col, row, placed.last_col);
        self.canvas.dress(head, &self.palette.head);
        let labels = area(placed.first_row, col, placed.last_row, col);
        self.canvas.dress(labels, &self.palette.label);
        if let Some(band) = self.palette.band {
            for row in (placed.first_row..=placed.last_row).filter(|row| (row - placed.first_row) % 2 == 1) {
                self.canvas
                    .dress(area(row, col, row, placed.last_col), &Style::filled(band));
            }
        }
        if columns.iter().any(|column| column.sum != Sum::None) {
            self.totals(&mut placed, columns);
        }
        self.lines(&placed, head);
        placed
    }

    fn totals(&mut self, placed: &mut Placed, columns: &[Column]) {
        let row = placed.last_row + 1;
        placed.total_row = Some(row);
        let averages = columns.iter().all(|column| column.sum != Sum::Sum);
        let word = if averages { Term::Average } else { Term::Total };
        self.canvas.put(row, placed.first_col, self.term(word));
        for (at, column) in (placed.first_col..).zip(columns) {
            let name = column_name(at);
            let body = format!("{name}{}:{name}{}", placed.first_row, placed.last_row);
            match column.sum {
                Sum::None => continue,
                Sum::Sum => self.canvas.put(row, at, format!("=SUM({body})").as_str()),
                Sum::Average => self.canvas.put(row, at, format!("=AVERAGE({body})").as_str()),
            }
            let style = Style {
                format: column.style.format,
                horizontal: column.style.horizontal,
                ..Style::default()
            };
            self.canvas.dress(area(row, at, row, at), &style);
        }
        let line = area(row, placed.first_col, row, placed.last_col);
        self.canvas.dress(line, &self.palette.total);
        if self.draw.chance(40) {
            self.canvas.side(line, Property::BorderTop, Line::THIN);
            if self.draw.chance(35) {
                self.canvas.side(line, Property::BorderBottom, Line::DOUBLE);
            }
        }
    }

    fn lines(&mut self, placed: &Placed, head: Bounds) {
        let line = self.palette.line;
        let last_row = placed.below() - 1;
        let whole = Bounds { last_row, ..head };
        match self.palette.lines {
            Lines::None => {}
            Lines::All => self.canvas.grid(whole, line),
            Lines::Outside => self.canvas.outline(whole, line),
            Lines::HeadBottom => self.canvas.side(head, Property::BorderBottom, line),
            Lines::OutsideAndHead => {
                self.canvas.outline(whole, line);
                self.canvas.side(head, Property::BorderBottom, line);
            }
            Lines::Rows => self.canvas.side(whole, Property::BorderBottom, line),
        }
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
