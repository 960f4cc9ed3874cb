//! Abstract symbols of actions (spec chapter 03, 4.2), numbered as they appeared in training.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::feature::{Feature, Place, RangeMode, ValueType};

/// Number of a symbol, in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// What is remembered of an action: keyword, kind of value, and either movement or shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// Number of the keyword.
    pub keyword: u32,
    /// Where the action went.
    pub place: Place,
    /// What kind of value it had.
    pub value_type: ValueType,
}

/// All symbols that appeared in training, and their keywords.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbols {
    range_mode: RangeMode,
    keywords: Vec<Arc<str>>,
    symbols: Vec<Symbol>,
    keyword_ids: FxHashMap<Arc<str>, u32>,
    ids: FxHashMap<Symbol, SymbolId>,
}

impl Symbols {
    /// No symbols yet, of that mode.
    pub fn new(range_mode: RangeMode) -> Self {
        Self {
            range_mode,
            ..Self::default()
        }
    }

    /// How ranges enter the symbols.
    pub fn range_mode(&self) -> RangeMode {
        self.range_mode
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// The keywords in the order of their numbers.
    pub fn keywords(&self) -> &[Arc<str>] {
        &self.keywords
    }

    /// The symbols in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter()
    }

    /// The symbol of that number.
    pub fn get(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(usize::try_from(id.0).ok()?)
    }

    /// The keyword of a symbol.
    pub fn keyword(&self, symbol: &Symbol) -> Option<&str> {
        self.keywords
            .get(usize::try_from(symbol.keyword).ok()?)
            .map(AsRef::as_ref)
    }

    /// The number of a keyword that appeared.
    pub fn keyword_id(&self, keyword: &str) -> Option<u32> {
        self.keyword_ids.get(keyword).copied()
    }

    /// The symbol of an action, if it appeared.
    pub fn of(&self, feature: &Feature) -> Option<SymbolId> {
        let keyword = self.keyword_id(&feature.keyword)?;
        self.ids.get(&self.symbol(keyword, feature)).copied()
    }

    /// The number of a symbol that appeared.
    pub fn find(&self, symbol: Symbol) -> Option<SymbolId> {
        self.ids.get(&symbol).copied()
    }

    /// The symbol of an action, given a number on first appearance.
    pub(super) fn intern(&mut self, feature: &Feature) -> SymbolId {
        let keyword = self.intern_keyword(&feature.keyword);
        let symbol = self.symbol(keyword, feature);
        self.intern_symbol(symbol)
    }

    pub(super) fn intern_keyword(&mut self, keyword: &str) -> u32 {
        if let Some(id) = self.keyword_ids.get(keyword) {
            return *id;
        }
        let id = u32::try_from(self.keywords.len()).unwrap_or(u32::MAX);
        let keyword: Arc<str> = keyword.into();
        self.keywords.push(keyword.clone());
        self.keyword_ids.insert(keyword, id);
        id
    }

    pub(super) fn intern_symbol(&mut self, symbol: Symbol) -> SymbolId {
        let Self { ids, symbols, .. } = self;
        *ids.entry(symbol).or_insert_with(|| {
            symbols.push(symbol);
            SymbolId(u32::try_from(symbols.len() - 1).unwrap_or(u32::MAX))
        })
    }

    fn symbol(&self, keyword: u32, feature: &Feature) -> Symbol {
        Symbol {
            keyword,
            place: Place::of(feature.step, feature.height, feature.width, self.range_mode),
            value_type: feature.value_type,
        }
    }
}
