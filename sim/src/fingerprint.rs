//! Fingerprints: which properties of which cells an action writes (spec chapter 02, section 11).

use std::sync::Arc;

use napsim_trajectories::action::BorderSide;
use napsim_trajectories::{Action, Bounds, CellAddress, Edit, Range, RangeError};
use rustc_hash::FxHashMap;

use crate::compare::Compared;
use crate::state::Property;

/// A set of properties; `Format` stands for everything in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PropertySet(u32);

/// The bit of `merged_cells`, beyond those of [`Property`].
const MERGED: u32 = 1 << 31;

impl PropertySet {
    /// No property.
    pub const EMPTY: PropertySet = PropertySet(0);

    fn of(properties: &[Property]) -> Self {
        Self(properties.iter().fold(0, |bits, property| bits | property.bit()))
    }

    fn with_merges(self) -> Self {
        Self(self.0 | MERGED)
    }

    /// The set of what a record is about.
    pub fn of_compared(compared: Compared) -> Self {
        match compared {
            Compared::Cell(property) => Self(property.bit()),
            Compared::Merge => Self(MERGED),
        }
    }

    /// Both sets together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The properties whose path begins with `Format.`: what the container holds at any depth.
    fn format_members() -> u32 {
        const SKIPPED: u32 = (1 << Property::Value as u32)
            | (1 << Property::Formula as u32)
            | (1 << Property::Datatype as u32)
            | (1 << Property::NumberFormat as u32)
            | (1 << Property::Format as u32);
        ((1 << Property::Unknown as u32) - 1) & !SKIPPED
    }

    /// Whether some pair is equal or one holds the other: `Format` and `Format.borders` and what is in them
    /// (spec 02, 11).
    pub fn is_related(self, other: Self) -> bool {
        self.widened() & other.widened() != 0
    }

    /// The single properties that are related to any in the set, as bits.
    pub(crate) fn related(self) -> u32 {
        self.widened()
    }

    /// The set with the members of every container in it.
    fn widened(self) -> u32 {
        let mut bits = self.0;
        if self.has_format() {
            bits |= Self::format_members();
        }
        if self.0 & Property::Borders.bit() != 0 {
            bits |= Property::BOX_SIDES.iter().fold(0, |sides, side| sides | side.bit());
        }
        bits
    }

    fn has_format(self) -> bool {
        self.0 & Property::Format.bit() != 0
    }

    /// Whether it holds `Format` or a property in it.
    pub fn touches_format(self) -> bool {
        self.0 & (Property::Format.bit() | Self::format_members()) != 0
    }

    /// What is left after taking away `later` and, where that holds `Format`, everything in it.
    #[must_use]
    pub fn minus(self, later: Self) -> Self {
        let covered = if later.has_format() {
            later.0 | Self::format_members()
        } else {
            later.0
        };
        Self(self.0 & !covered)
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many properties are in it.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The names in published form.
    pub fn names(self) -> Vec<&'static str> {
        let name = |property: Property| match property {
            Property::Fill => "Format.fill.fgColor",
            other => other.path(),
        };
        let mut names: Vec<_> = Property::from_bits(self.0).map(name).collect();
        if self.0 & MERGED != 0 {
            names.push("merged_cells");
        }
        names
    }
}

/// The writes of one action.
#[derive(Clone, Debug)]
pub struct Fingerprint {
    /// The sheet written to.
    pub sheet: Arc<str>,
    /// Each cell written to, with its properties; no cell twice.
    pub writes: Vec<(CellAddress, PropertySet)>,
    /// The smallest box around all cells written to; none where nothing is written.
    pub extent: Option<Bounds>,
    /// The kinds of property that the action writes, whatever its range.
    pub properties: PropertySet,
}

