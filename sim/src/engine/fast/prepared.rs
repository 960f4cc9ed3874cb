//! How far an action reaches: the cells it may change, the cells that decide what it does, those it names and those
//! its fingerprint writes. Worked out once for each action, along with its [script](super::script).
//!
//! What it touches and reads follows from the action alone, whatever the state. Both hold more than an action changes or looks at, never
//! less. For every action whose reach is known, and for states whose sheets have cells and merges (all states of a
//! rollout):
//!
//! 1. Only cells touched change, and only records of merges all of whose cells are touched.
//! 2. What becomes of a cell, and of the record of a merge, depends on what it was before and on the cells that it reads
//!    and the records of merges all of whose cells are among them, on nothing else. So does whether the action
//!    fails, and how far it gets before.
//!
//! Kind by kind: content, formats and borders write each cell of a range from the action alone. An unmerge writes its
//! range from its first cell. A merge does nothing where its record exists, and else writes its range from the borders
//! in it. A paste writes its extent, which may be larger than its range, from its source and the merges inside the
//! source; where extent and source overlap, cells of the source are written before they are read, but from other cells
//! of the source. An autofill writes its fill cells from its source; the length of texts in the source decides whether
//! it fails. Ranges with `$` fail on the way to their cells, which does not depend on the state; grids and pastes go by
//! coordinates and do not care.
//!
//! The reach of merges, unmerges and pastes on reversed ranges is not known: their records have no cell. So every merge
//! in a state that came about by actions of known reach has a first cell, and all its cells are touched together.

use std::rc::Rc;

use napsim_trajectories::{Action, Edit, Family, Range, RangeError};
use rustc_hash::FxHashMap;

use super::cells::Tables;
use super::script::{Script, slots_of};
use super::slots::{SheetIdx, Slot};
use crate::apply;
use crate::fingerprint::{Fingerprint, PropertySet, alike};
use crate::plan::Planned;
use crate::state::CellKey;

/// What an action has to do with one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) slot: Slot,
    pub(super) roles: Roles,
    /// What the action's fingerprint writes there.
    pub(super) writes: PropertySet,
}

/// A set of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Roles(u8);

impl Roles {
    /// The action may change the cell.
    pub(super) const TOUCHES: Roles = Roles(1);
    /// The cell decides what the action does elsewhere.
    pub(super) const READS: Roles = Roles(2);
    /// The cell is one of the action's own range.
    pub(super) const NAMES: Roles = Roles(4);
    const NONE: Roles = Roles(0);

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the other role is among these.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// An action made ready for a rollout.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The cells that it has to do with, each once.
    pub(super) parts: Box<[Part]>,
    pub(super) script: Script,
    pub(super) family: Family,
    pub(super) is_merge: bool,
    /// Whether it names no cell, so that cells do not tell what it overlaps.
    pub(super) is_odd: bool,
    /// The kinds of property that it writes; an error where its fingerprint cannot be told.
    pub(super) properties: Result<PropertySet, RangeError>,
}

impl Prepared {
    /// Makes an action ready; none where its reach is not known.
    pub(super) fn of(action: &Action, tables: &mut Tables) -> Option<Self> {
        let parts = Parts::of(action, tables)?;
        Some(Self {
            is_odd: !parts.list.iter().any(|part| part.roles.has(Roles::NAMES)),
            script: Script::of(action, &parts.named, tables),
            parts: parts.list.into(),
            family: action.family(),
            is_merge: matches!(action.edit(), Edit::Merge { .. }),
            properties: parts.properties,
        })
    }

    /// The cells in a role.
    pub(super) fn cells(&self, role: Roles) -> impl Iterator<Item = Slot> {
        let parts = self.parts.iter().filter(move |part| part.roles.has(role));
        parts.map(|part| part.slot)
    }

    /// The cells that its fingerprint writes, with the properties written there.
    pub(super) fn writes(&self) -> impl Iterator<Item = (Slot, PropertySet)> {
        let parts = self.parts.iter().filter(|part| !part.writes.is_empty());
        parts.map(|part| (part.slot, part.writes))
    }
}

/// The parts of an action in the making.
struct Parts {
    list: Vec<Part>,
    idx: FxHashMap<Slot, usize>,
    /// The cells of its own range, row by row.
    named: Rc<[Slot]>,
    properties: Result<PropertySet, RangeError>,
}

