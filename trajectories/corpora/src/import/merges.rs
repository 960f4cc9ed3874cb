//! Merged ranges that do not overlap, and which cells they hide.

use std::collections::BTreeMap;

use napsim_trajectories::{Bounds, CellAddress};

/// Merged ranges met from top to bottom.
///
/// Rows only grow, so the ranges that can still matter lie side by side: their columns are disjoint.
#[derive(Default)]
pub(crate) struct Sweep {
    /// Last row and whole range of the ranges in view, by first column.
    standing: BTreeMap<i64, Bounds>,
}

impl Sweep {
    /// Brings a range into view unless it overlaps one that is; whether it came into view.
    pub(crate) fn admit(&mut self, merge: Bounds) -> bool {
        let mut over = Vec::new();
        for (first_col, standing) in self.standing.range(..=merge.last_col).rev() {
            if standing.last_col < merge.first_col {
                break;
            }
            if standing.last_row >= merge.first_row {
                return false;
            }
            over.push(*first_col);
        }
        for first_col in over {
            self.standing.remove(&first_col);
        }
        self.standing.insert(merge.first_col, merge);
        true
    }

    /// The range in view that covers a cell.
    pub(crate) fn covering(&self, cell: CellAddress) -> Option<Bounds> {
        let (_, merge) = self.standing.range(..=cell.col).next_back()?;
        merge.contains_cell(cell).then_some(*merge)
    }
}

/// Merged ranges put in order, with how many were dropped because they are one cell or overlap an earlier one.
pub(crate) fn tidy(mut merges: Vec<Bounds>) -> (Vec<Bounds>, u64) {
    merges.sort_unstable_by_key(|merge| (merge.first_row, merge.first_col, merge.last_row, merge.last_col));
    merges.dedup();
    let n_given = merges.len();
    let mut sweep = Sweep::default();
    merges.retain(|merge| merge.n_cells() > 1 && sweep.admit(*merge));
    let dropped = (n_given - merges.len()) as u64;
    (merges, dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(first_row: i64, first_col: i64, last_row: i64, last_col: i64) -> Bounds {
        Bounds {
            first_row,
            first_col,
            last_row,
            last_col,
        }
    }

    #[test]
    fn overlapping_ranges_are_dropped() {
        let given = vec![
            bounds(3, 1, 3, 9),
            bounds(1, 1, 2, 2),
            bounds(2, 2, 4, 3),
            bounds(1, 4, 9, 4),
            bounds(7, 7, 7, 7),
        ];
        let (kept, dropped) = tidy(given);
        assert_eq!(kept, [bounds(1, 1, 2, 2), bounds(1, 4, 9, 4)]);
        assert_eq!(dropped, 3);
    }

    proptest::proptest! {
        #[test]
        fn sweep_agrees_with_pairwise_checks(rects in proptest::collection::vec((1_i64..12, 1_i64..12, 0_i64..4, 0_i64..4), 0..30)) {
            let given: Vec<Bounds> = rects.iter().map(|(r, c, h, w)| bounds(*r, *c, r + h, c + w)).collect();
            let (kept, _) = tidy(given.clone());
            let mut sorted = given;
            sorted.sort_unstable_by_key(|m| (m.first_row, m.first_col, m.last_row, m.last_col));
            sorted.dedup();
            let mut expected: Vec<Bounds> = Vec::new();
            for merge in sorted {
                if merge.n_cells() > 1 && !expected.iter().any(|known| known.overlaps(&merge)) {
                    expected.push(merge);
                }
            }
            proptest::prop_assert_eq!(kept, expected);
        }
    }
}
