//! Values by number: equal values have one number, so that comparing and storing them costs nothing.

use std::hash::{Hash, Hasher};

use napsim_trajectories::Value;
use rustc_hash::FxHashMap;

use crate::protocol::Protocol;

/// The number of a value; zero stands for none at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ValueId(u32);

impl ValueId {
    /// No value. A stored null is a value of its own.
    pub(super) const NONE: ValueId = ValueId(0);

    /// Whether there is a value.
    pub(super) fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// A value that is equal to nothing but itself: 1, 1.0 and true differ, and so do keys in another order.
#[derive(Debug)]
struct Exact(Value);

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        is_exactly(&self.0, &other.0)
    }
}

impl Eq for Exact {}

fn is_exactly(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::BigInt(a), Value::BigInt(b)) => a == b,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| is_exactly(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let same = |((j, a), (k, b)): (&(_, Value), &(_, Value))| j == k && is_exactly(a, b);
            a.len() == b.len() && a.iter().zip(&**b).all(same)
        }
        (a, b) => a.is_same(b),
    }
}

impl Hash for Exact {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(&self.0, state);
    }
}

fn hash_value(value: &Value, state: &mut impl Hasher) {
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Null => {}
        Value::Bool(on) => on.hash(state),
        Value::Int(number) => number.hash(state),
        Value::BigInt(number) => number.hash(state),
        Value::Float(number) => number.to_bits().hash(state),
        Value::Text(text) => text.hash(state),
        Value::List(items) => items.iter().for_each(|item| hash_value(item, state)),
        Value::Object(entries) => {
            for (key, value) in &**entries {
                key.hash(state);
                hash_value(value, state);
            }
        }
    }
}

/// The values that a rollout has met.
#[derive(Debug)]
pub(super) struct Values {
    values: Vec<Known>,
    ids: FxHashMap<Exact, ValueId>,
}

#[derive(Debug)]
struct Known {
    value: Value,
    /// Whether a cell with this content cannot be told from an empty one.
    is_empty_content: bool,
}

impl Default for Values {
    fn default() -> Self {
        let none = Known {
            value: Value::Null,
            is_empty_content: true,
        };
        Self {
            values: vec![none],
            ids: FxHashMap::default(),
        }
    }
}

impl Values {
    /// The number of a value, given out now if it is new.
    pub(super) fn intern(&mut self, protocol: &Protocol, value: &Value) -> ValueId {
        let exact = Exact(value.clone());
        if let Some(id) = self.ids.get(&exact) {
            return *id;
        }
        let id = ValueId(u32::try_from(self.values.len()).unwrap_or(u32::MAX));
        self.values.push(Known {
            value: value.clone(),
            is_empty_content: protocol.content_is_default(value),
        });
        self.ids.insert(exact, id);
        id
    }

    /// The value of a number; none for no value.
    pub(super) fn get(&self, id: ValueId) -> Option<&Value> {
        self.values
            .get(id.0 as usize)
            .filter(|_| id.is_some())
            .map(|known| &known.value)
    }

    /// Whether a content shows in a comparison.
    pub(super) fn shows_as_content(&self, id: ValueId) -> bool {
        self.values
            .get(id.0 as usize)
            .is_some_and(|known| !known.is_empty_content)
    }
}
