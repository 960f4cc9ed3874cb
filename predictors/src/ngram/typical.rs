//! Where actions of a keyword usually go (spec chapter 03, 4.2 and 4.4).

use std::collections::BTreeMap;

/// The most frequent steps and shapes; of equally frequent ones those that were seen first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typical {
    /// Rows and columns from an action of the first keyword to one of the second, by their numbers.
    pub(super) steps: BTreeMap<(u32, u32), (i64, i64)>,
    /// Height and width by keyword.
    pub(super) shapes: BTreeMap<u32, (i64, i64)>,
}

impl Typical {
    /// Rows and columns from an action of one keyword to the next action, of another; none where that never happened.
    pub fn step(&self, from: u32, to: u32) -> Option<(i64, i64)> {
        self.steps.get(&(from, to)).copied()
    }

    /// Height and width of the actions of a keyword; none where no sequence went on with one.
    pub fn shape(&self, keyword: u32) -> Option<(i64, i64)> {
        self.shapes.get(&keyword).copied()
    }
}
