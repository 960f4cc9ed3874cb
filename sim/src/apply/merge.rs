//! MERGE and UNMERGE with their migration of borders (spec 01, 6.10).

use napsim_trajectories::{Bounds, CellAddress, Range, Value};

use super::{ApplyError, cells_in};
use crate::state::{Cell, CellKey, Cells, Property, Sheet, Workbook, same_line};

pub(super) fn merge(workbook: &mut Workbook, range: &Range, flagged: bool) -> Result<(), ApplyError> {
    let sheet = workbook.touch_sheet(range.sheet());
    let bounds = range.bounds();
    let merges = sheet.merges.as_mut().ok_or(ApplyError::MissingProperties)?;
    if merges.contains(&bounds) {
        return Ok(());
    }
    if flagged {
        merges.push(bounds);
        return Ok(());
    }
    // A sheet without cells is merged on a map that is thrown away: only the record is kept.
    let mut scratch = Cells::default();
    let edges = Edges::find(sheet.cells.as_ref().unwrap_or(&scratch), &bounds).ok_or(ApplyError::MissingItem)?;
    let walk = range.walk()?;
    let cells = sheet.cells.as_mut().unwrap_or(&mut scratch);
    for address in walk.cells() {
        let key = CellKey::Address(address);
        let sides = edges.at(&bounds, address);
        if address == bounds.first_cell() {
            keep_anchor(cells.touch(key), sides);
        } else if sides.is_empty() {
            cells.remove(&key);
        } else {
            let cell = cells.touch(key);
            *cell = Cell::default();
            cell.replace_borders(sides);
        }
    }
    if let Some(merges) = sheet.merges.as_mut() {
        merges.push(bounds);
    }
    Ok(())
}

fn keep_anchor(cell: &mut Cell, sides: Vec<(Property, Value)>) {
    if !sides.is_empty() {
        cell.replace_borders(sides);
    } else if cell.has(Property::Format) {
        cell.remove(Property::Borders);
        if !cell.holds_any(Property::Format) {
            cell.remove(Property::Format);
        }
    }
}

/// The borders around a range that survive merging, each as its stored object.
struct Edges {
    left: Option<Value>,
    right: Option<Value>,
    top: Option<Value>,
    bottom: Option<Value>,
}

impl Edges {
    /// The edges of a range; none when the range is reversed and has no first cell.
    fn find(cells: &Cells, bounds: &Bounds) -> Option<Self> {
        if bounds.n_cells() == 0 {
            return None;
        }
        let column = |col: i64| (bounds.first_row..=bounds.last_row).map(move |row| CellAddress::new(row, col));
        let row = |row: i64| (bounds.first_col..=bounds.last_col).map(move |col| CellAddress::new(row, col));
        let line = |at: CellAddress, side: Property| side_of(cells, at, side);
        let left = common(column(bounds.first_col).map(|at| line(at, Property::BorderLeft)));
        let top = common(row(bounds.first_row).map(|at| line(at, Property::BorderTop)));
        let mut right = common(column(bounds.last_col).map(|at| line(at, Property::BorderRight)));
        let mut bottom = common(row(bounds.last_row).map(|at| line(at, Property::BorderBottom)));
        // Where the far side has no border at all, the anchor's own one moves there.
        if right.is_none()
            && bounds.width() > 1
            && column(bounds.last_col).all(|at| line(at, Property::BorderRight).is_none())
        {
            right = line(bounds.first_cell(), Property::BorderRight);
        }
        if bottom.is_none()
            && bounds.height() > 1
            && row(bounds.last_row).all(|at| line(at, Property::BorderBottom).is_none())
        {
            bottom = line(bounds.first_cell(), Property::BorderBottom);
        }
        Some(Self {
            left: left.cloned(),
            right: right.cloned(),
            top: top.cloned(),
            bottom: bottom.cloned(),
        })
    }

