//! The state of a workbook: sheets of cells and merges (spec chapter 01, section 5).
//!
//! Insertion order of sheets, cells and keys is part of the state, because later steps iterate it; so are
//! empty containers that clearing leaves behind. Cells are kept sorted for comparison and carry a sequence
//! number that recovers the order in which they were made.

mod cell;
mod json;
mod property;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Value};

pub use cell::Cell;
pub(crate) use cell::same_line;
pub use json::StateError;
pub use property::Property;

/// The key of a cell in a sheet's map.
///
/// Plain addresses sort first, by row and column; every other text (VALUE and FORMULA use their range text
/// verbatim, spec 01, 6.1) names a cell of its own and sorts after them (spec 02, 16).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellKey {
    /// A plain address.
    Address(CellAddress),
    /// Any other text.
    Text(Arc<str>),
}

impl CellKey {
    /// The key that a range text names.
    pub fn from_text(text: &str) -> Self {
        CellAddress::from_normalised(text).map_or_else(|| Self::Text(text.into()), Self::Address)
    }

    /// The plain address, if it is one.
    pub fn address(&self) -> Option<CellAddress> {
        match self {
            Self::Address(address) => Some(*address),
            Self::Text(_) => None,
        }
    }
}

impl From<CellAddress> for CellKey {
    fn from(address: CellAddress) -> Self {
        Self::Address(address)
    }
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A cell with its place in the order of insertion.
#[derive(Clone, Debug)]
struct Placed {
    sequence: u64,
    cell: Arc<Cell>,
}

/// The cells of a sheet. Cloning shares the cells; writing to a shared cell copies that cell alone.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    map: BTreeMap<CellKey, Placed>,
    sequence: u64,
}

impl Cells {
    /// The cell under a key.
    pub fn get(&self, key: &CellKey) -> Option<&Cell> {
        self.map.get(key).map(|placed| &*placed.cell)
    }

    /// The cell under a key as it is shared between copies of the sheet.
    pub fn shared(&self, key: &CellKey) -> Option<&Arc<Cell>> {
        self.map.get(key).map(|placed| &placed.cell)
    }

    /// Puts a shared cell under a key, at the end of the order if the key is new.
    pub fn share(&mut self, key: CellKey, cell: Arc<Cell>) {
        if let Some(placed) = self.map.get_mut(&key) {
            placed.cell = cell;
            return;
        }
        self.sequence += 1;
        let sequence = self.sequence;
        self.map.insert(key, Placed { sequence, cell });
    }

    /// The cell under a key, made empty at the end of the order if it is missing.
    pub fn touch(&mut self, key: CellKey) -> &mut Cell {
        let sequence = &mut self.sequence;
        let placed = self.map.entry(key).or_insert_with(|| {
            *sequence += 1;
            Placed {
                sequence: *sequence,
                cell: Arc::default(),
            }
        });
        Arc::make_mut(&mut placed.cell)
    }

    /// The cell under a key, if there is one.
    pub fn get_mut(&mut self, key: &CellKey) -> Option<&mut Cell> {
        self.map.get_mut(key).map(|placed| Arc::make_mut(&mut placed.cell))
    }

    /// Removes a cell.
    pub fn remove(&mut self, key: &CellKey) {
        self.map.remove(key);
    }

    /// Cells in canonical order: plain addresses row by row, then other keys by text.
    pub fn sorted(&self) -> impl Iterator<Item = (&CellKey, &Arc<Cell>)> {
        self.map.iter().map(|(key, placed)| (key, &placed.cell))
    }

    /// Cells in the order they were made.
    pub fn in_insertion_order(&self) -> Vec<(&CellKey, &Cell)> {
        let mut cells: Vec<_> = self.map.iter().collect();
        cells.sort_by_key(|(_, placed)| placed.sequence);
        cells.into_iter().map(|(key, placed)| (key, &*placed.cell)).collect()
    }

    /// How many cells there are, empty ones included.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

/// One sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Cells; absent only in a given initial state that lacks them.
    pub cells: Option<Cells>,
    /// Merged ranges in the order they were made; absent only in a given initial state that lacks them.
    pub merges: Option<Vec<Bounds>>,
    /// Keys beside the merged ranges in `worksheetProperties` that no action knows, kept and copied along.
    pub extra_properties: Vec<(Arc<str>, Value)>,
    /// Keys that no action knows, kept and copied along.
    pub extra: Vec<(Arc<str>, Value)>,
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            cells: Some(Cells::default()),
            merges: Some(Vec::new()),
            extra_properties: Vec::new(),
            extra: Vec::new(),
        }
    }
}

impl Sheet {
    /// The merged ranges, none where the list is missing.
    pub fn merges(&self) -> &[Bounds] {
        self.merges.as_deref().unwrap_or_default()
    }

    /// The cell under a key.
    pub fn cell(&self, key: &CellKey) -> Option<&Cell> {
        self.cells.as_ref().and_then(|cells| cells.get(key))
    }
}

/// A workbook: sheets in order of creation.
#[derive(Clone, Debug, Default)]
pub struct Workbook {
    sheets: Vec<(Arc<str>, Sheet)>,
    /// Top-level keys that no action knows, kept and copied along.
    pub extra: Vec<(Arc<str>, Value)>,
}

impl Workbook {
    /// Sheets in order of creation.
    pub fn sheets(&self) -> impl Iterator<Item = (&Arc<str>, &Sheet)> {
        self.sheets.iter().map(|(name, sheet)| (name, sheet))
    }

    /// The sheet of that name.
    pub fn sheet(&self, name: &str) -> Option<&Sheet> {
        self.sheets
            .iter()
            .find(|(known, _)| &**known == name)
            .map(|(_, sheet)| sheet)
    }

    /// The sheet of that name, made empty at the end if it is missing.
    pub fn touch_sheet(&mut self, name: &Arc<str>) -> &mut Sheet {
        let found = self.sheets.iter().position(|(known, _)| known == name);
        let idx = found.unwrap_or_else(|| {
            self.sheets.push((name.clone(), Sheet::default()));
            self.sheets.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "the index was just found or made")]
        let (_, sheet) = &mut self.sheets[idx];
        sheet
    }

    /// Appends a sheet, for builders of states.
    pub fn push_sheet(&mut self, name: Arc<str>, sheet: Sheet) {
        self.sheets.push((name, sheet));
    }

    /// The cell under a key of a sheet.
    pub fn cell(&self, sheet: &str, key: &CellKey) -> Option<&Cell> {
        self.sheet(sheet).and_then(|sheet| sheet.cell(key))
    }

    /// The merges of a sheet, none where there is no such sheet.
    pub(crate) fn merges_of(&self, sheet: &str) -> &[Bounds] {
        self.sheet(sheet).map(Sheet::merges).unwrap_or_default()
    }

    /// The names of the sheets of two workbooks, in order.
    pub(crate) fn sheet_names_with<'a>(&'a self, other: &'a Workbook) -> Vec<&'a Arc<str>> {
        let mut names: Vec<&Arc<str>> = self.sheets().chain(other.sheets()).map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
