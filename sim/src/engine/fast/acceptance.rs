//! Taking a proposal: the current state, the future and the accounts of both move on.

use std::rc::Rc;

use super::FastJudge;
use super::edits::{Anchor, Edits};
use super::future::EntryId;
use super::prepared::Prepared;
use crate::plan::Planned;

impl FastJudge {
    /// Takes an acceptance in. None where an action's reach is not known.
    pub(super) fn carry_over(&mut self) -> Option<()> {
        self.adjusted.changed.clear();
        self.commit();
        self.edit_future()?;
        self.adjusted.update(&mut self.tables, &self.future, &self.standing)?;
        self.account_for_corrections()
    }

    /// Adds an action to the future.
    pub(super) fn insert(&mut self, after: Option<EntryId>, planned: &Rc<Planned>) -> Option<EntryId> {
        let prepared = planned.prepared(&mut self.tables)?.clone();
        self.standing.name(&self.tables, &prepared);
        self.note_merge(&prepared);
        Some(self.future.insert(after, planned.clone(), prepared))
    }

    /// Takes an action out of the future.
    pub(super) fn remove(&mut self, id: EntryId) {
        let prepared = self.future.prepared(id).clone();
        self.future.remove(id);
        self.standing.unname(&self.tables, &prepared);
        self.note_merge(&prepared);
    }

    /// The future's merges have changed.
    fn note_merge(&mut self, prepared: &Prepared) {
        if prepared.is_merge {
            let cells = prepared.parts.iter().map(|part| part.slot);
            self.adjusted.changed.dirty.extend(cells);
        }
    }

    /// Carries the edits out on the future. None where an action's reach is not known.
    fn edit_future(&mut self) -> Option<()> {
        let edits = std::mem::take(&mut self.edits);
        for (anchor, planned) in edits.inserted.iter().rev() {
            // Corrections with one place are put in behind each other, so the last one goes first.
            if let Anchor::After(id) = anchor {
                self.insert(Some(*id), planned)?;
            }
        }
        for (idx, (replaced, actions)) in edits.replaced.iter().enumerate() {
            let mut last = *replaced;
            for (of_it, planned) in actions.iter().enumerate() {
                last = self.insert(Some(last), planned)?;
                for correction in edits.inserted_at(Anchor::AfterReplacement(idx, of_it)) {
                    last = self.insert(Some(last), correction)?;
                }
            }
        }
        for correction in edits.inserted_at(Anchor::AtEnd) {
            let last = self.future.last();
            self.insert(last, correction)?;
        }
        for planned in edits.front.iter().rev() {
            self.insert(None, planned)?;
        }
        edits.gone.iter().for_each(|id| self.remove(*id));
        self.edits = edits;
        Some(())
    }

    /// Brings the account of the end up to date with what the second pass has put in the future.
    fn account_for_corrections(&mut self) -> Option<()> {
        self.ending.commit();
        let corrections = Edits {
            inserted: std::mem::take(&mut self.edits.inserted),
            ..Edits::default()
        };
        self.ending.dirty.clear();
        let ground = self.standing.ground(None);
        self.ending
            .work_out(&mut self.tables, &self.future, &self.standing, ground, &corrections)?;
        self.ending.commit();
        Some(())
    }

    /// The future with the edits of the proposal judged last.
    pub(super) fn edited_future(&self) -> Vec<Rc<Planned>> {
        let edits = &self.edits;
        let mut future = edits.front.clone();
        let mut gone = edits.gone.iter().copied().peekable();
        let mut replaced = edits.replaced.iter().enumerate().peekable();
        for id in self.future.iter() {
            let is_gone = gone.next_if_eq(&id).is_some();
            if !is_gone {
                future.push(self.future.planned(id).clone());
                if !edits.inserted.is_empty() {
                    future.extend(edits.inserted_at(Anchor::After(id)).cloned());
                }
            }
            if let Some((idx, (_, actions))) = replaced.next_if(|(_, (other, _))| *other == id) {
                for (of_it, planned) in actions.iter().enumerate() {
                    future.push(planned.clone());
                    future.extend(edits.inserted_at(Anchor::AfterReplacement(idx, of_it)).cloned());
                }
            }
        }
        future.extend(edits.inserted_at(Anchor::AtEnd).cloned());
        future
    }

    /// The rewritten future, where it holds an action of unknown reach.
    pub(super) fn future_if_unknown(&mut self) -> Option<Vec<Rc<Planned>>> {
        let Self { edits, tables, .. } = self;
        let replacements = edits.replaced.iter().flat_map(|(_, actions)| actions);
        let inserted = edits.inserted.iter().map(|(_, planned)| planned);
        let mut new = edits.front.iter().chain(replacements).chain(inserted);
        let known = new.all(|planned| planned.prepared(tables).is_some());
        (!known).then(|| self.edited_future())
    }
}
