//! What users should know although nothing failed.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Who is told.
static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// What was said.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Names who is to be told; the first one named stays.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Says something, unless it was said before.
pub(crate) fn notice_once(text: &str) {
    let Some(listener) = LISTENER.get() else {
        return;
    };
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(text.to_owned()) {
        listener(text);
    }
}
