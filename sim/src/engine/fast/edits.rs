//! What an acceptance does to the future.

use std::rc::Rc;

use super::future::EntryId;
use crate::plan::Planned;

/// Where a correction goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// After an action of the future.
    After(EntryId),
    /// After an action that replaces another one: the index of the replacement, and of the action in it.
    AfterReplacement(usize, usize),
    AtEnd,
}

/// The changes of a future, in its own order.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// What is put in front.
    pub(super) front: Vec<Rc<Planned>>,
    /// Actions that go, be it that others replace them.
    pub(super) gone: Vec<EntryId>,
    /// Actions that are replaced, and by what.
    pub(super) replaced: Vec<(EntryId, Vec<Rc<Planned>>)>,
    /// Corrections with their places, each after those with the same place before it.
    pub(super) inserted: Vec<(Anchor, Rc<Planned>)>,
}

impl Edits {
    /// By how much the future grows.
    pub(super) fn growth(&self) -> (usize, usize) {
        let replacements: usize = self.replaced.iter().map(|(_, actions)| actions.len()).sum();
        (self.front.len() + replacements + self.inserted.len(), self.gone.len())
    }

    /// The corrections that go to a place.
    pub(super) fn inserted_at(&self, anchor: Anchor) -> impl Iterator<Item = &Rc<Planned>> {
        let here = self.inserted.iter().filter(move |(other, _)| *other == anchor);
        here.map(|(_, planned)| planned)
    }
}
