//! What the annotator knows of each cell, row by row.

use std::ops::Range;

use napsim_sim::state::{Cell, CellKey, Cells, Property, Sheet};
use napsim_trajectories::{Bounds, CellAddress, Value, rewrite_clock_text};

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Content {
    None,
    Text,
    Number,
    Truth,
    Clock,
    Formula,
}

impl Content {
    fn of(cell: &Cell) -> Self {
        match cell.get(Property::Formula).or_else(|| cell.get(Property::Value)) {
            None | Some(Value::Null) => Self::None,
            Some(Value::Bool(_)) => Self::Truth,
            Some(Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => Self::Number,
            Some(Value::Text(text)) if text.is_empty() => Self::None,
            Some(Value::Text(text)) if text.starts_with('=') => Self::Formula,
            Some(Value::Text(text)) if is_clock(text) => Self::Clock,
            Some(Value::Text(_) | Value::List(_) | Value::Object(_)) => Self::Text,
        }
    }

    /// Whether it is a number, a truth value, a clock text or a formula.
    pub(super) fn is_data(self) -> bool {
        !matches!(self, Self::None | Self::Text)
    }
}

fn is_clock(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && rewrite_clock_text(text).is_some_and(|clock| clock == text)
}

/// A cell that must lie in a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact<'a> {
    pub(super) at: CellAddress,
    pub(super) cell: &'a Cell,
    pub(super) content: Content,
    /// Whether it shows: a value, a fill other than white, or a border.
    pub(super) shows: bool,
}

impl Fact<'_> {
    pub(super) fn is_valued(&self) -> bool {
        self.content != Content::None
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.cell.get(Property::Value).and_then(Value::as_text)
    }

    /// The formula's text.
    pub(super) fn formula(&self) -> Option<&str> {
        let formula = self.cell.get(Property::Formula).and_then(Value::as_text);
        formula
            .or_else(|| self.text())
            .filter(|_| self.content == Content::Formula)
    }

    pub(super) fn is_bold(&self) -> bool {
        self.cell.get(Property::FontBold).is_some_and(Value::is_truthy)
    }

    pub(super) fn is_filled(&self) -> bool {
        fill(self.cell).is_some_and(|color| !is_white(color))
    }

    /// The font size in tenths of a point, 11 points where it is not set.
    pub(super) fn size_tenths(&self) -> i64 {
        let size = self.cell.get(Property::FontSize).and_then(Value::as_number);
        size.map_or(SIZE_TENTHS_DEFAULT, |size| {
            #[expect(clippy::cast_possible_truncation, reason = "casts of doubles saturate")]
            let tenths = (size * 10.0) as i64;
            tenths
        })
    }
}

const SIZE_TENTHS_DEFAULT: i64 = 110;

/// The colour of a cell's fill, if it has one.
pub(super) fn fill(cell: &Cell) -> Option<&str> {
    let fill = cell.get(Property::Fill)?;
    fill.get("patternType").filter(|pattern| pattern.is_truthy())?;
    fill.get("fgColor").or_else(|| fill.get("bgColor"))?.as_text()
}

fn is_white(color: &str) -> bool {
    color.eq_ignore_ascii_case("#FFFFFF") || color.eq_ignore_ascii_case("white")
}

/// All cells with a value, a fill or a border, row by row, and the merges.
pub(super) struct Facts<'a> {
    /// Row by row, left to right.
    pub(super) cells: Vec<Fact<'a>>,
    /// Each row with cells, and where they begin.
    rows: Vec<(i64, usize)>,
    /// Merges with at least one cell, in reading order of their first cells.
    pub(super) merges: Vec<Bounds>,
    /// The median font size of valued cells, in tenths of a point.
    pub(super) median_size_tenths: i64,
}

