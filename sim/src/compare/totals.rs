//! The cells that a comparison is restricted to, and the counts that come out of it.

use std::sync::Arc;

use napsim_trajectories::CellAddress;
use rustc_hash::{FxHashMap, FxHashSet};

use super::kinds::{Compared, Match, PropertyType};
use super::record::Difference;
use crate::counts::Counts;

/// The cells that a restricted comparison looks at (spec 02, 3.2).
#[derive(Clone, Debug, Default)]
pub struct CellSet {
    sheets: FxHashMap<Arc<str>, FxHashSet<CellAddress>>,
}

impl CellSet {
    /// Adds cells of a sheet.
    pub fn extend(&mut self, sheet: &Arc<str>, cells: impl IntoIterator<Item = CellAddress>) {
        let mut cells = cells.into_iter().peekable();
        if cells.peek().is_some() {
            self.sheets.entry(sheet.clone()).or_default().extend(cells);
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.sheets.is_empty()
    }

    /// Whether a cell of a sheet is in the set.
    pub fn contains(&self, sheet: &str, cell: CellAddress) -> bool {
        self.sheets.get(sheet).is_some_and(|cells| cells.contains(&cell))
    }

    pub(super) fn of_sheet(&self, sheet: &str) -> Option<&FxHashSet<CellAddress>> {
        self.sheets.get(sheet)
    }
}

/// Totals of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Over everything.
    pub counts: Counts,
    by_type: [Counts; PropertyType::ALL.len()],
}

impl Totals {
    /// Counts one difference.
    pub fn add(&mut self, difference: &Difference<'_>) {
        self.count(difference.compared, difference.outcome);
    }

    /// Counts one outcome.
    pub(crate) fn count(&mut self, compared: Compared, outcome: Match) {
        outcome.count_into(&mut self.counts);
        if let Some(counts) = self.by_type.get_mut(compared.property_type() as usize) {
            outcome.count_into(counts);
        }
    }

    /// Counts one outcome several times.
    pub(crate) fn count_many(&mut self, compared: Compared, outcome: Match, n: u32) {
        *outcome.count_in(&mut self.counts) += n;
        if let Some(counts) = self.by_type.get_mut(compared.property_type() as usize) {
            *outcome.count_in(counts) += n;
        }
    }

    /// Takes back one outcome that was counted before.
    pub(crate) fn uncount(&mut self, compared: Compared, outcome: Match) {
        *outcome.count_in(&mut self.counts) -= 1;
        if let Some(counts) = self.by_type.get_mut(compared.property_type() as usize) {
            *outcome.count_in(counts) -= 1;
        }
    }

    /// Counts of each type that occurs (spec 02, 4.6).
    pub fn by_type(&self) -> impl Iterator<Item = (PropertyType, Counts)> {
        let all = PropertyType::ALL.into_iter().zip(self.by_type);
        all.filter(|(_, counts)| *counts != Counts::default())
    }
}
