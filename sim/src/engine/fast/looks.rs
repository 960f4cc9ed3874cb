//! Looks by number: everything a cell holds besides its content, each combination once.
//!
//! A sheet has few looks however many cells it has, so what an edit makes of a look, and how two looks compare, is
//! worked out once and remembered.

use napsim_trajectories::Value;
use rustc_hash::FxHashMap;

use super::outcomes::Outcomes;
use super::values::{ValueId, Values};
use crate::apply::overlaid;
use crate::compare::{outcome_of, shows};
use crate::protocol::Protocol;
use crate::state::Property;

/// The number of a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct LookId(u32);

impl LookId {
    /// There is no cell.
    pub(super) const ABSENT: LookId = LookId(0);
    /// A cell without any format.
    pub(super) const BARE: LookId = LookId(1);
}

/// The number of an operation on looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpId(u32);

/// What an edit does to the look of a cell, whatever its content. A cell is made where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// Sets a property, or deletes it where there is no value; the containers around it are made either way.
    Set(Property, ValueId),
    /// Sets a fill over the one that is there.
    Fill(ValueId),
    /// Sets or deletes the sides in a set of properties; the container of borders is made.
    Sides(u32, ValueId),
    /// Replaces all borders by left, right, top and bottom.
    ReplaceBorders([ValueId; 4]),
    /// Deletes all borders, and the format if nothing is left in it.
    DropBorders,
    /// What the first cell of an unmerged range keeps of its borders.
    ReduceBorders { one_column: bool, one_row: bool },
    /// The format without its borders, alone.
    Spread,
    /// The format of another look, in place of the own one.
    CopyFormat(LookId),
    /// The borders of another look, in place of the own ones, if it has any.
    TakeBorders(LookId),
    /// What an autofill carries over.
    Filled,
}

/// One look: its properties in order, containers included.
type Entries = Vec<(Property, ValueId)>;

#[derive(Debug)]
struct Look {
    entries: Entries,
    /// Properties and containers that are present.
    present: u32,
    /// Properties that show in a comparison.
    shown: u32,
}

/// The looks that a rollout has met.
#[derive(Debug)]
pub(super) struct Looks {
    looks: Vec<Look>,
    ids: FxHashMap<Entries, LookId>,
    ops: Vec<Op>,
    op_ids: FxHashMap<Op, OpId>,
    made: FxHashMap<(LookId, OpId), LookId>,
    outcomes: FxHashMap<(LookId, LookId), Outcomes>,
}

impl Default for Looks {
    fn default() -> Self {
        let bare = || Look {
            entries: Entries::new(),
            present: 0,
            shown: 0,
        };
        Self {
            looks: vec![bare(), bare()],
            ids: FxHashMap::from_iter([(Entries::new(), LookId::BARE)]),
            ops: Vec::new(),
            op_ids: FxHashMap::default(),
            made: FxHashMap::default(),
            outcomes: FxHashMap::default(),
        }
    }
}

impl Looks {
    /// The number of an operation.
    pub(super) fn op(&mut self, op: Op) -> OpId {
        let Self { ops, op_ids, .. } = self;
        *op_ids.entry(op).or_insert_with(|| {
            ops.push(op);
            OpId(u32::try_from(ops.len() - 1).unwrap_or(u32::MAX))
        })
    }

    #[expect(clippy::indexing_slicing, reason = "a number is given out along with its look")]
    fn look(&self, id: LookId) -> &Look {
        &self.looks[id.0 as usize]
    }

    /// The value of a property.
    pub(super) fn get(&self, id: LookId, property: Property) -> ValueId {
        let look = self.look(id);
        if look.present & property.bit() == 0 {
            return ValueId::NONE;
        }
        let found = look.entries.iter().find(|(known, _)| *known == property);
        found.map_or(ValueId::NONE, |(_, value)| *value)
    }

    /// Whether a container holds anything, be it an empty container.
    pub(super) fn holds_any(&self, id: LookId, container: Property) -> bool {
        holds_any(&self.look(id).entries, container)
    }

    /// What an operation makes of a look.
    pub(super) fn apply(&mut self, protocol: &Protocol, values: &mut Values, id: LookId, op: OpId) -> LookId {
        if let Some(made) = self.made.get(&(id, op)) {
            return *made;
        }
        let made = match self.ops.get(op.0 as usize).copied() {
            Some(op) => self.work_out(protocol, values, id, op),
            None => id,
        };
        self.made.insert((id, op), made);
        made
    }

