//! Work whose panics concern one of many inputs, and no other.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::exit::panic_message;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does the work; a panic in it becomes its message and is not reported otherwise.
///
/// What the work leaves half done must not be used after a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let was_guarded = IS_GUARDED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    outcome.map_err(|payload| panic_message(&*payload))
}

/// Whether the present thread does guarded work.
pub(crate) fn is_guarded() -> bool {
    IS_GUARDED.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_messages() {
        assert_eq!(guarded(|| 5), Ok(5));
        assert!(!is_guarded());
        assert_eq!(guarded(|| assert!(!is_guarded(), "guarded")), Err("guarded".to_owned()));
        assert!(!is_guarded());
    }
}
