//! The sections of an n-gram in a model file.
//!
//! Section `symbols` is a JSON object ([`Vocabulary`]); section `contexts` holds the arrays of [`Contexts`] one after the
//! other, each as a list of numbers in [`bytes`].

use napsim_trajectories::range::ROW_MAX;
use serde::{Deserialize, Serialize};

use super::Tables;
use super::bytes;
use super::contexts::Contexts;
use super::symbol::{Symbol, Symbols};
use super::typical::Typical;
use crate::feature::{Movement, Place, RangeMode, ValueType};
use crate::model::{Model, ModelError, ModelKind, Section};

/// The version of these sections.
pub const KIND_VERSION: u32 = 1;

const SYMBOLS: &str = "symbols";
const CONTEXTS: &str = "contexts";

/// Symbols, steps and shapes; everything refers to keywords by their position.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vocabulary {
    range_mode: String,
    keywords: Vec<String>,
    /// `[keyword, movement, value type]`, or `[keyword, height, width, value type]`; movement and value type by id.
    symbols: Vec<Vec<i64>>,
    /// `[keyword, next keyword, rows, columns]`.
    steps: Vec<(u32, u32, i64, i64)>,
    /// `[keyword, height, width]`.
    shapes: Vec<(u32, i64, i64)>,
}

/// The sections of tables.
///
/// # Errors
/// What serialisation says.
pub fn sections(tables: &Tables) -> Result<Vec<Section>, serde_json::Error> {
    let symbols = &tables.symbols;
    let numbers = |symbol: &Symbol| {
        let (keyword, value_type) = (i64::from(symbol.keyword), i64::from(symbol.value_type.id()));
        match symbol.place {
            Place::Movement(movement) => vec![keyword, i64::from(movement.id()), value_type],
            Place::Shape { height, width } => vec![keyword, height, width, value_type],
        }
    };
    let Typical { steps, shapes } = &tables.typical;
    let vocabulary = Vocabulary {
        range_mode: symbols.range_mode().name().to_owned(),
        keywords: symbols.keywords().iter().map(ToString::to_string).collect(),
        symbols: symbols.iter().map(numbers).collect(),
        steps: steps
            .iter()
            .map(|((from, to), (rows, cols))| (*from, *to, *rows, *cols))
            .collect(),
        shapes: shapes
            .iter()
            .map(|(keyword, (height, width))| (*keyword, *height, *width))
            .collect(),
    };
    Ok(vec![
        Section::compressed(SYMBOLS, serde_json::to_vec(&vocabulary)?),
        Section::compressed(CONTEXTS, write_contexts(&tables.contexts)),
    ])
}

/// The tables in a model file.
pub(super) fn tables(model: &Model) -> Result<Tables, ModelError> {
    model.expect(ModelKind::Ngram, KIND_VERSION)?;
    let malformed = |section, reason: String| ModelError::MalformedSection { section, reason };
    let vocabulary: Vocabulary =
        serde_json::from_slice(model.section(SYMBOLS)?).map_err(|error| malformed(SYMBOLS, error.to_string()))?;
    let (symbols, typical) = vocabulary.read().map_err(|reason| malformed(SYMBOLS, reason))?;
    let contexts = read_contexts(model.section(CONTEXTS)?, symbols.len())
        .ok_or_else(|| malformed(CONTEXTS, "its numbers do not make a tree".to_owned()))?;
    Ok(Tables {
        symbols,
        contexts,
        typical,
    })
}

impl Vocabulary {
    fn read(&self) -> Result<(Symbols, Typical), String> {
        let mode =
            RangeMode::from_name(&self.range_mode).ok_or_else(|| format!("`{}` is no range mode", self.range_mode))?;
        let mut symbols = Symbols::new(mode);
        for keyword in &self.keywords {
            symbols.intern_keyword(keyword);
        }
        let n_keywords = symbols.keywords().len();
        let is_keyword = |keyword: u32| usize::try_from(keyword).is_ok_and(|keyword| keyword < n_keywords);
        for (idx, numbers) in self.symbols.iter().enumerate() {
            let symbol = read_symbol(numbers, mode)
                .filter(|symbol| is_keyword(symbol.keyword))
                .ok_or_else(|| format!("{numbers:?} is no symbol"))?;
            let id = symbols.intern_symbol(symbol);
            if usize::try_from(id.0) != Ok(idx) {
                return Err(format!("the symbol {numbers:?} occurs twice"));
            }
        }
        let mut typical = Typical::default();
        for (from, to, rows, cols) in &self.steps {
            let is_step = |n: i64| n.unsigned_abs() <= ROW_MAX.unsigned_abs();
            if !(is_keyword(*from) && is_keyword(*to) && is_step(*rows) && is_step(*cols)) {
                return Err(format!("{:?} is no step", (from, to, rows, cols)));
            }
            typical.steps.insert((*from, *to), (*rows, *cols));
        }
        for (keyword, height, width) in &self.shapes {
            if !(is_keyword(*keyword) && is_size(*height) && is_size(*width)) {
                return Err(format!("{:?} is no shape", (keyword, height, width)));
            }
            typical.shapes.insert(*keyword, (*height, *width));
        }
        Ok((symbols, typical))
    }
}

