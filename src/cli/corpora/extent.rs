//! The part of a sheet that is in use.

use napsim_sim::state::{Cells, Workbook};
use napsim_trajectories::CellAddress;

/// The last row and column in use over all sheets, by a cell or a merge; none of an empty workbook.
pub(super) fn last_cell(workbook: &Workbook) -> Option<CellAddress> {
    let of_cells = workbook
        .sheets()
        .filter_map(|(_, sheet)| sheet.cells.as_ref())
        .flat_map(Cells::sorted)
        .filter(|(_, cell)| !cell.is_empty())
        .filter_map(|(key, _)| key.address());
    let of_merges = workbook
        .sheets()
        .flat_map(|(_, sheet)| sheet.merges())
        .map(|merge| CellAddress::new(merge.last_row, merge.last_col));
    of_cells.chain(of_merges).reduce(|last, cell| CellAddress {
        row: last.row.max(cell.row),
        col: last.col.max(cell.col),
    })
}
