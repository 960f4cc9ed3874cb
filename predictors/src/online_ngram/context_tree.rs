//! The tree of everything that has been followed by something.
//!
//! A node stands for a sequence of symbols within the context, its children for the sequences that are one symbol
//! longer at the end. Appending a symbol or dropping the oldest takes as many steps as the tree is deep, whatever the
//! length of the history. Occurrences are known by the position of their first symbol.

mod node;

use rustc_hash::FxHashMap;

use super::symbol::SymbolId;
use node::{Favourite, Node};

/// Number of a node; the root, the empty sequence, is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

const ROOT: NodeId = NodeId(0);

/// Nodes of the suffixes of a history, from the empty one on.
#[derive(Clone, Debug)]
pub(super) struct Suffixes(Vec<NodeId>);

impl Default for Suffixes {
    fn default() -> Self {
        Self(vec![ROOT])
    }
}

/// Occurrences and successors of all sequences up to a length.
#[derive(Clone, Debug)]
pub(super) struct ContextTree {
    /// Length of the longest sequence that is looked up; the tree is one deeper, to know what follows.
    depth: usize,
    nodes: Vec<Node>,
    children: FxHashMap<(NodeId, SymbolId), NodeId>,
    /// Every symbol so far.
    symbols: Vec<SymbolId>,
    /// Position of the first symbol within the context.
    begin: usize,
    /// The next occurrence of the sequence of each length that starts at each position, `[position * (depth + 1)]`.
    next: Vec<Option<Position>>,
    suffixes: Suffixes,
}

/// Position of a symbol, from 1 so that none takes no space.
type Position = std::num::NonZeroU32;

fn position(idx: usize) -> Option<Position> {
    u32::try_from(idx + 1).ok().and_then(Position::new)
}

fn index(position: Position) -> usize {
    usize::try_from(position.get() - 1).unwrap_or(usize::MAX)
}

