//! AUTOFILL (spec 01, 6.12): each source column or row is an independent lane.

use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Range, Value, shift_references};

use super::series::{Direction, ends_in_digit, extend_sequence, extend_slots};
use super::{ApplyError, FILL_TEXT_BYTES_MAX, cells_of};
use crate::state::{Cell, CellKey, Cells, Property, Workbook};

/// The cells to fill, as lanes: source cells and fill cells, the latter counted away from the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    vertical: bool,
    direction: Direction,
    from: Bounds,
    /// Fill cells in each lane.
    pub(crate) n_fill: i64,
}

impl Geometry {
    pub(crate) fn of(destination: &Bounds, source: &Bounds) -> Self {
        let vertical = source.first_col == destination.first_col && source.last_col == destination.last_col;
        let (after, before) = if vertical {
            (
                destination.last_row - source.last_row,
                source.first_row - destination.first_row,
            )
        } else {
            (
                destination.last_col - source.last_col,
                source.first_col - destination.first_col,
            )
        };
        let (direction, n_fill) = if after > 0 {
            (Direction::Forward, after)
        } else {
            (Direction::Backward, before)
        };
        Self {
            vertical,
            direction,
            from: *source,
            n_fill,
        }
    }

    pub(crate) fn n_source(&self) -> i64 {
        if self.vertical {
            self.from.height()
        } else {
            self.from.width()
        }
    }

    /// The lanes by their column (vertical) or row.
    pub(crate) fn lanes(&self) -> std::ops::RangeInclusive<i64> {
        if self.vertical {
            self.from.first_col..=self.from.last_col
        } else {
            self.from.first_row..=self.from.last_row
        }
    }

    fn at(&self, lane: i64, along: i64) -> CellAddress {
        if self.vertical {
            CellAddress::new(along, lane)
        } else {
            CellAddress::new(lane, along)
        }
    }

    pub(crate) fn source_cell(&self, lane: i64, slot: i64) -> CellAddress {
        let first = if self.vertical {
            self.from.first_row
        } else {
            self.from.first_col
        };
        self.at(lane, first + slot)
    }

    pub(crate) fn fill_cell(&self, lane: i64, step: i64) -> CellAddress {
        let (first, last) = if self.vertical {
            (self.from.first_row, self.from.last_row)
        } else {
            (self.from.first_col, self.from.last_col)
        };
        let along = match self.direction {
            Direction::Forward => last + 1 + step,
            Direction::Backward => first - 1 - step,
        };
        self.at(lane, along)
    }
}

/// The content of one source cell of a lane.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    value: Option<Value>,
    formula: Option<Arc<str>>,
}

impl Source {
    /// Takes a formula typed as a value for a formula.
    pub(crate) fn read(value: Option<&Value>, formula: Option<&Value>) -> Self {
        let formula = match formula {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        match value {
            Some(Value::Text(text)) if formula.is_none() && text.starts_with('=') => Self {
                value: None,
                formula: Some(text.clone()),
            },
            value => Self {
                value: value.cloned(),
                formula,
            },
        }
    }

    fn is_formula(&self) -> bool {
        self.formula.as_ref().is_some_and(|text| text.starts_with('='))
    }

    /// Bytes of the text that each cell filled from the source gets anew; other values are shared with it.
    fn text_bytes(&self) -> u64 {
        let numbered = |value: &Value| value.as_text().filter(|text| ends_in_digit(text)).map(str::len);
        let formula = self.formula.as_ref().map(|formula| formula.len());
        formula.or_else(|| self.value.as_ref().and_then(numbered)).unwrap_or(0) as u64
    }
}

/// The content that a fill gives a cell; what is none is deleted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filled {
    pub(crate) value: Option<Value>,
    pub(crate) formula: Option<Value>,
}

/// The cells that a fill writes, and the cells that it reads.
pub(crate) fn cells(range: &Range, source: &Range) -> (Vec<CellAddress>, Vec<CellAddress>) {
    let geometry = Geometry::of(&range.bounds(), &source.bounds());
    let fill = |lane: i64| {
        let geometry = &geometry;
        (0..geometry.n_fill).map(move |step| geometry.fill_cell(lane, step))
    };
    (
        geometry.lanes().flat_map(fill).collect(),
        source.bounds().cells().collect(),
    )
}

pub(super) fn apply(workbook: &mut Workbook, range: &Range, source: &str, flagged: bool) -> Result<(), ApplyError> {
    let source = Range::parse(source)?;
    let geometry = Geometry::of(&range.bounds(), &source.bounds());
    workbook.touch_sheet(range.sheet());
    let mut n_bytes = 0;
    for lane in geometry.lanes() {
        let cells = cells_of(workbook, range.sheet())?;
        if flagged {
            clear_lane(cells, &geometry, lane);
        } else {
            fill(cells, &geometry, lane, &mut n_bytes)?;
        }
    }
    Ok(())
}

