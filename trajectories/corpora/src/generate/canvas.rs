//! A sheet under construction.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Property, Sheet};
use napsim_trajectories::{Bounds, CellAddress, Value, rewrite_clock_text};

use super::palette::{Line, Style};

/// Cells and merges in the order of the sheet.
#[derive(Default)]
pub(super) struct Canvas {
    cells: BTreeMap<CellAddress, Cell>,
    merges: Vec<Bounds>,
    /// The font of every cell with content, if it is not the default.
    font: Option<&'static str>,
    /// The size of every cell with content that has none of its own.
    size: Option<i64>,
}

/// The order in which a cell's properties are written.
const ORDER: [Property; 17] = [
    Property::Value,
    Property::NumberFormat,
    Property::FontName,
    Property::FontSize,
    Property::FontBold,
    Property::FontItalic,
    Property::FontColor,
    Property::FontUnderline,
    Property::Fill,
    Property::HorizontalAlignment,
    Property::VerticalAlignment,
    Property::TextOrientation,
    Property::WrapText,
    Property::BorderLeft,
    Property::BorderRight,
    Property::BorderTop,
    Property::BorderBottom,
];

impl Canvas {
    /// An empty sheet whose contents all have this font and size, where they are not the default.
    pub(super) fn new(font: Option<&'static str>, size: Option<i64>) -> Self {
        Self {
            font,
            size,
            ..Self::default()
        }
    }

    /// Writes a value; texts become what typing would leave of them.
    pub(super) fn put(&mut self, row: i64, col: i64, value: impl Into<Value>) {
        let value = match value.into() {
            Value::Text(text) if text.is_empty() => return,
            Value::Text(text) => Value::Text(typed(text)),
            other => other,
        };
        self.cell(CellAddress::new(row, col)).set(Property::Value, value);
    }

    fn cell(&mut self, at: CellAddress) -> &mut Cell {
        self.cells.entry(at).or_default()
    }

    /// Dresses every cell of a range.
    pub(super) fn dress(&mut self, range: Bounds, style: &Style) {
        for at in range.cells() {
            let cell = self.cell(at);
            for (property, value) in style.properties() {
                cell.set(property, value);
            }
        }
    }

    /// Draws a line at one side of every cell of a range.
    pub(super) fn side(&mut self, range: Bounds, side: Property, line: Line) {
        for at in range.cells() {
            self.cell(at).set(side, line.stored());
        }
    }

    /// Draws lines on all sides of every cell.
    pub(super) fn grid(&mut self, range: Bounds, line: Line) {
        for side in Property::BOX_SIDES {
            self.side(range, side, line);
        }
    }

    /// Draws a line around a range.
    pub(super) fn outline(&mut self, range: Bounds, line: Line) {
        let edges = [
            (
                Property::BorderLeft,
                Bounds {
                    last_col: range.first_col,
                    ..range
                },
            ),
            (
                Property::BorderRight,
                Bounds {
                    first_col: range.last_col,
                    ..range
                },
            ),
            (
                Property::BorderTop,
                Bounds {
                    last_row: range.first_row,
                    ..range
                },
            ),
            (
                Property::BorderBottom,
                Bounds {
                    first_row: range.last_row,
                    ..range
                },
            ),
        ];
        for (side, edge) in edges {
            self.side(edge, side, line);
        }
    }

    /// Merges a range of more than one cell.
    pub(super) fn merge(&mut self, range: Bounds) {
        if range.n_cells() > 1 {
            self.merges.push(range);
        }
    }

    /// How many cells there are.
    pub(super) fn n_cells(&self) -> usize {
        self.cells.values().filter(|cell| holds(cell)).count()
    }

    /// The last row with a cell.
    pub(super) fn last_row(&self) -> i64 {
        self.cells.keys().next_back().map_or(0, |at| at.row)
    }

    /// The finished sheet.
    pub(super) fn finish(mut self) -> Sheet {
        self.settle_merges();
        self.spread_fonts();
        let mut sheet = Sheet::default();
        let cells = sheet.cells.get_or_insert_default();
        for (at, cell) in self.cells.iter().filter(|(_, cell)| holds(cell)) {
            let finished = cells.touch(CellKey::Address(*at));
            for property in ORDER {
                if let Some(value) = cell.get(property) {
                    finished.set(property, value.clone());
                }
            }
        }
        self.merges.sort_unstable();
        sheet.merges = Some(self.merges);
        sheet
    }

    /// Keeps of merged cells what a merge keeps: lines along the edge, and the fill of the first cell.
    fn settle_merges(&mut self) {
        for merge in &self.merges {
            let anchor = merge.first_cell();
            let fill = self
                .cells
                .get(&anchor)
                .and_then(|cell| cell.get(Property::Fill))
                .cloned();
            for at in merge.cells() {
                let Some(cell) = self.cells.get_mut(&at) else { continue };
                let inner = [
                    (Property::BorderLeft, at.col > merge.first_col),
                    (Property::BorderRight, at.col < merge.last_col),
                    (Property::BorderTop, at.row > merge.first_row),
                    (Property::BorderBottom, at.row < merge.last_row),
                ];
                for (side, _) in inner.iter().filter(|(_, is_inner)| *is_inner) {
                    cell.remove(*side);
                }
                if at != anchor {
                    let is_line = |property: &Property| Property::BOX_SIDES.contains(property);
                    for property in ORDER.iter().filter(|property| !is_line(property)) {
                        cell.remove(*property);
                    }
                    if let Some(fill) = &fill {
                        cell.set(Property::Fill, fill.clone());
                    }
                }
            }
        }
    }

    fn spread_fonts(&mut self) {
        let valued = self.cells.values_mut().filter(|cell| cell.has(Property::Value));
        for cell in valued {
            if let Some(font) = self.font {
                cell.set(Property::FontName, Value::text(font));
            }
            if let Some(size) = self.size.filter(|_| !cell.has(Property::FontSize)) {
                cell.set(Property::FontSize, Value::Int(size));
            }
        }
    }
}

/// Whether any property is left beside containers.
fn holds(cell: &Cell) -> bool {
    cell.entries().iter().any(|(property, _)| !property.is_container())
}

/// What typing leaves of a text: clock texts are rewritten.
fn typed(text: Arc<str>) -> Arc<str> {
    rewrite_clock_text(&text).map_or(text, Arc::from)
}
