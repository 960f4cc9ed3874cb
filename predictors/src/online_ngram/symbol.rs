//! Abstract symbols of actions (spec chapter 03, 4.2), numbered as they appear.

use rustc_hash::FxHashMap;

use super::names::NameId;
use super::seen::Seen;
use crate::feature::{Place, RangeMode, Step, ValueType};

/// Number of a symbol, in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SymbolId(pub(super) u32);

/// What is remembered of an action: keyword, kind of value, and either movement or shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol {
    pub(super) keyword: NameId,
    pub(super) place: Place,
    pub(super) value_type: ValueType,
}

impl Symbol {
    /// The symbol of an action that lies so relative to the one before.
    pub(super) fn of(seen: &Seen, step: Step, mode: RangeMode) -> Self {
        let place = Place::of(step, seen.area.height, seen.area.width, mode);
        Self {
            keyword: seen.keyword,
            place,
            value_type: seen.value_type,
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
        let Self { ids, symbols } = self;
        *ids.entry(symbol).or_insert_with(|| {
            symbols.push(symbol);
            SymbolId(u32::try_from(symbols.len() - 1).unwrap_or(u32::MAX))
        })
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
