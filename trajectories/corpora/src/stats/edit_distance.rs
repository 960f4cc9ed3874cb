//! Edit distances between two sequences of actions.

use std::hash::Hash;

use napsim_trajectories::{Action, Keyword, Range};
use rustc_hash::FxHashMap;

/// The share of actions that insertions, deletions and replacements must touch to turn one sequence into the other.
///
/// It is the Levenshtein distance over canonical action texts, divided by the length of the longer sequence: 0 for equal
/// sequences (two empty ones included), 1 where nothing corresponds. Time grows with the product of the lengths.
pub fn edit_distance(a: &[Action], b: &[Action]) -> f64 {
    normalised(a, b, ToString::to_string)
}

/// The same over keywords alone: how different the order of kinds is, whatever the ranges and values.
pub fn kind_edit_distance(a: &[Action], b: &[Action]) -> f64 {
    normalised(a, b, Action::keyword)
}

/// The same over keywords with their ranges: whether the same things are done at the same places, whatever the values.
pub fn place_edit_distance(a: &[Action], b: &[Action]) -> f64 {
    let place = |action: &Action| -> (Keyword, String) {
        let range: &Range = action.range();
        (action.keyword(), range.to_string())
    };
    normalised(a, b, place)
}

fn normalised<S: Eq + Hash>(a: &[Action], b: &[Action], symbol: impl Fn(&Action) -> S) -> f64 {
    let longer = a.len().max(b.len());
    if longer == 0 {
        return 0.0;
    }
    // Texts become numbers first, so that the quadratic part compares numbers.
    let mut ids: FxHashMap<S, usize> = FxHashMap::default();
    let mut intern = |actions: &[Action]| -> Vec<usize> {
        let mut id_of = |action: &Action| {
            let next = ids.len();
            *ids.entry(symbol(action)).or_insert(next)
        };
        actions.iter().map(&mut id_of).collect()
    };
    let (a, b) = (intern(a), intern(b));
    #[expect(clippy::cast_precision_loss, reason = "lengths stay far below 2^53")]
    let share = strsim::generic_levenshtein(&a, &b) as f64 / longer as f64;
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(lines: &[&str]) -> Vec<Action> {
        lines.iter().map(|line| Action::parse(line).unwrap()).collect()
    }

    #[track_caller]
    fn check(a: &[&str], b: &[&str], expected: [f64; 3]) {
        let (a, b) = (actions(a), actions(b));
        let got = [
            edit_distance(&a, &b),
            place_edit_distance(&a, &b),
            kind_edit_distance(&a, &b),
        ];
        for (got, expected) in got.into_iter().zip(expected) {
            assert!((got - expected).abs() < 1e-12, "{got} is not {expected}");
        }
    }

    #[test]
    fn distances_grow_with_what_they_look_at() {
        let sheet = ["INPUT | A1 | 1", "INPUT | A2 | 2", "FONT_BOLD | A1 | true"];
        check(&sheet, &sheet, [0.0, 0.0, 0.0]);
        check(&[], &[], [0.0, 0.0, 0.0]);
        check(&sheet, &[], [1.0, 1.0, 1.0]);
        check(
            &sheet,
            &["INPUT | Sheet1!A1 | 1", "INPUT | A2 | 3"],
            [2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0],
        );
        check(
            &sheet,
            &["INPUT | B1 | 1", "INPUT | A2 | 2", "FONT_BOLD | A1 | true"],
            [1.0 / 3.0, 1.0 / 3.0, 0.0],
        );
    }
}
