//! Counting what follows what (spec chapter 03, 4.1 and 4.2).

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::Tables;
use super::contexts::Contexts;
use super::symbol::{SymbolId, Symbols};
use super::typical::Typical;
use crate::feature::{Feature, RangeMode};

/// The longest context that can be asked for.
pub const MAX_N_MAX: usize = 16;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainerOptions {
    /// How ranges enter the symbols.
    pub range_mode: RangeMode,
    /// Longest context, from 1 to [`MAX_N_MAX`].
    pub max_n: usize,
}

/// Counts sequence after sequence; their order decides between equally frequent successors.
#[derive(Clone, Debug)]
pub struct Trainer {
    max_n: usize,
    symbols: Symbols,
    tree: Tree,
    steps: FxHashMap<(u32, u32), Tally<(i64, i64)>>,
    shapes: FxHashMap<u32, Tally<(i64, i64)>>,
    /// Symbols of the sequence at hand.
    sequence: Vec<SymbolId>,
}

impl Trainer {
    /// Nothing counted yet.
    pub fn new(options: TrainerOptions) -> Self {
        Self {
            max_n: options.max_n.clamp(1, MAX_N_MAX),
            symbols: Symbols::new(options.range_mode),
            tree: Tree::default(),
            steps: FxHashMap::default(),
            shapes: FxHashMap::default(),
            sequence: Vec::new(),
        }
    }

    /// Counts one sequence: the features of its actions, each [following](Feature::following) the one before it.
    ///
    /// A sequence of fewer than two actions says nothing.
    pub fn push(&mut self, features: &[Feature]) {
        if features.len() < 2 {
            return;
        }
        self.sequence.clear();
        for feature in features {
            self.sequence.push(self.symbols.intern(feature));
        }
        self.tree.count(&self.sequence, self.max_n);
        for (previous, next) in features.iter().zip(features.iter().skip(1)) {
            let from = self.symbols.intern_keyword(&previous.keyword);
            let to = self.symbols.intern_keyword(&next.keyword);
            let step = (next.step.rows, next.step.cols);
            self.steps.entry((from, to)).or_default().count(step);
            self.shapes.entry(to).or_default().count((next.height, next.width));
        }
    }

    /// The tables, without contexts and successors that occurred fewer than `min_count` times.
    ///
    /// Contexts of one symbol stay in any case, and so does the most frequent successor of every context that stays.
    pub fn finish(self, min_count: u32) -> Tables {
        let steps = self.steps.iter();
        let steps = steps.filter_map(|(keywords, tally)| Some((*keywords, tally.most_frequent()?)));
        let shapes = self.shapes.iter();
        let shapes = shapes.filter_map(|(keyword, tally)| Some((*keyword, tally.most_frequent()?)));
        Tables {
            typical: Typical {
                steps: steps.collect(),
                shapes: shapes.collect(),
            },
            contexts: self.tree.contexts(min_count),
            symbols: self.symbols,
        }
    }
}

/// Things counted, in the order of their first appearance.
#[derive(Clone, Debug)]
struct Tally<T> {
    positions: FxHashMap<T, usize>,
    counts: Vec<(T, u64)>,
}

impl<T> Default for Tally<T> {
    fn default() -> Self {
        Self {
            positions: FxHashMap::default(),
            counts: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Tally<T> {
    fn count(&mut self, thing: T) {
        let next = self.counts.len();
        let position = *self.positions.entry(thing).or_insert(next);
        match self.counts.get_mut(position) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((thing, 1)),
        }
    }

    /// The thing counted most often; of several the one that came first.
    fn most_frequent(&self) -> Option<T> {
        let mut best: Option<(T, u64)> = None;
        for (thing, count) in &self.counts {
            if best.is_none_or(|(_, most)| *count > most) {
                best = Some((*thing, *count));
            }
        }
        best.map(|(thing, _)| thing)
    }
}

/// A growing tree of contexts; see [`Contexts`] for what its nodes are.
#[derive(Clone, Debug)]
struct Tree {
    /// Child by parent and symbol. Nodes are numbered as they appear.
    children: FxHashMap<(u32, u32), u32>,
    /// Number of the pair of a node and its successor, as they appear.
    pairs: FxHashMap<(u32, u32), u32>,
    /// Level of each node.
    levels: Vec<u8>,
    /// How often each node was followed by anything.
    totals: Vec<u32>,
    /// Count of each pair.
    counts: Vec<u32>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            children: FxHashMap::default(),
            pairs: FxHashMap::default(),
            levels: vec![0],
            totals: vec![0],
            counts: Vec::new(),
        }
    }
}

