//! One cell: its properties in order of insertion, empty containers included.

use std::sync::OnceLock;

use napsim_trajectories::Value;

use super::property::Property;

/// The properties of one cell, in order of insertion at each level.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    present: u32,
    entries: Vec<(Property, Value)>,
    /// Which compared properties show, once somebody asked; forgotten at every write.
    shown: OnceLock<u32>,
}

/// Room for the entries of a formatted cell, made at the first of them.
const ENTRIES_EXPECTED: usize = 8;

impl Cell {
    /// Whether a property or container is present, be it empty.
    pub fn has(&self, property: Property) -> bool {
        self.present & property.bit() != 0
    }

    /// The set of properties that a comparison looks at.
    pub(crate) fn compared_bits(&self) -> u32 {
        self.present & Property::COMPARED
    }

    /// The compared properties whose value `shows`, worked out once between writes.
    ///
    /// The answer of `shows` must depend on its arguments alone.
    pub(crate) fn shown_bits(&self, shows: impl Fn(Property, &Value) -> bool) -> u32 {
        *self.shown.get_or_init(|| {
            let shown = self
                .entries
                .iter()
                .filter(|(property, value)| property.bit() & Property::COMPARED != 0 && shows(*property, value));
            shown.fold(0, |bits, (property, _)| bits | property.bit())
        })
    }

    /// Adds an entry at the end.
    fn push(&mut self, property: Property, value: Value) {
        if self.entries.capacity() == 0 {
            self.entries.reserve(ENTRIES_EXPECTED);
        }
        self.present |= property.bit();
        self.entries.push((property, value));
        self.shown = OnceLock::new();
    }

    /// Whether two cells are the same at a glance: the same properties in the same order with the same values.
    ///
    /// False does not mean that they differ.
    pub fn is_same(&self, other: &Cell) -> bool {
        self.present == other.present
            && self.entries.len() == other.entries.len()
            && self
                .entries
                .iter()
                .zip(&other.entries)
                .all(|((p, a), (q, b))| p == q && a.is_same(b))
    }

    /// Whether the cell holds nothing at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a property; `None` for containers.
    pub fn get(&self, property: Property) -> Option<&Value> {
        if !self.has(property) || property.is_container() {
            return None;
        }
        self.entries
            .iter()
            .find(|(known, _)| *known == property)
            .map(|(_, value)| value)
    }

    /// All entries in order of insertion, containers (with a null) included.
    pub fn entries(&self) -> &[(Property, Value)] {
        &self.entries
    }

    /// Makes a container (and those around it) where it is missing.
    pub fn touch(&mut self, container: Property) {
        if let Some(outer) = container.container() {
            self.touch(outer);
        }
        if !self.has(container) {
            self.push(container, Value::Null);
        }
    }

    /// Sets a property, in its old place if it was there; its containers are made where missing.
    pub fn set(&mut self, property: Property, value: Value) {
        if let Some(container) = property.container() {
            self.touch(container);
        }
        if self.has(property) {
            if let Some((_, slot)) = self.entries.iter_mut().find(|(known, _)| *known == property) {
                *slot = value;
                self.shown = OnceLock::new();
            }
        } else {
            self.push(property, value);
        }
    }

    /// Deletes a property, or a container with all it holds.
    pub fn remove(&mut self, property: Property) {
        if !self.has(property) {
            return;
        }
        self.entries
            .retain(|entry| entry.0 != property && !lies_within(entry, property));
        self.refresh();
    }

    /// Deletes everything but the `Format` container and what it holds.
    pub fn retain_format(&mut self) {
        self.entries
            .retain(|entry| entry.0 == Property::Format || lies_within(entry, Property::Format));
        self.refresh();
    }

    /// Whether a container is present and holds something.
    pub fn holds_any(&self, container: Property) -> bool {
        self.has(container)
            && self.entries.iter().any(|(known, value)| {
                known.container() == Some(container)
                    || (*known == Property::Unknown && unknown_container(value) == Some(container))
            })
    }

    /// Replaces the `Format` by a copy of another cell's, in its old place, or deletes it if the other has none.
    pub fn copy_format(&mut self, from: &Cell) {
        if !from.has(Property::Format) {
            self.remove(Property::Format);
            return;
        }
        self.touch(Property::Format);
        self.entries.retain(|entry| !lies_within(entry, Property::Format));
        self.entries.extend(
            from.entries
                .iter()
                .filter(|entry| lies_within(entry, Property::Format))
                .cloned(),
        );
        self.refresh();
    }

    /// Replaces the stored borders by these sides, in this order.
    pub fn replace_borders(&mut self, sides: impl IntoIterator<Item = (Property, Value)>) {
        self.touch(Property::Borders);
        self.entries.retain(|entry| !lies_within(entry, Property::Borders));
        self.refresh();
        for (side, line) in sides {
            self.set(side, line);
        }
    }

    /// The stored border sides in order of insertion.
    pub fn borders(&self) -> impl Iterator<Item = (Property, &Value)> {
        self.entries
            .iter()
            .filter(|(known, _)| known.container() == Some(Property::Borders))
            .map(|(known, value)| (*known, value))
    }

    /// Keeps a key that no action knows; `container` is none at the cell's top level.
    pub(super) fn push_unknown(&mut self, container: Option<Property>, key: &str, value: Value) {
        let container = container.map_or(Value::Null, |container| Value::text(container.path()));
        self.entries
            .push((Property::Unknown, Value::list([container, Value::text(key), value])));
        self.refresh();
    }

    fn refresh(&mut self) {
        self.present = self.entries.iter().fold(0, |present, (known, _)| present | known.bit());
        self.shown = OnceLock::new();
    }
}

/// Whether two stored border sides draw the same line: alike in style and colour, where a missing part is null.
pub(crate) fn same_line(a: &Value, b: &Value) -> bool {
    ["lineStyle", "color"].iter().all(|key| {
        let part = |line: &Value| line.get(key).cloned().unwrap_or(Value::Null);
        part(a).loosely_equals(&part(b))
    })
}

/// The container of an unknown key's entry.
pub(super) fn unknown_container(entry: &Value) -> Option<Property> {
    match entry {
        Value::List(items) => items.first().and_then(Value::as_text).and_then(Property::from_path),
        _ => None,
    }
}

/// Whether an entry is held by the container at any depth.
fn lies_within((known, value): &(Property, Value), container: Property) -> bool {
    let unknown_within = |inner: Property| inner == container || inner.is_within(container);
    known.is_within(container) || (*known == Property::Unknown && unknown_container(value).is_some_and(unknown_within))
}
