//! What the online n-gram has learnt.

use napsim_trajectories::Action;

use super::context_tree::ContextTree;
use super::imagination::Imagination;
use super::memory::Memory;
use super::seen::{Content, Seen};
use super::symbol::{Symbol, Symbols};
use super::{OnlineNgramConfig, Strategy, strategy};
use crate::context::Context;
use crate::feature::{RangeMode, Step};

/// The actions within the context, with their symbols and what those have been followed by.
#[derive(Clone, Debug)]
pub(super) struct Model {
    range_mode: RangeMode,
    context: Context,
    memory: Memory,
    symbols: Symbols,
    tree: ContextTree,
}

impl Model {
    pub(super) fn new(config: &OnlineNgramConfig) -> Self {
        Self {
            range_mode: config.range_mode,
            context: config.context,
            memory: Memory::default(),
            symbols: Symbols::default(),
            tree: ContextTree::new(config.max_n),
        }
    }

    pub(super) fn forget(&mut self) {
        self.memory.clear();
        self.symbols.clear();
        self.tree.clear();
    }

    /// Appends an action to the history.
    pub(super) fn learn(&mut self, action: &Action) {
        let (seen, content) = self.memory.vocabulary.see(action);
        self.append(seen, content);
    }

    /// Appends a text that should be an action to the history.
    pub(super) fn learn_text(&mut self, text: &str) {
        let (seen, content) = self.memory.vocabulary.see_text(text);
        self.append(seen, content);
    }

    fn append(&mut self, seen: Seen, content: Content) {
        self.memory.push(seen, content);
        let step = self.memory.step(self.memory.len() - 1);
        let symbol = self.symbols.intern(Symbol::of(&seen, step, self.range_mode));
        self.tree.push(symbol);
        if self.context.n_dropped(self.memory.len()) > 0 {
            self.drop_first();
        }
    }

    /// Drops the oldest action. The one after it is now the first, which follows nothing.
    fn drop_first(&mut self) {
        self.memory.drop_first();
        if let Some(first) = self.memory.get(0) {
            let symbol = Symbol::of(first, Step::default(), self.range_mode);
            self.tree.drop_first(self.symbols.intern(symbol));
        }
    }

    /// The answer of the first strategy that has one.
    pub(super) fn answer(&mut self, config: &OnlineNgramConfig) -> (Strategy, Imagination<'_>) {
        let Self {
            memory, symbols, tree, ..
        } = self;
        let n_actions = memory.len();
        let mut imagination = Imagination::of(memory);
        if n_actions < 2 {
            return (Strategy::TooShort, imagination);
        }
        let longest = config.max_n.min(n_actions - 1);
        for length in (config.min_match..=longest).rev() {
            if let Some(start) = tree.earlier_occurrence(length) {
                strategy::replay(&mut imagination, start + length, config.max_actions);
                return (Strategy::Suffix { start, length }, imagination);
            }
        }
        strategy::progression(&mut imagination, config.max_actions);
        if imagination.len() > 0 {
            return (Strategy::Progression, imagination);
        }
        let mut suffixes = tree.suffixes().clone();
        while imagination.len() < config.max_actions {
            let successor = tree.successor(&suffixes).and_then(|id| symbols.get(id));
            let Some(successor) = successor else { break };
            strategy::place(*successor, &mut imagination);
            if config.stop_on_type_change && imagination.ends_at_type_change() {
                break;
            }
            let Some((last, step)) = imagination.last_step() else {
                break;
            };
            let symbol = symbols.find(&Symbol::of(last, step, config.range_mode));
            tree.continued(&mut suffixes, symbol);
        }
        let strategy = if imagination.len() == 0 {
            Strategy::None
        } else {
            Strategy::Table
        };
        (strategy, imagination)
    }
}
