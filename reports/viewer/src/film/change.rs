//! What changes in one sheet, in rectangles.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// What changes in one sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Change {
    /// Number of the sheet.
    #[serde(rename = "s", skip_serializing_if = "is_zero")]
    pub(crate) sheet: u32,
    /// Whether the sheet is made.
    #[serde(rename = "n", serialize_with = "as_one", skip_serializing_if = "is_off")]
    pub(crate) makes_sheet: bool,
    /// First row, first column, last row, last column and the look that their cells take on.
    #[serde(rename = "l", skip_serializing_if = "Vec::is_empty")]
    pub(crate) looks: Vec<[u32; 5]>,
    /// Contents that cells take on.
    #[serde(rename = "v", skip_serializing_if = "Vec::is_empty")]
    pub(crate) contents: Vec<Block>,
    /// Ranges that are merged.
    #[serde(rename = "m", skip_serializing_if = "Vec::is_empty")]
    pub(crate) merged: Vec<[u32; 4]>,
    /// Ranges that are no longer merged.
    #[serde(rename = "x", skip_serializing_if = "Vec::is_empty")]
    pub(crate) unmerged: Vec<[u32; 4]>,
}

/// Contents of a rectangle of cells, row by row. Serialised flat: row, column, width, contents.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) row: u32,
    pub(crate) col: u32,
    pub(crate) width: u32,
    pub(crate) contents: Vec<u32>,
}

impl Block {
    /// Row, column and content of each cell.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let width = usize::try_from(self.width.max(1)).unwrap_or(1);
        let rows = (self.row..).zip(self.contents.chunks(width));
        rows.flat_map(|(row, contents)| {
            (self.col..)
                .zip(contents)
                .map(move |(col, content)| (row, col, *content))
        })
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(3 + self.contents.len()))?;
        for number in [self.row, self.col, self.width].iter().chain(&self.contents) {
            list.serialize_element(number)?;
        }
        list.end()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_off(flag: &bool) -> bool {
    !flag
}

fn as_one<S: Serializer>(_flag: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(1)
}

impl Change {
    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        !self.makes_sheet
            && self.looks.is_empty()
            && self.contents.is_empty()
            && self.merged.is_empty()
            && self.unmerged.is_empty()
    }

    /// The last row and the last column that it has to do with.
    pub(super) fn extent(&self) -> [u32; 2] {
        let looks = self.looks.iter().map(|[_, _, row, col, _]| [*row, *col]);
        let merges = self.merged.iter().map(|[_, _, row, col]| [*row, *col]);
        let contents = self.contents.iter().map(|block| {
            let height = u32::try_from(block.contents.len())
                .unwrap_or(u32::MAX)
                .div_ceil(block.width.max(1));
            [block.row + height.max(1) - 1, block.col + block.width.max(1) - 1]
        });
        looks
            .chain(merges)
            .chain(contents)
            .fold([0, 0], |[last_row, last_col], [row, col]| {
                [last_row.max(row), last_col.max(col)]
            })
    }

    /// Adds the looks that cells take on, given row by row as row, column and look.
    pub(super) fn add_looks(&mut self, cells: impl IntoIterator<Item = (u32, u32, u32)>) {
        let mut runs: Vec<[u32; 5]> = Vec::new();
        for (row, col, look) in cells {
            match runs.last_mut() {
                Some([r, _, _, last_col, known]) if *r == row && *last_col + 1 == col && *known == look => {
                    *last_col = col;
                }
                _ => runs.push([row, col, row, col, look]),
            }
        }
        // A run below one of the same extent makes it taller.
        let mut open: FxHashMap<[u32; 3], usize> = FxHashMap::default();
        for run in runs {
            let [row, col, _, last_col, look] = run;
            let fresh = self.looks.len();
            match open.entry([col, last_col, look]) {
                Entry::Occupied(mut known) => {
                    if let Some([_, _, last_row, ..]) = self.looks.get_mut(*known.get())
                        && *last_row + 1 == row
                    {
                        *last_row = row;
                        continue;
                    }
                    known.insert(fresh);
                }
                Entry::Vacant(place) => {
                    place.insert(fresh);
                }
            }
            self.looks.push(run);
        }
    }

    /// Adds the contents that cells take on, given row by row as row, column and content.
    pub(super) fn add_contents(&mut self, cells: impl IntoIterator<Item = (u32, u32, u32)>) {
        let mut runs: Vec<Block> = Vec::new();
        for (row, col, content) in cells {
            match runs.last_mut() {
                Some(run) if run.row == row && run.col + run.width == col => {
                    run.width += 1;
                    run.contents.push(content);
                }
                _ => runs.push(Block {
                    row,
                    col,
                    width: 1,
                    contents: vec![content],
                }),
            }
        }
        let mut open: FxHashMap<[u32; 2], (usize, u32)> = FxHashMap::default();
        for run in runs {
            let known = open.get(&[run.col, run.width]).copied();
            let above = known.filter(|(_, last_row)| *last_row + 1 == run.row);
            let idx = match above.and_then(|(idx, _)| Some((idx, self.contents.get_mut(idx)?))) {
                Some((idx, block)) => {
                    block.contents.extend_from_slice(&run.contents);
                    idx
                }
                None => {
                    self.contents.push(run.clone());
                    self.contents.len() - 1
                }
            };
            open.insert([run.col, run.width], (idx, run.row));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_are_told_in_rectangles() {
        let mut change = Change::default();
        let block = (2..=4).flat_map(|row| (3..=5).map(move |col| (row, col, 7)));
        change.add_looks(block.chain([(9, 3, 7)]));
        assert_eq!(change.looks, [[2, 3, 4, 5, 7], [9, 3, 9, 3, 7]]);
        change.add_contents([(1, 1, 5), (1, 2, 6), (2, 1, 7), (2, 2, 8), (3, 1, 9), (4, 1, 0)]);
        assert_eq!(change.extent(), [9, 5]);
        let json = serde_json::to_string(&change).unwrap();
        assert_eq!(
            json,
            r#"{"l":[[2,3,4,5,7],[9,3,9,3,7]],"v":[[1,1,2,5,6,7,8],[3,1,1,9,0]]}"#
        );
    }

    proptest! {
        #[test]
        fn no_cell_is_lost_or_made_up(cells in proptest::collection::btree_map((1_u32..7, 1_u32..7), 0_u32..3, 0..30)) {
            let flat = || cells.iter().map(|((row, col), value)| (*row, *col, *value));
            let mut change = Change::default();
            change.add_looks(flat());
            change.add_contents(flat());
            let mut looks = BTreeMap::new();
            for [row, col, last_row, last_col, look] in &change.looks {
                for (r, c) in (*row..=*last_row).flat_map(|r| (*col..=*last_col).map(move |c| (r, c))) {
                    prop_assert_eq!(looks.insert((r, c), *look), None);
                }
            }
            prop_assert_eq!(&looks, &cells);
            let contents: Vec<_> = change.contents.iter().flat_map(Block::cells).collect();
            prop_assert_eq!(contents.len(), cells.len());
            let contents: BTreeMap<_, _> = contents.into_iter().map(|(r, c, value)| ((r, c), value)).collect();
            prop_assert_eq!(&contents, &cells);
        }
    }
}
