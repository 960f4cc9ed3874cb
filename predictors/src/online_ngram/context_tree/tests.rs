//! The tree against a search through the history.

use proptest::prelude::*;

use super::*;

/// A tree of the given depth over some symbols.
fn tree(depth: usize, symbols: &[SymbolId]) -> ContextTree {
    let mut tree = ContextTree::new(depth);
    symbols.iter().for_each(|symbol| tree.push(*symbol));
    tree
}

fn ids(digits: &[u32]) -> Vec<SymbolId> {
    digits.iter().map(|digit| SymbolId(*digit)).collect()
}

#[test]
fn an_occurrence_may_not_overlap_the_query() {
    let mut tree = tree(3, &ids(&[1, 1, 1, 1, 1]));
    assert_eq!(tree.earlier_occurrence(1), Some(3));
    assert_eq!(tree.earlier_occurrence(2), Some(1));
    assert_eq!(tree.earlier_occurrence(3), None);
    assert_eq!(tree.earlier_occurrence(4), None);
}

#[test]
fn ties_go_to_the_first_counted() {
    let mut tree = tree(2, &ids(&[1, 2, 1, 3, 1]));
    let suffixes = tree.suffixes().clone();
    assert_eq!(
        tree.successor(&suffixes),
        Some(SymbolId(2)),
        "no context of two has a successor"
    );
}

/// Compares every answer of the tree with a search through `symbols`.
fn check(tree: &mut ContextTree, symbols: &[SymbolId]) {
    let n_symbols = symbols.len();
    for length in 1..=tree.depth.min(n_symbols) {
        let query = &symbols[n_symbols - length..];
        let expect = (0..n_symbols)
            .rev()
            .find(|start| start + length <= n_symbols - length && &symbols[*start..start + length] == query);
        assert_eq!(tree.earlier_occurrence(length), expect, "{symbols:?}");
    }
    let mut suffixes = tree.suffixes().clone();
    assert_eq!(
        tree.successor(&suffixes),
        successor(tree.depth, symbols, symbols),
        "{symbols:?}"
    );
    for digit in 0..3 {
        let mut longer = symbols.to_vec();
        longer.push(SymbolId(digit));
        tree.continued(&mut suffixes, Some(SymbolId(digit)));
        let known = symbols.contains(&SymbolId(digit));
        let expect = known.then(|| successor(tree.depth, symbols, &longer)).flatten();
        assert_eq!(tree.successor(&suffixes), expect, "{longer:?}");
        suffixes = tree.suffixes().clone();
    }
}

/// The most frequent successor in `symbols` of the longest suffix of `query` that has one.
fn successor(depth: usize, symbols: &[SymbolId], query: &[SymbolId]) -> Option<SymbolId> {
    (1..=depth.min(query.len())).rev().find_map(|length| {
        let query = &query[query.len() - length..];
        let ends = (length..symbols.len()).filter(|end| &symbols[end - length..*end] == query);
        let after: Vec<_> = ends.map(|end| symbols[end]).collect();
        let count = |id: &SymbolId| after.iter().filter(|other| *other == id).count();
        let most = after.iter().map(count).max()?;
        after.iter().find(|id| count(id) == most).copied()
    })
}

proptest! {
    #[test]
    fn agrees_with_a_search_through_the_history(digits in prop::collection::vec(0..3_u32, 0..40), depth in 1..6_usize) {
        let symbols = ids(&digits);
        check(&mut tree(depth, &symbols), &symbols);
    }

    #[test]
    fn a_moving_window_agrees_too(
        digits in prop::collection::vec((0..3_u32, 0..3_u32), 0..60),
        depth in 1..6_usize,
        window in 1..12_usize,
    ) {
        let mut tree = ContextTree::new(depth);
        let mut symbols = Vec::new();
        for (digit, replacement) in digits {
            tree.push(SymbolId(digit));
            symbols.push(SymbolId(digit));
            if symbols.len() > window {
                symbols.remove(0);
                symbols[0] = SymbolId(replacement);
                tree.drop_first(SymbolId(replacement));
            }
            check(&mut tree, &symbols);
        }
    }
}

/// The work of learning shows in the nodes: at most one a length for each symbol, and none for what is known.
#[test]
fn the_tree_grows_by_what_is_new() {
    let novel: Vec<_> = (0..1000).map(SymbolId).collect();
    assert_eq!(tree(5, &novel).n_nodes(), 1 + 6 * 1000 - (1 + 2 + 3 + 4 + 5));
    let periodic: Vec<_> = (0..1000).map(|idx| SymbolId(idx % 7)).collect();
    assert_eq!(tree(5, &periodic).n_nodes(), 1 + 6 * 7);
}
