//! Models that are in use, so that predictors which differ in other options share them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The models of one kind that are in use, by the names that users type.
pub(super) struct InUse<T>(Mutex<BTreeMap<String, Weak<T>>>);

impl<T> InUse<T> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// The model of that name: the one in use, or else what `read` finds. One that is no longer in use is read again, so
    /// that a file may change between two uses.
    pub(super) fn get<E>(&self, name: &str, read: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(name).and_then(Weak::upgrade) {
            return Ok(model);
        }
        let model = Arc::new(read()?);
        models.retain(|_, model| model.strong_count() > 0);
        models.insert(name.to_owned(), Arc::downgrade(&model));
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_read_once_while_it_is_in_use() {
        let models = InUse::new();
        let get = |name: &str, model: u32| models.get(name, || Ok::<_, ()>(model)).unwrap();
        let first = get("a", 1);
        assert_eq!((*get("a", 2), *get("b", 3)), (1, 3));
        drop(first);
        assert_eq!(*get("a", 4), 4);
        assert_eq!(models.get("c", || Err("gone")), Err("gone"));
    }
}