/// The inverse of a fill empties the filled cells and leaves them in place.
fn clear_lane(cells: &mut Cells, geometry: &Geometry, lane: i64) {
    for step in 0..geometry.n_fill {
        *cells.touch(CellKey::Address(geometry.fill_cell(lane, step))) = Cell::default();
    }
}

/// Fills one lane; `n_bytes` sums the text that the fill makes, over its lanes.
fn fill(cells: &mut Cells, geometry: &Geometry, lane: i64, n_bytes: &mut u64) -> Result<(), ApplyError> {
    let source_at = |slot: i64| CellKey::Address(geometry.source_cell(lane, slot));
    let sources: Vec<Cell> = (0..geometry.n_source())
        .map(|slot| cells.get(&source_at(slot)).cloned().unwrap_or_default())
        .collect();
    let contents = sources
        .iter()
        .map(|cell| (cell.get(Property::Value), cell.get(Property::Formula)));
    let filled = fill_lane(geometry, contents, n_bytes)?;
    for ((step, content), source) in (0_i64..).zip(filled).zip(sources.iter().cycle()) {
        let cell = cells.touch(CellKey::Address(geometry.fill_cell(lane, step)));
        for (property, content) in [(Property::Value, content.value), (Property::Formula, content.formula)] {
            match content {
                Some(content) => cell.set(property, content),
                None => cell.remove(property),
            }
        }
        copy_looks(cell, source);
    }
    Ok(())
}

/// The contents that go into the fill cells of a lane, given value and formula of each source cell.
///
/// A formula typed as a value anywhere in the lane makes all its formulas go into values.
pub(crate) fn fill_lane<'v>(
    geometry: &Geometry,
    contents: impl Iterator<Item = (Option<&'v Value>, Option<&'v Value>)>,
    n_bytes: &mut u64,
) -> Result<Vec<Filled>, ApplyError> {
    let n_source = geometry.n_source();
    if geometry.n_fill <= 0 {
        return Ok(Vec::new());
    }
    match n_source {
        0 => return Err(ApplyError::ZeroDivision),
        n if n < 0 => return Err(ApplyError::MissingItem),
        _ => {}
    }
    let mut formulas_in_values = false;
    let sources: Vec<Source> = contents
        .map(|(value, formula)| {
            let source = Source::read(value, formula);
            formulas_in_values |= value.is_some() && source.value.is_none();
            source
        })
        .collect();
    let steps = usize::try_from(geometry.n_fill).unwrap_or(0);
    *n_bytes = sources.iter().fold(*n_bytes, |sum, source| {
        sum.saturating_add(source.text_bytes().saturating_mul((steps / sources.len() + 1) as u64))
    });
    if *n_bytes > FILL_TEXT_BYTES_MAX {
        return Err(ApplyError::FillTooLarge);
    }
    let values = fill_values(&sources, steps, geometry.direction)?;
    let stride = n_source * geometry.direction.sign();
    let filled = (0_i64..).zip(values).zip(sources.iter().cycle());
    let filled = filled.map(|((step, value), source)| {
        let formula = source.formula.as_ref().filter(|_| source.is_formula()).map(|text| {
            let shift = (step / n_source + 1) * stride;
            Value::text(if geometry.vertical {
                shift_references(text, shift, 0)
            } else {
                shift_references(text, 0, shift)
            })
        });
        match formula {
            Some(formula) if formulas_in_values => Filled {
                value: Some(formula),
                formula: None,
            },
            Some(formula) => Filled {
                value: None,
                formula: Some(formula),
            },
            None => Filled {
                value: Some(value).filter(|value| !matches!(value, Value::Null)),
                formula: None,
            },
        }
    });
    Ok(filled.collect())
}

/// The value of each fill cell, null where there is none or where a formula goes.
fn fill_values(sources: &[Source], steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    let values: Vec<Value> = sources
        .iter()
        .map(|source| source.value.clone().unwrap_or(Value::Null))
        .collect();
    if !sources.iter().any(Source::is_formula) {
        return extend_sequence(&values, steps, direction);
    }
    let of_sources = sources.iter().zip(&values);
    let of_sources: Vec<Option<&Value>> = of_sources
        .map(|(source, value)| (!source.is_formula()).then_some(value))
        .collect();
    extend_slots(&of_sources, steps, direction)
}

/// Format and number format follow the source; data type and merges stay as they are.
fn copy_looks(cell: &mut Cell, from: &Cell) {
    if from.holds_any(Property::Format) {
        cell.copy_format(from);
    } else {
        cell.remove(Property::Format);
    }
    match from.get(Property::NumberFormat).filter(|format| format.is_truthy()) {
        Some(format) => cell.set(Property::NumberFormat, format.clone()),
        None => cell.remove(Property::NumberFormat),
    }
}
