//! What the online n-gram has learnt.

use super::context_tree::ContextTree;
use super::symbol::{Symbol, SymbolId, Symbols};
use super::{Answer, OnlineNgramConfig, Strategy, strategy};
use crate::decode::decode;
use crate::feature::{Feature, RangeMode};
use crate::history::{Continuation, History};

/// The history with its symbols and their contexts.
#[derive(Clone, Debug)]
pub(super) struct Model {
    range_mode: RangeMode,
    pub(super) history: History,
    symbols: Symbols,
    tree: ContextTree,
}

impl Model {
    pub(super) fn new(config: &OnlineNgramConfig) -> Self {
        Self {
            range_mode: config.range_mode,
            history: History::default(),
            symbols: Symbols::default(),
            tree: ContextTree::new(config.max_n),
        }
    }

    pub(super) fn forget(&mut self) {
        self.history.clear();
        self.symbols.clear();
        self.tree.clear();
    }

    /// Appends an action to the history.
    pub(super) fn learn(&mut self, feature: Feature) {
        self.history.push(feature);
        if let Some(feature) = self.history.last() {
            let symbol = self.symbols.intern(Symbol::of(feature, self.range_mode));
            self.tree.push(symbol);
        }
    }

    /// The answer of the first strategy that has one.
    pub(super) fn answer(&self, config: &OnlineNgramConfig) -> Answer {
        let n_actions = self.history.features().len();
        if n_actions < 2 {
            return Answer {
                strategy: Strategy::TooShort,
                texts: Vec::new(),
            };
        }
        let longest = config.max_n.min(n_actions - 1);
        for length in (config.min_match..=longest).rev() {
            if let Some(start) = self.tree.earlier_occurrence(length) {
                let texts = strategy::replay(&self.history, start + length, config.max_actions);
                return Answer {
                    strategy: Strategy::Suffix { start, length },
                    texts,
                };
            }
        }
        if let Some(texts) = strategy::progression(&self.history, config.max_actions) {
            return Answer {
                strategy: Strategy::Progression,
                texts,
            };
        }
        let texts = decode(&self.history, config.limits(), |continuation| {
            let symbol = self.successor(continuation)?;
            strategy::place(symbol, continuation)
        });
        let strategy = if texts.is_empty() {
            Strategy::None
        } else {
            Strategy::Table
        };
        Answer { strategy, texts }
    }

    /// The symbol that has followed the longest known context most often.
    fn successor(&self, continuation: &Continuation<'_>) -> Option<&Symbol> {
        let latest = continuation.latest().map(|feature| self.number(feature));
        self.tree.successor(latest).and_then(|id| self.symbols.get(id))
    }

    fn number(&self, feature: &Feature) -> Option<SymbolId> {
        self.symbols.find(&Symbol::of(feature, self.range_mode))
    }
}