impl Tree {
    fn count(&mut self, sequence: &[SymbolId], max_n: usize) {
        for (idx, successor) in sequence.iter().enumerate().skip(1) {
            let before = sequence.get(..idx).unwrap_or_default();
            let mut node = 0;
            self.count_successor(node, successor.0);
            for (level, symbol) in (1_u8..).zip(before.iter().rev().take(max_n)) {
                node = self.child(node, symbol.0, level);
                self.count_successor(node, successor.0);
            }
        }
    }

    fn child(&mut self, node: u32, symbol: u32, level: u8) -> u32 {
        let next = number(self.totals.len());
        let child = *self.children.entry((node, symbol)).or_insert(next);
        if child == next {
            self.levels.push(level);
            self.totals.push(0);
        }
        child
    }

    fn count_successor(&mut self, node: u32, successor: u32) {
        if let Some(total) = self.totals.get_mut(position(node)) {
            *total = total.saturating_add(1);
        }
        let next = number(self.counts.len());
        let pair = *self.pairs.entry((node, successor)).or_insert(next);
        match self.counts.get_mut(position(pair)) {
            Some(count) => *count = count.saturating_add(1),
            None => self.counts.push(1),
        }
    }

    /// The arrays of the contexts that stay.
    fn contexts(self, min_count: u32) -> Contexts {
        let Self {
            children,
            pairs,
            levels,
            totals,
            counts,
        } = self;
        let at = |list: &[u32], idx: u32| list.get(position(idx)).copied().unwrap_or_default();
        let stays =
            |node: u32| levels.get(position(node)).is_none_or(|level| *level <= 1) || at(&totals, node) >= min_count;
        let mut edges: Vec<(u32, u32, u32)> = children
            .into_iter()
            .filter(|(_, child)| stays(*child))
            .map(|((parent, symbol), child)| (parent, symbol, child))
            .collect();
        edges.sort_unstable();
        // Most frequent first, then first seen first.
        let mut followers: Vec<(u32, std::cmp::Reverse<u32>, u32, u32)> = pairs
            .into_iter()
            .filter(|((node, _), _)| stays(*node))
            .map(|((node, successor), pair)| (node, std::cmp::Reverse(at(&counts, pair)), pair, successor))
            .collect();
        followers.sort_unstable();

        let mut contexts = Contexts {
            symbols: vec![0],
            first_child: Vec::new(),
            first_successor: Vec::new(),
            totals: Vec::new(),
            n_distinct: Vec::new(),
            successors: Vec::new(),
            counts: Vec::new(),
        };
        let mut order = vec![0_u32];
        let mut idx = 0;
        while let Some(node) = order.get(idx).copied() {
            idx += 1;
            contexts.first_child.push(number(order.len()));
            for (_, symbol, child) in stretch(&edges, node, |edge| edge.0) {
                order.push(*child);
                contexts.symbols.push(*symbol);
            }
            let own = stretch(&followers, node, |follower| follower.0);
            contexts.first_successor.push(number(contexts.successors.len()));
            contexts.totals.push(at(&totals, node));
            contexts.n_distinct.push(number(own.len()));
            for (rank, (_, std::cmp::Reverse(count), _, successor)) in own.iter().enumerate() {
                if rank == 0 || *count >= min_count {
                    contexts.successors.push(*successor);
                    contexts.counts.push(*count);
                }
            }
        }
        contexts.first_child.push(number(order.len()));
        contexts.first_successor.push(number(contexts.successors.len()));
        contexts
    }
}

/// The stretch of a sorted list that belongs to a node.
fn stretch<T>(sorted: &[T], node: u32, node_of: impl Fn(&T) -> u32) -> &[T] {
    let begin = sorted.partition_point(|item| node_of(item) < node);
    let end = sorted.partition_point(|item| node_of(item) <= node);
    sorted.get(begin..end).unwrap_or_default()
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn position(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX)
}