impl ContextTree {
    /// An empty tree for sequences of at most `depth` symbols.
    pub(super) fn new(depth: usize) -> Self {
        Self {
            depth,
            nodes: vec![Node::default()],
            children: FxHashMap::default(),
            symbols: Vec::new(),
            begin: 0,
            next: Vec::new(),
            suffixes: Suffixes::default(),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.truncate(1);
        self.children.clear();
        self.symbols.clear();
        self.begin = 0;
        self.next.clear();
        self.suffixes.0.truncate(1);
    }

    /// How many nodes there are.
    #[cfg(test)]
    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes of the suffixes of the history.
    pub(super) fn suffixes(&self) -> &Suffixes {
        &self.suffixes
    }

    /// Appends a symbol to the history.
    pub(super) fn push(&mut self, symbol: SymbolId) {
        let end = self.symbols.len();
        self.symbols.push(symbol);
        self.next.resize((end + 1) * (self.depth + 1), None);
        let mut suffixes = std::mem::take(&mut self.suffixes.0);
        // From the longest on, so that each suffix makes room for the one that continues it.
        for length in (0..suffixes.len()).rev() {
            let Some(context) = suffixes.get(length).copied() else {
                continue;
            };
            let node = self.child_or_new(context, symbol);
            self.append_occurrence(node, end - length, length + 1);
            match suffixes.get_mut(length + 1) {
                Some(longer) => *longer = node,
                None if length < self.depth => suffixes.push(node),
                None => {}
            }
        }
        self.suffixes.0 = suffixes;
    }

    /// Drops the oldest symbol and replaces the one after it, which is now the oldest.
    pub(super) fn drop_first(&mut self, replacement: SymbolId) {
        self.remove_first_occurrences();
        self.begin += 1;
        let n_symbols = self.symbols.len() - self.begin;
        self.suffixes.0.truncate(n_symbols + 1);
        if self.symbols.get(self.begin).is_some_and(|first| *first == replacement) {
            return;
        }
        self.remove_first_occurrences();
        if let Some(first) = self.symbols.get_mut(self.begin) {
            *first = replacement;
        }
        let mut node = ROOT;
        for length in 1..=n_symbols.min(self.depth + 1) {
            let Some(symbol) = self.symbols.get(self.begin + length - 1).copied() else {
                break;
            };
            node = self.child_or_new(node, symbol);
            self.prepend_occurrence(node, self.begin, length);
        }
        if let Some(whole) = self.suffixes.0.get_mut(n_symbols) {
            *whole = node;
        }
    }

    /// Removes the occurrences that start with the oldest symbol.
    fn remove_first_occurrences(&mut self) {
        let mut id = ROOT;
        for length in 1..=self.depth + 1 {
            let symbol = self.symbols.get(self.begin + length - 1);
            let Some(child) = symbol.and_then(|symbol| self.children.get(&(id, *symbol))) else {
                break;
            };
            id = *child;
            let next = self.next_of(self.begin, length);
            let Some(node) = self.nodes.get_mut(id.index()) else {
                break;
            };
            node.remove_first(next);
            let parent = node.parent;
            if let Some(parent) = self.nodes.get_mut(parent.index()) {
                parent.doubt(id);
            }
        }
    }

    /// Notes an occurrence after all others.
    fn append_occurrence(&mut self, id: NodeId, start: usize, length: usize) {
        let start = position(start);
        let Some(node) = self.nodes.get_mut(id.index()) else {
            return;
        };
        let last = node.append(start);
        if let Some(next) = last.and_then(|last| self.next.get_mut(index(last) * (self.depth + 1) + length - 1)) {
            *next = start;
        }
        self.favour(id);
    }

    /// Notes an occurrence before all others.
    fn prepend_occurrence(&mut self, id: NodeId, start: usize, length: usize) {
        let Some(node) = self.nodes.get_mut(id.index()) else {
            return;
        };
        let first = node.prepend(position(start));
        if let Some(next) = self.next.get_mut(start * (self.depth + 1) + length - 1) {
            *next = first;
        }
        self.favour(id);
    }

    /// Makes a node the favourite of its parent if it is counted most often, among equals the one that appeared first.
    fn favour(&mut self, id: NodeId) {
        let Some(node) = self.nodes.get(id.index()) else { return };
        let (parent, rank) = (node.parent, node.rank());
        let Some(favourite) = self.nodes.get(parent.index()).map(|parent| parent.favourite) else {
            return;
        };
        let better = match favourite {
            Favourite::None => true,
            Favourite::Node(known) => {
                known != id && self.nodes.get(known.index()).is_none_or(|known| known.rank() < rank)
            }
            Favourite::InDoubt => false,
        };
        if better && let Some(parent) = self.nodes.get_mut(parent.index()) {
            parent.favourite = Favourite::Node(id);
        }
    }

    /// The next occurrence of the sequence of a length that starts at a position.
    fn next_of(&self, start: usize, length: usize) -> Option<Position> {
        *self.next.get(start * (self.depth + 1) + length - 1)?
    }

    fn child_or_new(&mut self, parent: NodeId, symbol: SymbolId) -> NodeId {
        let Self { nodes, children, .. } = self;
        *children.entry((parent, symbol)).or_insert_with(|| {
            let id = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
            let sibling = nodes
                .get_mut(parent.index())
                .and_then(|parent| parent.youngest.replace(id));
            nodes.push(Node::new(parent, symbol, sibling));
            id
        })
    }

    /// Start of the most recent occurrence of the last `length` symbols that ends before they begin, as an index of the
    /// context.
    pub(super) fn earlier_occurrence(&mut self, length: usize) -> Option<usize> {
        let id = *self.suffixes.0.get(length).filter(|id| **id != ROOT)?;
        let begin = self.symbols.len().checked_sub(length)?;
        let node = self.nodes.get(id.index())?;
        let (mut passed, first) = (node.passed, node.first);
        // What has been passed once stays behind, so that all calls together pass each occurrence once.
        while let Some(next) = passed.map_or(first, |passed| self.next_of(index(passed), length))
            && index(next) + length <= begin
        {
            passed = Some(next);
        }
        if let Some(node) = self.nodes.get_mut(id.index()) {
            node.passed = passed;
        }
        Some(index(passed?) - self.begin)
    }

    /// The suffixes after one more symbol, which is none if it has never appeared.
    pub(super) fn continued(&self, suffixes: &mut Suffixes, symbol: Option<SymbolId>) {
        let Suffixes(ids) = suffixes;
        let mut longer = Vec::with_capacity(ids.len() + 1);
        longer.push(ROOT);
        let known = |context: &NodeId| {
            let id = self.children.get(&(*context, symbol?))?;
            self.nodes.get(id.index()).filter(|node| node.count > 0).map(|_| *id)
        };
        longer.extend(ids.iter().take(self.depth).map_while(known));
        *ids = longer;
    }

    /// The favourite successor of the longest of these suffixes that has one.
    pub(super) fn successor(&mut self, suffixes: &Suffixes) -> Option<SymbolId> {
        let longest_first = suffixes.0.iter().skip(1).rev();
        let favourite = longest_first.copied().find_map(|id| self.favourite(id))?;
        self.nodes.get(favourite.index()).map(|node| node.symbol)
    }

    /// The child counted most often, among equals the one that appeared first.
    fn favourite(&mut self, id: NodeId) -> Option<NodeId> {
        let node = self.nodes.get(id.index())?;
        match node.favourite {
            Favourite::None => None,
            Favourite::Node(favourite) => Some(favourite),
            Favourite::InDoubt => {
                let children = std::iter::successors(node.youngest, |child| self.nodes.get(child.index())?.sibling);
                let counted = children.filter_map(|child| Some((self.nodes.get(child.index())?.rank(), child)));
                let best = counted.filter(|(rank, _)| rank.0 > 0).max_by_key(|(rank, _)| *rank);
                let best = best.map(|(_, child)| child);
                if let Some(node) = self.nodes.get_mut(id.index()) {
                    node.favourite = best.map_or(Favourite::None, Favourite::Node);
                }
                best
            }
        }
    }
}

impl NodeId {
    fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests;
