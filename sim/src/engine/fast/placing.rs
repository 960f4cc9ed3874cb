//! Where a correction of the second pass goes in the rewritten future (spec 02, 12, step 11).

use napsim_trajectories::{Action, Edit};

use super::cells::Tables;
use super::edits::{Anchor, Edits};
use super::future::{EntryId, Future, Marks};
use super::prepared::{Prepared, Roles};
use super::rewriting::Failure;
use super::slots::Slot;
use crate::fingerprint::PropertySet;

/// The search for the place of one correction.
pub(super) struct Placing<'a> {
    pub(super) future: &'a Future,
    pub(super) edits: &'a Edits,
    pub(super) tables: &'a mut Tables,
    /// Room for marking the actions that the edits drop.
    pub(super) gone: &'a mut Marks,
}

/// A place in the rewritten future, without what is put in front; places compare in its order.
type At = (u64, usize);

impl Placing<'_> {
    /// The place of a correction: after the last action that writes something related, or that overlaps it.
    pub(super) fn anchor(
        mut self,
        action: &Action,
        prepared: &Prepared,
        properties: PropertySet,
    ) -> Result<Anchor, Failure> {
        self.gone.clear();
        self.edits.gone.iter().for_each(|id| {
            self.gone.mark(*id);
        });
        let mut found = self.last_writer(prepared)?;
        if found.is_none() {
            let range = action.range();
            let overlaps = |other: &Action| {
                let other = other.range();
                other.sheet() == range.sheet() && other.bounds().overlaps(&range.bounds())
            };
            let is_merge = |other: &Action| matches!(other.edit(), Edit::Merge { .. });
            if properties.touches_format() {
                found = self.last(prepared, |other| is_merge(other) && overlaps(other));
            }
            found = found.or_else(|| self.last(prepared, overlaps));
        }
        Ok(found.map_or(Anchor::AtEnd, |(_, anchor)| anchor))
    }

    /// The last action that writes something related in one of the same cells.
    fn last_writer(&mut self, prepared: &Prepared) -> Result<Option<(At, Anchor)>, Failure> {
        let mut last: Option<(At, Anchor)> = None;
        for (slot, properties) in prepared.writes() {
            let mentions = self.future.mentions(slot).iter();
            let mut writers = mentions.filter(|m| !self.gone.has(m.entry) && m.writes.is_related(properties));
            if let Some(mention) = writers.next() {
                later(
                    &mut last,
                    (self.future.label(mention.entry), 0),
                    Anchor::After(mention.entry),
                );
            }
        }
        for (replaced, (id, actions)) in self.edits.replaced.iter().enumerate() {
            for (idx, planned) in actions.iter().enumerate() {
                let other = planned.prepared(self.tables).ok_or(Failure::UnknownReach)?;
                let shares = |(slot, properties): (Slot, PropertySet)| {
                    let mut writes = other.writes();
                    writes.any(|(known, written)| known == slot && written.is_related(properties))
                };
                if prepared.writes().any(shares) {
                    let at = (self.future.label(*id), idx + 1);
                    later(&mut last, at, Anchor::AfterReplacement(replaced, idx));
                }
            }
        }
        Ok(last)
    }

    /// The last action that fits, among those that may overlap the correction.
    fn last(&self, prepared: &Prepared, fits: impl Fn(&Action) -> bool) -> Option<(At, Anchor)> {
        let mut last = None;
        let mut look_at = |id: EntryId| {
            if !self.gone.has(id) && fits(&self.future.planned(id).action) {
                later(&mut last, (self.future.label(id), 0), Anchor::After(id));
            }
        };
        if prepared.is_odd {
            self.future.iter().for_each(&mut look_at);
        } else {
            for slot in prepared.cells(Roles::NAMES) {
                let mentions = self.future.mentions(slot).iter();
                mentions
                    .filter(|mention| mention.roles.has(Roles::NAMES))
                    .for_each(|mention| look_at(mention.entry));
            }
            self.future.odd().iter().for_each(|id| look_at(*id));
        }
        for (replaced, (id, actions)) in self.edits.replaced.iter().enumerate() {
            for (idx, _) in actions.iter().enumerate().filter(|(_, planned)| fits(&planned.action)) {
                let at = (self.future.label(*id), idx + 1);
                later(&mut last, at, Anchor::AfterReplacement(replaced, idx));
            }
        }
        last
    }
}

fn later(last: &mut Option<(At, Anchor)>, at: At, anchor: Anchor) {
    if last.is_none_or(|(known, _)| known < at) {
        *last = Some((at, anchor));
    }
}
