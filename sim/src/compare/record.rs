//! Differences as they are found, borrowed, and as they are kept, owned.

use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Value};

use super::kinds::{Compared, Match};
use super::normalise;
use crate::state::CellKey;

/// Where a record belongs: a cell, or the range of a merge.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A cell.
    Cell(CellKey),
    /// The range of a merge.
    Merge(Bounds),
}

impl Place {
    /// The cell, if it is one.
    pub fn cell(&self) -> Option<&CellKey> {
        match self {
            Self::Cell(key) => Some(key),
            Self::Merge(_) => None,
        }
    }
}

impl std::fmt::Display for Place {
    /// The text of published records: a merge always has a colon.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell(key) => key.fmt(f),
            Self::Merge(bounds) => f.write_str(&merge_text(bounds)),
        }
    }
}

/// The range text of a merge, with a colon also for a single cell.
pub fn merge_text(bounds: &Bounds) -> String {
    let last = CellAddress::new(bounds.last_row, bounds.last_col);
    format!("{}:{last}", bounds.first_cell())
}

/// One property on which the states were compared, borrowed from them.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// Sheet.
    pub sheet: &'a Arc<str>,
    /// The cell; none for a merge.
    pub cell: Option<&'a CellKey>,
    /// The merged range, for a merge.
    pub merge: Option<&'a Bounds>,
    /// What was compared.
    pub compared: Compared,
    /// How it agrees.
    pub outcome: Match,
    /// Raw value in the prediction; none for merges and where it is absent or default.
    pub predicted: Option<&'a Value>,
    /// Raw value in the target; none for merges and where it is absent or default.
    pub target: Option<&'a Value>,
}

impl Difference<'_> {
    /// The same as an owned record. Fills and borders keep only their compared, present parts.
    pub fn to_record(&self) -> Record {
        let place = match (self.cell, self.merge) {
            (Some(cell), _) => Place::Cell(cell.clone()),
            (None, Some(merge)) => Place::Merge(*merge),
            (None, None) => Place::Cell(CellKey::Text("".into())),
        };
        let kept = |value: Option<&Value>| value.map(|value| normalise::recorded(self.compared, value));
        Record {
            sheet: self.sheet.clone(),
            place,
            compared: self.compared,
            outcome: self.outcome,
            predicted: kept(self.predicted),
            target: kept(self.target),
        }
    }
}

/// An owned record of a comparison.
#[derive(Clone, Debug)]
pub struct Record {
    /// Sheet.
    pub sheet: Arc<str>,
    /// Cell or merged range.
    pub place: Place,
    /// What was compared.
    pub compared: Compared,
    /// How it agrees.
    pub outcome: Match,
    /// Value in the prediction, if it has one.
    pub predicted: Option<Value>,
    /// Value in the target, if it has one.
    pub target: Option<Value>,
}