impl Fingerprint {
    /// The fingerprint of an action.
    ///
    /// # Errors
    /// [`RangeError`] when its range cannot be walked over or a paste's source is no range.
    pub fn of(action: &Action) -> Result<Self, RangeError> {
        let range = action.range();
        let sheet: Arc<str> = if range.sheet().is_empty() {
            "Sheet1".into()
        } else {
            range.sheet().clone()
        };
        let (writes, properties) = match action.edit() {
            Edit::Border { side, .. } => {
                let writes = border_writes(&range.walk()?, *side);
                (writes, border_properties(*side))
            }
            Edit::Autofill { source } => uniform(fill_cells(range, source)?, autofill_properties()),
            Edit::Paste { source, mode } => uniform(paste_cells(action, source, mode)?, paste_properties(mode)),
            other => uniform(range.walk()?.cells().collect(), plain_properties(other)),
        };
        Ok(Self {
            sheet,
            extent: extent_of(&writes),
            writes,
            properties,
        })
    }
}

/// What an action writes to each cell of its range, and the kinds of property that it writes, where it writes all its
/// cells alike and the range can be walked over.
pub(crate) fn alike(action: &Action) -> Option<(PropertySet, PropertySet)> {
    action
        .range()
        .walk()
        .ok()
        .filter(|_| !action.range().sheet().is_empty())?;
    match action.edit() {
        Edit::Border {
            side: side @ BorderSide::All,
            ..
        } => Some((PropertySet::of(&Property::BOX_SIDES), border_properties(*side))),
        Edit::Border { .. }
        | Edit::Value { .. }
        | Edit::Formula { .. }
        | Edit::Merge { .. }
        | Edit::Paste { .. }
        | Edit::Autofill { .. } => None,
        edit => {
            let properties = plain_properties(edit);
            Some((properties, properties))
        }
    }
}

fn extent_of(writes: &[(CellAddress, PropertySet)]) -> Option<Bounds> {
    writes.iter().map(|(cell, _)| Bounds::of_cell(*cell)).reduce(around)
}

/// The smallest box around two boxes.
fn around(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        first_row: a.first_row.min(b.first_row),
        first_col: a.first_col.min(b.first_col),
        last_row: a.last_row.max(b.last_row),
        last_col: a.last_col.max(b.last_col),
    }
}

/// The smallest box around what there is of two boxes.
pub(crate) fn around_both(a: Option<Bounds>, b: Option<Bounds>) -> Option<Bounds> {
    match (a, b) {
        (Some(a), Some(b)) => Some(around(a, b)),
        (a, b) => a.or(b),
    }
}

type Writes = (Vec<(CellAddress, PropertySet)>, PropertySet);

fn uniform(cells: Vec<CellAddress>, properties: PropertySet) -> Writes {
    (cells.into_iter().map(|cell| (cell, properties)).collect(), properties)
}

fn autofill_properties() -> PropertySet {
    PropertySet::of(&[Property::Value, Property::Formula, Property::Format])
}

fn plain_properties(edit: &Edit) -> PropertySet {
    let property = match edit {
        Edit::Value { .. } | Edit::Input { .. } => Property::Value,
        Edit::Formula { .. } => Property::Formula,
        Edit::NumberFormat { .. } => Property::NumberFormat,
        Edit::Fill { .. } => Property::Fill,
        Edit::Font { property, .. } => Property::of_font(*property),
        Edit::Align { axis, .. } => Property::of_axis(*axis),
        Edit::Wrap { .. } => Property::WrapText,
        Edit::Orientation { .. } => Property::TextOrientation,
        _ => return PropertySet::EMPTY.with_merges(),
    };
    PropertySet::of(&[property])
}

/// The mode is compared as written here (spec 02, 11).
fn paste_properties(mode: &str) -> PropertySet {
    match mode {
        "values" => PropertySet::of(&[Property::Value]),
        "formulas" => PropertySet::of(&[Property::Formula]),
        "formats" => PropertySet::of(&[Property::Format]).with_merges(),
        _ => PropertySet::of(&[Property::Value, Property::Formula, Property::Format]).with_merges(),
    }
}