impl<'a> Facts<'a> {
    pub(super) fn of(sheet: &'a Sheet) -> Self {
        let mut cells: Vec<Fact<'a>> = Vec::new();
        for (key, cell) in sheet.cells.iter().flat_map(Cells::sorted) {
            if let CellKey::Address(at) = key {
                cells.extend(fact(*at, cell));
            }
        }
        let mut rows: Vec<(i64, usize)> = Vec::new();
        for (idx, fact) in cells.iter().enumerate() {
            if rows.last().is_none_or(|(row, _)| *row != fact.at.row) {
                rows.push((fact.at.row, idx));
            }
        }
        let mut sizes: Vec<i64> = cells
            .iter()
            .filter(|fact| fact.is_valued())
            .map(Fact::size_tenths)
            .collect();
        let middle = sizes.len() / 2;
        let median_size_tenths = if sizes.is_empty() {
            SIZE_TENTHS_DEFAULT
        } else {
            *sizes.select_nth_unstable(middle).1
        };
        let merges = sheet.merges().iter().filter(|merge| merge.n_cells() > 0);
        let mut merges: Vec<Bounds> = merges.copied().collect();
        merges.sort_unstable();
        Self {
            merges,
            cells,
            rows,
            median_size_tenths,
        }
    }

    /// The first row with cells.
    pub(super) fn first_row(&self) -> Option<i64> {
        self.rows.first().map(|(row, _)| *row)
    }

    /// The last row with cells.
    pub(super) fn last_row(&self) -> Option<i64> {
        self.rows.last().map(|(row, _)| *row)
    }

    /// Where the cells of a row lie.
    pub(super) fn row(&self, row: i64) -> Range<usize> {
        let Ok(found) = self.rows.binary_search_by_key(&row, |(row, _)| *row) else {
            return 0..0;
        };
        let at = |idx: usize| self.rows.get(idx).map_or(self.cells.len(), |(_, start)| *start);
        at(found)..at(found + 1)
    }

    /// The cells of a range of indices.
    pub(super) fn slice(&self, range: Range<usize>) -> &[Fact<'a>] {
        self.cells.get(range).unwrap_or_default()
    }

    /// The merge whose first cell this is.
    pub(super) fn merge_at(&self, at: CellAddress) -> Option<&Bounds> {
        let first = |merge: &Bounds| (merge.first_row, merge.first_col);
        let found = self.merges.partition_point(|merge| first(merge) < (at.row, at.col));
        self.merges.get(found).filter(|merge| merge.first_cell() == at)
    }

    /// The rows of cells with these indices, which are in reading order.
    pub(super) fn rows<'s>(&self, members: &'s [u32]) -> Vec<Row<'s>> {
        let row_of = |member: &u32| {
            let idx = usize::try_from(*member).ok()?;
            self.cells.get(idx).map(|fact| fact.at.row)
        };
        let rows = members.chunk_by(|a, b| row_of(a) == row_of(b));
        let with_numbers = rows.filter_map(|members| {
            let row = row_of(members.first()?)?;
            Some(Row { row, members })
        });
        with_numbers.collect()
    }

    /// The cells with these indices.
    pub(super) fn pick<'s>(&'s self, members: &'s [u32]) -> impl Iterator<Item = &'s Fact<'a>> + Clone {
        members
            .iter()
            .filter_map(|member| self.cells.get(usize::try_from(*member).ok()?))
    }
}

/// The cells of one row within a box.
#[derive(Clone, Copy)]
pub(super) struct Row<'s> {
    pub(super) row: i64,
    pub(super) members: &'s [u32],
}

impl<'s> Row<'s> {
    /// Its cells with a value.
    pub(super) fn valued<'f, 'a>(
        &self,
        facts: &'f Facts<'a>,
    ) -> impl Iterator<Item = &'f Fact<'a>> + Clone + use<'f, 'a, 's>
    where
        's: 'f,
    {
        facts.pick(self.members).filter(|fact| fact.is_valued())
    }
}

/// The cell's fact, if it has a value, a fill or a border.
fn fact(at: CellAddress, cell: &Cell) -> Option<Fact<'_>> {
    let content = Content::of(cell);
    let holds = content != Content::None
        || cell
            .get(Property::Value)
            .is_some_and(|value| !matches!(value, Value::Null));
    let fill = fill(cell);
    let bordered = cell.borders().any(|(_, line)| line.is_truthy());
    (holds || fill.is_some() || bordered).then(|| Fact {
        at,
        cell,
        content,
        shows: content != Content::None || bordered || fill.is_some_and(|color| !is_white(color)),
    })
}
