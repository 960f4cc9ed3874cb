//! Tables: head, body, totals, lines and touches by hand.

use napsim_sim::state::Property;
use napsim_trajectories::range::column_name;
use napsim_trajectories::{Bounds, Value};

use super::{Aggregate, Column, Content, Desk, Placed, area};
use crate::generate::palette::{Line, Lines, Style};
use crate::generate::words::{List, Term, words};

impl Desk {
    /// A table with its head in `row`; totals follow where a column asks for one.
    pub(in crate::generate) fn table(&mut self, row: i64, col: i64, n_rows: i64, columns: &[Column]) -> Placed {
        let notes = (n_rows > 4 && self.draw.chance(14)).then(|| self.notes(n_rows));
        let columns: Vec<&Column> = columns.iter().chain(&notes).collect();
        let columns = columns.as_slice();
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
        if columns.iter().any(|column| column.sum != Aggregate::None) {
            self.totals(&mut placed, columns);
        }
        self.lines(&placed, head);
        if self.draw.chance(18) {
            self.touch_up(&placed);
        }
        placed
    }

    /// Now and then a line over some columns of the head below it, merged; returns the row of the head.
    pub(in crate::generate) fn over_head(&mut self, row: i64, first_col: i64, last_col: i64, text: &str) -> i64 {
        if !self.draw.chance(36) {
            return row;
        }
        let line = area(row, first_col, row, last_col);
        self.canvas.put(row, first_col, text);
        self.canvas.merge(line);
        let style = Style {
            horizontal: Some("center"),
            ..self.palette.head
        };
        self.canvas.dress(line, &style);
        if self.palette.lines == Lines::All {
            self.canvas.grid(line, self.palette.line);
        }
        row + 1
    }

    /// Blocks of rows with one word each, for a column of merged cells: the words, and first and last row of each.
    pub(in crate::generate) fn blocks(&mut self, list: List, n_rows: i64) -> (Vec<Value>, Vec<(i64, i64)>) {
        let things = words(list, self.language);
        let (mut values, mut blocks, mut row) = (Vec::new(), Vec::new(), 0);
        for thing in things.iter().cycle() {
            if row >= n_rows {
                break;
            }
            let last = (row + self.draw.between(1, 5)).min(n_rows - 1);
            values.push(Value::text(*thing));
            values.extend((row..last).map(|_| Value::Null));
            blocks.push((row, last));
            row = last + 1;
        }
        (values, blocks)
    }

    /// A column of remarks, most of it empty.
    fn notes(&mut self, n_rows: i64) -> Column {
        let remarks = words(List::Remarks, self.language);
        let mut remark = || self.draw.pick(&remarks).filter(|_| self.draw.chance(22));
        let notes = (0..n_rows).map(|_| remark().map_or(Value::Null, Value::text)).collect();
        let style = Style {
            italic: self.draw.chance(30),
            wrap: self.draw.chance(40),
            ..Style::default()
        };
        Column::values(self.term(Term::Note), notes).styled(style)
    }

    /// Marks a few cells by hand, all in the same way.
    fn touch_up(&mut self, placed: &Placed) {
        let accent = self.palette.accent;
        let style = self.draw.weighted(
            Style::bold(),
            &[
                (40, Style::filled("#FFFF00")),
                (
                    25,
                    Style {
                        color: Some(accent),
                        ..Style::default()
                    },
                ),
                (
                    20,
                    Style {
                        color: Some("#FF0000"),
                        ..Style::bold()
                    },
                ),
                (
                    15,
                    Style {
                        italic: true,
                        ..Style::default()
                    },
                ),
            ],
        );
        for _ in 0..self.draw.between(1, 4) {
            let row = self.draw.between(placed.first_row, placed.last_row);
            let first_col = self.draw.between(placed.first_col, placed.last_col);
            let last_col = if self.draw.chance(25) {
                placed.last_col
            } else {
                first_col
            };
            self.canvas.dress(area(row, first_col, row, last_col), &style);
        }
    }

    fn totals(&mut self, placed: &mut Placed, columns: &[&Column]) {
        let row = placed.last_row + 1;
        placed.total_row = Some(row);
        let averages = columns.iter().all(|column| column.sum != Aggregate::Sum);
        let word = if averages { Term::Average } else { Term::Total };
        self.canvas.put(row, placed.first_col, self.term(word));
        for (at, column) in (placed.first_col..).zip(columns) {
            let name = column_name(at);
            let body = format!("{name}{}:{name}{}", placed.first_row, placed.last_row);
            match column.sum {
                Aggregate::None => continue,
                Aggregate::Sum => self.canvas.put(row, at, format!("=SUM({body})").as_str()),
                Aggregate::Average => self.canvas.put(row, at, format!("=AVERAGE({body})").as_str()),
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
}
