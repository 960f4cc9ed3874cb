//! One sequence of symbols: how often it occurs, where, and what follows it most often.

use std::cmp::Reverse;

use super::{NodeId, Position, ROOT};
use crate::online_ngram::symbol::SymbolId;

/// A sequence of symbols. Its occurrences form a list in ascending order, whose links the tree keeps.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The sequence without its last symbol.
    pub(super) parent: NodeId,
    /// The last symbol.
    pub(super) symbol: SymbolId,
    /// The sequence with the same parent that appeared before.
    pub(super) sibling: Option<NodeId>,
    /// The child that appeared last.
    pub(super) youngest: Option<NodeId>,
    /// The child counted most often.
    pub(super) favourite: Favourite,
    /// How often the sequence occurs.
    pub(super) count: u32,
    /// The first occurrence.
    pub(super) first: Option<Position>,
    /// The last occurrence.
    last: Option<Position>,
    /// The last occurrence that a search has passed.
    pub(super) passed: Option<Position>,
}

/// The child counted most often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Favourite {
    /// No child occurs.
    None,
    /// This one.
    Node(NodeId),
    /// The favourite has lost an occurrence; all children must be compared.
    InDoubt,
}

impl Default for Node {
    fn default() -> Self {
        Self::new(ROOT, SymbolId(u32::MAX), None)
    }
}

impl Node {
    pub(super) fn new(parent: NodeId, symbol: SymbolId, sibling: Option<NodeId>) -> Self {
        Self {
            parent,
            symbol,
            sibling,
            youngest: None,
            favourite: Favourite::None,
            count: 0,
            first: None,
            last: None,
            passed: None,
        }
    }

    /// What decides between children: the count, among equals the first occurrence.
    pub(super) fn rank(&self) -> (u32, Reverse<Option<Position>>) {
        (self.count, Reverse(self.first))
    }

    /// Adds an occurrence after all others, and returns the one before it.
    pub(super) fn append(&mut self, start: Option<Position>) -> Option<Position> {
        self.count += 1;
        if self.first.is_none() {
            self.first = start;
        }
        std::mem::replace(&mut self.last, start)
    }

    /// Adds an occurrence before all others, and returns the one after it.
    pub(super) fn prepend(&mut self, start: Option<Position>) -> Option<Position> {
        self.count += 1;
        if self.last.is_none() {
            self.last = start;
        }
        std::mem::replace(&mut self.first, start)
    }

    /// Removes the first occurrence, after which comes `next`.
    pub(super) fn remove_first(&mut self, next: Option<Position>) {
        self.count = self.count.saturating_sub(1);
        if self.passed == self.first {
            self.passed = None;
        }
        if next.is_none() {
            self.last = None;
        }
        self.first = next;
    }

    /// Doubts the favourite if it is this child.
    pub(super) fn doubt(&mut self, child: NodeId) {
        if self.favourite == Favourite::Node(child) {
            self.favourite = Favourite::InDoubt;
        }
    }
}
