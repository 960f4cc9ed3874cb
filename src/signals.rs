//! Interruption by a signal: the first one asks the run to end cleanly, the second ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Tells whether a signal has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interruption {
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    /// Listens to SIGINT (Ctrl-C) and SIGTERM from now on.
    pub(crate) fn listen() -> io::Result<Self> {
        let interruption = Self::default();
        let pending = Arc::new(AtomicBool::new(false));
        for (signal, number) in [(SIGINT, 2), (SIGTERM, 15)] {
            // Order matters: a second signal of either kind finds the flag set and ends the program.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&pending))?;
            flag::register(signal, Arc::clone(&pending))?;
            flag::register_usize(signal, Arc::clone(&interruption.signal), number)?;
        }
        Ok(interruption)
    }

    /// A question whether a signal has come, for whoever waits for something else.
    pub(crate) fn question(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let signal = Arc::clone(&self.signal);
        move || signal.load(Ordering::SeqCst) > 0
    }

    /// The number of the signal that has come, if one has.
    pub(crate) fn signal(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::SeqCst))
            .ok()
            .filter(|number| *number > 0)
    }
}
