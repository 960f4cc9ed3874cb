//! The clock that calls are timed with.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tells the time since some moment that stays the same.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock of one's own, which must never go backwards.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time now.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl Default for Clock {
    /// The clock of this machine.
    fn default() -> Self {
        let start = Instant::now();
        Self::new(move || start.elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
