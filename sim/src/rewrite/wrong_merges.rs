//! Merges that should not be there, undone, and what they destroyed, restored (spec 02, 12, step 8).

use std::rc::Rc;

use napsim_trajectories::{Action, Edit, Range};

use super::RewriteError;
use super::gap::{Whole, WrongMerge};
use crate::compare::{Place, Record};
use crate::plan::Planned;
use crate::state::Workbook;
use crate::synthesis::{sides_of, synthesize};

/// The actions that put wrong merges right.
#[derive(Default)]
pub(super) struct WrongMerges {
    pub(super) unmerges: Vec<Rc<Planned>>,
    pub(super) restorations: Vec<Rc<Planned>>,
}

impl WrongMerges {
    /// Rule `wrong-merges-are-undone-twice`: the first pass undoes the same merges (Q33).
    pub(super) fn handle(excess: &[Record], comparisons: &Whole<'_>, before: &Workbook) -> Result<Self, RewriteError> {
        let wrong: Vec<WrongMerge> = excess.iter().filter_map(merge_of).collect();
        if wrong.is_empty() {
            return Ok(Self::default());
        }
        let restorations = synthesize(&comparisons.destroyed(&wrong), |sheet, key| {
            sides_of(before, sheet, key)
        })?;
        Ok(Self {
            unmerges: Planned::all(wrong.iter().map(unmerge)),
            restorations: Planned::all(restorations),
        })
    }
}

/// The flagged unmerge, which deletes the record of the merge and nothing else.
pub(super) fn unmerge((sheet, bounds): &WrongMerge) -> Action {
    Action::new(Range::from_bounds(sheet.clone(), *bounds), Edit::Merge { on: false }).with_inverse(true)
}

/// The flagged unmerge of a merge's record.
pub(crate) fn unmerge_record(record: &Record) -> Option<Action> {
    merge_of(record).map(|merge| unmerge(&merge))
}

fn merge_of(record: &Record) -> Option<WrongMerge> {
    match &record.place {
        Place::Merge(bounds) => Some((record.sheet.clone(), *bounds)),
        Place::Cell(_) => None,
    }
}
