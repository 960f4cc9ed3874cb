//! Cells of one look gathered into rectangles.

use napsim_trajectories::{Bounds, CellAddress};
use rustc_hash::FxHashMap;

/// Whether rectangles grow down first or right first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    Down,
    Right,
}

/// A rectangle of one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rectangle<L> {
    pub look: L,
    pub bounds: Bounds,
    /// Cells in it that another look is to be written over afterwards.
    pub exceptions: Vec<CellAddress>,
}

/// Covers cells by rectangles of their looks.
///
/// Every cell lies in exactly one rectangle of its own look. With exceptions, a rectangle may also run over cells
/// whose look is rarer in the sheet, as long as they are at most three in ten of each line: looks are dealt with from
/// the most frequent to the rarest, so an exception's own rectangle always comes later in the result.
///
/// Linear in the cells, hashing aside.
pub(super) fn cover<L: Copy + Ord + std::hash::Hash>(
    cells: &[(CellAddress, L)],
    growth: Growth,
    with_exceptions: bool,
) -> Vec<Rectangle<L>> {
    let mut groups: FxHashMap<L, Vec<CellAddress>> = FxHashMap::default();
    for (at, look) in cells {
        groups.entry(*look).or_default().push(turned(*at, growth));
    }
    // The order of the map does not matter: the groups are sorted by size and look.
    let mut groups: Vec<(L, Vec<CellAddress>)> = groups.into_iter().collect();
    groups.sort_by_key(|(look, cells)| (std::cmp::Reverse(cells.len()), *look));
    let mut field = Field::default();
    for (rank, (_, cells)) in (0..).zip(&mut groups) {
        cells.sort_unstable();
        field.ranks.extend(cells.iter().map(|at| (*at, rank)));
    }
    let mut rectangles = Vec::new();
    for (rank, (look, cells)) in (0..).zip(&groups) {
        for at in cells {
            if field.ranks.get(at) == Some(&rank) {
                let (bounds, exceptions) = field.grow(*at, rank, with_exceptions);
                rectangles.push(Rectangle {
                    look: *look,
                    bounds: turned_bounds(&bounds, growth),
                    exceptions: exceptions.into_iter().map(|at| turned(at, growth)).collect(),
                });
            }
        }
    }
    rectangles
}

/// Rows and columns change places for the growth that goes down first.
fn turned(at: CellAddress, growth: Growth) -> CellAddress {
    match growth {
        Growth::Right => at,
        Growth::Down => CellAddress::new(at.col, at.row),
    }
}

fn turned_bounds(bounds: &Bounds, growth: Growth) -> Bounds {
    match growth {
        Growth::Right => *bounds,
        Growth::Down => Bounds {
            first_row: bounds.first_col,
            first_col: bounds.first_row,
            last_row: bounds.last_col,
            last_col: bounds.last_row,
        },
    }
}

/// The rank of the look of each cell that no rectangle of its own holds yet.
#[derive(Default)]
struct Field {
    ranks: FxHashMap<CellAddress, u32>,
}

/// What a cell is to a growing rectangle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Own,
    Exception,
    Foreign,
}

impl Field {
    /// Grows a rectangle to the right, then down, and takes its own cells out.
    fn grow(&mut self, from: CellAddress, rank: u32, with_exceptions: bool) -> (Bounds, Vec<CellAddress>) {
        let kind = |at: CellAddress| match self.ranks.get(&at) {
            Some(other) if *other == rank => Kind::Own,
            Some(other) if *other > rank && with_exceptions => Kind::Exception,
            _ => Kind::Foreign,
        };
        let mut bounds = Bounds::of_cell(from);
        let (mut n_own, mut n) = (1, 1);
        for col in from.col + 1.. {
            match kind(CellAddress::new(from.row, col)) {
                Kind::Foreign => break,
                Kind::Own => {
                    n_own += 1;
                    n += 1;
                    if n_own * 10 >= n * 7 {
                        bounds.last_col = col;
                    }
                }
                Kind::Exception => n += 1,
            }
        }
        for row in from.row + 1.. {
            let line = (from.col..=bounds.last_col).map(|col| kind(CellAddress::new(row, col)));
            let (mut n_own, mut n, mut closed) = (0, 0, true);
            for kind in line {
                n += 1;
                n_own += u64::from(kind == Kind::Own);
                closed &= kind != Kind::Foreign;
                if !closed {
                    break;
                }
            }
            if !closed || n_own * 10 < n * 7 {
                break;
            }
            bounds.last_row = row;
        }
        let mut exceptions = Vec::new();
        for at in bounds.cells() {
            if self.ranks.get(&at) == Some(&rank) {
                self.ranks.remove(&at);
            } else {
                exceptions.push(at);
            }
        }
        (bounds, exceptions)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells(rows: &[&str]) -> Vec<(CellAddress, char)> {
        let row = |(row, text): (i64, &&str)| -> Vec<(CellAddress, char)> {
            let cells = (1..).zip(text.chars()).filter(|(_, look)| *look != '.');
            cells.map(|(col, look)| (CellAddress::new(row, col), look)).collect()
        };
        (1..).zip(rows).flat_map(row).collect()
    }

    fn check(rows: &[&str], growth: Growth, with_exceptions: bool, expect: &[&str]) {
        let rectangles = cover(&cells(rows), growth, with_exceptions);
        let texts: Vec<String> = rectangles
            .iter()
            .map(|r| format!("{}{}+{}", r.look, r.bounds, r.exceptions.len()))
            .collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn growth_goes_the_way_it_says() {
        check(&["aa", "a."], Growth::Right, false, &["aA1:B1+0", "aA2+0"]);
        check(&["aa", "a."], Growth::Down, false, &["aA1:A2+0", "aB1+0"]);
    }

    #[test]
    fn rare_looks_become_exceptions() {
        check(
            &["aaaab", "aaaaa"],
            Growth::Right,
            true,
            &["aA1:D2+0", "aE2+0", "bE1+0"],
        );
        check(&["aabaaa"], Growth::Right, true, &["aA1:F1+1", "bC1+0"]);
        check(&["aabaaa"], Growth::Right, false, &["aA1:B1+0", "aD1:F1+0", "bC1+0"]);
    }

    proptest! {
        #[test]
        fn writing_the_rectangles_in_order_gives_the_cells_back(
            looks in prop::collection::vec(prop::collection::vec(0_u8..4, 1..9), 1..9),
            down in any::<bool>(),
            with_exceptions in any::<bool>(),
        ) {
            let mut cells = Vec::new();
            for (row, line) in (1..).zip(&looks) {
                for (col, look) in (1..).zip(line) {
                    if *look > 0 {
                        cells.push((CellAddress::new(row, col), *look));
                    }
                }
            }
            let growth = if down { Growth::Down } else { Growth::Right };
            let mut written = std::collections::BTreeMap::new();
            for rectangle in cover(&cells, growth, with_exceptions) {
                written.extend(rectangle.bounds.cells().map(|at| (at, rectangle.look)));
            }
            prop_assert_eq!(written, cells.into_iter().collect());
        }
    }
}
