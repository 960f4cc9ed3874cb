//! Fills and pastes: content that is not typed.

use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_trajectories::{Action, Bounds, Edit, Range};
use serde::{Deserialize, Serialize};

use super::content::content_kind;
use super::count::Histogram;
use super::shape::ShapeCounts;
use super::tally::Tally;

/// AUTOFILL actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutofillStats {
    /// Where the destination goes on from its source: `down`, `right`, `up`, `left` or `other`.
    pub directions: Tally,
    /// Shapes of the sources.
    pub source_shapes: ShapeCounts,
    /// Cells of the sources.
    pub source_cells: Histogram,
    /// Kind of content in the first cell of the source at that time, `blank` without one.
    pub source_contents: Tally,
    /// Cells filled: those of the destination without those of the source.
    pub cells_filled: Histogram,
}

impl AutofillStats {
    /// Counts an AUTOFILL, given the state before it.
    pub(super) fn add(&mut self, action: &Action, state: &Workbook) {
        let Edit::Autofill { source } = action.edit() else {
            return;
        };
        let Ok(source) = Range::parse(source) else {
            self.directions.add("other");
            return;
        };
        let (from, to) = (source.bounds(), action.range().bounds());
        self.directions.add(direction(&from, &to));
        self.source_shapes.add(&from);
        self.source_cells.add(from.n_cells());
        self.cells_filled.add(to.n_cells().saturating_sub(from.n_cells()));
        let cell = state.cell(source.sheet(), &CellKey::Address(from.first_cell()));
        let content = cell.and_then(|cell| cell.get(Property::Value).or_else(|| cell.get(Property::Formula)));
        self.source_contents.add(content.map_or("blank", content_kind));
    }
}

fn direction(from: &Bounds, to: &Bounds) -> &'static str {
    let same_columns = from.first_col == to.first_col && from.last_col == to.last_col;
    let same_rows = from.first_row == to.first_row && from.last_row == to.last_row;
    let sides = (
        same_columns,
        same_rows,
        from.first_row == to.first_row && from.first_col == to.first_col,
        from.last_row == to.last_row && from.last_col == to.last_col,
    );
    match sides {
        (true, false, true, false) => "down",
        (true, false, false, true) => "up",
        (false, true, true, false) => "right",
        (false, true, false, true) => "left",
        _ => "other",
    }
}

/// `PASTE_FROM` actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasteStats {
    /// Modes in lower case.
    pub modes: Tally,
    /// How the destination's size fits the source's: `equal`, `multiple`, `cell` (one cell stands for the whole) or
    /// `other`.
    pub fits: Tally,
    /// Cells of the sources.
    pub source_cells: Histogram,
}

impl PasteStats {
    /// Counts a paste.
    pub(super) fn add(&mut self, action: &Action) {
        let Edit::Paste { source, mode } = action.edit() else {
            return;
        };
        self.modes.add(&mode.to_lowercase());
        let Ok(source) = Range::parse(source) else {
            self.fits.add("other");
            return;
        };
        let (from, to) = (source.bounds(), action.range().bounds());
        self.source_cells.add(from.n_cells());
        let is_multiple = |size: i64, of: i64| of > 0 && size > 0 && size % of == 0;
        let fit = if (from.height(), from.width()) == (to.height(), to.width()) {
            "equal"
        } else if to.n_cells() == 1 {
            "cell"
        } else if is_multiple(to.height(), from.height()) && is_multiple(to.width(), from.width()) {
            "multiple"
        } else {
            "other"
        };
        self.fits.add(fit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_have_directions_and_sources() {
        let mut state = Workbook::default();
        state.apply(&Action::parse("INPUT | B2 | \"=A1\"").unwrap()).unwrap();
        let mut stats = AutofillStats::default();
        for line in [
            "AUTOFILL | B2:B9 | B2",
            "AUTOFILL | B2:C2 | B2",
            "AUTOFILL | B1:B2 | B2",
            "AUTOFILL | A2:B2 | B2",
            "AUTOFILL | B1:B3 | B2",
            "AUTOFILL | C2:C9 | C2:C3",
        ] {
            stats.add(&Action::parse(line).unwrap(), &state);
        }
        let directions = [("down", 2), ("right", 1), ("up", 1), ("left", 1), ("other", 1)];
        for (name, n) in directions {
            assert_eq!(stats.directions.get(name), n, "{name}");
        }
        assert_eq!((stats.source_shapes.single, stats.source_shapes.column), (5, 1));
        assert_eq!(
            (stats.source_contents.get("formula"), stats.source_contents.get("blank")),
            (5, 1)
        );
        assert_eq!(stats.cells_filled.sum(), 7 + 1 + 1 + 1 + 2 + 6);
    }

    #[test]
    fn pastes_have_modes_and_fits() {
        let mut stats = PasteStats::default();
        for line in [
            "PASTE_FROM | A1:B2 | C1:D2 | all",
            "PASTE_FROM | A1:B4 | C1:D2 | Values",
            "PASTE_FROM | A1 | C1:D2 | all",
            "PASTE_FROM | A1:B3 | C1:D2 | all",
        ] {
            stats.add(&Action::parse(line).unwrap());
        }
        assert_eq!((stats.modes.get("all"), stats.modes.get("values")), (3, 1));
        for fit in ["equal", "multiple", "cell", "other"] {
            assert_eq!(stats.fits.get(fit), 1, "{fit}");
        }
    }
}
