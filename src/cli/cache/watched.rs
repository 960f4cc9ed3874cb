//! Long work on the cache: a line of progress, and an end when a signal comes.

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use napsim_remote::cache::Progress;

use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Work on the cache that somebody watches.
pub(super) struct Watched {
    bar: ProgressBar,
    interruption: Interruption,
}

impl Watched {
    /// Begins; without a terminal the line of progress hides itself.
    pub(super) fn begin() -> Result<Self, Failure> {
        let interruption = Interruption::listen()?;
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} answers") {
            bar.set_style(style);
        }
        Ok(Self { bar, interruption })
    }

    /// Takes note of progress and says whether to go on.
    pub(super) fn watch(&self) -> impl FnMut(Progress) -> ControlFlow<()> + '_ {
        |progress| {
            self.bar.set_position(progress.entries);
            if self.interruption.signal().is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    /// Takes the line away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The end that a signal brings.
    pub(super) fn interrupted(&self) -> Exit {
        self.finish();
        console::say("napsim: interrupted");
        Exit::Signal(self.interruption.signal().unwrap_or(2))
    }
}
