//! Borders (spec 01, 6.9): no weights, no neighbour rules.

use napsim_trajectories::action::{BorderLine, BorderSide};
use napsim_trajectories::{Bounds, CellAddress, Range, Value};

use super::{ApplyError, cells_of};
use crate::state::{Cell, CellKey, Property, Workbook, words};

pub(super) fn apply(
    workbook: &mut Workbook,
    range: &Range,
    side: BorderSide,
    line: &BorderLine,
) -> Result<(), ApplyError> {
    let bounds = range.walk()?;
    if bounds.n_cells() == 0 {
        return Ok(());
    }
    let stored = (!line.clears()).then(|| stored_line(line));
    let cells = cells_of(workbook, range.sheet())?;
    for address in bounds.cells() {
        let cell = cells.touch(CellKey::Address(address));
        // Every cell of the range gets the container, also where no side is set.
        cell.touch(Property::Borders);
        for property in sides_at(side, &bounds, address) {
            set_side(cell, property, stored.as_ref());
        }
    }
    Ok(())
}

fn set_side(cell: &mut Cell, property: Property, line: Option<&Value>) {
    match line {
        Some(line) => cell.set(property, line.clone()),
        None => cell.remove(property),
    }
}

/// The stored object: line style from the style's name, and the colour as written.
pub(crate) fn stored_line(line: &BorderLine) -> Value {
    let style = match line.style.as_deref() {
        Some("Dash") => &words::DASHED,
        Some("DashDot") => &words::DASHDOT,
        Some("DashDotDot") => &words::DASHDOTDOT,
        Some("Dot") => &words::DOTTED,
        Some("Double") => &words::DOUBLE,
        Some("SlantDashDot") => &words::SLANTDASHDOT,
        _ => &words::THIN,
    };
    let color = line.color.clone().map_or(Value::Null, Value::Text);
    Value::Object(
        [
            (words::LINE_STYLE.clone(), Value::Text((*style).clone())),
            (words::COLOR.clone(), color),
        ]
        .into(),
    )
}

/// The sides that a border action sets on one cell of its range, in the order in which they are inserted.
pub(crate) fn sides_at(side: BorderSide, bounds: &Bounds, at: CellAddress) -> impl Iterator<Item = Property> + use<> {
    let (first_col, last_col) = (at.col == bounds.first_col, at.col == bounds.last_col);
    let (first_row, last_row) = (at.row == bounds.first_row, at.row == bounds.last_row);
    let at_edge = [
        (Property::BorderLeft, first_col),
        (Property::BorderRight, last_col),
        (Property::BorderTop, first_row),
        (Property::BorderBottom, last_row),
    ];
    let boxed = at_edge.into_iter().filter(move |(property, edge)| match side {
        BorderSide::All => true,
        BorderSide::Outside => *edge,
        BorderSide::Left => *property == Property::BorderLeft && first_col,
        BorderSide::Right => *property == Property::BorderRight && last_col,
        BorderSide::Top => *property == Property::BorderTop && first_row,
        BorderSide::Bottom => *property == Property::BorderBottom && last_row,
        BorderSide::InsideHorizontal => *property == Property::BorderBottom && !last_row,
        BorderSide::InsideVertical => *property == Property::BorderRight && !last_col,
        BorderSide::DiagonalDown | BorderSide::DiagonalUp => false,
    });
    let diagonal = match side {
        BorderSide::DiagonalDown => Some(Property::BorderDiagonalDown),
        BorderSide::DiagonalUp => Some(Property::BorderDiagonalUp),
        _ => None,
    };
    boxed.map(|(property, _)| property).chain(diagonal)
}
