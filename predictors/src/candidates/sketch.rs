//! What the sheets look like, as far as candidates care: content and formats of cells, by number.
//!
//! The sketch follows the actions one by one and can take back those that were only imagined. It is no measure of
//! anything: the simulator's state is exact, this one is quick.

use napsim_trajectories::{Edit, Keyword, Range, Value, shift_references};
use rustc_hash::FxHashMap;

use super::edits::{ContentKind, EditId, Edits, TextId};
use super::place::Place;

/// Formats of a cell: a slot each.
pub const N_SLOTS: usize = 16;

/// Places larger than this are not drawn cell by cell.
const CELLS_MAX: i64 = 20_000;

/// Slots of the four borders.
const TOP: usize = 12;
const BOTTOM: usize = 13;
const LEFT: usize = 14;
const RIGHT: usize = 15;

/// One cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The edit that typed the content, where there is some.
    pub content: Option<EditId>,
    /// What kind of content.
    pub kind: ContentKind,
    /// Whether the cell is part of a merge.
    pub merged: bool,
    /// The formats' values.
    pub formats: [TextId; N_SLOTS],
}

/// The slot that a format's keyword sets; none for content, merges and borders of several sides.
pub fn slot(keyword: Keyword) -> Option<usize> {
    Some(match keyword {
        Keyword::AlignHorizontal => 0,
        Keyword::AlignVertical => 1,
        Keyword::FillColor => 2,
        Keyword::FontBold => 3,
        Keyword::FontColor => 4,
        Keyword::FontItalic => 5,
        Keyword::FontName => 6,
        Keyword::FontSize => 7,
        Keyword::FontUnderline => 8,
        Keyword::NumberFormat => 9,
        Keyword::TextOrientation => 10,
        Keyword::WrapText => 11,
        Keyword::BorderTop => TOP,
        Keyword::BorderBottom => BOTTOM,
        Keyword::BorderLeft => LEFT,
        Keyword::BorderRight => RIGHT,
        _ => return None,
    })
}

/// The slots that a keyword sets in a cell of a place, as a set of bits.
pub fn slots_at(keyword: Keyword, place: Place, row: i32, col: i32) -> u16 {
    let (top, bottom) = (row == place.row, row == place.last_row());
    let (left, right) = (col == place.col, col == place.last_col());
    let sides = |t: bool, b: bool, l: bool, r: bool| {
        u16::from(t) << TOP | u16::from(b) << BOTTOM | u16::from(l) << LEFT | u16::from(r) << RIGHT
    };
    match keyword {
        Keyword::BorderAll => sides(true, true, true, true),
        Keyword::BorderOutside => sides(top, bottom, left, right),
        Keyword::BorderInsideHorizontal => sides(!top, !bottom, false, false),
        Keyword::BorderInsideVertical => sides(false, false, !left, !right),
        Keyword::BorderTop => sides(top, false, false, false),
        Keyword::BorderBottom => sides(false, bottom, false, false),
        Keyword::BorderLeft => sides(false, false, left, false),
        Keyword::BorderRight => sides(false, false, false, right),
        keyword => slot(keyword).map_or(0, |slot| 1 << slot),
    }
}

type Key = (u16, i32, i32);

/// The sheets' cells.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    cells: FxHashMap<Key, Look>,
    /// What the cells were before the imagined actions, latest last; none while nothing is imagined.
    journal: Option<Vec<(Key, Option<Look>)>>,
}

impl Sketch {
    /// A cell; a fresh one where nothing was done.
    pub fn look(&self, sheet: u16, row: i32, col: i32) -> Look {
        self.cells.get(&(sheet, row, col)).copied().unwrap_or_default()
    }

    /// Whether a cell has content.
    pub fn is_filled(&self, sheet: u16, row: i32, col: i32) -> bool {
        self.cells
            .get(&(sheet, row, col))
            .is_some_and(|look| look.content.is_some())
    }

    /// From here on everything is only imagined.
    pub fn imagine(&mut self) {
        self.journal.get_or_insert_default();
    }

