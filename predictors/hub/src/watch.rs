//! What a caller sees of long work, and how it stops it.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::HubError;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A file is there already and is being compared with its checksum.
    Checking {
        /// Its name.
        file: &'a str,
        /// Its bytes.
        size: u64,
    },
    /// A file is being fetched or unpacked.
    Begun {
        /// Its name.
        file: &'a str,
        /// Its bytes.
        size: u64,
    },
    /// So much of the file is there.
    Reached {
        /// Bytes done.
        done: u64,
    },
    /// The connection failed, and is tried again after a pause.
    Retrying {
        /// Why it failed.
        reason: &'a str,
        /// Seconds until the next try.
        pause: Duration,
    },
    /// Nothing new; asks whether to go on.
    Waiting,
}

/// Is told of every event, and stops the work by [`ControlFlow::Break`]: it then ends with [`HubError::Stopped`].
pub type Watch<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// Tells of an event; the error says that the work is to stop.
pub(crate) fn tell(watch: &mut Watch<'_>, event: Event<'_>) -> Result<(), HubError> {
    match watch(event) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(HubError::Stopped),
    }
}
