//! Merged ranges by number, and which of them a state and the target have.

use napsim_trajectories::Bounds;
use rustc_hash::FxHashMap;

use super::slots::{SheetIdx, Slot, Slots};
use crate::state::CellKey;

/// The number of a merged range of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MergeId(u32);

impl MergeId {
    /// As an index of a list.
    pub(super) fn idx(self) -> usize {
        self.0 as usize
    }
}

/// Where a merge is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub(super) sheet: SheetIdx,
    pub(super) bounds: Bounds,
    /// Its first cell.
    pub(super) first: Slot,
}

/// How many merges a sheet has in a state, in the target, and in both.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MergeCounts {
    pub(super) present: u32,
    pub(super) wanted: u32,
    pub(super) both: u32,
}

impl MergeCounts {
    /// A merge comes or goes.
    pub(super) fn change(&mut self, comes: bool, wanted: bool) {
        let both = u32::from(wanted);
        if comes {
            self.present += 1;
            self.both += both;
        } else {
            self.present -= 1;
            self.both -= both;
        }
    }
}

/// The merges that a rollout has met.
#[derive(Debug, Default)]
pub(super) struct Merges {
    ids: FxHashMap<(SheetIdx, Bounds), MergeId>,
    merges: Vec<Merge>,
    /// Merges by their first cell.
    anchored: FxHashMap<Slot, Vec<MergeId>>,
    target: Vec<bool>,
}

impl Merges {
    /// The number of a merge, given out now if it is new.
    pub(super) fn intern(&mut self, slots: &mut Slots, sheet: SheetIdx, bounds: Bounds) -> MergeId {
        let Self {
            ids,
            merges,
            anchored,
            target,
        } = self;
        *ids.entry((sheet, bounds)).or_insert_with(|| {
            let first = slots.of_sheet(sheet, CellKey::Address(bounds.first_cell()));
            let id = MergeId(u32::try_from(merges.len()).unwrap_or(u32::MAX));
            merges.push(Merge { sheet, bounds, first });
            anchored.entry(first).or_default().push(id);
            target.push(false);
            id
        })
    }

    /// Where a merge is.
    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its merge")]
    pub(super) fn get(&self, id: MergeId) -> Merge {
        self.merges[id.idx()]
    }

    /// The merges that begin in a cell.
    pub(super) fn anchored(&self, first: Slot) -> &[MergeId] {
        self.anchored.get(&first).map_or(&[], Vec::as_slice)
    }

    /// The cells of a merge.
    pub(super) fn cells<'s>(&self, slots: &'s mut Slots, id: MergeId) -> impl Iterator<Item = Slot> + use<'s> {
        let Merge { sheet, bounds, .. } = self.get(id);
        bounds
            .cells()
            .map(move |cell| slots.of_sheet(sheet, CellKey::Address(cell)))
    }

    /// Whether the target has a merge.
    pub(super) fn is_wanted(&self, id: MergeId) -> bool {
        self.target.get(id.idx()).copied().unwrap_or(false)
    }

    /// The target has a merge.
    pub(super) fn want(&mut self, id: MergeId) {
        if let Some(wanted) = self.target.get_mut(id.idx()) {
            *wanted = true;
        }
    }

    /// Whether no merge has been met.
    pub(super) fn is_empty(&self) -> bool {
        self.merges.is_empty()
    }
}

/// Which merges a state has.
#[derive(Debug, Default)]
pub(super) struct MergeSet(Vec<bool>);

impl MergeSet {
    /// Whether the state has a merge.
    pub(super) fn contains(&self, id: MergeId) -> bool {
        self.0.get(id.idx()).copied().unwrap_or(false)
    }

    /// Adds or takes away a merge.
    #[expect(clippy::indexing_slicing, reason = "the merge's place was just made")]
    pub(super) fn put(&mut self, id: MergeId, present: bool) {
        let idx = id.idx();
        if idx >= self.0.len() {
            self.0.resize(idx + 1, false);
        }
        self.0[idx] = present;
    }
}
