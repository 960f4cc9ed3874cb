//! The tree of everything that has been followed by something.
//!
//! A node stands for a sequence of symbols, read from the latest backwards, so that the path from the root along the
//! latest symbols passes every suffix of the history, shortest first. Appending a symbol takes as many steps as the
//! tree is deep, whatever the length of the history.

use rustc_hash::FxHashMap;

use super::symbol::SymbolId;

/// Number of a node; the root, the empty sequence, is the first.
type NodeId = usize;

const ROOT: NodeId = 0;

/// Where a sequence of symbols has occurred and what followed it.
#[derive(Clone, Debug, Default)]
struct Node {
    /// Where the occurrences start, in ascending order.
    starts: Vec<usize>,
    /// Successors in order of first appearance, with their counts.
    successors: Vec<(SymbolId, u32)>,
}

impl Node {
    fn count(&mut self, successor: SymbolId) {
        match self.successors.iter_mut().find(|(known, _)| *known == successor) {
            Some((_, count)) => *count += 1,
            None => self.successors.push((successor, 1)),
        }
    }

    /// The successor counted most often, among equals the one that appeared first.
    fn favourite(&self) -> Option<SymbolId> {
        // The first of equal maxima is the last of equal maxima from behind.
        self.successors
            .iter()
            .rev()
            .max_by_key(|(_, count)| *count)
            .map(|(successor, _)| *successor)
    }
}

/// Occurrences and successors of all sequences up to a length.
#[derive(Clone, Debug)]
pub(super) struct ContextTree {
    depth: usize,
    nodes: Vec<Node>,
    children: FxHashMap<(NodeId, SymbolId), NodeId>,
    symbols: Vec<SymbolId>,
    /// Nodes of the suffixes of the history, shortest first.
    suffixes: Vec<NodeId>,
}

impl ContextTree {
    /// An empty tree for sequences of at most `depth` symbols.
    pub(super) fn new(depth: usize) -> Self {
        Self {
            depth,
            nodes: vec![Node::default()],
            children: FxHashMap::default(),
            symbols: Vec::new(),
            suffixes: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.depth);
    }

    /// Appends a symbol to the history.
    pub(super) fn push(&mut self, symbol: SymbolId) {
        for suffix in &self.suffixes {
            if let Some(node) = self.nodes.get_mut(*suffix) {
                node.count(symbol);
            }
        }
        self.symbols.push(symbol);
        self.suffixes.clear();
        let mut id = ROOT;
        for (start, symbol) in self.symbols.iter().enumerate().rev().take(self.depth) {
            let next = self.nodes.len();
            id = *self.children.entry((id, *symbol)).or_insert(next);
            if id == next {
                self.nodes.push(Node::default());
            }
            if let Some(node) = self.nodes.get_mut(id) {
                node.starts.push(start);
            }
            self.suffixes.push(id);
        }
    }

    /// Start of the most recent occurrence of the last `length` symbols that ends before they begin.
    pub(super) fn earlier_occurrence(&self, length: usize) -> Option<usize> {
        let begin = self.symbols.len().checked_sub(length)?;
        let node = self.nodes.get(*self.suffixes.get(length.checked_sub(1)?)?)?;
        let n_before = node.starts.partition_point(|start| start + length <= begin);
        node.starts.get(n_before.checked_sub(1)?).copied()
    }

    /// The favourite successor of the longest known context, given the latest symbols, latest first.
    ///
    /// A symbol that has never appeared is none and ends every context.
    pub(super) fn successor(&self, latest: impl Iterator<Item = Option<SymbolId>>) -> Option<SymbolId> {
        let mut id = ROOT;
        let mut favourite = None;
        for symbol in latest.take(self.depth) {
            let Some(child) = symbol.and_then(|symbol| self.children.get(&(id, symbol))) else {
                break;
            };
            id = *child;
            favourite = self.nodes.get(id).and_then(Node::favourite).or(favourite);
        }
        favourite
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::feature::{Feature, RangeMode};
    use crate::online_ngram::symbol::{Symbol, Symbols};

    /// A tree of the given depth over symbols named by digits, and the numbers of those symbols.
    fn tree(depth: usize, digits: &[u8]) -> (ContextTree, Vec<SymbolId>) {
        let mut symbols = Symbols::default();
        let mut tree = ContextTree::new(depth);
        let ids: Vec<_> = digits
            .iter()
            .map(|digit| {
                let feature = Feature::of_first(&format!("K{digit} | A1 | 1"));
                symbols.intern(Symbol::of(&feature, RangeMode::Relative))
            })
            .collect();
        ids.iter().for_each(|id| tree.push(*id));
        (tree, ids)
    }

    fn latest(ids: &[SymbolId]) -> impl Iterator<Item = Option<SymbolId>> {
        ids.iter().rev().copied().map(Some)
    }

    #[test]
    fn an_occurrence_may_not_overlap_the_query() {
        let (tree, _) = tree(3, &[1, 1, 1, 1, 1]);
        assert_eq!(tree.earlier_occurrence(1), Some(3));
        assert_eq!(tree.earlier_occurrence(2), Some(1));
        assert_eq!(tree.earlier_occurrence(3), None);
        assert_eq!(tree.earlier_occurrence(4), None);
    }

    #[test]
    fn ties_go_to_the_first_counted() {
        let (tree, ids) = tree(2, &[1, 2, 1, 3, 1]);
        assert_eq!(
            tree.successor(latest(&ids)),
            Some(ids[1]),
            "no context of two has a successor"
        );
    }

    proptest! {
        #[test]
        fn agrees_with_a_search_through_the_history(digits in prop::collection::vec(0..3_u8, 0..40), depth in 1..6_usize) {
            let (tree, ids) = tree(depth, &digits);
            for length in 1..=depth.min(ids.len()) {
                let query = &ids[ids.len() - length..];
                let expect = (0..ids.len())
                    .rev()
                    .find(|start| start + length <= ids.len() - length && &ids[*start..start + length] == query);
                prop_assert_eq!(tree.earlier_occurrence(length), expect);
            }
            let expect = (1..=depth.min(ids.len())).rev().find_map(|length| {
                let query = &ids[ids.len() - length..];
                let after: Vec<_> =
                    (length..ids.len()).filter(|end| &ids[end - length..*end] == query).map(|end| ids[end]).collect();
                let count = |id: &SymbolId| after.iter().filter(|other| *other == id).count();
                let most = after.iter().map(count).max()?;
                after.iter().find(|id| count(id) == most).copied()
            });
            prop_assert_eq!(tree.successor(latest(&ids)), expect);
        }
    }
}