    fn work_out(&mut self, protocol: &Protocol, values: &mut Values, id: LookId, op: Op) -> LookId {
        let mut entries = self.look(id).entries.clone();
        match op {
            Op::Set(property, value) => set(&mut entries, property, value),
            Op::Fill(value) => {
                let old = values.get(self.get(id, Property::Fill));
                let merged = match (old, values.get(value)) {
                    (Some(Value::Object(old)), Some(Value::Object(new))) => Some(overlaid(old, new)),
                    _ => None,
                };
                let value = merged.map_or(value, |merged| values.intern(protocol, &merged));
                set(&mut entries, Property::Fill, value);
            }
            Op::Sides(sides, line) => {
                touch(&mut entries, Property::Borders);
                Property::from_bits(sides).for_each(|side| set(&mut entries, side, line));
            }
            Op::ReplaceBorders(lines) => {
                let sides = Property::BOX_SIDES.into_iter().zip(lines);
                replace_borders(&mut entries, sides.filter(|(_, line)| line.is_some()));
            }
            Op::DropBorders => drop_borders(&mut entries),
            Op::ReduceBorders { one_column, one_row } => reduce_borders(&mut entries, one_column, one_row),
            Op::Spread => {
                retain_format(&mut entries);
                remove(&mut entries, Property::Borders);
            }
            Op::CopyFormat(from) => {
                remove(&mut entries, Property::Format);
                entries.extend(self.format_of(from));
            }
            Op::TakeBorders(from) => {
                let own: Entries = borders_of(&self.look(from).entries).collect();
                if !own.is_empty() {
                    replace_borders(&mut entries, own.into_iter());
                }
            }
            Op::Filled => {
                let number_format = self.get(id, Property::NumberFormat);
                let format = self.holds_any(id, Property::Format).then(|| self.format_of(id));
                entries = format.unwrap_or_default();
                let stays = values.get(number_format).is_some_and(Value::is_truthy);
                if stays {
                    set(&mut entries, Property::NumberFormat, number_format);
                }
            }
        }
        self.intern(protocol, values, entries)
    }

    /// The format with everything in it.
    fn format_of(&self, id: LookId) -> Entries {
        let mut entries = self.look(id).entries.clone();
        retain_format(&mut entries);
        entries
    }

    fn intern(&mut self, protocol: &Protocol, values: &Values, mut entries: Entries) -> LookId {
        entries.sort_unstable();
        let Self { looks, ids, .. } = self;
        *ids.entry(entries).or_insert_with_key(|entries| {
            let shown = |(property, value): &&(Property, ValueId)| {
                Property::COMPARED & property.bit() != 0 && shows(protocol, *property, values.get(*value))
            };
            looks.push(Look {
                entries: entries.clone(),
                present: entries.iter().fold(0, |bits, (property, _)| bits | property.bit()),
                shown: entries
                    .iter()
                    .filter(shown)
                    .fold(0, |bits, (property, _)| bits | property.bit()),
            });
            LookId(u32::try_from(looks.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// How two looks compare, property by property.
    pub(super) fn compare(
        &mut self,
        protocol: &Protocol,
        values: &Values,
        predicted: LookId,
        target: LookId,
    ) -> Outcomes {
        if predicted == target {
            return Outcomes {
                right: self.look(predicted).shown,
                ..Outcomes::default()
            };
        }
        if let Some(known) = self.outcomes.get(&(predicted, target)) {
            return *known;
        }
        let mut outcomes = Outcomes::default();
        let shown = self.look(predicted).shown | self.look(target).shown;
        for property in Property::from_bits(shown) {
            let value = |look| values.get(self.get(look, property));
            if let Some(outcome) = outcome_of(protocol, property, value(predicted), value(target)) {
                outcomes.add(property, outcome);
            }
        }
        self.outcomes.insert((predicted, target), outcomes);
        outcomes
    }
}

fn is_inside(property: Property, container: Property) -> bool {
    property.is_within(container)
}

fn touch(entries: &mut Entries, container: Property) {
    if let Some(outer) = container.container() {
        touch(entries, outer);
    }
    if !entries.iter().any(|(known, _)| *known == container) {
        entries.push((container, ValueId::NONE));
    }
}

fn set(entries: &mut Entries, property: Property, value: ValueId) {
    if let Some(container) = property.container() {
        touch(entries, container);
    }
    entries.retain(|(known, _)| *known != property);
    if value.is_some() {
        entries.push((property, value));
    }
}

fn remove(entries: &mut Entries, property: Property) {
    entries.retain(|(known, _)| *known != property && !is_inside(*known, property));
}

fn retain_format(entries: &mut Entries) {
    entries.retain(|(known, _)| *known == Property::Format || is_inside(*known, Property::Format));
}

fn holds_any(entries: &Entries, container: Property) -> bool {
    entries.iter().any(|(known, _)| known.container() == Some(container))
}

fn borders_of(entries: &Entries) -> impl Iterator<Item = (Property, ValueId)> {
    entries
        .iter()
        .filter(|(known, _)| known.container() == Some(Property::Borders))
        .copied()
}

fn replace_borders(entries: &mut Entries, sides: impl Iterator<Item = (Property, ValueId)>) {
    touch(entries, Property::Borders);
    entries.retain(|(known, _)| !is_inside(*known, Property::Borders));
    entries.extend(sides);
}

/// A format that only had borders goes with them.
fn drop_borders(entries: &mut Entries) {
    remove(entries, Property::Borders);
    if !holds_any(entries, Property::Format) {
        remove(entries, Property::Format);
    }
}

fn reduce_borders(entries: &mut Entries, one_column: bool, one_row: bool) {
    if !holds_any(entries, Property::Borders) {
        return;
    }
    let stays = |side: Property| match side {
        Property::BorderLeft | Property::BorderTop => true,
        Property::BorderRight => one_column,
        Property::BorderBottom => one_row,
        _ => false,
    };
    let kept: Entries = borders_of(entries).filter(|(side, _)| stays(*side)).collect();
    if kept.is_empty() {
        drop_borders(entries);
    } else {
        replace_borders(entries, kept.into_iter());
    }
}