    /// The sides of one cell of the merged range.
    fn at(&self, bounds: &Bounds, at: CellAddress) -> Vec<(Property, Value)> {
        let first = |edge: &Option<Value>, applies: bool| edge.clone().filter(|_| applies);
        let left = first(&self.left, at.col == bounds.first_col).map(|line| (Property::BorderLeft, line));
        let right = first(&self.right, at.col == bounds.last_col).map(|line| (Property::BorderRight, line));
        let top = first(&self.top, at.row == bounds.first_row).map(|line| (Property::BorderTop, line));
        let bottom = first(&self.bottom, at.row == bounds.last_row).map(|line| (Property::BorderBottom, line));
        let sides = if at == bounds.first_cell() {
            [left, top, right, bottom]
        } else {
            [left, right, top, bottom]
        };
        sides.into_iter().flatten().collect()
    }
}

/// The border that all cells share, if the first has one and the others match it.
fn common<'a>(mut lines: impl Iterator<Item = Option<&'a Value>>) -> Option<&'a Value> {
    let first = lines.next()??;
    lines
        .all(|line| line.is_some_and(|line| same_line(first, line)))
        .then_some(first)
}

/// A stored side; an empty object counts as absent.
fn side_of(cells: &Cells, at: CellAddress, side: Property) -> Option<&Value> {
    cells
        .get(&CellKey::Address(at))
        .and_then(|cell| cell.get(side))
        .filter(|line| line.is_truthy())
}

pub(super) fn unmerge(workbook: &mut Workbook, range: &Range, flagged: bool) -> Result<(), ApplyError> {
    let sheet = workbook.touch_sheet(range.sheet());
    let bounds = range.bounds();
    if flagged {
        return forget(sheet, &bounds);
    }
    let cells = cells_in(sheet)?;
    let anchor = cells.touch(CellKey::Address(bounds.first_cell()));
    let mut spread = anchor.clone();
    spread.retain_format();
    spread.remove(Property::Borders);
    let spreads = spread.holds_any(Property::Format);
    reduce_anchor(anchor, &bounds);
    for address in range.walk()?.cells().filter(|address| *address != bounds.first_cell()) {
        spread_format(cells, address, spreads.then_some(&spread));
    }
    forget(sheet, &bounds)
}

/// The anchor keeps only the sides that belong to a single cell of the range.
fn reduce_anchor(anchor: &mut Cell, bounds: &Bounds) {
    if !anchor.holds_any(Property::Borders) {
        return;
    }
    // The sides are stored anew in this order, whatever order they were in.
    let kept = [
        (Property::BorderLeft, true),
        (Property::BorderTop, true),
        (Property::BorderRight, bounds.width() == 1),
        (Property::BorderBottom, bounds.height() == 1),
    ];
    let sides: Vec<_> = kept
        .into_iter()
        .filter(|(_, stays)| *stays)
        .filter_map(|(side, _)| anchor.get(side).map(|line| (side, line.clone())))
        .collect();
    if !sides.is_empty() {
        return anchor.replace_borders(sides);
    }
    anchor.remove(Property::Borders);
    if !anchor.holds_any(Property::Format) {
        anchor.remove(Property::Format);
    }
}

/// A cell of an unmerged range keeps its own borders and takes the anchor's other formats.
fn spread_format(cells: &mut Cells, address: CellAddress, spread: Option<&Cell>) {
    let key = CellKey::Address(address);
    if spread.is_none() && cells.get(&key).is_none() {
        return;
    }
    let cell = cells.touch(key.clone());
    let own: Vec<_> = cell.borders().map(|(side, line)| (side, line.clone())).collect();
    *cell = spread.cloned().unwrap_or_default();
    if !own.is_empty() {
        cell.replace_borders(own);
    }
    if cell.is_empty() {
        cells.remove(&key);
    }
}

fn forget(sheet: &mut Sheet, bounds: &Bounds) -> Result<(), ApplyError> {
    let merges = sheet.merges.as_mut().ok_or(ApplyError::MissingProperties)?;
    if let Some(found) = merges.iter().position(|merge| merge == bounds) {
        merges.remove(found);
    }
    Ok(())
}