fn paste_cells(action: &Action, source: &str, mode: &str) -> Result<Vec<CellAddress>, RangeError> {
    let range = action.range();
    if source.is_empty() {
        return Ok(range.walk()?.cells().collect());
    }
    let source = Range::parse(source)?;
    let tiled = mode.to_lowercase() == "formats" && !range.is_single_cell();
    let to = range.bounds();
    let size = if tiled { to } else { source.bounds() };
    let extent = Bounds {
        last_row: to.first_row + size.height() - 1,
        last_col: to.first_col + size.width() - 1,
        ..to
    };
    Ok(extent.cells().collect())
}

/// The destination less its source; all of it where the source is no range.
fn fill_cells(range: &Range, source: &str) -> Result<Vec<CellAddress>, RangeError> {
    let cells = range.walk()?.cells();
    Ok(match Range::parse(source) {
        Ok(source) => {
            let source = source.bounds();
            cells.filter(|cell| !source.contains_cell(*cell)).collect()
        }
        Err(_) => cells.collect(),
    })
}

/// The kind of property that a border action writes: one side, or borders as such.
fn border_properties(side: BorderSide) -> PropertySet {
    PropertySet::of(&[match side {
        BorderSide::Left => Property::BorderLeft,
        BorderSide::Right => Property::BorderRight,
        BorderSide::Top => Property::BorderTop,
        BorderSide::Bottom => Property::BorderBottom,
        _ => Property::Borders,
    }])
}

fn border_writes(bounds: &Bounds, side: BorderSide) -> Vec<(CellAddress, PropertySet)> {
    let sides = Property::BOX_SIDES;
    let at = |cell: CellAddress| {
        let left = cell.col == bounds.first_col;
        let right = cell.col == bounds.last_col;
        let top = cell.row == bounds.first_row;
        let bottom = cell.row == bounds.last_row;
        match side {
            BorderSide::Left => [left, false, false, false],
            BorderSide::Right => [false, right, false, false],
            BorderSide::Top => [false, false, top, false],
            BorderSide::Bottom => [false, false, false, bottom],
            BorderSide::Outside => [left, right, top, bottom],
            BorderSide::InsideHorizontal => [false, false, !top, !bottom],
            BorderSide::InsideVertical => [!left, !right, false, false],
            BorderSide::All | BorderSide::DiagonalDown | BorderSide::DiagonalUp => [true; 4],
        }
    };
    bounds
        .cells()
        .map(|cell| {
            let written: Vec<Property> = sides
                .iter()
                .zip(at(cell))
                .filter(|(_, written)| *written)
                .map(|(side, _)| *side)
                .collect();
            (cell, PropertySet::of(&written))
        })
        .filter(|(_, set)| !set.is_empty())
        .collect()
}

/// The writes of several actions, by sheet and cell.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    sheets: FxHashMap<Arc<str>, SheetFootprint>,
}

/// The writes to one sheet.
#[derive(Clone, Debug, Default)]
struct SheetFootprint {
    cells: FxHashMap<CellAddress, PropertySet>,
    extent: Option<Bounds>,
}

impl Footprint {
    /// Adds the writes of an action.
    pub fn add(&mut self, fingerprint: &Fingerprint) {
        let sheet = self.sheets.entry(fingerprint.sheet.clone()).or_default();
        for (cell, properties) in &fingerprint.writes {
            let known = sheet.cells.entry(*cell).or_default();
            *known = known.union(*properties);
        }
        sheet.extent = around_both(sheet.extent, fingerprint.extent);
    }

    /// Whether some pair of writes shares sheet and cell and is related.
    pub fn overlaps(&self, fingerprint: &Fingerprint) -> bool {
        let Some(sheet) = self.sheets.get(&fingerprint.sheet) else {
            return false;
        };
        let near = sheet
            .extent
            .zip(fingerprint.extent)
            .is_some_and(|(mine, other)| mine.overlaps(&other));
        near && fingerprint
            .writes
            .iter()
            .any(|(cell, properties)| sheet.cells.get(cell).is_some_and(|known| known.is_related(*properties)))
    }

    /// Number of distinct (sheet, cell, property) writes.
    pub fn len(&self) -> usize {
        let cells = self.sheets.values().flat_map(|sheet| sheet.cells.values());
        cells.map(|set| usize::try_from(set.len()).unwrap_or(0)).sum()
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
