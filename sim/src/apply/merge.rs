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
    if bounds.n_cells() == 0 {
        return Err(ApplyError::MissingItem);
    }
    let known = sheet.cells.as_ref().unwrap_or(&scratch);
    let edges = Edges::find(&bounds, |at, side| side_of(known, at, side));
    let walk = range.walk()?;
    let sides: Vec<_> = walk.cells().map(|at| (at, sides_at(&edges, &bounds, at))).collect();
    let cells = sheet.cells.as_mut().unwrap_or(&mut scratch);
    for (address, sides) in sides {
        let key = CellKey::Address(address);
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

/// A border side as a state stores it.
pub(crate) trait Line: Clone {
    /// Whether both sides draw the same line.
    fn is_same_line(&self, other: &Self) -> bool;
}

impl Line for &Value {
    fn is_same_line(&self, other: &Self) -> bool {
        same_line(self, other)
    }
}

/// The borders around a range that survive merging, each as its stored object.
pub(crate) struct Edges<L> {
    /// Left, right, top and bottom.
    pub(crate) lines: [Option<L>; 4],
}

impl<L: Line> Edges<L> {
    /// The edges of a range with at least one cell, whose sides `line` reads; an empty object counts as no side.
    pub(crate) fn find(bounds: &Bounds, line: impl Fn(CellAddress, Property) -> Option<L>) -> Self {
        let column = |col: i64| (bounds.first_row..=bounds.last_row).map(move |row| CellAddress::new(row, col));
        let row = |row: i64| (bounds.first_col..=bounds.last_col).map(move |col| CellAddress::new(row, col));
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
        Self {
            lines: [left, right, top, bottom],
        }
    }
}

impl<L: Clone> Edges<L> {
    /// The edges of one cell of the merged range: left, right, top and bottom.
    pub(crate) fn at(&self, bounds: &Bounds, at: CellAddress) -> [Option<L>; 4] {
        let [left, right, top, bottom] = &self.lines;
        let edge = |line: &Option<L>, applies: bool| line.clone().filter(|_| applies);
        [
            edge(left, at.col == bounds.first_col),
            edge(right, at.col == bounds.last_col),
            edge(top, at.row == bounds.first_row),
            edge(bottom, at.row == bounds.last_row),
        ]
    }
}

/// The border that all cells share, if the first has one and the others match it.
fn common<L: Line>(mut lines: impl Iterator<Item = Option<L>>) -> Option<L> {
    let first = lines.next()??;
    lines
        .all(|line| line.is_some_and(|line| first.is_same_line(&line)))
        .then_some(first)
}

/// A stored side; an empty object counts as absent.
fn side_of(cells: &Cells, at: CellAddress, side: Property) -> Option<&Value> {
    cells
        .get(&CellKey::Address(at))
        .and_then(|cell| cell.get(side))
        .filter(|line| line.is_truthy())
}

/// The sides of one cell of a merged range, in the order in which they are stored.
fn sides_at(edges: &Edges<&Value>, bounds: &Bounds, at: CellAddress) -> Vec<(Property, Value)> {
    let [left, right, top, bottom] = edges.at(bounds, at);
    let left = (Property::BorderLeft, left);
    let right = (Property::BorderRight, right);
    let top = (Property::BorderTop, top);
    let bottom = (Property::BorderBottom, bottom);
    let sides = if at == bounds.first_cell() {
        [left, top, right, bottom]
    } else {
        [left, right, top, bottom]
    };
    let present = sides
        .into_iter()
        .filter_map(|(side, line)| line.map(|line| (side, line.clone())));
    present.collect()
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
