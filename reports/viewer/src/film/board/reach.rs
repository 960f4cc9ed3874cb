//! The cells that actions can read or write.

use std::collections::BTreeMap;
use std::sync::Arc;

use napsim_sim::state::{CellKey, Cells, Sheet, Workbook};
use napsim_trajectories::{Action, Bounds, Edit, Range};

/// Cells looked at one by one; beyond that, all that there are.
const CELLS_MAX: u64 = 300_000;

/// The cells that some actions can read or write, by sheet.
pub(super) struct Reach {
    boxes: BTreeMap<Arc<str>, Vec<Bounds>>,
    /// Keys that are no plain addresses of a box.
    odd: BTreeMap<Arc<str>, Vec<CellKey>>,
    /// Whether the boxes are too large to be gone through.
    everything: bool,
}

impl Reach {
    /// What these actions can read or write.
    pub(super) fn of(actions: &[&Action]) -> Self {
        let mut reach = Self {
            boxes: BTreeMap::new(),
            odd: BTreeMap::new(),
            everything: false,
        };
        for action in actions {
            reach.add(action);
        }
        let n_cells = |bounds: &Bounds| bounds.n_cells();
        let n_cells = reach.boxes.values().flatten().map(n_cells).fold(0, u64::saturating_add);
        reach.everything = n_cells > CELLS_MAX;
        reach
    }

    fn add(&mut self, action: &Action) {
        let range = action.range();
        let sheet = range.sheet();
        match action.edit() {
            Edit::Value { .. } | Edit::Formula { .. } => {
                let key = CellKey::from_text(range.text());
                self.odd.entry(sheet.clone()).or_default().push(key);
            }
            Edit::Paste { source, .. } => {
                self.add_box(sheet, range.bounds());
                if let Ok(source) = Range::parse(source) {
                    let (to, from) = (range.bounds(), source.bounds());
                    self.add_box(source.sheet(), from);
                    self.add_box(
                        sheet,
                        Bounds {
                            last_row: to.first_row.saturating_add(from.height() - 1),
                            last_col: to.first_col.saturating_add(from.width() - 1),
                            ..to
                        },
                    );
                }
            }
            Edit::Autofill { source } => {
                let to = range.bounds();
                let from = Range::parse(source).map_or(to, |source| source.bounds());
                self.add_box(
                    sheet,
                    Bounds {
                        first_row: to.first_row.min(from.first_row),
                        first_col: to.first_col.min(from.first_col),
                        last_row: to.last_row.max(from.last_row),
                        last_col: to.last_col.max(from.last_col),
                    },
                );
            }
            _ => self.add_box(sheet, range.bounds()),
        }
    }

    /// Adds a box; of one that is reversed, its first cell.
    fn add_box(&mut self, sheet: &Arc<str>, bounds: Bounds) {
        let bounds = if bounds.n_cells() == 0 {
            Bounds::of_cell(bounds.first_cell())
        } else {
            bounds
        };
        self.boxes.entry(sheet.clone()).or_default().push(bounds);
    }

    fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        let odd = self.odd.keys().filter(|name| !self.boxes.contains_key(*name));
        self.boxes.keys().chain(odd)
    }

    /// The keys within one sheet, in order and without repeats.
    fn keys(&self, name: &Arc<str>) -> Vec<CellKey> {
        let boxes = self.boxes.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut keys: Vec<CellKey> = boxes.iter().flat_map(Bounds::cells).map(CellKey::Address).collect();
        let odd = self.odd.get(name).map(Vec::as_slice).unwrap_or_default();
        keys.extend_from_slice(odd);
        if boxes.len() + odd.len() > 1 {
            keys.sort_unstable();
            keys.dedup();
        }
        keys
    }

    /// A copy of a workbook with what the actions can reach.
    pub(super) fn copied(&self, workbook: &Workbook) -> Workbook {
        if self.everything {
            return workbook.clone();
        }
        let mut copy = Workbook::default();
        for name in self.names() {
            let Some(sheet) = workbook.sheet(name) else { continue };
            let cells = sheet.cells.as_ref().map(|cells| {
                let mut copied = Cells::default();
                for key in self.keys(name) {
                    if let Some(cell) = cells.shared(&key) {
                        copied.share(key, cell.clone());
                    }
                }
                copied
            });
            copy.push_sheet(
                name.clone(),
                Sheet {
                    cells,
                    merges: sheet.merges.clone(),
                    ..Sheet::default()
                },
            );
        }
        copy
    }

    /// The sheets that the actions can reach, with the keys of all cells that may be others after them than before.
    pub(super) fn sheets(&self, before: &Workbook, after: &Workbook) -> Vec<(Arc<str>, Vec<CellKey>)> {
        let keys = |name: &Arc<str>| {
            if !self.everything {
                return self.keys(name);
            }
            let sheets = [before, after].into_iter().filter_map(|workbook| workbook.sheet(name));
            let cells = sheets.filter_map(|sheet| sheet.cells.as_ref()).flat_map(Cells::sorted);
            let mut keys: Vec<CellKey> = cells.map(|(key, _)| key.clone()).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        self.names().map(|name| (name.clone(), keys(name))).collect()
    }
}