/// Whether a number is a height or width that the features can have: rows are counted from 0 to [`ROW_MAX`].
fn is_size(n: i64) -> bool {
    (1..=ROW_MAX + 1).contains(&n)
}

fn read_symbol(numbers: &[i64], mode: RangeMode) -> Option<Symbol> {
    let (keyword, place, value_type) = match (mode, numbers) {
        (RangeMode::Relative, [keyword, movement, value_type]) => {
            let movement = Movement::ALL.get(usize::try_from(*movement).ok()?)?;
            (keyword, Place::Movement(*movement), value_type)
        }
        (RangeMode::Absolute, [keyword, height, width, value_type]) if is_size(*height) && is_size(*width) => {
            let (height, width) = (*height, *width);
            (keyword, Place::Shape { height, width }, value_type)
        }
        _ => return None,
    };
    Some(Symbol {
        keyword: u32::try_from(*keyword).ok()?,
        place,
        value_type: *ValueType::ALL.get(usize::try_from(*value_type).ok()?)?,
    })
}

/// The arrays: number of nodes, then by node its symbol, its numbers of children and successors, total and number of
/// different successors; then by successor its symbol and its count.
fn write_contexts(contexts: &Contexts) -> Vec<u8> {
    let mut out = Vec::new();
    bytes::push(&mut out, u32::try_from(contexts.symbols.len()).unwrap_or(u32::MAX));
    let mut column = |numbers: &mut dyn Iterator<Item = u32>| numbers.for_each(|number| bytes::push(&mut out, number));
    column(&mut contexts.symbols.iter().copied());
    column(&mut lengths(&contexts.first_child));
    column(&mut lengths(&contexts.first_successor));
    column(&mut contexts.totals.iter().copied());
    column(&mut contexts.n_distinct.iter().copied());
    column(&mut contexts.successors.iter().copied());
    column(&mut contexts.counts.iter().copied());
    out
}

/// The lengths of stretches of which the beginnings are known.
fn lengths(firsts: &[u32]) -> impl Iterator<Item = u32> + '_ {
    firsts
        .iter()
        .zip(firsts.iter().skip(1))
        .map(|(begin, end)| end.saturating_sub(*begin))
}

/// The tree of contexts, if the bytes are one.
fn read_contexts(mut rest: &[u8], n_symbols: usize) -> Option<Contexts> {
    let n_nodes = usize::try_from(bytes::take(&mut rest)?).ok()?;
    // Each node takes five bytes at least.
    if n_nodes == 0 || n_nodes > rest.len() {
        return None;
    }
    let mut column = |length: usize| -> Option<Vec<u32>> {
        if length > rest.len() {
            return None;
        }
        (0..length).map(|_| bytes::take(&mut rest)).collect()
    };
    let symbols = column(n_nodes)?;
    // The root is nobody's child.
    let first_child = firsts(1, &column(n_nodes)?)?;
    let first_successor = firsts(0, &column(n_nodes)?)?;
    let totals = column(n_nodes)?;
    let n_distinct = column(n_nodes)?;
    let n_successors = usize::try_from(*first_successor.last()?).ok()?;
    let successors = column(n_successors)?;
    let counts = column(n_successors)?;
    let is_symbol = |symbol: &u32| usize::try_from(*symbol).is_ok_and(|symbol| symbol < n_symbols);
    let is_tree = rest.is_empty()
        && usize::try_from(*first_child.last()?) == Ok(n_nodes)
        && symbols.iter().skip(1).all(is_symbol)
        && successors.iter().all(is_symbol);
    let contexts = Contexts {
        symbols,
        first_child,
        first_successor,
        totals,
        n_distinct,
        successors,
        counts,
    };
    (is_tree && contexts.is_ordered()).then_some(contexts)
}

/// Where stretches of these lengths begin, and where the last one ends.
fn firsts(begin: u32, lengths: &[u32]) -> Option<Vec<u32>> {
    let mut firsts = Vec::with_capacity(lengths.len() + 1);
    let mut next = begin;
    firsts.push(next);
    for length in lengths {
        next = next.checked_add(*length)?;
        firsts.push(next);
    }
    Some(firsts)
}
