//! The part of a sheet that is in use.

use napsim_sim::state::{Cells, Workbook};
use napsim_trajectories::CellAddress;

/// The last row and column in use over all sheets; none of an empty workbook.
pub(super) fn last_cell(workbook: &Workbook) -> Option<CellAddress> {
    let cells = workbook.sheets().filter_map(|(_, sheet)| sheet.cells.as_ref());
    let used = cells.flat_map(Cells::sorted).filter(|(_, cell)| !cell.is_empty());
    used.filter_map(|(key, _)| key.address())
        .reduce(|last, cell| CellAddress {
            row: last.row.max(cell.row),
            col: last.col.max(cell.col),
        })
}
