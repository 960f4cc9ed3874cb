//! Sequences of symbols and what followed them, as sorted arrays.

use super::symbol::SymbolId;

/// Every sequence of symbols that was followed by something, as a tree: its root is the empty sequence, and a step down
/// goes one symbol further back.
///
/// The nodes lie level by level, those of one parent together and sorted by symbol, so that a context is found by a few
/// binary searches and the whole is a handful of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contexts {
    /// `[n_nodes]`: the symbol by which a node goes further back than its parent; 0 for the root.
    pub(super) symbols: Vec<u32>,
    /// `[n_nodes + 1]`: where the children of each node begin among the nodes.
    pub(super) first_child: Vec<u32>,
    /// `[n_nodes + 1]`: where the successors of each node begin in the two lists below.
    pub(super) first_successor: Vec<u32>,
    /// `[n_nodes]`: how often anything followed, pruned successors included.
    pub(super) totals: Vec<u32>,
    /// `[n_nodes]`: how many different symbols followed, pruned ones included.
    pub(super) n_distinct: Vec<u32>,
    /// Symbols that followed, by node, the most frequent first; of equally frequent ones the one that was seen first.
    pub(super) successors: Vec<u32>,
    /// How often each of them followed.
    pub(super) counts: Vec<u32>,
}

/// What followed one context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successors<'a> {
    order: usize,
    total: u32,
    n_distinct: u32,
    symbols: &'a [u32],
    counts: &'a [u32],
}

impl Contexts {
    /// How many contexts there are, the empty one included.
    pub fn n_contexts(&self) -> usize {
        self.symbols.len()
    }

    /// How many pairs of context and successor there are.
    pub fn n_successors(&self) -> usize {
        self.successors.len()
    }

    /// What followed a context, given oldest first; the empty one is followed by everything but first actions.
    pub fn successors(&self, context: &[SymbolId]) -> Option<Successors<'_>> {
        self.orders(context.iter().rev().copied()).nth(context.len())
    }

    /// What followed the contexts that end a history, from the empty one to the longest known; `latest` are the symbols of
    /// the history, latest first.
    pub fn orders<'a, I>(&'a self, mut latest: I) -> impl Iterator<Item = Successors<'a>> + use<'a, I>
    where
        I: Iterator<Item = SymbolId>,
    {
        let root = (0_usize, 0_usize);
        let further = move |(node, order): &(usize, usize)| {
            let child = self.child(*node, latest.next()?)?;
            Some((child, order + 1))
        };
        std::iter::successors(Some(root), further).map_while(|(node, order)| self.at(node, order))
    }

    /// Whether every node lies behind its parent, siblings ascend by symbol and successors descend by count.
    pub(super) fn is_ordered(&self) -> bool {
        let ascends = |node: usize| {
            let (begin, end) = span(&self.first_child, node)?;
            let symbols = self.symbols.get(begin..end)?;
            Some((begin > node || begin == end) && symbols.is_sorted_by(|a, b| a < b))
        };
        let descends = |node: usize| {
            let successors = self.at(node, 0)?;
            let counts = successors.counts;
            Some(counts.is_sorted_by(|a, b| a >= b) && counts.iter().all(|count| *count > 0))
        };
        (0..self.n_contexts()).all(|node| ascends(node) == Some(true) && descends(node) == Some(true))
    }

    fn child(&self, node: usize, symbol: SymbolId) -> Option<usize> {
        let (begin, end) = span(&self.first_child, node)?;
        let offset = self.symbols.get(begin..end)?.binary_search(&symbol.0).ok()?;
        Some(begin + offset)
    }

    fn at(&self, node: usize, order: usize) -> Option<Successors<'_>> {
        let (begin, end) = span(&self.first_successor, node)?;
        Some(Successors {
            order,
            total: *self.totals.get(node)?,
            n_distinct: *self.n_distinct.get(node)?,
            symbols: self.successors.get(begin..end)?,
            counts: self.counts.get(begin..end)?,
        })
    }
}

/// Begin and end of a node's stretch.
fn span(firsts: &[u32], node: usize) -> Option<(usize, usize)> {
    let at = |idx: usize| firsts.get(idx).and_then(|first| usize::try_from(*first).ok());
    Some((at(node)?, at(node + 1)?))
}

impl<'a> Successors<'a> {
    /// How many symbols the context has.
    pub fn order(&self) -> usize {
        self.order
    }

    /// How often the context was followed by anything, whatever has been pruned.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// By how many different symbols it was followed, whatever has been pruned.
    pub fn n_distinct(&self) -> u32 {
        self.n_distinct
    }

    /// The symbol that followed most often; of equally frequent ones the one that was seen first.
    pub fn best(&self) -> Option<SymbolId> {
        self.symbols.first().copied().map(SymbolId)
    }

    /// The symbols that followed with how often, most frequent first.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, u32)> + use<'a> {
        let symbols = self.symbols.iter().copied().map(SymbolId);
        symbols.zip(self.counts.iter().copied())
    }
}
