//! AUTOFILL (spec 01, 6.12): each source column or row is an independent lane.

use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Range, Value, shift_references};

use super::series::{Direction, ends_in_digit, extend_sequence, extend_slots};
use super::{ApplyError, FILL_TEXT_BYTES_MAX, cells_of};
use crate::state::{Cell, CellKey, Cells, Property, Workbook};

/// The cells to fill, as lanes: source cells and fill cells, the latter counted away from the source.
struct Geometry {
    vertical: bool,
    direction: Direction,
    from: Bounds,
    /// Fill cells in each lane.
    n_fill: i64,
}

impl Geometry {
    fn of(destination: &Bounds, source: &Bounds) -> Self {
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

    fn n_source(&self) -> i64 {
        if self.vertical {
            self.from.height()
        } else {
            self.from.width()
        }
    }

    /// The lanes by their column (vertical) or row.
    fn lanes(&self) -> std::ops::RangeInclusive<i64> {
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

    fn source_cell(&self, lane: i64, slot: i64) -> CellAddress {
        let first = if self.vertical {
            self.from.first_row
        } else {
            self.from.first_col
        };
        self.at(lane, first + slot)
    }

    fn fill_cell(&self, lane: i64, step: i64) -> CellAddress {
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

/// One source cell of a lane.
struct Slot {
    cell: Cell,
    value: Option<Value>,
    formula: Option<Arc<str>>,
}

impl Slot {
    /// Bytes of the text that each cell filled from the slot gets anew; other values are shared with the source.
    fn text_bytes(&self) -> u64 {
        let numbered = |value: &Value| value.as_text().filter(|text| ends_in_digit(text)).map(str::len);
        let formula = self.formula.as_ref().map(|formula| formula.len());
        formula.or_else(|| self.value.as_ref().and_then(numbered)).unwrap_or(0) as u64
    }
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
            fill_lane(cells, &geometry, lane, &mut n_bytes)?;
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
fn fill_lane(cells: &mut Cells, geometry: &Geometry, lane: i64, n_bytes: &mut u64) -> Result<(), ApplyError> {
    let n_source = geometry.n_source();
    if geometry.n_fill <= 0 {
        return Ok(());
    }
    match n_source {
        0 => return Err(ApplyError::ZeroDivision),
        n if n < 0 => return Err(ApplyError::MissingItem),
        _ => {}
    }
    let mut formulas_in_values = false;
    let slots: Vec<Slot> = (0..n_source)
        .map(|slot| read_slot(cells, geometry.source_cell(lane, slot), &mut formulas_in_values))
        .collect();
    let steps = usize::try_from(geometry.n_fill).unwrap_or(0);
    *n_bytes = slots.iter().fold(*n_bytes, |sum, slot| {
        sum.saturating_add(slot.text_bytes().saturating_mul((steps / slots.len() + 1) as u64))
    });
    if *n_bytes > FILL_TEXT_BYTES_MAX {
        return Err(ApplyError::FillTooLarge);
    }
    let values = fill_values(&slots, steps, geometry.direction)?;
    let stride = n_source * geometry.direction.sign();
    for ((step, value), slot) in (0_i64..).zip(values).zip(slots.iter().cycle()) {
        let formula = slot.formula.as_ref().filter(|text| text.starts_with('=')).map(|text| {
            let shift = (step / n_source + 1) * stride;
            if geometry.vertical {
                shift_references(text, shift, 0)
            } else {
                shift_references(text, 0, shift)
            }
        });
        let cell = cells.touch(CellKey::Address(geometry.fill_cell(lane, step)));
        match formula {
            Some(formula) if formulas_in_values => {
                cell.set(Property::Value, Value::text(formula));
                cell.remove(Property::Formula);
            }
            Some(formula) => {
                cell.set(Property::Formula, Value::text(formula));
                cell.remove(Property::Value);
            }
            None => {
                match value {
                    Value::Null => cell.remove(Property::Value),
                    value => cell.set(Property::Value, value),
                }
                cell.remove(Property::Formula);
            }
        }
        copy_looks(cell, &slot.cell);
    }
    Ok(())
}

/// Reads one source cell; a formula typed as a value is taken for a formula, which marks the whole lane.
fn read_slot(cells: &Cells, at: CellAddress, formulas_in_values: &mut bool) -> Slot {
    let cell = cells.get(&CellKey::Address(at)).cloned().unwrap_or_default();
    let mut value = cell.get(Property::Value).cloned();
    let mut formula = match cell.get(Property::Formula) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    if formula.is_none()
        && let Some(Value::Text(text)) = &value
        && text.starts_with('=')
    {
        formula = Some(text.clone());
        value = None;
        *formulas_in_values = true;
    }
    Slot { cell, value, formula }
}

/// The value of each fill cell, null where there is none or where a formula goes.
fn fill_values(slots: &[Slot], steps: usize, direction: Direction) -> Result<Vec<Value>, ApplyError> {
    let is_formula = |slot: &Slot| slot.formula.as_ref().is_some_and(|text| text.starts_with('='));
    let values: Vec<Value> = slots
        .iter()
        .map(|slot| slot.value.clone().unwrap_or(Value::Null))
        .collect();
    if !slots.iter().any(is_formula) {
        return extend_sequence(&values, steps, direction);
    }
    let of_slots = slots.iter().zip(&values);
    let of_slots: Vec<Option<&Value>> = of_slots
        .map(|(slot, value)| (!is_formula(slot)).then_some(value))
        .collect();
    extend_slots(&of_slots, steps, direction)
}

/// Format and number format follow the slot; data type and merges stay as they are.
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