impl Parts {
    fn of(action: &Action, tables: &mut Tables) -> Option<Self> {
        let range = action.range();
        let sheet = tables.slots.sheet_idx(range.sheet());
        let mut parts = Self {
            list: Vec::new(),
            idx: FxHashMap::default(),
            named: Rc::from([]),
            properties: Ok(PropertySet::EMPTY),
        };
        let named = range.walk().ok().map(|bounds| slots_of(tables, sheet, bounds.cells()));
        let named = named.unwrap_or_default();
        if touches_just_its_range(action)
            && let Some((writes, properties)) = alike(action)
        {
            parts.properties = Ok(properties);
            parts.list.extend(named.iter().map(|slot| Part {
                slot: *slot,
                roles: Roles::NAMES.with(Roles::TOUCHES),
                writes,
            }));
            parts.named = named;
            return Some(parts);
        }
        let fingerprint = Fingerprint::of(action);
        parts.add(&named, Roles::NAMES);
        parts.add_reach(action, sheet, &named, tables)?;
        match fingerprint {
            Ok(fingerprint) => {
                parts.properties = Ok(fingerprint.properties);
                let sheet = tables.slots.sheet_idx(&fingerprint.sheet);
                for (cell, properties) in fingerprint.writes {
                    let slot = tables.slots.of_sheet(sheet, CellKey::Address(cell));
                    parts.part(slot).writes = properties;
                }
            }
            Err(error) => parts.properties = Err(error),
        }
        parts.named = named;
        Some(parts)
    }

    /// Adds what the action touches and reads. None where that is not known.
    fn add_reach(&mut self, action: &Action, sheet: SheetIdx, named: &[Slot], tables: &mut Tables) -> Option<()> {
        let range = action.range();
        match action.edit() {
            Edit::Value { .. } | Edit::Formula { .. } => {
                let slot = tables.slots.of_sheet(sheet, CellKey::from_text(range.text()));
                self.add(&[slot], Roles::TOUCHES);
            }
            Edit::Input { value } if apply::Uniform::of(action.edit()).is_none() => {
                let cells = apply::grid_cells(range, value).map(|(cell, _)| cell);
                self.add(&slots_of(tables, sheet, cells), Roles::TOUCHES);
            }
            Edit::Merge { .. } => {
                if range.bounds().n_cells() == 0 {
                    return None;
                }
                let cells = slots_of(tables, sheet, range.bounds().cells());
                self.add(&cells, Roles::TOUCHES.with(Roles::READS));
            }
            Edit::Paste { source, mode } => {
                let Ok(source) = Range::parse(source) else {
                    return Some(());
                };
                let extent = apply::paste_extent(range, &source, mode);
                if source.bounds().n_cells() == 0 || extent.n_cells() == 0 {
                    return None;
                }
                self.add(&slots_of(tables, sheet, extent.cells()), Roles::TOUCHES);
                let from = tables.slots.sheet_idx(source.sheet());
                self.add(&slots_of(tables, from, source.bounds().cells()), Roles::READS);
            }
            Edit::Autofill { source } => {
                let Ok(source) = Range::parse(source) else {
                    return Some(());
                };
                let (fill, sources) = apply::autofill_cells(range, &source);
                self.add(&slots_of(tables, sheet, fill), Roles::TOUCHES);
                self.add(&slots_of(tables, sheet, sources), Roles::READS);
            }
            _ => self.add(named, Roles::TOUCHES),
        }
        Some(())
    }

    #[expect(clippy::indexing_slicing, reason = "the index is that of a known part")]
    fn part(&mut self, slot: Slot) -> &mut Part {
        let Self { list, idx, .. } = self;
        let idx = *idx.entry(slot).or_insert_with(|| {
            list.push(Part {
                slot,
                roles: Roles::NONE,
                writes: PropertySet::EMPTY,
            });
            list.len() - 1
        });
        &mut list[idx]
    }

    fn add(&mut self, slots: &[Slot], roles: Roles) {
        for slot in slots {
            let part = self.part(*slot);
            part.roles = part.roles.with(roles);
        }
    }
}

/// Whether an action touches the cells that it names and no others, and reads none.
fn touches_just_its_range(action: &Action) -> bool {
    apply::Uniform::of(action.edit()).is_some() || matches!(action.edit(), Edit::Border { .. })
}

impl Planned {
    /// The action made ready for the one rollout that it is planned in; none where its reach is not known.
    pub(super) fn prepared(&self, tables: &mut Tables) -> Option<&Rc<Prepared>> {
        let prepared = || Prepared::of(&self.action, tables).map(Rc::new);
        self.prepared_cell().get_or_init(prepared).as_ref()
    }
}
