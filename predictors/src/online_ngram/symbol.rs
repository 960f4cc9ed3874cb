//! Abstract symbols of actions (spec chapter 03, 4.2), numbered as they appear.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::feature::{Feature, Movement, RangeMode, ValueType};

/// Number of a symbol, in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SymbolId(u32);

/// What is remembered of an action: keyword, kind of value, and either movement or shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol {
    pub(super) keyword: Arc<str>,
    pub(super) place: Place,
    pub(super) value_type: ValueType,
}

/// The part of a symbol that tells where an action goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Relative mode: the class of the step to it.
    Movement(Movement),
    /// Absolute mode: rows and columns.
    Shape { height: i64, width: i64 },
}

impl Symbol {
    pub(super) fn of(feature: &Feature, mode: RangeMode) -> Self {
        let place = match mode {
            RangeMode::Relative => Place::Movement(feature.step.movement()),
            RangeMode::Absolute => Place::Shape {
                height: feature.height,
                width: feature.width,
            },
        };
        Self {
            keyword: feature.keyword.clone(),
            place,
            value_type: feature.value_type,
        }
    }
}

/// All symbols that have appeared.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    ids: FxHashMap<Symbol, SymbolId>,
    symbols: Vec<Symbol>,
}

impl Symbols {
    /// The number of a symbol, given on first appearance.
    pub(super) fn intern(&mut self, symbol: Symbol) -> SymbolId {
        if let Some(id) = self.ids.get(&symbol) {
            return *id;
        }
        let id = SymbolId(u32::try_from(self.symbols.len()).unwrap_or(u32::MAX));
        self.ids.insert(symbol.clone(), id);
        self.symbols.push(symbol);
        id
    }

    /// The number of a symbol that has appeared.
    pub(super) fn find(&self, symbol: &Symbol) -> Option<SymbolId> {
        self.ids.get(symbol).copied()
    }

    /// The symbol of that number.
    pub(super) fn get(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(usize::try_from(id.0).ok()?)
    }

    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.symbols.clear();
    }
}
