//! Interruption by a signal: the first one asks the run to end cleanly, a later second one ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::console;
use crate::exit::{Exit, Failure};

/// How soon a signal is noticed here, and how much later a second one is another one.
const NOTICE: Duration = Duration::from_millis(100);

/// Tells whether a signal has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interruption {
    signal: Arc<AtomicUsize>,
}

impl Interruption {
    /// Listens to SIGINT (Ctrl-C) and SIGTERM from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::register()
            .context("failed to listen to signals")
            .map_err(Failure::Environment)
    }

    fn register() -> io::Result<Self> {
        let interruption = Self::default();
        let is_told = Arc::new(AtomicBool::new(false));
        for (signal, number) in [(SIGINT, 2), (SIGTERM, 15)] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_told))?;
            flag::register_usize(signal, Arc::clone(&interruption.signal), number)?;
        }
        let signal = Arc::clone(&interruption.signal);
        // Programs that run others send a signal to each of a group, so that one interruption can come twice at once; only
        // a second one that comes later means that the end is not to be clean.
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            while signal.load(Ordering::SeqCst) == 0 {
                thread::sleep(NOTICE);
            }
            thread::sleep(NOTICE);
            is_told.store(true, Ordering::SeqCst);
        })?;
        Ok(interruption)
    }

    /// A question whether a signal has come, for whoever waits for something else.
    pub(crate) fn question(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let signal = Arc::clone(&self.signal);
        move || signal.load(Ordering::SeqCst) > 0
    }

    /// What ends a command that failed: the signal, if one has come, since then that is why.
    pub(crate) fn or(&self, failure: Failure) -> Result<Exit, Failure> {
        match self.signal() {
            Some(signal) => {
                console::say("napsim: interrupted");
                Ok(Exit::Signal(signal))
            }
            None => Err(failure),
        }
    }

    /// The number of the signal that has come, if one has.
    pub(crate) fn signal(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::SeqCst))
            .ok()
            .filter(|number| *number > 0)
    }
}
