//! Objects under construction.

use std::collections::HashMap;
use std::sync::Arc;

use crate::Value;

/// The members of an object under construction.
#[derive(Default)]
pub(super) struct Members {
    entries: Vec<(Arc<str>, Value)>,
    /// Where each key is, kept once searching the entries would take long.
    places: HashMap<Arc<str>, usize>,
}

impl Members {
    /// Up to how many entries are searched one by one.
    const SEARCHED_MAX: usize = 16;

    /// Adds a member; a key that is there already keeps its place and takes the new value.
    pub(super) fn set(&mut self, key: Arc<str>, value: Value) {
        let place = if self.entries.len() <= Self::SEARCHED_MAX {
            self.entries.iter().position(|(known, _)| *known == key)
        } else {
            self.places.get(&key).copied()
        };
        if let Some((_, old)) = place.and_then(|place| self.entries.get_mut(place)) {
            *old = value;
            return;
        }
        self.entries.push((key, value));
        let n_placed = self.places.len();
        if self.entries.len() > Self::SEARCHED_MAX {
            let unplaced = self.entries.iter().enumerate().skip(n_placed);
            self.places
                .extend(unplaced.map(|(place, (key, _))| (Arc::clone(key), place)));
        }
    }

    pub(super) fn finish(self) -> Value {
        Value::Object(self.entries.into())
    }
}