    /// Takes back what was imagined.
    pub fn wake(&mut self) {
        for (key, before) in self.journal.take().into_iter().flatten().rev() {
            match before {
                Some(look) => self.cells.insert(key, look),
                None => self.cells.remove(&key),
            };
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.journal = None;
    }

    fn change(&mut self, key: Key, change: impl FnOnce(&mut Look)) {
        if let Some(journal) = &mut self.journal {
            journal.push((key, self.cells.get(&key).copied()));
        }
        change(self.cells.entry(key).or_default());
    }

    fn set_content(&mut self, key: Key, content: EditId, kind: ContentKind) {
        self.change(key, |look| {
            look.content = (kind != ContentKind::None).then_some(content);
            look.kind = kind;
        });
    }

    /// Carries an edit out.
    pub fn apply(&mut self, edits: &mut Edits, id: EditId, place: Place) {
        if place.n_cells() > CELLS_MAX {
            return;
        }
        let known = edits.get(id).clone();
        match &known.edit {
            Edit::Input {
                value: Value::List(rows),
            } => self.type_grid(edits, rows, place),
            Edit::Input { .. } | Edit::Value { .. } | Edit::Formula { .. } => {
                for (row, col) in place.cells() {
                    self.set_content((place.sheet, row, col), id, known.content);
                }
            }
            Edit::Merge { on } => self.merge(place, *on),
            Edit::Autofill { source } => self.fill(edits, source, place),
            Edit::Paste { source, mode } => self.paste(edits, source, mode, place),
            _ => {
                for (row, col) in place.cells() {
                    let slots = slots_at(known.keyword, place, row, col);
                    if slots == 0 {
                        continue;
                    }
                    self.change((place.sheet, row, col), |look| {
                        for (slot, format) in look.formats.iter_mut().enumerate() {
                            if slots >> slot & 1 == 1 {
                                *format = known.text;
                            }
                        }
                    });
                }
            }
        }
    }

    fn type_grid(&mut self, edits: &mut Edits, rows: &[Value], place: Place) {
        for (row, values) in (place.row..).zip(rows) {
            let Value::List(values) = values else { continue };
            for (col, value) in (place.col..).zip(values.iter()) {
                let id = edits.input(value.clone());
                let kind = edits.get(id).content;
                self.set_content((place.sheet, row, col), id, kind);
            }
        }
    }

    fn merge(&mut self, place: Place, on: bool) {
        for (row, col) in place.cells() {
            let covered = on && (row, col) != (place.row, place.col);
            self.change((place.sheet, row, col), |look| {
                look.merged = on;
                if covered {
                    look.content = None;
                    look.kind = ContentKind::None;
                }
            });
        }
    }

    /// Copies the source along, formulas moved and numbers as they are: enough to know where something stands.
    fn fill(&mut self, edits: &mut Edits, source: &str, place: Place) {
        let Some(source) = source_place(source, place.sheet) else {
            return;
        };
        for (row, col) in place.cells() {
            if source.contains(Place::cell(place.sheet, row, col)) {
                continue;
            }
            let from_row = source.row + (row - source.row).rem_euclid(source.height);
            let from_col = source.col + (col - source.col).rem_euclid(source.width);
            let look = self.look(place.sheet, from_row, from_col);
            self.copy(
                edits,
                look,
                (place.sheet, row, col),
                (row - from_row, col - from_col),
                (true, true),
            );
        }
    }

    fn paste(&mut self, edits: &mut Edits, source: &str, mode: &str, place: Place) {
        let Some(source) = source_place(source, place.sheet).filter(|source| source.n_cells() <= CELLS_MAX) else {
            return;
        };
        let parts = match mode {
            "formats" => (false, true),
            "all" => (true, true),
            _ => (true, false),
        };
        let height = place.height.max(source.height);
        let width = place.width.max(source.width);
        if i64::from(height) * i64::from(width) > CELLS_MAX {
            return;
        }
        let mut copies = Vec::new();
        for (rows, cols) in Place::spanning(0, (0, height - 1), (0, width - 1)).cells() {
            let from = (source.row + rows % source.height, source.col + cols % source.width);
            copies.push((rows, cols, from, self.look(source.sheet, from.0, from.1)));
        }
        for (rows, cols, from, look) in copies {
            let to = (place.row + rows, place.col + cols);
            self.copy(
                edits,
                look,
                (place.sheet, to.0, to.1),
                (to.0 - from.0, to.1 - from.1),
                parts,
            );
        }
    }

    fn copy(&mut self, edits: &mut Edits, from: Look, to: Key, by: (i32, i32), (content, formats): (bool, bool)) {
        let moved = from.content.filter(|_| content).map(|id| match edits.value(id) {
            Some(Value::Text(text)) if text.starts_with('=') => {
                let text = shift_references(text, by.0.into(), by.1.into());
                edits.input(Value::text(text))
            }
            _ => id,
        });
        self.change(to, |look| {
            if content {
                look.content = moved;
                look.kind = from.kind;
            }
            if formats {
                look.formats = from.formats;
            }
        });
    }
}

/// The place that a source's text names, on a sheet of its own where it names one: that one is not known by number.
pub(super) fn source_place(text: &str, sheet: u16) -> Option<Place> {
    let range = text.rsplit_once('!').map_or(text, |(_, range)| range);
    let range = Range::new("S", range).ok()?;
    let place = Place::of_range(sheet, &range);
    place.is_on_sheet().then_some(place)
}
