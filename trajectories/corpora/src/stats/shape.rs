//! Shapes of ranges and steps between them.

use napsim_trajectories::Bounds;
use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// How many ranges have which shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeCounts {
    /// One cell.
    pub single: u64,
    /// Several cells of one row.
    pub row: u64,
    /// Several cells of one column.
    pub column: u64,
    /// Several rows and columns.
    pub block: u64,
    /// Reversed ranges, which hold no cell.
    pub reversed: u64,
}

impl ShapeCounts {
    /// Counts one more range.
    pub fn add(&mut self, bounds: &Bounds) {
        *match (bounds.height(), bounds.width()) {
            (1, 1) => &mut self.single,
            (height, width) if height < 1 || width < 1 => &mut self.reversed,
            (1, _) => &mut self.row,
            (_, 1) => &mut self.column,
            _ => &mut self.block,
        } += 1;
    }

    /// How many ranges were counted.
    pub fn total(&self) -> u64 {
        self.single + self.row + self.column + self.block + self.reversed
    }

    /// The counts by name.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (name, n) in [
            ("single", self.single),
            ("row", self.row),
            ("column", self.column),
            ("block", self.block),
            ("reversed", self.reversed),
        ] {
            if n > 0 {
                tally.add_many(name, n);
            }
        }
        tally
    }
}

/// The step from the first cell of one range to the first cell of the next, by name.
///
/// `same`, `right`, `below`, `left` and `above` are the cell itself and its four neighbours; farther steps are
/// `row` along the row, `column` along the column and `other` else.
pub(super) fn offset_name(from: &Bounds, to: &Bounds) -> &'static str {
    match (to.first_row - from.first_row, to.first_col - from.first_col) {
        (0, 0) => "same",
        (0, 1) => "right",
        (1, 0) => "below",
        (0, -1) => "left",
        (-1, 0) => "above",
        (0, _) => "row",
        (_, 0) => "column",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Range;

    use super::*;

    #[test]
    fn shapes_and_steps_have_names() {
        let mut counts = ShapeCounts::default();
        for text in ["A1", "A1:B1", "A1:A9", "A1:B2", "B2:A1"] {
            counts.add(&Range::parse(text).unwrap().bounds());
        }
        assert_eq!(counts.total(), 5);
        assert_eq!(counts.tally().0.values().copied().collect::<Vec<_>>(), [1; 5]);
        let step = |from: &str, to: &str| {
            let bounds = |text: &str| Range::parse(text).unwrap().bounds();
            offset_name(&bounds(from), &bounds(to))
        };
        assert_eq!(step("B2:D4", "B2"), "same");
        assert_eq!(step("B2", "C2:D9"), "right");
        assert_eq!(step("B2", "B3"), "below");
        assert_eq!(step("B2", "B1"), "above");
        assert_eq!(step("B2", "A2"), "left");
        assert_eq!(step("B2", "F2"), "row");
        assert_eq!(step("B2", "B9"), "column");
        assert_eq!(step("B2", "A3"), "other");
    }
}
